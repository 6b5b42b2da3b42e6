"""What containerlab calls each platform, and what a switch becomes there: data, and functions of a Device.

A platform names one or more `NodeKind`s; each holds from one containerlab release up to another. Sources: containerlab
0.79.0 + 2 commits (39ff2b7: nodes/, docs/manual), release notes of 0.80 and 0.81, pull request 3382.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.device.device import Device

Release = tuple[int, int]
"""A containerlab release, e.g. (0, 80)."""

RELEASES: tuple[Release, ...] = ((0, 79), (0, 80), (0, 81))
"""Releases whose topology files are known here, oldest first."""


class Bind(NamedTuple):
    """A file or folder of the node's folder and where the container sees it."""

    file: str
    path: str
    read_only: bool = False


class Omission(NamedTuple):
    """Something that a container does not have: its name, which switches it concerns, and why."""

    feature: str
    concerns: Callable[[Device], bool]
    reason: str


class Estimate(NamedTuple):
    """Memory of one node, MiB, and who measured it."""

    mib: int
    source: str


class Access(NamedTuple):
    """How NAPALM enters a node.

    barrier  why it cannot; "" where it can
    by_key   with a key, and no password
    note     what people must know to enter
    """

    barrier: str = ""
    by_key: bool = False
    note: str = ""


def by_password(image: str) -> Access:
    """The access of images that take the configuration's users, whatever their name."""
    del image
    return Access()


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """One switch as a node.

    ports    name of each front port → its name in the container, at most 15 octets
    files    name below the node's folder → text
    startup  which of them is the startup configuration; containerlab runs it through its own expansion. "": none
    binds    files that the container sees, taken as they are
    execs    commands that containerlab runs in the container when its links are there
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
    """One kind of containerlab for one platform.

    name       as the topology file has it
    since      first release with it; until: first without, None where there is none
    image      where nobody names one; it is looked up as docker does, and may have to be imported first
    fit        the Device as a container can be it: what it does not have is taken off
    make       (Device as fitted, its rendered files) → the node
    artifact   the main artifact as the container is given it, from the rendered one
    omissions  what `fit` takes off, and what else is not exercised
    user       who logs in; "" where it is the intent's first administrator
    options    optional arguments of the NAPALM driver; a text may hold {lab}, the lab's name
    access     image → how NAPALM enters
    per_host   limit that many nodes of it need raised: (nodes from which on, what to do)
    """

    name: str
    since: Release = (0, 79)
    until: Release | None = None
    image: str
    memory: Estimate
    fit: Callable[[Device], Device]
    make: Callable[[Device, Mapping[str, str]], Container]
    artifact: Callable[[str], str]
    omissions: tuple[Omission, ...]
    user: str = ""
    options: Callable[[Device], Mapping[str, object]] = lambda device: {}
    access: Callable[[str], Access] = by_password
    per_host: tuple[int, str] | None = None

    def holds(self, release: Release) -> bool:
        """Whether a release has it."""
        return self.since <= release and (self.until is None or release < self.until)


class Nodes(NamedTuple):
    """What containerlab can run of a platform: kinds, the oldest first, or why no node can be a switch of ours."""

    kinds: tuple[NodeKind, ...] = ()
    refusal: str = ""
