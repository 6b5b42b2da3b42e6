"""The overlay of NX-OS: VNIs as JSON; flood lists and the EVPN table as text, each as it was recorded."""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.live.values import NotUnderstoodError, address, mac, prefix, whole
from fabricgen.platforms.nxos.live.values import Row, is_address, number, text, top, vrf_name
from fabricgen.state.state import L2, L3, EvpnRoute, Vni

TYPE = re.compile(r"(L2|L3) \[(.*)\]")
"""`L2 [20]` with the VLAN, `L3 [storage]` with the VRF."""
FLOODS = re.compile(r"(?:nve\d+\s+(\d+)\s*)?(?:\s*(\S+)\s+[A-Z][A-Z-]*\s+\S+)?", re.ASCII)
"""VNI, absent in further rows; VTEP, source and time, or none (genieparser, ShowNveVniIngressReplication)."""
HEADING = re.compile(r"Interface VNI\s+Replication List\s+Source\s+Up Time")
TABLE = "address family L2VPN EVPN"
RD = re.compile(r"Route Distinguisher: (\S+)")
PATH = re.compile(r"[sxSdh* ][>|&2 ][iecalrI ](\[\S+)?(?:\s+(\S+).*)?")
"""Status, best, type of the path; its network, which further paths do not repeat; its next hop."""
BEST = (">", "|")
"""Second character of a path in use: the best one, or one of several."""
LOCAL = "l"
"""Third character of the switch's own path."""
NETWORK = re.compile(r"\[(\d)\]((?::\[[^\]]*\])+)(?:/\d+)?")

Floods = Mapping[int, frozenset[str]]
"""VNI → VTEPs of its flood list."""


TAG_DIGITS = 10


def vnis(shown: Row, floods: Floods, names: Mapping[str, str]) -> tuple[Vni, ...]:
    """Return VNIs of `show nve vni all detail`."""
    return tuple(sorted(_vni(row, floods, names) for row in top(shown, "nve_vni")))


def _vni(row: Row, floods: Floods, names: Mapping[str, str]) -> Vni:
    vni, match = number(row, "vni"), TYPE.fullmatch(text(row, "type"))
    if match is None:
        raise NotUnderstoodError("a VNI of neither kind")
    is_up = text(row, "vni-state").lower() == "up"
    if match[1] == "L3":
        return Vni(vni, L3, 0, vrf_name(match[2], names), (), is_up)
    return Vni(vni, L2, whole(match[2], "VLAN"), "", tuple(sorted(floods.get(vni, ()))), is_up)


def floods(shown: str) -> Floods:
    """Return VTEPs by VNI, of `show nve vni ingress-replication`."""
    lines = [line.strip() for line in shown.splitlines() if line.strip()]
    if lines and HEADING.fullmatch(lines[0]) is None:
        raise NotUnderstoodError("no list of VTEPs")
    vteps_by_vni: dict[int, set[str]] = {}
    vni = -1
    for line in lines[1:]:
        match = FLOODS.fullmatch(line)
        if set(line) <= {"-", " "}:
            continue
        if match is None or (vni < 0 and match[1] is None):
            raise NotUnderstoodError("a row of no VTEP")
        vni = int(match[1]) if match[1] else vni
        vteps = vteps_by_vni.setdefault(vni, set())
        if match[2]:
            vteps.add(address(match[2]))
    return {vni: frozenset(vteps) for vni, vteps in vteps_by_vni.items()}


def evpn(shown: str) -> tuple[EvpnRoute, ...]:
    """Return routes of `show bgp l2vpn evpn` that have a path in use, once per next hop.

    Routes imported into a VNI are printed again under its own RD.
    """
    if TABLE not in shown:
        raise NotUnderstoodError("no EVPN table")
    return tuple(sorted(set(_routes(shown.splitlines()))))


def _routes(lines: list[str]) -> Iterator[EvpnRoute]:
    rd, network, flags = "", "", ""
    for line in lines:
        rd_match, path_match = RD.match(line), PATH.fullmatch(line)
        if rd_match:
            rd, network, flags = rd_match[1], "", ""
            continue
        if path_match is None or not rd:
            continue
        # A line without flags continues the path above it: it has the next hop.
        if line[:3].strip():
            network, flags = path_match[1] or network, line[:3]
        if path_match[2] and is_address(path_match[2]):
            if network and flags[1:2] in BEST:
                yield from _route(rd, network, "" if flags[2] == LOCAL else address(path_match[2]))
            flags = ""


def _route(rd: str, network: str, next_hop: str) -> Iterator[EvpnRoute]:
    match = NETWORK.fullmatch(network)
    if match is None:
        raise NotUnderstoodError("an EVPN route of no known form")
    kind, parts = int(match[1]), match[2].removeprefix(":[").removesuffix("]").split("]:[")
    key = _key(kind, parts)
    # Ethernet tag: after the segment in types 2 and 5, first in type 3 (RFC 7432, RFC 9136).
    text = {2: parts[1], 3: parts[0], 5: parts[1]}.get(kind, "0")
    if not (text.isascii() and text.isdigit() and len(text) <= TAG_DIGITS):
        raise NotUnderstoodError("an EVPN route of no known form")
    yield EvpnRoute(kind, rd, key, next_hop, int(text))


def _key(kind: int, parts: list[str]) -> str:
    """Return the key of a route after its RD: fields of its text by position (RFC 7432, RFC 9136)."""
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
