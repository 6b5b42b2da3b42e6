"""What the tables of a VTEP must be: VLANs, VRFs, VNIs, gateways and subinterfaces."""

from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn
from tests.sonic.expected_qos import Document, Table

L3_VLANS = {"research": 4094, "storage": 4092}
"""VLANs of the L3 VNIs of the site: 4095 less the tenants' numbers, 1 and 3."""


def overlay_of(device: Device, evpn: Evpn) -> Document:
    """All of its tables."""
    maps: Table = {}
    vlans: Table = {}
    routed: Table = {}
    rows = [(vlan.vlan_id, vlan.vni, "") for vlan in evpn.vlans]
    rows += [(L3_VLANS[vrf.name], vrf.vni, vrf.name) for vrf in evpn.vrfs]
    for vlan_id, vni, vrf in rows:
        vlans[f"Vlan{vlan_id}"] = {"vlanid": str(vlan_id), "admin_status": "up"}
        largest = evpn.mtu if vrf else {gateway.vlan_id: gateway.mtu for gateway in evpn.gateways}.get(vlan_id)
        vlans[f"Vlan{vlan_id}"] |= {"mtu": str(largest)} if largest else {}
        maps[f"vtep|map_{vni}_Vlan{vlan_id}"] = {"vlan": f"Vlan{vlan_id}", "vni": str(vni)}
        if vrf:
            routed[f"Vlan{vlan_id}"] = {"vrf_name": f"Vrf_{vrf}"}
    for gateway in evpn.gateways:
        name = f"Vlan{gateway.vlan_id}"
        routed[name] = {"vrf_name": f"Vrf_{gateway.vrf}", "static_anycast_gateway": "true"}
        routed |= {f"{name}|{address}": {} for address in (gateway.ipv4, gateway.ipv6) if address}
    return _members(device) | {
        "VRF": {f"Vrf_{vrf.name}": {"vni": str(vrf.vni)} for vrf in evpn.vrfs},
        "VLAN": vlans,
        "VLAN_INTERFACE": routed,
        "VXLAN_TUNNEL": {"vtep": {"src_ip": evpn.vtep}},
        "VXLAN_EVPN_NVO": {"nvo": {"source_vtep": "vtep"}},
        "VXLAN_TUNNEL_MAP": maps,
        "SAG": {"GLOBAL": {"gateway_mac": evpn.gateway_mac}} if evpn.gateways else {},
    }


def _members(device: Device) -> Document:
    members: Table = {}
    for row in device.interfaces.ethernet:
        if row.switching and row.switching.access_vlan:
            members[f"Vlan{row.switching.access_vlan}|{row.name}"] = {"tagging_mode": "untagged"}
        for vlan in row.switching.trunk_vlans if row.switching else ():
            members[f"Vlan{vlan}|{row.name}"] = {"tagging_mode": "tagged"}
    # One percent of a port: a hundredth of its Gb/s, in kb/s.
    storms = {
        f"{row.name}|unknown-unicast": {
            "kbps": str({25: 250_000, 100: 1_000_000, 200: 2_000_000}[row.profile.speed_gbps])
        }
        for row in device.interfaces.ethernet
        if row.switching
    }
    subs: Table = {}
    for sub in device.interfaces.subinterfaces:
        name = f"{sub.parent}.{sub.vlan_id}"
        name = name if len(name) <= 15 else name.replace("Ethernet", "Eth")
        subs[name] = {"admin_status": "up", "vlan": str(sub.vlan_id), "vrf_name": f"Vrf_{sub.vrf}"}
        subs |= {f"{name}|{address}": {} for address in (sub.ipv4, sub.ipv6) if address}
    return {"VLAN_MEMBER": members, "VLAN_SUB_INTERFACE": subs, "PORT_STORM_CONTROL": storms}
