"""Kinds of changes of the overlay: VTEP, VLANs, gateways and tenants' VRFs."""

from fabricgen.changes.kind import BlastRadius, ChangeType, ValueType

_S, _O = ValueType.SETTING, ValueType.OWN
_SWITCH, _VRF, _NOTHING = BlastRadius.SWITCH, BlastRadius.VRF, BlastRadius.NOTHING

KINDS: tuple[ChangeType, ...] = (
    ChangeType("evpn", "VTEP", "VTEPs", _O, _SWITCH),
    ChangeType("evpn.vtep", "VTEP address", "VTEP addresses", _O, _SWITCH),
    ChangeType("evpn.gateway-mac", "gateway MAC", "gateway MACs", _S, _SWITCH),
    ChangeType("evpn.mtu", "MTU inside the tunnel", "MTUs inside the tunnel", _S, _SWITCH),
    ChangeType(
        "evpn.marks",
        "DSCP and ECN of the tunnel's outer header",
        "DSCP and ECN of tunnels' outer headers",
        _S,
        _SWITCH,
        ("tunnel whose outer header has no marks", "tunnels whose outer headers have no marks"),
    ),
    ChangeType(
        "evpn.multihomed",
        "Ethernet segments in the fabric",
        "Ethernet segments in the fabric",
        _S,
        _SWITCH,
        ("no Ethernet segments (ESI) in the fabric any more", "no Ethernet segments (ESI) in the fabric any more"),
    ),
    ChangeType(
        "evpn.duplicate-mac",
        "detection of duplicate MAC addresses",
        "detection of duplicate MAC addresses",
        _S,
        _SWITCH,
    ),
    ChangeType("evpn.vlan", "VLAN", "VLANs", _S, _VRF),
    ChangeType("evpn.vlan.name", "VLAN name", "VLAN names", _S, _NOTHING),
    ChangeType("evpn.vlan.vni", "L2 VNI", "L2 VNIs", _S, _VRF),
    ChangeType("evpn.vlan.rd", "route distinguisher of a VLAN", "route distinguishers of VLANs", _O, _VRF),
    ChangeType("evpn.vlan.route-target", "route target of a VLAN", "route targets of VLANs", _S, _VRF),
    ChangeType("evpn.vlan.vrf", "VRF of a VLAN", "VRFs of VLANs", _S, _VRF),
    ChangeType("evpn.vlan.macs", "MAC address limit of a VLAN", "MAC address limits of VLANs", _S, _VRF),
    ChangeType("evpn.gateway", "anycast gateway", "anycast gateways", _S, _VRF),
    ChangeType("evpn.gateway.description", "gateway description", "gateway descriptions", _S, _NOTHING),
    ChangeType("evpn.gateway.vrf", "VRF of a gateway", "VRFs of gateways", _S, _VRF),
    ChangeType("evpn.gateway.ipv4", "IPv4 gateway address", "IPv4 gateway addresses", _S, _VRF),
    ChangeType("evpn.gateway.ipv6", "IPv6 gateway address", "IPv6 gateway addresses", _S, _VRF),
    ChangeType("evpn.gateway.relay", "DHCP relay target", "DHCP relay targets", _S, _VRF),
    ChangeType("evpn.gateway.relay-source", "DHCP relay source", "DHCP relay sources", _S, _VRF),
    ChangeType("evpn.gateway.mtu", "gateway MTU", "gateway MTUs", _S, _VRF),
    ChangeType("evpn.vrf", "tenant VRF", "tenant VRFs", _S, _VRF),
    ChangeType("evpn.vrf.vni", "L3 VNI", "L3 VNIs", _S, _VRF),
    ChangeType("evpn.vrf.id", "VRF number", "VRF numbers", _S, _VRF),
)
