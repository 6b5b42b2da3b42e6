"""EOS outputs about ports: interfaces, LLDP and the VXLAN interface.

MTU: EOS reports the IP MTU of a routed interface, but the frame size of a bridged one, which is not comparable and is
read as mtu 0. A loopback reports 65535, whatever is configured.
"""

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address

from fabricgen.platforms.base.live.values import (
    NotUnderstoodError,
    address,
    is_mac,
    mac,
    number,
    rows,
    table,
    whole,
    with_length,
    word,
)
from fabricgen.platforms.eos.live.values import vrf_name
from fabricgen.state.state import ETHERNET, L2, L3, LAG, LOOPBACK, OTHER, SUBINTERFACE, SVI, Adjacency, Interface, Vni

_KINDS = (
    (re.compile(r"(?:Ethernet|Port-Channel)[\d/]+\.(\d+)", re.ASCII), SUBINTERFACE),
    (re.compile(r"Vlan(\d+)", re.ASCII), SVI),
    (re.compile(r"Port-Channel\d+", re.ASCII), LAG),
    (re.compile(r"Loopback\d+", re.ASCII), LOOPBACK),
    (re.compile(r"(?:Ethernet|Management)[\d/]+", re.ASCII), ETHERNET),
)
_VXLAN = "Vxlan1"
_FAULT = "errdisabled"
"""Status of a port that the switch itself took out of service. Unsure: from a public driver's mock, not recorded."""


def interfaces(output: object, ipv6: object, vrfs: object, names: Mapping[str, str]) -> tuple[Interface, ...]:
    """Every interface of `show interfaces`, with the addresses of `show ipv6 interface` and the VRFs of `show vrf`."""
    vrf_of = {}
    for name, row in table(vrfs, "vrfs").items():
        for interface in rows(row, "interfaces", optional=True):
            vrf_of[str(interface)] = vrf_name(name, names)
    ipv6_rows = table(ipv6, "interfaces", optional=True)
    return tuple(
        _interface(name, row, ipv6_rows.get(name, {}), vrf_of.get(name, ""))
        for name, row in table(output, "interfaces").items()
    )


def _interface(name: str, row: object, ipv6: object, vrf: str) -> Interface:
    kind, vlan_id = _kind(name)
    status = word(row, "interfaceStatus")
    return Interface(
        name=name,
        kind=kind,
        admin_up=status != "disabled",
        oper_up=word(row, "lineProtocolStatus") == "up",
        mtu=number(row, "mtu", 0) if word(row, "forwardingModel", "") == "routed" else 0,
        addresses=tuple(sorted({*_ipv4(row), *_ipv6(row), *_ipv6_shown(ipv6)})),
        vrf=vrf,
        vlan_id=vlan_id,
        fault=status if status == _FAULT else "",
        members=_members(row) if kind == LAG else None,
    )


def _members(row: object) -> tuple[str, ...] | None:
    """Active member ports of an aggregate: the recorded switches list no others (4.23); None without the key."""
    has_members = isinstance(row, Mapping) and "memberInterfaces" in row
    return tuple(sorted(table(row, "memberInterfaces"))) if has_members else None


def _kind(name: str) -> tuple[str, int]:
    """Kind of an interface by its name, and its VLAN: in our text, a subinterface's number is its VLAN."""
    for pattern, kind in _KINDS:
        match = pattern.fullmatch(name)
        if match:
            return kind, whole(match[1], "VLAN") if match.re.groups else 0
    return OTHER, 0


def _ipv4(row: object) -> Iterator[str]:
    """Own, secondary and virtual addresses; 0.0.0.0 means none."""
    for entry in rows(row, "interfaceAddress", optional=True):
        single = [table(entry, "primaryIp", optional=True), table(entry, "virtualIp", optional=True)]
        listed = (*rows(entry, "secondaryIpsOrderedList", optional=True),)
        listed += (*rows(entry, "virtualSecondaryIpsOrderedList", optional=True),)
        for address_row in (*single, *listed):
            text = word(address_row, "address", "0.0.0.0")  # noqa: S104 -- EOS's value for no address
            if text != "0.0.0.0":  # noqa: S104
                yield with_length(f"{text}/{number(address_row, 'maskLen')}")


def _ipv6(row: object) -> Iterator[str]:
    """Global addresses in `show interfaces` itself (recorded: 4.36)."""
    addresses = table(row, "interfaceAddressIp6", optional=True)
    yield from _globals(rows(addresses, "globalUnicastIp6s", optional=True))


def _ipv6_shown(row: object) -> Iterator[str]:
    """Global addresses of `show ipv6 interface`."""
    yield from _globals(rows(row, "addresses", optional=True))


def _globals(entries: object) -> Iterator[str]:
    for entry in entries if isinstance(entries, list | tuple) else ():
        text = address(word(entry, "address"))
        length = word(entry, "subnet", "/128").rpartition("/")[2]
        if not ip_address(text).is_link_local:
            yield with_length(f"{text}/{whole(length, 'subnet')}")


def adjacencies(output: object) -> tuple[Adjacency, ...]:
    """Neighbors of `show lldp neighbors detail`, port by port.

    The far port is `interfaceId_v2`; older releases have `interfaceId` only, in quotation marks if it is a name and in
    groups of four digits if it is a MAC address, which Linux sends.
    """
    return tuple(
        Adjacency(port, word(entry, "systemName", ""), _port_id(table(entry, "neighborInterfaceInfo")))
        for port, row in table(output, "lldpNeighbors").items()
        for entry in rows(row, "lldpNeighborInfo")
    )


def _port_id(info: Mapping[str, object]) -> str:
    text = (word(info, "interfaceId_v2", "") or word(info, "interfaceId", "")).strip('"')
    return mac(text) if is_mac(text) else text


def vnis(output: object, names: Mapping[str, str]) -> tuple[Vni, ...]:
    """VNIs of the VXLAN interface; none without such an interface.

    EOS uses an internal VLAN for each L3 VNI and lists it among the others, with `evpn` as its source. It does so also
    for VNIs of VRFs that the switch does not have (seen on 4.23); they serve nothing here and are left out.
    """
    row = table(output, "interfaces").get(_VXLAN)
    if row is None:
        return ()
    up = word(row, "lineProtocolStatus") == "up"
    vrfs = {
        whole(vni, "vrfToVniMap"): vrf_name(vrf, names) for vrf, vni in table(row, "vrfToVniMap", optional=True).items()
    }
    floods = table(row, "vlanToVtepList", optional=True)
    vlans = {}
    listed = []
    for vlan, entry in table(row, "vlanToVniMap", optional=True).items():
        vni, vlan_id = number(entry, "vni"), whole(vlan, "vlanToVniMap")
        vlans[vni] = vlan_id
        if vni not in vrfs and word(entry, "source", "") != "evpn":
            listed.append(Vni(vni, L2, vlan_id, "", _vteps(floods.get(vlan)), up))
    listed += [Vni(vni, L3, vlans.get(vni, 0), vrf, (), up) for vni, vrf in vrfs.items()]
    return tuple(sorted(listed))


def _vteps(entry: object) -> tuple[str, ...]:
    if entry is None:
        return ()
    listed = (*rows(entry, "remoteVtepAddr", optional=True), *rows(entry, "remoteVtepAddr6", optional=True))
    if not all(isinstance(text, str) for text in listed):
        raise NotUnderstoodError("no list of addresses 'remoteVtepAddr'")
    return tuple(sorted({address(str(text)) for text in listed}))
