"""Which next hops BGP must find in the recorded fabric's default VRF, computed from the configurations alone.

Rules: RFC 4271 without policies, as none of the recorded configurations has one between switches: the shortest AS path,
then paths of external sessions before internal ones; all that are equal up to there are used (`maximum-paths 2 ecmp 2`,
and no switch has more). A path of an internal session is not handed on to another one.
"""

from collections.abc import Iterator, Mapping
from ipaddress import ip_interface
from typing import NamedTuple

from tests.live.running_config import Peer, Switch, announced, subnets

ROUNDS = 8
"""More than the longest way through the fabric."""


class Path(NamedTuple):
    """One path to a prefix: AS path, whether it came by an external session, the next hop."""

    ases: tuple[int, ...]
    external: bool
    hop: str


Table = dict[str, list[Path]]
"""Prefix → the best paths; one of its own has an empty AS path and no next hop."""


def tables(switches: Mapping[str, Switch]) -> dict[str, Table]:
    """Table of every switch."""
    found: dict[str, Table] = {
        name: {prefix: [Path((), False, "")] for prefix in announced(switch)} for name, switch in switches.items()
    }
    for _ in range(ROUNDS):
        found = {name: _learned(name, switches, found) for name in switches}
    return found


def _learned(name: str, switches: Mapping[str, Switch], before: Mapping[str, Table]) -> Table:
    switch = switches[name]
    heard: Table = {}
    for peer, far in _sessions(switch, switches):
        external = far.asn != switch.asn
        for prefix, paths in before[far.name].items():
            best = paths[0]
            inside = best.hop and not best.external
            ases = (far.asn, *best.ases) if external else best.ases
            if switch.asn not in ases and (external or not inside):
                heard.setdefault(prefix, []).append(Path(ases, external, peer.address))
    own = {prefix: [Path((), False, "")] for prefix in announced(switch)}
    here = subnets(switch, "")
    return {prefix: _best(paths) for prefix, paths in heard.items() if prefix not in here} | own


def _best(paths: list[Path]) -> list[Path]:
    rank = min((len(path.ases), not path.external) for path in paths)
    return sorted(path for path in paths if (len(path.ases), not path.external) == rank)


def _sessions(switch: Switch, switches: Mapping[str, Switch]) -> Iterator[tuple[Peer, Switch]]:
    """Sessions of the default VRF that carry IPv4, with the switch at the other end."""
    owners = {
        str(ip_interface(address).ip): far
        for far in switches.values()
        if far.name != switch.name
        for port in far.ports.values()
        if not port.vrf
        for address in port.addresses
    }
    for peer in switch.peers:
        if not peer.vrf and "ipv4" in peer.families and peer.address in owners:
            yield peer, owners[peer.address]
