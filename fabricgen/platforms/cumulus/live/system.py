"""Host name, release, BFD, daemons and maintenance: the parts that are Cumulus Linux's own.

ptmd runs BFD, and bgpd asks it: BGP neighbors show the state of their BFD sessions (511 BFD, Show BFD with BGP; JSON as
FRR's lib/bfd.c prints it and its topotests read it, tests/topotests/bgp_bfd_down_cease_notification, fbfc8222).
"""

from collections.abc import Iterator

from fabricgen.platforms.linux.live import system
from fabricgen.platforms.linux.live.daemons import ADDRESS, NEIGHBORS
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, canonical, inner, objects, word
from fabricgen.state.state import BfdSession, Daemon, Facts

SYSTEM = "nv show system -o json"
MAINTENANCE = "nv show system maintenance -o json"
NO_DAEMON = "bfdd"
"""A daemon of FRR that Cumulus does not run."""
BFD = "peerBfdInfo"
UP = "Up"

__all__ = ["MAINTENANCE", "NEIGHBORS", "SYSTEM", "bfd", "daemons", "facts", "maintenance"]


def facts(answers: CommandOutputs) -> Facts:
    """Host name and release; `product-release` is at the top in 5.11 and under `version` in later releases."""
    output = answers.table(SYSTEM)
    version = word(output, "product-release", "")
    if not version and isinstance(output.get("version"), dict):
        version = word(inner(output, "version"), "product-release", "")
    hostname = word(output, "hostname", "")
    if not hostname:
        raise Misread(f"`{SYSTEM}` says no host name")
    return Facts(hostname=hostname, version=version or word(output, "build", ""), model="", serial="")


def bfd(answers: CommandOutputs) -> tuple[BfdSession, ...]:
    """BFD of BGP neighbors by VRF and peer."""
    if answers.silent(NEIGHBORS):
        return ()
    return tuple(sorted(_sessions(answers)))


def _sessions(answers: CommandOutputs) -> Iterator[BfdSession]:
    for name, instance in objects(answers.table(NEIGHBORS)):
        vrf = answers.vrf(word(instance, "vrfName", name))
        for peer, row in objects(instance):
            if BFD in row:
                peer_name = canonical(peer) if ADDRESS.fullmatch(peer) else peer
                yield BfdSession(vrf, peer_name, word(inner(row, BFD), "status") == UP)


def daemons(answers: CommandOutputs) -> tuple[Daemon, ...]:
    """FRR's daemons that are needed here."""
    return tuple(row for row in system.daemons(answers) if row.name != NO_DAEMON)


def maintenance(answers: CommandOutputs) -> tuple[str, ...] | None:
    """What was taken out of service by hand; None if the release has no such command.

    `mode` is enabled, or `ports` are disabled, which takes all of them down (NVUE reference, System Maintenance; 511
    In-Service System Upgrade, Show Maintenance Mode Status, as a table of these words).
    """
    output = answers.outputs.get(MAINTENANCE)
    if output is not None and output.value is None:
        return None
    status = answers.table(MAINTENANCE)
    units = []
    if word(status, "mode") == "enabled":
        units.append("the system: maintenance mode is enabled")
    if word(status, "ports") == "disabled":
        units.append("all ports: disabled for maintenance")
    return tuple(units)
