"""The overlay of NX-OS: VNIs as JSON; whom they flood to and the EVPN table as text, as each was recorded."""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.live.values import NotUnderstoodError, address, mac, prefix, whole
from fabricgen.platforms.nxos.live.values import Row, is_address, number, text, top, vrf_name
from fabricgen.state.state import L2, L3, EvpnRoute, Vni

TYPE = re.compile(r"(L2|L3) \[(.*)\]")
"""`L2 [20]` with the VLAN, `L3 [storage]` with the VRF."""
FLOODS = re.compile(r"(?:nve\d+\s+(\d+)\s*)?(?:\s*(\S+)\s+[A-Z][A-Z-]*\s+\S+)?", re.ASCII)
"""VNI, or none in the rows below it; VTEP, source and time, or none (genieparser, ShowNveVniIngressReplication)."""
HEADING = re.compile(r"Interface VNI\s+Replication List\s+Source\s+Up Time")
TABLE = "address family L2VPN EVPN"
RD = re.compile(r"Route Distinguisher: (\S+)")
PATH = re.compile(r"[sxSdh* ][>|&2 ][iecalrI ](\[\S+)?(?:\s+(\S+).*)?")
"""Status, best, type of the path; its network, which further paths of the same do not repeat; its next hop."""
BEST = (">", "|")
"""Second sign of a path that is used: the best, or one of several."""
LOCAL = "l"
"""Third sign of a path of the switch's own."""
NETWORK = re.compile(r"\[(\d)\]((?::\[[^\]]*\])+)(?:/\d+)?")

Floods = Mapping[int, frozenset[str]]
"""VNI → VTEPs that it floods to."""


TAG_DIGITS = 10


def vnis(shown: Row, floods: Floods, names: Mapping[str, str]) -> tuple[Vni, ...]:
    """VNIs of `show nve vni all detail`."""
    return tuple(sorted(_vni(row, floods, names) for row in top(shown, "nve_vni")))


def _vni(row: Row, floods: Floods, names: Mapping[str, str]) -> Vni:
    vni, kind = number(row, "vni"), TYPE.fullmatch(text(row, "type"))
    if kind is None:
        raise NotUnderstoodError("a VNI of neither kind")
    up = text(row, "vni-state").lower() == "up"
    if kind[1] == "L3":
        return Vni(vni, L3, 0, vrf_name(kind[2], names), (), up)
    return Vni(vni, L2, whole(kind[2], "VLAN"), "", tuple(sorted(floods.get(vni, ()))), up)


def floods(shown: str) -> Floods:
    """VTEPs by VNI, of `show nve vni ingress-replication`."""
    lines = [line.strip() for line in shown.splitlines() if line.strip()]
    if lines and HEADING.fullmatch(lines[0]) is None:
        raise NotUnderstoodError("no list of VTEPs")
    found: dict[int, set[str]] = {}
    vni = -1
    for line in lines[1:]:
        row = FLOODS.fullmatch(line)
        if set(line) <= {"-", " "}:
            continue
        if row is None or (vni < 0 and row[1] is None):
            raise NotUnderstoodError("a row of no VTEP")
        vni = int(row[1]) if row[1] else vni
        vteps = found.setdefault(vni, set())
        if row[2]:
            vteps.add(address(row[2]))
    return {vni: frozenset(vteps) for vni, vteps in found.items()}


def evpn(shown: str) -> tuple[EvpnRoute, ...]:
    """Routes of `show bgp l2vpn evpn` that have a path in use, once for each next hop.

    Routes that a VNI has taken over stand again under its own RD.
    """
    if TABLE not in shown:
        raise NotUnderstoodError("no EVPN table")
    return tuple(sorted(set(_routes(shown.splitlines()))))


def _routes(lines: list[str]) -> Iterator[EvpnRoute]:
    rd, network, signs = "", "", ""
    for line in lines:
        found, path = RD.match(line), PATH.fullmatch(line)
        if found:
            rd, network, signs = found[1], "", ""
            continue
        if path is None or not rd:
            continue
        if line[:3].strip():
            network, signs = path[1] or network, line[:3]
        if path[2] and is_address(path[2]):
            if network and signs[1:2] in BEST:
                yield from _route(rd, network, "" if signs[2] == LOCAL else address(path[2]))
            signs = ""


def _route(rd: str, network: str, next_hop: str) -> Iterator[EvpnRoute]:
    found = NETWORK.fullmatch(network)
    if found is None:
        raise NotUnderstoodError("an EVPN route of no known form")
    kind, parts = int(found[1]), found[2].removeprefix(":[").removesuffix("]").split("]:[")
    key = _key(kind, parts)
    # Ethernet tag: behind the segment of types 2 and 5, first of type 3 (RFC 7432, RFC 9136).
    text = {2: parts[1], 3: parts[0], 5: parts[1]}.get(kind, "0")
    if not (text.isascii() and text.isdigit() and len(text) <= TAG_DIGITS):
        raise NotUnderstoodError("an EVPN route of no known form")
    yield EvpnRoute(kind, rd, key, next_hop, int(text))


def _key(kind: int, parts: list[str]) -> str:
    """What identifies a route behind its RD: the fields of its text by their place (RFC 7432, RFC 9136)."""
    match kind, parts:
        case 5, [_, _, length, network]:
            return prefix(f"{network}/{length}")
        case 3, [_, _, origin]:
            return address(origin)
        case 2, [_, _, "48", host, "0", _]:
            return mac(host)
        case 2, [_, _, "48", host, _, ip]:
            return f"{mac(host)} {address(ip)}"
        case ((1 | 4), [esi, *_]):
            return esi.replace(".", "").lower()
        case _:
            raise NotUnderstoodError("an EVPN route of no known form")
