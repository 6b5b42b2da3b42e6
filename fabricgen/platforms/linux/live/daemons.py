"""What FRR's daemons and lldpd say: sessions, BFD, neighbors, release. A daemon that is dead has none of them.

Source: outputs of FRR 8.4.4 and lldpd 1.0.16, 2026-11-21; family names with a blank are those of FRR 4.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from ipaddress import ip_address

from fabricgen.platforms.linux.live.decode import (
    CommandOutputs,
    Misread,
    Row,
    canonical,
    inner,
    number,
    objects,
    rows,
    word,
)
from fabricgen.state.state import EVPN, IPV4, IPV6, Adjacency, BfdSession, BgpState, Facts, FamilyState, Session

VERSION = "show version"
LLDP = "lldpcli -f json0 show neighbors details"
NEIGHBORS = "show bgp vrf all neighbors json"
BFD = "show bfd peers json"

FAMILIES = {"ipv4unicast": IPV4, "ipv6unicast": IPV6, "l2vpnevpn": EVPN}
ESTABLISHED = "Established"
NEGOTIATED = "advertisedAndReceived"
ADDRESS = re.compile(r"[0-9a-fA-F.:]*[.:][0-9a-fA-F.:]*")
_VERSION = re.compile(r"^FRRouting (\S+) \(([^)\s]+)\)", re.MULTILINE)


def facts(answers: CommandOutputs) -> Facts:
    """Release and host name. FRR knows nothing of the box."""
    match = _VERSION.search(answers.text(VERSION))
    if match is None:
        raise Misread(f"`{VERSION}` does not name a release of FRRouting")
    return Facts(hostname=match[2], version=match[1], model="", serial="")


def lldp(answers: CommandOutputs) -> tuple[Adjacency, ...]:
    """Neighbors by port. lldpd hears other protocols too; those are left out. Where it does not run there are none."""
    if answers.silent(LLDP):
        return ()
    found = set()
    for block in rows(answers.table(LLDP).get("lldp", []), "lldp"):
        for row in rows(block.get("interface", []), "interface"):
            if word(row, "via", "LLDP") == "LLDP":
                found.add(Adjacency(word(row, "name"), _first(row, "chassis", "name"), _first(row, "port", "id")))
    return tuple(sorted(found))


def _first(row: Row, *keys: str) -> str:
    """Value at the end of lists of one, as json0 nests them; empty where the far system sent none."""
    for key in keys:
        found = rows(row.get(key, []), key)
        if not found:
            return ""
        row = found[0]
    return word(row, "value", "")


def bgp(answers: CommandOutputs) -> BgpState:
    """The speaker of the default VRF, and the sessions of all."""
    if answers.silent(NEIGHBORS):
        return BgpState(0, "", ())
    sessions, speakers = [], []
    for name, instance in objects(answers.table(NEIGHBORS)):
        vrf = answers.vrf(word(instance, "vrfName", name))
        for peer, row in objects(instance):
            sessions.append(_session(vrf, peer, row))
            speakers.append((vrf, number(row, "localAs", 0), word(row, "localRouterId", "")))
    asn, router_id = _speaker(speakers)
    return BgpState(asn, router_id, tuple(sorted(sessions)))


def _speaker(told: Sequence[tuple[str, int, str]]) -> tuple[int, str]:
    """AS number and router id of the default VRF: those of most sessions, as a neighbor may be told another (local-as).

    told  VRF, AS number and router id by session
    """
    first = min((vrf for vrf, _, _ in told), default="")
    counts = Counter((asn, router_id) for vrf, asn, router_id in told if vrf == first)
    return min(counts, key=lambda one: (-counts[one], one), default=(0, ""))


def _session(vrf: str, peer: str, row: Row) -> Session:
    state = word(row, "bgpState")
    is_up = state == ESTABLISHED
    families = tuple(sorted(_families(row))) if is_up else ()
    up = number(row, "bgpTimerUpMsec", -1) if is_up else -1
    return Session(
        vrf=vrf,
        peer=canonical(peer) if ADDRESS.fullmatch(peer) else peer,
        remote_as=number(row, "remoteAs", 0),
        state=state,
        families=families,
        up_seconds=up // 1000 if up >= 0 else -1,
        ends=number(row, "connectionsDropped", -1),
    )


def _families(row: Row) -> Iterator[FamilyState]:
    """Families that both ends announced. A peer that announced none has IPv4 (RFC 4760, section 8)."""
    capabilities = inner(row, "neighborCapabilities")
    announced = dict(objects(inner(capabilities, "multiprotocolExtensions")))
    counts = {_family(name): number(told, "acceptedPrefixCounter", -1) for name, told in _told(row)}
    if not any("received" in told or NEGOTIATED in told for told in announced.values()):
        yield FamilyState(IPV4, counts.get(IPV4, -1))
        return
    for name, told in announced.items():
        if told.get(NEGOTIATED) is True:
            family = _family(name)
            yield FamilyState(family, counts.get(family, -1))


def _told(row: Row) -> Iterator[tuple[str, Row]]:
    return objects(inner(row, "addressFamilyInfo"))


def _family(name: str) -> str:
    """Our name of a family, FRR's own where we have none."""
    return FAMILIES.get(name.replace(" ", "").lower(), name)


def bfd(answers: CommandOutputs) -> tuple[BfdSession, ...]:
    """BFD sessions by VRF and peer."""
    if answers.silent(BFD):
        return ()
    return tuple(sorted(_bfd(answers, row) for row in answers.rows(BFD)))


def _bfd(answers: CommandOutputs, row: Row) -> BfdSession:
    peer = canonical(word(row, "peer"))
    port = word(row, "interface", "") if ip_address(peer).is_link_local else ""
    return BfdSession(answers.vrf(word(row, "vrf", "")), port or peer, word(row, "status") == "up")
