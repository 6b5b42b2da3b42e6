"""What tests of all platforms need of one: `CASE` in `tests/<os>/case.py`. A new platform brings its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.pairs.view import View

Files = Mapping[str, str]
"""Files of one switch by name."""
CS6 = 48
ADDRESS = r"10\.0\.0\.\d+/24"
"""Addresses of management ports of the small sites."""


class Seed(NamedTuple):
    """A mistake: file (empty: the only one), a regular expression found there once or more, and its replacement."""

    file: str
    pattern: str
    instead: str


class OwnPackets(NamedTuple):
    """A switch's own packets where its files are silent: DSCP of BGP and BFD, and their queue; None: the DSCP's.

    outside  they leave by a queue outside the plan
    """

    bgp: int = CS6
    bfd: int = CS6
    queue: int | None = None
    outside: bool = False


class SmallSite(NamedTuple):
    """A small site of a platform: its `os:`, and the switch models of a backend and a frontend.

    mistakes       kind → a mistake in the text of a leaf of a backend
    spine_mistake  a spine that puts itself in place of the VTEP in the routes that it hands on
    own            None: the platform has no lossless class
    """

    system: str
    backend: str
    frontend: str
    mistakes: Mapping[str, Seed]
    spine_mistake: Seed
    own: OwnPackets | None


class LeftOut(NamedTuple):
    """Fields of a Device that the platform's templates do not read, and why that is right.

    fields  paths without the roles of ports, parted by spaces; a path includes all below it
    roles   of switches, or of those with one release, as leaf/master; empty: all
    """

    fields: str
    why: str
    roles: str = ""

    def covers(self, role: str, path: str) -> bool:
        """Whether the row is about a field of a switch of this role/release."""
        below = any(path == name or path.startswith(f"{name}.") for name in self.fields.split())
        roles = self.roles.split()
        return below and (not roles or role in roles or role.partition("/")[0] in roles)


ALL = ("users", "aaa", "snmp")
"""Parts of `management` with secrets."""


class SecretSite(NamedTuple):
    """A small backend with secrets: switch model, parts of `management` that the system has, a port, and raw lines.

    raw  has one secret twice; a second entry of the intent lists another one
    """

    model: str
    has: tuple[str, ...]
    port: str
    raw: str
    artifact: str = ""
    mtu: int = 9214


class SecretLength(NamedTuple):
    """Fewest and most characters of a secret; most 0: no source has a limit."""

    version: str
    field: str
    least: int
    most: int


class Lossless(NamedTuple):
    """The lossless class as the files of one switch have it. Octets and milliseconds; None: the files are silent.

    ecn       of each profile of ports: (minimum, maximum, percent); on Junos in percent of the queue's limit
    headroom  octets of each kind of lossless port
    cables    metres of lossless ports, where the switch computes headroom
    watchdog  detect, restore, poll
    pool      octets; on Junos and SR Linux percent of the memory
    counted   what a switch that computes headroom counts with: its largest lossless packet, percent of small packets
    limit     octets that the lossless queue may grow to; pause: that a port fills before it pauses its peer
    """

    ecn: frozenset[tuple[int, int, int]]
    headroom: frozenset[int] = frozenset()
    cables: frozenset[int] = frozenset()
    watchdog: tuple[int | None, int | None, int | None] = (None, None, None)
    pool: int | None = None
    resume: int | None = None
    limit: int | None = None
    pause: int | None = None
    counted: tuple[int, int] | None = None


class Served(NamedTuple):
    """A queue: strict or by weight, and the most percent of the port that it may send."""

    strict: bool
    cap: int


class ControlPath(NamedTuple):
    """What one switch does with control packets: mark, class, queue, scheduler, buffer.

    classes      DSCP → traffic class; queues: class → egress queue
    served       queue → scheduler, the same for all ports
    unbacked     queues and groups that a code point reaches and that have no buffer or no scheduler
    session_dscp that the files give BGP's packets, None where they are silent
    leaves_by    queue that the files put the switch's own packets into, None where they are silent
    """

    classes: Mapping[int, int]
    queues: Mapping[int, int]
    served: Mapping[int, Served]
    unbacked: tuple[str, ...] = ()
    session_dscp: int | None = None
    leaves_by: int | None = None

    def queue(self, dscp: int) -> int:
        """Egress queue of a code point."""
        return self.queues[self.classes[dscp]]


@dataclass(frozen=True, kw_only=True)
class PlatformCase:
    """Facts of one platform, and readers of its text that use no code of fabricgen.

    sites             name → small site; the first is the platform's, others are of releases that render otherwise
    pair_text         files → what neighbors must agree on
    lossless_text     files → lossless class; None: the platform has none
    control_text      files → path of control packets; None: no lossless class
    frontend          kind → a mistake in the text of a leaf of a frontend
    unnumbered        kind → a mistake of links without addresses; empty: the platform needs addresses
    own_gateway       an address of a VLAN that is one leaf's own, where the system tells the two apart
    touching          differences that touch the management of the switch; harmless: one that does not
    management_ports  name of the management port, and of a port that is none
    config            file with the management port
    way_in            regular expressions: SSH, the management port's address, its default route
    missing_way_in    reader of the same, where the file is a document
    account           regular expression of a user with role network-admin; empty: the system takes none
    secrets           `os:` → small site with secrets
    admin_hash        a password hash, where the system does not take that of `tests/secret_sites.py`
    secret_lengths    of each secret that the system renders, but for the users'
    hashes            kinds of password hashes that it takes, by name in `tests/secret_hashes.py`
    raw_line          a line of the user's own, where the file is no plain text
    no_device         fields that no Device of the platform has
    left_out          what its templates leave out
    silent            templates whose output is the same for each switch, or is in another section too
    """

    sites: Mapping[str, SmallSite]
    pair_text: Callable[[Files], View]
    lossless_text: Callable[[Files], Lossless] | None = None
    control_text: Callable[[Files], ControlPath] | None = None
    frontend: Mapping[str, Seed]
    unnumbered: Mapping[str, Seed] = field(default_factory=dict)
    own_gateway: Seed | None = None
    touching: tuple[str, ...]
    harmless: str
    management_ports: tuple[str, str]
    config: str
    way_in: tuple[str, ...] = ()
    missing_way_in: Callable[[str], list[str]] | None = None
    account: str = ""
    secrets: Mapping[str, SecretSite]
    admin_hash: str = ""
    secret_lengths: tuple[SecretLength, ...]
    hashes: tuple[str, ...] = ()
    raw_line: str = "one more line"
    no_device: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    silent: tuple[str, ...] = ()
