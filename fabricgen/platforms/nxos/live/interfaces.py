"""Outputs of NX-OS about ports: interfaces with their addresses, VRFs and VLANs, and LLDP."""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.live.values import NotUnderstoodError, is_mac, mac, whole
from fabricgen.platforms.nxos.live.values import Row, long_name, number, own_address, rows, text, top, vrf_name
from fabricgen.state.state import ETHERNET, LAG, LOOPBACK, OTHER, SUBINTERFACE, SVI, Adjacency, Interface

KINDS = (
    (re.compile(r"(?:Ethernet|port-channel)[\d/]+\.(\d+)", re.ASCII), SUBINTERFACE),
    (re.compile(r"Vlan(\d+)", re.ASCII), SVI),
    (re.compile(r"port-channel\d+", re.ASCII), LAG),
    (re.compile(r"loopback\d+", re.ASCII), LOOPBACK),
    (re.compile(r"(?:Ethernet[\d/]+|mgmt\d+)", re.ASCII), ETHERNET),
)
SHUT = "administratively down"
"""Reason of an interface that is down by configuration, in lower case."""
FAULT = re.compile(r"err-?disabled?", re.IGNORECASE)
"""In the reason of a port that the switch itself disabled. Unsure: from public texts, not recorded."""
ABSENT = ("", "null", "not advertised")
"""Values for a system name that was not sent."""
VLANS = range(1, 4095)

Vlans = tuple[tuple[int, int], ...]
"""(tag, VLAN), sorted, tag 0 for untagged frames."""
Addresses = Mapping[str, tuple[str, ...]]
"""Interface → addresses with their prefix length."""


def interfaces(shown: Row, addresses: Addresses, homes: Mapping[str, str]) -> tuple[Interface, ...]:
    """Return every interface of `show interface`. homes: interface → VRF."""
    all_interfaces = tuple(_interface(row, addresses, homes) for row in top(shown, "interface"))
    if not all_interfaces:
        raise NotUnderstoodError("no interface")
    return all_interfaces


def _interface(row: Row, addresses: Addresses, homes: Mapping[str, str]) -> Interface:
    name = text(row, "interface")
    kind, vlan_id = _kind(name)
    admin_up, oper_up, reason = _svi(row) if kind == SVI else _port(row)
    return Interface(
        name=name,
        kind=kind,
        admin_up=admin_up,
        oper_up=oper_up,
        mtu=number(row, "svi_mtu" if kind == SVI else "eth_mtu", 0),
        addresses=tuple(sorted(set(addresses.get(name, ())))),
        vrf=homes.get(name, ""),
        vlan_id=vlan_id,
        fault=reason if FAULT.search(reason) else "",
    )


def _kind(name: str) -> tuple[str, int]:
    """Return the kind of an interface by its name, and its VLAN: rendered subinterfaces are numbered by VLAN."""
    for pattern, kind in KINDS:
        match = pattern.fullmatch(name)
        if match:
            return kind, whole(match[1], "VLAN") if match.re.groups else 0
    return OTHER, 0


def _port(row: Row) -> tuple[bool, bool, str]:
    """Return enabled, up, and the reason, of an interface other than an SVI."""
    state, reason = text(row, "state"), text(row, "state_rsn_desc", "")
    admin = text(row, "admin_state", "down" if reason.lower() == SHUT else "up")
    return admin == "up", state == "up", reason


def _svi(row: Row) -> tuple[bool, bool, str]:
    """Return the same of an SVI. Its state includes the VLAN's, so only the reason shows that it is shut."""
    state, reason = text(row, "svi_admin_state"), text(row, "svi_rsn_desc", "")
    return reason.lower() != SHUT and (state == "up" or bool(reason)), text(row, "svi_line_proto") == "up", reason


def addresses_ipv4(shown: Row) -> Iterator[tuple[str, str]]:
    """Yield interface and address, primary and secondary ones, of `show ip interface vrf all`."""
    for row in top(shown, "intf"):
        name = text(row, "intf-name")
        if "prefix" in row:
            yield name, own_address(f"{text(row, 'prefix')}/{number(row, 'masklen')}")
        for secondary in rows(row, "secondary_address"):
            yield name, own_address(f"{text(secondary, 'prefix1')}/{number(secondary, 'masklen1')}")


def addresses_ipv6(shown: Row) -> Iterator[tuple[str, str]]:
    """Yield interface and address of `show ipv6 interface vrf all`, without link-local ones."""
    for row in top(shown, "intf"):
        for entry in rows(row, "addr"):
            interface_address = own_address(text(entry, "addr"))
            if interface_address:
                yield text(row, "intf-name"), interface_address


def homes(shown: Row, names: Mapping[str, str]) -> Mapping[str, str]:
    """Return interface → VRF, of `show vrf interface`."""
    return {text(row, "if_name"): vrf_name(text(row, "vrf_name"), names) for row in top(shown, "if")}


def switchports(shown: Row) -> Mapping[str, Vlans]:
    """Return port → its VLANs, () for a routed port; a port that is down does not print its VLANs."""
    vlans_by_port: dict[str, Vlans] = {}
    for row in top(shown, "interface"):
        mode = text(row, "oper_mode", "")
        if text(row, "switchport") != "Enabled":
            vlans_by_port[text(row, "interface")] = ()
        elif mode in ("access", "trunk"):
            vlans_by_port[text(row, "interface")] = _vlans(row, mode)
    return vlans_by_port


def _vlans(row: Row, mode: str) -> Vlans:
    if mode == "access":
        return ((0, number(row, "access_vlan")),)
    native = number(row, "native_vlan", 0)
    return tuple(sorted((0 if vlan == native else vlan, vlan) for vlan in _listed(text(row, "trunk_vlans"))))


def _listed(shown: str) -> Iterator[int]:
    """Yield the VLANs of a list such as 10,20-30."""
    if shown == "none":
        return
    for part in shown.split(","):
        first, _, last = part.partition("-")
        low, high = whole(first, "trunk_vlans"), whole(last or first, "trunk_vlans")
        if low not in VLANS or high not in VLANS:
            raise NotUnderstoodError(f"VLANs {part!r}")
        yield from range(low, high + 1)


def adjacencies(shown: Row) -> tuple[Adjacency, ...]:
    """Return the neighbors of `show lldp neighbors detail`."""
    if "TABLE_nbor_detail" not in shown and number(shown, "neigh_count", -1) == 0:
        return ()
    return tuple(_adjacency(row) for row in top(shown, "nbor_detail"))


def _adjacency(row: Row) -> Adjacency:
    system, port = text(row, "sys_name", ""), text(row, "port_id")
    return Adjacency(
        long_name(text(row, "l_port_id")), "" if system in ABSENT else system, mac(port) if is_mac(port) else port
    )
