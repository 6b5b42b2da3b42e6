"""How often each kind of line must stand in a switch's text: counted from its Device, with no word of NX-OS."""

from collections.abc import Callable

from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn, Gateway
from fabricgen.device.interfaces import Ethernet, Subinterface
from fabricgen.device.management import Gnmi, Sflow, Snmp, Tacacs
from fabricgen.device.qos import ClassQueue, Qos, Queue
from fabricgen.device.routing import BgpVrf, ExternalNeighbor, Neighbor, PeerGroup, Statement

Count = Callable[[Device], int]


def ports(device: Device) -> list[Ethernet]:
    return [*device.interfaces.ethernet, *device.interfaces.idle]


def routed(device: Device) -> list[Ethernet]:
    return [row for row in ports(device) if row.profile.routed]


def lossless(device: Device) -> list[Ethernet]:
    names = {row.name for row in device.qos.profiles if row.lossless_priorities} if device.qos else set()
    return [row for row in ports(device) if row.profile.qos in names]


def gateways(device: Device) -> tuple[Gateway, ...]:
    return device.evpn.gateways if device.evpn else ()


def sessions(device: Device) -> list[tuple[Neighbor, PeerGroup]]:
    groups = {group.name: group for group in device.routing.bgp.groups}
    return [(row, groups[row.group]) for row in device.routing.bgp.neighbors]


def external(device: Device) -> list[ExternalNeighbor]:
    return [row for vrf in device.routing.bgp.vrfs for row in vrf.neighbors]


def families(device: Device, *wanted: str) -> int:
    return sum(family in wanted for _, group in sessions(device) for family in group.families)


def limited(device: Device, restarts: bool, *wanted: str) -> int:
    """Families of sessions that are closed beyond their limit, or that are not."""
    groups = [group for _, group in sessions(device) if bool(group.restart_minutes) == restarts]
    return sum(family in wanted for group in groups for family in group.families)


def statements(device: Device) -> list[Statement]:
    return [row for found in device.routing.policy.route_maps for row in found.statements]


def queues(device: Device) -> list[Queue]:
    return [queue for profile in device.qos.profiles for queue in profile.queues] if device.qos else []


def groups(device: Device) -> list[ClassQueue]:
    return list(device.qos.class_queues) if device.qos else []


def marked(device: Device) -> int:
    if device.qos is None:
        return 0
    zero = {row.traffic_class for row in device.qos.class_queues if row.queue == 0}
    return sum(bool(row.dscps) for row in device.qos.dscp_classes if row.traffic_class not in zero)


def entries(device: Device, family: str, *, longer: bool) -> int:
    lists = [found for found in device.routing.policy.prefix_lists if found.family == family]
    return sum(bool(entry.longest) is longer for found in lists for entry in found.entries)


def static(device: Device, family: str, *, default: bool) -> int:
    return sum(row.family == family and (not row.vrf) is default for row in device.routing.static_routes)


def unchanged(device: Device) -> int:
    """Permitting statements of the maps that sessions of a group with unchanged next hops take on the way out."""
    names = {row.route_map_out or group.route_map_out for row, group in sessions(device) if group.next_hop_unchanged}
    maps = [found for found in device.routing.policy.route_maps if found.name in names]
    return sum(row.permit for found in maps for row in found.statements)


def overlay(device: Device) -> bool:
    return any("evpn" in group.families for group in device.routing.bgp.groups)


def imports(device: Device) -> int:
    return sum(len(vrf.import_targets) + 1 for vrf in device.routing.bgp.vrfs)


def balanced(device: Device) -> bool:
    return device.load_balancing.mode in ("dlb-flowlet", "dlb-per-packet")


def snmp(device: Device, of: Callable[[Snmp], int]) -> int:
    return of(device.management.snmp) if device.management.snmp else 0


def idle(device: Device) -> bool:
    return device.management.login is not None and device.management.login.idle_minutes > 0


def sources(device: Device, service: str) -> int:
    """How many prefixes may use a management service; 0 where any source may."""
    return sum(len(row.prefixes) for row in device.management.access if row.service == service)


def tacacs(device: Device, of: Callable[[Tacacs], int]) -> int:
    return of(device.management.tacacs) if device.management.tacacs else 0


def sflow(device: Device, of: Callable[[Sflow], int]) -> int:
    return of(device.management.sflow) if device.management.sflow else 0


def gnmi(device: Device, of: Callable[[Gnmi], int]) -> int:
    return of(device.management.gnmi) if device.management.gnmi else 0


def qos(device: Device, of: Callable[[Qos], int]) -> int:
    return of(device.qos) if device.qos else 0


def evpn(device: Device, of: Callable[[Evpn], int]) -> int:
    return of(device.evpn) if device.evpn else 0


def duplicates(device: Device) -> int:
    """NX-OS's own numbers, 5 moves in 180 s, have no line."""
    found = device.evpn.duplicate_mac if device.evpn else None
    return found is not None and found[:2] != (5, 180)


def vrfs(device: Device, of: Callable[[BgpVrf], int]) -> int:
    return sum(of(vrf) for vrf in device.routing.bgp.vrfs)


def features(device: Device) -> int:
    """Those of the long form: BGP, and what management, the overlay's leaf, relays and BFD ask."""
    management = device.management
    return sum(
        (
            1,
            bool(management.eapi_certificate),
            management.gnmi is not None,
            management.tacacs is not None,
            management.lldp,
            management.sflow is not None,
            device.evpn is not None,
            bool(gateways(device)),
            any(row.relays_ipv4 or row.relays_ipv6 for row in gateways(device)),
            any(group.bfd for group in device.routing.bgp.groups),
        )
    )


def shaped(device: Device, unit: int) -> int:
    """Capped queues whose rate is whole in Gb/s (1), or is not (0)."""
    profiles = device.qos.profiles if device.qos else ()
    whole = [
        row.speed_gbps * queue.cap_percent % 100 == 0 for row in profiles for queue in row.queues if queue.cap_percent
    ]
    return sum(whole) if unit else len(whole) - sum(whole)


def trunks(device: Device) -> int:
    return sum(bool(row.switching and row.switching.trunk_vlans) for row in ports(device))


def storms(device: Device) -> int:
    rows = [row.switching for row in ports(device) if row.switching]
    return sum(bool(row.broadcast_percent) + bool(row.multicast_percent) for row in rows)


def watched(device: Device, action: str) -> int:
    return len(lossless(device)) if device.qos and device.qos.watchdog.action == action else 0


def bare(device: Device) -> int:
    """Ports that are neither routed nor switched."""
    return sum(not row.profile.routed and row.switching is None for row in ports(device))


def own_families(device: Device) -> int:
    """Routed families of the default VRF with a session or a prefix."""
    bgp = device.routing.bgp
    used = {family for group in bgp.groups for family in group.families}
    return sum(
        (
            "ipv4" in used or bool(bgp.networks_ipv4),
            "ipv6" in used or bool(bgp.networks_ipv6),
        )
    )


def addresses(device: Device, family: str) -> int:
    """Addresses of a family on ports and on what is divided by a tag."""
    found: list[Ethernet | Subinterface] = [*ports(device), *device.interfaces.subinterfaces]
    return sum(bool(row.ipv4 if family == "ipv4" else row.ipv6) for row in found)
