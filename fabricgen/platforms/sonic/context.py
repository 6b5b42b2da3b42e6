"""From a Device to the template context of SONiC: values that templates cannot print straight from a Device field."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.device.management import Snmp
from fabricgen.platforms.base.limits import refuse
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.linux import frr_conf, interfaces
from fabricgen.platforms.linux.frr_releases import LAST_DISTANCE
from fabricgen.platforms.sonic.access import AclTable, acl_tables
from fabricgen.platforms.sonic.limits import limits
from fabricgen.platforms.sonic.overlay import OverlayContext, named, overlay_words
from fabricgen.platforms.sonic.ports import PortContext, addresses, ports, quoted
from fabricgen.platforms.sonic.qos import DYNAMIC, QosContext, largest_packet, qos_words
from fabricgen.platforms.sonic.releases import GNMI_VRF, USER_AUTH, frr_release, has_tables
from fabricgen.platforms.sonic.routing import RoutingContext, routing_words

TYPES = {"leaf": "ToRRouter", "border-leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
"""DEVICE_METADATA type: T0, T1 and T2 of SONiC's own topologies. It selects the hash seed: 0, 10, 25
(switch.json.j2)."""


class LoopbackContext(NamedTuple):
    """A loopback of the default VRF."""

    number: int
    addresses: tuple[InterfaceAddress, ...]


SNMP_AUTH, SNMP_PRIVACY = {"sha": "SHA"}, {"aes128": "AES"}
"""Algorithm of SNMP → SONiC's word (sonic-snmp.yang)."""


class SnmpContext(NamedTuple):
    """Quoted SNMP texts, empty if not configured; words of the algorithms."""

    location: str
    contact: str
    auth: str
    privacy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """What the templates of SONiC print for one switch.

    type      tier in SONiC's terms
    buffers   buffer model of the switch
    routing   BGP in tables, for releases whose daemon reads them; else None
    control   DSCP of BGP packets for frr.conf if it is not FRR's default; else 0
    frr       context of frr.conf, for other releases and for any VTEP, because no table of the models holds RDs,
              route targets and prefix routes; else None
    address   of the management port, without its prefix length
    routed    ports with addresses, with a tenant's VRF, or with link-local addresses
    user_auth  the release authenticates gNMI users by default: a field turns that off, since certificates suffice
    gnmi_vrf  the release has a field for the VRF of its gNMI server
    limited_ports  ports with storm control
    access    ACL tables of the control plane, by name
    """

    type: str
    platform: str
    hwsku: str
    buffers: str
    address: str
    user_auth: bool
    gnmi_vrf: bool
    access: tuple[AclTable, ...]
    ports: tuple[PortContext, ...]
    routed: tuple[PortContext, ...]
    sampled_ports: tuple[PortContext, ...]
    limited_ports: tuple[PortContext, ...]
    loopbacks: tuple[LoopbackContext, ...]
    overlay: OverlayContext | None
    snmp: SnmpContext | None
    qos: QosContext | None
    ecn_counters: bool
    routing: RoutingContext | None
    control: int
    frr: frr_conf.TemplateContext | None


def template_context(device: Device) -> TemplateContext:
    """Return the template context of one switch. Raises FabricError for what SONiC's tables cannot express."""
    refuse(limits(device))
    device = named(device)
    spellings, snmp = device.hardware.spellings, device.management.snmp
    tables = has_tables(device.version) and device.evpn is None
    rows = tuple(ports(device))
    # DSCP by which the next switch puts BGP packets into its control class.
    control_dscp = device.qos.control_dscp if device.qos else FRR_DSCP
    return TemplateContext(
        type=TYPES[device.role],
        platform=spellings["platform"],
        hwsku=spellings["hwsku"],
        buffers=spellings.get("buffers", "traditional"),
        address=device.management.address.partition("/")[0],
        user_auth=is_at_least(device.version, USER_AUTH),
        gnmi_vrf=is_at_least(device.version, GNMI_VRF),
        access=acl_tables(device),
        ports=rows,
        routed=tuple([port for port in rows if port.addresses or port.bare or port.row.vrf]),
        sampled_ports=tuple([port for port in rows if port.row.profile.sflow]),
        limited_ports=tuple([port for port in rows if port.unknown_unicast_kbps]),
        loopbacks=tuple(
            LoopbackContext(row.number, addresses(row.ipv4, row.ipv6))
            for row in sorted(device.interfaces.loopbacks)
            if not row.vrf and (row.ipv4 or row.ipv6)
        ),
        overlay=overlay_words(device, device.evpn) if device.evpn else None,
        snmp=_snmp(snmp) if snmp else None,
        qos=qos_words(device, device.qos) if device.qos else None,
        ecn_counters=device.telemetry.ecn_counters,
        routing=routing_words(device) if tables else None,
        control=control_dscp if control_dscp != FRR_DSCP else 0,
        frr=None if tables else _frr(device),
    )


def _snmp(snmp: Snmp) -> SnmpContext:
    return SnmpContext(
        location=quoted(snmp.location) if snmp.location else "",
        contact=quoted(snmp.contact) if snmp.contact else "",
        auth=SNMP_AUTH[snmp.auth_algorithm],
        privacy=SNMP_PRIVACY[snmp.privacy_algorithm],
    )


FRR_DSCP = 48
"""CS6, FRR's default mark of BGP packets."""


def _frr(device: Device) -> frr_conf.TemplateContext:
    """Return FRR's context under the profile `traditional`, with which SONiC builds FRR.

    None of that profile's timers are those of a data center. On SONiC nothing reports to bgpd that a route is in the
    forwarding table, unless SONiC is configured to, so bgpd does not wait for it.
    """
    bgp = device.routing.bgp
    timers = f"{bgp.keepalive_seconds} {bgp.hold_seconds}"
    found = frr_conf.template_context(device, frr_release(device.version))
    return replace(found, timers=timers, wait_install=False, last_distance=LAST_DISTANCE)


def derived(device: Device) -> dict[str, str]:
    """Return values that depend on several parts of a Device: VLANs of L3 VNIs, the largest lossless packet."""
    values = interfaces.derived(named(device))
    if device.qos is not None and device.hardware.spellings.get("buffers") == DYNAMIC:
        values["largest lossless packet"] = str(largest_packet(device))
    return values
