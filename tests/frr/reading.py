"""What texts of FRR and ifupdown2 say, read by their manuals alone; nothing here knows our templates.

FRR user manual: bgp, evpn, filter, routemap, static. Interfaces: interfaces(5), ifupdown-addons-interfaces(5).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.judges.frr import paths

Path = tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Family:
    """One `address-family` of one `router bgp`."""

    networks: set[str] = field(default_factory=set)
    maximum_paths: int = 0
    active: set[str] = field(default_factory=set)
    maps: dict[tuple[str, str], str] = field(default_factory=dict)
    maximum_prefix: dict[str, tuple[int, str]] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    import_map: str = ""
    lines: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Speaker:
    """One `router bgp`, of the default VRF or another."""

    asn: int
    router_id: str = ""
    groups: set[str] = field(default_factory=set)
    remote_as: dict[str, int] = field(default_factory=dict)
    group_of: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)
    families: dict[str, Family] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vni:
    """A `vni` block, or the EVPN family of a VRF; an RD that FRR has by itself is empty."""

    rd: str
    imports: frozenset[str]
    exports: frozenset[str]


def speakers(text: str) -> Mapping[str, Speaker]:
    """Every `router bgp` by VRF, the default one as ""."""
    found: dict[str, Speaker] = {}
    for path in sorted(paths(text)):
        top = re.fullmatch(r"router bgp (\d+)(?: vrf (\S+))?", path[0])
        if top is None:
            continue
        speaker = found.setdefault(top[2] or "", Speaker(asn=int(top[1])))
        if len(path) > 1:
            _take(speaker, path[1:])
    return found


def _take(speaker: Speaker, path: Path) -> None:
    family = re.fullmatch(r"address-family (.+)", path[0])
    if family:
        block = speaker.families.setdefault(family[1], Family())
        if len(path) == 2:
            _take_family(block, path[1])
        return
    line = path[0]
    speaker.lines.add(line)
    if match := re.fullmatch(r"bgp router-id (\S+)", line):
        speaker.router_id = match[1]
    elif match := re.fullmatch(r"neighbor (\S+) peer-group", line):
        speaker.groups.add(match[1])
    elif match := re.fullmatch(r"neighbor (\S+) remote-as (\d+)", line):
        speaker.remote_as[match[1]] = int(match[2])
    elif match := re.fullmatch(r"neighbor (\S+) peer-group (\S+)", line):
        speaker.group_of[match[1]] = match[2]
    elif match := re.fullmatch(r"neighbor (\S+) description (.+)", line):
        speaker.descriptions[match[1]] = match[2]


def _take_family(family: Family, line: str) -> None:
    family.lines.add(line)
    if match := re.fullmatch(r"network (\S+)", line):
        family.networks.add(match[1])
    elif match := re.fullmatch(r"maximum-paths (\d+)", line):
        family.maximum_paths = int(match[1])
    elif match := re.fullmatch(r"neighbor (\S+) activate", line):
        family.active.add(match[1])
    elif match := re.fullmatch(r"neighbor (\S+) route-map (\S+) (in|out)", line):
        family.maps[match[1], match[3]] = match[2]
    elif match := re.fullmatch(r"neighbor (\S+) maximum-prefix (\d+) (restart \d+|warning-only)", line):
        family.maximum_prefix[match[1]] = (int(match[2]), match[3])
    elif match := re.fullmatch(r"import vrf route-map (\S+)", line):
        family.import_map = match[1]
    elif match := re.fullmatch(r"import vrf (\S+)", line):
        family.imports.add(match[1])


def vnis(text: str) -> Mapping[int, Vni]:
    """`vni` blocks of the default VRF's EVPN family."""
    blocks: dict[int, list[str]] = {}
    for path in paths(text):
        if len(path) >= 3 and path[1] == "address-family l2vpn evpn" and path[2].startswith("vni "):
            blocks.setdefault(int(path[2].split()[1]), []).extend(path[3:])
    return {number: targets(lines) for number, lines in blocks.items()}


def targets(lines: Iterable[str]) -> Vni:
    """RD and route targets of one block."""
    words = [line.split() for line in lines]
    return Vni(
        rd=next((line[1] for line in words if line[0] == "rd"), ""),
        imports=frozenset(line[2] for line in words if line[:2] == ["route-target", "import"]),
        exports=frozenset(line[2] for line in words if line[:2] == ["route-target", "export"]),
    )


def l3_vnis(text: str) -> Mapping[str, int]:
    """VRF → its L3 VNI."""
    found = [path for path in paths(text) if len(path) == 2 and path[0].startswith("vrf ")]
    return {path[0].split()[1]: int(path[1].split()[1]) for path in found if path[1].startswith("vni ")}


def prefix_lists(text: str) -> Mapping[tuple[str, str], set[tuple[int, str, str, int]]]:
    """(family, name) → entries: sequence, action, prefix, longest length (0 for the exact one)."""
    pattern = re.compile(r"(ip|ipv6) prefix-list (\S+) seq (\d+) (permit|deny) (\S+)(?: le (\d+))?")
    found: dict[tuple[str, str], set[tuple[int, str, str, int]]] = {}
    for path in paths(text):
        match = pattern.fullmatch(path[0])
        if match:
            entry = (int(match[3]), match[4], match[5], int(match[6] or 0))
            found.setdefault(("ipv4" if match[1] == "ip" else "ipv6", match[2]), set()).add(entry)
    return found


def community_lists(text: str) -> Mapping[tuple[str, str], str]:
    """(community or extcommunity, name) → its one member."""
    pattern = re.compile(r"bgp (community|extcommunity)-list standard (\S+) seq \d+ permit (.+)")
    matches = (pattern.fullmatch(path[0]) for path in paths(text))
    return {(match[1], match[2]): match[3] for match in matches if match}


def route_maps(text: str) -> Mapping[str, Mapping[int, tuple[str, frozenset[str]]]]:
    """Name → sequence → action and its lines."""
    found: dict[str, dict[int, tuple[str, frozenset[str]]]] = {}
    everything = paths(text)
    for path in everything:
        match = re.fullmatch(r"route-map (\S+) (permit|deny) (\d+)", path[0])
        if match:
            lines = frozenset(other[1] for other in everything if len(other) == 2 and other[0] == path[0])
            found.setdefault(match[1], {})[int(match[3])] = (match[2], lines)
    return found


def static_routes(text: str) -> set[tuple[str, str]]:
    """Prefix and target of each route of the default VRF."""
    words = [path[0].split() for path in paths(text) if len(path) == 1]
    return {(line[2], line[3]) for line in words if line[:2] in (["ip", "route"], ["ipv6", "route"])}


def stanzas(text: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Interfaces file: interface → attribute → its values in order; every line of a value as one."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    current: dict[str, tuple[str, ...]] = {}
    for raw in text.replace("\\\n", " ").splitlines():
        words = raw.split()
        if not words or words[0].startswith("#") or words[0] == "auto":
            continue
        if words[0] == "iface":
            current = found.setdefault(words[1], {})
        else:
            current[words[0]] = (*current.get(words[0], ()), " ".join(words[1:]))
    return found
