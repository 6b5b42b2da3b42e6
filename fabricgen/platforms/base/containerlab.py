"""The containerlab node kinds of a platform, and how a Device becomes a node.

A platform has one or more `NodeKind`s; each is valid from one containerlab release up to another. Sources: containerlab
0.79.0 + 2 commits (39ff2b7: nodes/, docs/manual), release notes of 0.80 and 0.81, pull request 3382.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.device.device import Device

Release = tuple[int, int]
"""A containerlab release, e.g. (0, 80)."""

RELEASES: tuple[Release, ...] = ((0, 79), (0, 80), (0, 81))
"""Releases whose topology files are supported, oldest first."""


class Bind(NamedTuple):
    """A file or folder of the node's folder, and its path in the container."""

    file: str
    path: str
    read_only: bool = False


class Omission(NamedTuple):
    """A feature that a container does not have: its name, which switches it concerns, and why."""

    feature: str
    concerns: Callable[[Device], bool]
    reason: str


class Estimate(NamedTuple):
    """Memory of one node in MiB, and the source of the figure."""

    mib: int
    source: str


class Access(NamedTuple):
    """How NAPALM logs in to a node.

    barrier  why it cannot; "" if it can
    by_key   login with a key, without a password
    note     what a person must know to log in
    """

    barrier: str = ""
    by_key: bool = False
    note: str = ""


def by_password(image: str) -> Access:
    """The access of images that create the users of the configuration."""
    del image
    return Access()


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """One switch as a node.

    ports    name of each front port → its name in the container, at most 15 octets
    files    path below the node's folder → text
    startup  which of the files is the startup configuration; containerlab expands it. "": none
    binds    files that the container sees unchanged
    execs    commands that containerlab runs in the container once its links exist
    keys     further keys of the node
    """

    ports: Mapping[str, str]
    files: Mapping[str, str]
    startup: str = ""
    binds: tuple[Bind, ...] = ()
    execs: tuple[str, ...] = ()
    keys: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeKind:
    """One containerlab kind for one platform.

    name       in the topology file
    since      first release that has it; until: first release without it, None if there is none
    image      default image; it is looked up as docker does, and may have to be imported first
    fit        Device → the Device without what a container does not have
    make       (fitted Device, its rendered files) → the node
    artifact   rendered main artifact → the text that the container gets
    omissions  what `fit` takes off, and what else is not exercised
    user       login name; "" for the intent's first administrator
    options    optional arguments of the NAPALM driver; a text may contain {lab}, the lab's name
    access     image → how NAPALM logs in
    per_host   (number of nodes from which a limit of the host must be raised, what to do)
    """

    name: str
    since: Release = (0, 79)
    until: Release | None = None
    image: str
    memory: Estimate
    fit: Callable[[Device], Device]
    make: Callable[[Device, Mapping[str, str]], Container]
    artifact: Callable[[str], str] = lambda text: text
    omissions: tuple[Omission, ...]
    user: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    access: Callable[[str], Access] = by_password
    per_host: tuple[int, str] | None = None

    def holds(self, release: Release) -> bool:
        """Whether a containerlab release has this kind."""
        return self.since <= release and (self.until is None or release < self.until)


class Nodes(NamedTuple):
    """The node kinds of a platform, oldest first, or the reason why containerlab cannot run it."""

    kinds: tuple[NodeKind, ...] = ()
    refusal: str = ""
