"""VLANs, VRFs and the tunnel interface of NX-OS.

Sources: VXLAN guide: a VLAN's VNI is `vn-segment`, and tunnels carry it where `interface nve1` has it as a member; a
VRF's is `vni N l3` with `member vni N associate-vrf`; `interface nve1` is shut until `no shutdown`; `evpn`, `vni N l2`.
"""

from fabricgen.platforms.nxos.readback.bgp import VRF_FAMILY, vrf_targets
from fabricgen.platforms.nxos.readback.names import loopback
from fabricgen.readback import addresses
from fabricgen.readback.forms import Forms, Reader, Said, State, add, idle, merged, opens, put
from fabricgen.readback.rows import Key
from fabricgen.readback.words import numbers

OWN = "the system's default"
DEFAULT_VLAN = "1"
NO_VNI = 0
"""A VNI that the tunnel interface does not have as a member."""


def _vlans(text: str) -> tuple[int, ...] | None:
    return numbers(text)


def _route(where: str, hop: str) -> tuple[str, str] | None:
    prefix, found = addresses.prefix(where), "discard" if hop.lower() == "null0" else addresses.address(hop)
    return None if prefix is None or found is None else (prefix, found)


def _masked_route(where: str, mask: str, hop: str) -> tuple[str, str] | None:
    whole = addresses.slashed(where, mask)
    return None if whole is None else _route(whole, hop)


def _duplicates(moves: int, seconds: int) -> tuple[int, int, int]:
    return moves, seconds, 0


MEMBER = Forms({"suppress-arp": put("suppress", True), "ingress-replication protocol bgp": put("replicates", True)})
TUNNEL = Forms(
    {
        "shutdown": put("enabled", False),
        "no shutdown": put("enabled", True),
        "host-reachability protocol bgp": put("by-bgp", True),
        "source-interface <w>": put("source", by=loopback),
        r"member vni ([\d,-]+)": opens("member", MEMBER, by=_vlans),
        r"member vni ([\d,-]+) associate-vrf": add("routed", by=_vlans),
        "description <l>": idle("a remark"),
    }
)
VLAN = Forms(
    {"name <l>": put("name"), "vn-segment <n>": put("vni"), "state active": idle(OWN), "no shutdown": idle(OWN)}
)
ROUTES = {
    "ip route <p> <w>": add("route", by=_route),
    "ip route <m> <w>": add("route", by=_masked_route),
    "ipv6 route <p> <w>": add("route", by=_route),
}
VRF = Forms(
    ROUTES,
    {
        "vni <n>(?: l3)?": put("vni"),
        "rd <w>": put("rd"),
        "address-family (ipv4|ipv6) unicast": opens("family", VRF_FAMILY),
        "description <l>": idle("a remark"),
        "ip domain-name <w>": put("domain"),
        r"ip name-server ([0-9a-fA-F.:]+(?: [0-9a-fA-F.:]+)*)": add("dns"),
    },
)
ROOT = {
    **ROUTES,
    r"vlan ([\d,-]+)": opens("vlan", VLAN, by=_vlans),
    "vrf context <w>": opens("vrf", VRF),
    "interface nve1": opens("nve", TUNNEL),
    "system vlan long-name": put("long-names", True),
    "l2rib dup-host-mac-detection <n> <n>": put("duplicates", by=_duplicates),
}
"""Forms of the top level."""


def rows(root: State, loopbacks: dict[int, Said], reader: Reader) -> None:
    """All of the overlay but gateways."""
    tunnel = merged([State(None, row.number, row.one, row.many) for row in root.states("nve")]).get(None, State())
    _tunnel(tunnel, loopbacks, reader)
    bridged = {vni for state in tunnel.states("member") for vni in state.value}
    _vlans_of(root, bridged, reader)
    routed: set[int] = set()
    for vnis, line in tunnel.all("routed"):
        routed.update(vnis)
        if not bridged.isdisjoint(vnis):
            reader.unread_line(line)
    for name, state in merged(root.states("vrf")).items():
        _vrf(name, state, routed, reader)
    if "duplicates" in root.one:
        reader.put("vtep", "", "duplicate-mac", *root.one["duplicates"])
    if root.get("long-names"):
        reader.needed("names of VLANs may be long", root.line("long-names"))


def _tunnel(tunnel: State, loopbacks: dict[int, Said], reader: Reader) -> None:
    if "source" in tunnel.one and tunnel.get("enabled"):
        number, line = tunnel.one["source"]
        if number in loopbacks:
            reader.put("vtep", "", "address", loopbacks[number][0].partition("/")[0], line)
        else:
            reader.unread_line(line)
    if tunnel.get("by-bgp"):
        reader.needed("tunnels: far ends are learned by BGP", tunnel.line("by-bgp"))
    for state in tunnel.states("member"):
        for vni in state.value:
            if state.get("replicates"):
                reader.needed(f"VNI {vni}: flooded to far ends that BGP names", state.line("replicates"))
            if state.get("suppress"):
                reader.needed(f"VNI {vni}: ARP is answered", state.line("suppress"))


def _vlans_of(root: State, bridged: set[int], reader: Reader) -> None:
    by_vni: dict[int, str] = {}
    for state in root.states("vlan"):
        for vlan in state.value:
            _vlan(str(vlan), state, bridged, reader)
            by_vni[state.get("vni", 0)] = str(vlan)
    for evpn in root.states("evpn"):
        for vni, state in merged(evpn.states("vni")).items():
            if vni in by_vni:
                _mac_vrf(by_vni[vni], state, reader)
            else:
                reader.unread_line(state.number)


def _vlan(name: str, state: State, bridged: set[int], reader: Reader) -> None:
    if name != DEFAULT_VLAN:
        reader.needed(f"vlan {name}", state.number)
    if "name" in state.one:
        reader.put("vlan", name, "name", *state.one["name"])
    if "vni" in state.one:
        vni, line = state.one["vni"]
        reader.put("vlan", name, "vni", vni if vni in bridged else NO_VNI, line)


def _mac_vrf(vlan: str, state: State, reader: Reader) -> None:
    if "rd" in state.one:
        reader.put("vlan", vlan, "rd", *state.one["rd"])
    for way, setting in (("import", "imports"), ("export", "exports")):
        rows = ((text, line) for (said, text, _), line in state.all("target") if said in (way, "both"))
        reader.put_set(Key("vlan", vlan, setting), rows)


def _vrf(name: str, state: State, routed: set[int], reader: Reader) -> None:
    reader.needed(f"vrf context {name}", state.number)
    if "vni" in state.one:
        vni, line = state.one["vni"]
        reader.put("vrf", name, "vni", vni if vni in routed else NO_VNI, line)
    if "rd" in state.one:
        reader.put("vrf", name, "rd", *state.one["rd"])
    families = merged(state.states("family"))
    if families:
        vrf_targets(reader, name, families)
