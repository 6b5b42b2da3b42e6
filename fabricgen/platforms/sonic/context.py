"""From Device to SONiC's own words: what the templates print that is no Device field word for word."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.platforms.linux import frr_conf, interfaces
from fabricgen.platforms.sonic.limits import SCOPED, TABLES, limits
from fabricgen.platforms.sonic.overlay import OverlayContext, named, overlay_words
from fabricgen.platforms.sonic.ports import PortContext, addresses, ports, quoted
from fabricgen.platforms.sonic.qos import DYNAMIC, QosContext, largest_packet, qos_words
from fabricgen.platforms.sonic.routing import RoutingContext, routing_words

TYPES = {"leaf": "ToRRouter", "border-leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
"""DEVICE_METADATA type: T0, T1 and T2 of SONiC's own topologies. Its hash seed follows: 0, 10, 25 (switch.json.j2)."""


class LoopbackContext(NamedTuple):
    """A loopback of the default VRF."""

    number: int
    addresses: tuple[InterfaceAddress, ...]


class SnmpContext(NamedTuple):
    """Texts of SNMP, quoted; empty where none was given."""

    location: str
    contact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """What SONiC is told of one switch.

    type      its tier, as SONiC names it
    buffers   buffer model of the box
    routing   BGP in tables, of the release that reads them; else None
    control   mark of BGP's packets where it is another than FRR's own, for frr.conf; else 0
    frr       the same as FRR's own words: of the other release, and of any VTEP, since no table of the models holds
              RDs, targets and prefix routes; else None
    address   of the management port, without its length
    routed    ports with addresses, with a VRF of a tenant, or with link-local addresses
    scoped    gNMI is told of its VRF and of no second check of its clients: the release has words for both
    """

    type: str
    platform: str
    hwsku: str
    buffers: str
    address: str
    scoped: bool
    ports: tuple[PortContext, ...]
    routed: tuple[PortContext, ...]
    sampled_ports: tuple[PortContext, ...]
    loopbacks: tuple[LoopbackContext, ...]
    overlay: OverlayContext | None
    snmp: SnmpContext | None
    qos: QosContext | None
    ecn_counters: bool
    routing: RoutingContext | None
    control: int
    frr: frr_conf.TemplateContext | None


def template_context(device: Device) -> TemplateContext:
    """SONiC's words for one switch. Raises FabricError for what its tables cannot say."""
    problems = tuple(limits(device))
    if problems:
        raise FabricError(problems)
    device = named(device)
    words, snmp = device.hardware.spellings, device.management.snmp
    tables = device.version == TABLES and device.evpn is None
    rows = tuple(ports(device))
    # Mark that leads BGP's packets into the control class of the next switch.
    found = device.qos.control_dscp if device.qos else FRR_DSCP
    return TemplateContext(
        type=TYPES[device.role],
        platform=words["platform"],
        hwsku=words["hwsku"],
        buffers=words.get("buffers", "traditional"),
        address=device.management.address.partition("/")[0],
        scoped=device.version == SCOPED,
        ports=rows,
        routed=tuple([port for port in rows if port.addresses or port.bare or port.row.vrf]),
        sampled_ports=tuple([port for port in rows if port.row.profile.sflow]),
        loopbacks=tuple(
            LoopbackContext(row.number, addresses(row.ipv4, row.ipv6))
            for row in sorted(device.interfaces.loopbacks)
            if not row.vrf and (row.ipv4 or row.ipv6)
        ),
        overlay=overlay_words(device, device.evpn) if device.evpn else None,
        snmp=SnmpContext(*(quoted(text) if text else "" for text in (snmp.location, snmp.contact))) if snmp else None,
        qos=qos_words(device, device.qos) if device.qos else None,
        ecn_counters=device.telemetry.ecn_counters,
        routing=routing_words(device) if tables else None,
        control=found if found != FRR_DSCP else 0,
        frr=None if tables else _frr(device),
    )


FRR_DSCP = 48
"""CS6, FRR's own mark of BGP."""


def _frr(device: Device) -> frr_conf.TemplateContext:
    """FRR's words under the profile that SONiC builds it with: none of its timers are those of a data center.

    Nobody tells bgpd on this system that a route is in the forwarding table, unless SONiC itself is told to, so it does
    not wait.
    """
    bgp = device.routing.bgp
    timers = f"{bgp.keepalive_seconds} {bgp.hold_seconds}"
    return replace(frr_conf.template_context(device), timers=timers, wait_install=False)


def derived(device: Device) -> dict[str, str]:
    """What SONiC is told that depends on more than one part of a Device: VLANs of L3 VNIs, the largest packet."""
    found = interfaces.derived(named(device))
    if device.qos is not None and device.hardware.spellings.get("buffers") == DYNAMIC:
        found["largest lossless packet"] = str(largest_packet(device))
    return found
