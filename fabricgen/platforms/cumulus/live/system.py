"""Host name, release, BFD, daemons and maintenance: the parts that are Cumulus Linux's own.

ptmd runs BFD, and bgpd asks it: BGP neighbors show the state of their BFD sessions (511 BFD, Show BFD with BGP; JSON as
FRR's lib/bfd.c prints it and its topotests read it, tests/topotests/bgp_bfd_down_cease_notification, fbfc8222).
"""

from collections.abc import Iterator

from fabricgen.platforms.cumulus.live.tree import at, tree
from fabricgen.platforms.linux.live import system
from fabricgen.platforms.linux.live.daemons import ADDRESS, NEIGHBORS
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, canonical, inner, objects, word
from fabricgen.state.state import BfdSession, Daemon, Facts

SYSTEM = "nv show system -o json"
MAINTENANCE = "nv show system maintenance -o json"
"""Until 5.12; from 5.13 on maintenance is configured."""
RUNNING = "nv config show"
NO_DAEMON = "bfdd"
"""A daemon of FRR that Cumulus does not run."""
BFD = "peerBfdInfo"
UP = "Up"

__all__ = ["MAINTENANCE", "NEIGHBORS", "RUNNING", "SYSTEM", "bfd", "daemons", "facts", "maintenance"]


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
    """What was taken out of service by hand; None if it cannot be read.

    Until 5.12 `mode` is enabled, or `ports` are disabled, which takes all of them down (NVUE reference, System
    Maintenance; 511 In-Service System Upgrade, Show Maintenance Mode Status, as a table of these words). From 5.13 on
    it is configured, as `maintenance unit NAME mode enabled` (514 Maintenance Mode 41fa58e7) or `state maintenance`
    (513 What's New 0369ee4d).
    """
    output = answers.outputs.get(MAINTENANCE)
    if output is not None and output.value is None:
        running = answers.outputs.get(RUNNING)
        return None if running is None or running.value is None else tuple(_configured(answers))
    status = answers.table(MAINTENANCE)
    units = []
    if word(status, "mode") == "enabled":
        units.append("the system: maintenance mode is enabled")
    if word(status, "ports") == "disabled":
        units.append("all ports: disabled for maintenance")
    return tuple(units)


def _configured(answers: CommandOutputs) -> Iterator[str]:
    """Units that the configuration has in maintenance."""
    text = answers.text(RUNNING)
    units = at(tree(text), "maintenance", "unit") if "maintenance:" in text else {}
    for name, row in units.items():
        if isinstance(row, dict) and (row.get("mode") == "enabled" or row.get("state") == "maintenance"):
            yield f"{name}: maintenance is configured"
