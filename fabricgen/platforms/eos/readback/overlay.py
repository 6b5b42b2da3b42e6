"""VLANs, VRFs and the VTEP of EOS.

Sources: manual, VXLAN: `vxlan vlan V vni N`, also of lists of the same length, `vxlan vlan add`; EVPN: `vlan N` and
`vlan-aware-bundle` of `router bgp`, where `redistribute learned` announces MAC addresses; internal VLANs are taken from
1006 to 4094 where no range is said (manual, vlan internal order).
"""

from fabricgen.platforms.eos.readback.bgp import targets
from fabricgen.platforms.eos.readback.names import loopback
from fabricgen.readback.forms import Forms, Reader, State, add, idle, merged, opens, put
from fabricgen.readback.rows import Key
from fabricgen.readback.words import numbers

DEFAULT_VLAN = 1
FIRST_INTERNAL, LAST_INTERNAL = 1006, 4094


def _pairs(vlans: str, vnis: str) -> tuple[tuple[int, int], ...] | None:
    left, right = numbers(vlans), numbers(vnis)
    return None if left is None or right is None or len(left) != len(right) else tuple(zip(left, right, strict=True))


def _vlan_list(text: str) -> tuple[int, ...] | None:
    return numbers(text)


VXLAN = Forms(
    {
        "vxlan source-interface <w>": put("source", by=loopback),
        "vxlan udp-port 4789": idle("the system's default"),
        r"vxlan vlan (?:add )?([\d,-]+) vni ([\d,-]+)": add("vlan", by=_pairs),
        "vxlan vrf <w> vni <n>": add("vrf"),
        "vxlan qos ecn propagation": add("qos", "ECN into and out of tunnels"),
        "vxlan qos dscp propagation encapsulation": add("qos", "DSCP into tunnels"),
        "vxlan qos(?: map)? dscp to traffic-class decapsulation": add("qos", "traffic class by DSCP out of tunnels"),
        "description <l>": idle("a remark"),
        "no shutdown": idle("the system's default"),
    }
)
VLAN = Forms({"name <w>": put("name"), "state active": idle("the system's default")})
INSTANCE = Forms({"rd <w>": put("rd"), "description <l>": idle("a remark")})
ROOT = {
    r"vlan ([\d,-]+)": opens("vlan", VLAN, by=_vlan_list),
    "vrf (?:instance|definition) <w>": opens("vrf-instance", INSTANCE),
    "vlan internal order (ascending|descending) range <n> <n>": put("internal"),
    "ip virtual-router mac-address ([0-9a-fA-F.:]+)": put("gateway-mac"),
}
"""Forms of the top level."""


def rows(root: State, bgp: State, vxlan: State, loopbacks: dict[int, tuple[str, int]], reader: Reader) -> None:
    """All of the overlay but gateways."""
    if "source" in vxlan.one:
        number, line = vxlan.one["source"]
        if number in loopbacks:
            reader.put("vtep", "", "address", loopbacks[number][0].partition("/")[0], line)
        else:
            reader.unread_line(line)
    for said, line in vxlan.all("qos"):
        reader.needed(f"tunnels: {said}", line)
    _vlans(root, bgp, vxlan, reader)
    for (name, vni), line in vxlan.all("vrf"):
        reader.put("vrf", name, "vni", vni, line)
    for name, state in merged(root.states("vrf-instance")).items():
        reader.needed(f"vrf instance {name}", state.number)
        if "rd" in state.one:
            reader.put("vrf", name, "rd", *state.one["rd"])


def _vlans(root: State, bgp: State, vxlan: State, reader: Reader) -> None:
    _named(root, reader)
    for pairs, line in vxlan.all("vlan"):
        for vlan, vni in pairs:
            reader.put("vlan", str(vlan), "vni", vni, line)
    for state in bgp.states("vlan"):
        _mac_vrf(state.value, state, reader)
    for state in bgp.states("bundle"):
        for vlan in numbers(state.get("vlans", "")) or ():
            _mac_vrf(vlan, state, reader)


def _named(root: State, reader: Reader) -> None:
    known: set[int] = set()
    for state in root.states("vlan"):
        known.update(state.value)
        for vlan in state.value if "name" in state.one else ():
            reader.put("vlan", str(vlan), "name", *state.one["name"])
        for vlan in state.value:
            if vlan != DEFAULT_VLAN:
                reader.needed(f"vlan {vlan}", state.number)
    _order, first, last = root.get("internal", ("ascending", FIRST_INTERNAL, LAST_INTERNAL))
    if not any(first <= vlan <= last for vlan in known):
        reader.needed("internal VLANs are apart from the others", root.line("internal"))


def _mac_vrf(vlan: int, state: State, reader: Reader) -> None:
    if "rd" in state.one:
        reader.put("vlan", str(vlan), "rd", *state.one["rd"])
    for way, setting in (("import", "imports"), ("export", "exports")):
        targets(reader, Key("vlan", str(vlan), setting), state, way)
    if state.get("learned"):
        reader.needed(f"vlan {vlan}: announces learned MAC addresses", state.line("learned"))
