"""Sessions, BFD, neighbors and release, from FRR's daemons and lldpd. A daemon that is down has none of them.

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
from fabricgen.state.state import (
    ESTABLISHED,
    EVPN,
    IPV4,
    IPV6,
    Adjacency,
    BfdSession,
    BgpState,
    Facts,
    FamilyState,
    Session,
)

VERSION = "show version"
LLDP = "lldpcli -f json0 show neighbors details"
NEIGHBORS = "show bgp vrf all neighbors json"
BFD = "show bfd peers json"

FAMILIES = {"ipv4unicast": IPV4, "ipv6unicast": IPV6, "l2vpnevpn": EVPN}
NEGOTIATED = "advertisedAndReceived"
ADDRESS = re.compile(r"[0-9a-fA-F.:]*[.:][0-9a-fA-F.:]*")
_VERSION = re.compile(r"^FRRouting (\S+) \(([^)\s]+)\)", re.MULTILINE)


def facts(answers: CommandOutputs) -> Facts:
    """Release and host name. FRR does not know the hardware."""
    match = _VERSION.search(answers.text(VERSION))
    if match is None:
        raise Misread(f"`{VERSION}` does not name a release of FRRouting")
    return Facts(hostname=match[2], version=match[1], model="", serial="")


def lldp(answers: CommandOutputs) -> tuple[Adjacency, ...]:
    """Neighbors by port. Other protocols that lldpd hears are left out. None if lldpd does not run."""
    if answers.silent(LLDP):
        return ()
    adjacencies = set()
    for block in rows(answers.table(LLDP).get("lldp", []), "lldp"):
        for row in rows(block.get("interface", []), "interface"):
            if word(row, "via", "LLDP") == "LLDP":
                adjacencies.add(Adjacency(word(row, "name"), _first(row, "chassis", "name"), _first(row, "port", "id")))
    return tuple(sorted(adjacencies))


def _first(row: Row, *keys: str) -> str:
    """Text at the end of json0's one-item lists; empty if the neighbor sent none."""
    for key in keys:
        items = rows(row.get(key, []), key)
        if not items:
            return ""
        row = items[0]
    return word(row, "value", "")


def bgp(answers: CommandOutputs) -> BgpState:
    """AS number and router id of the default VRF, and the sessions of all VRFs."""
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


def _speaker(speakers: Sequence[tuple[str, int, str]]) -> tuple[int, str]:
    """AS number and router id of most sessions in the default VRF: single sessions may have another AS (local-as).

    speakers  VRF, AS number and router id of each session
    """
    # The default VRF is "", which sorts first.
    first = min((vrf for vrf, _, _ in speakers), default="")
    counts = Counter((asn, router_id) for vrf, asn, router_id in speakers if vrf == first)
    return min(counts, key=lambda speaker: (-counts[speaker], speaker), default=(0, ""))


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
    received = objects(inner(row, "addressFamilyInfo"))
    counts = {_family(name): number(family_row, "acceptedPrefixCounter", -1) for name, family_row in received}
    if not any("received" in family_row or NEGOTIATED in family_row for family_row in announced.values()):
        yield FamilyState(IPV4, counts.get(IPV4, -1))
        return
    for name, family_row in announced.items():
        if family_row.get(NEGOTIATED) is True:
            family = _family(name)
            yield FamilyState(family, counts.get(family, -1))


def _family(name: str) -> str:
    """Our name of a family, or FRR's if we have none."""
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
