"""The rows of a Device as FRR on Linux shows them."""

from collections.abc import Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Switching
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.frr.readback.services import KERNEL
from fabricgen.platforms.linux.firewall import rules, served
from fabricgen.platforms.linux.frr_releases import DEFAULT_PREFERENCE, MANAGER, WITHDRAWALS_IN_ORDER
from fabricgen.platforms.linux.names import SIGNS, device_name
from fabricgen.platforms.linux.readback.bgp import needs_no_link
from fabricgen.platforms.linux.readback.expected import (
    as_frr,
    needed,
    one_loopback,
    renamed,
    router_mac,
    sessions,
    without_evpn_limit,
    without_members,
    without_sessions,
    without_usual_duplicates,
)
from fabricgen.readback.intended import in_vrf, peer
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key

NOT_SHOWN: Mapping[str, str] = {
    "port.lanes": "the driver's; the speed says them",
    "switch.hash-seed": "each kernel has one of its own (ip-sysctl, fib_multipath_hash_seed: from 6.11)",
    "vlan.name": "a VLAN of the bridge has no name (bridge(8))",
}
LINK_SPEEDS = frozenset({1, 10, 25, 40, 50, 100, 200, 400})
"""Gb/s that ifupdown2 3.0.0 takes (addons/ethtool.py); for others there is no line."""
LAST = 1
"""Preference of a drained leaf as designated forwarder (RFC 9785: the highest is elected)."""
ANY_CHOICE = 32767
"""FRR's default preference, which later releases do not print."""
CONNECT_SECONDS = 1
LOCAL = "-A 127.0.0.1"
"""Daemons listen for vtysh and telnet on the switch itself (Debian's /etc/frr/daemons)."""
TERMINALS = ("ipv4", "ipv6")


def adjusted(device: Device, rows: Rows) -> Rows:
    """Names of Linux, values that its files have, lines that the fabric needs."""
    management = device_name(device.management.vrf, "mgmt")
    names = vrf_names(device)
    found = without_evpn_limit(device, as_frr(device, rows, device.version), device.version)
    found = without_usual_duplicates(found)
    found = _values(device, without_sessions(device, without_members(device, found)))
    found = one_loopback(device, renamed(found, names), names)
    found[Key("management", "", "vrf")] = management
    _relays(device, found, names)
    for row in device.management.access:
        if row.service != "ssh":
            found.pop(Key("management", "", f"access-{row.service}"), None)  # no such server runs
    if device.evpn is not None and not (device.evpn.vlans or device.evpn.vrfs):
        found.pop(Key("vtep", "", "mtu"), None)  # it is that of the interfaces of VNIs
    return found | needed(_lines(device, names, management))


def vrf_names(device: Device) -> dict[str, str]:
    """Tenant → device of its VRF: `vrf<VNI>` where Linux has another meaning for the name."""
    management = device_name(device.management.vrf, "mgmt")
    found = {"": ""}
    for vrf in device.evpn.vrfs if device.evpn else ():
        other = f"vrf{vrf.vni}"
        found[vrf.name] = other if vrf.name == management else device_name(vrf.name, other)
    return found


def _values(device: Device, rows: Rows) -> Rows:
    """Descriptions without what the files do not take; speeds that have no line; the last choice of a drained leaf."""
    found = dict(rows)
    for key, value in rows.items():
        if key.setting == "description" and isinstance(value, str):
            cleared = value.replace("|", "/") if key.thing == "session" else SIGNS.sub("", value)
            found[key] = " ".join(cleared.split()) or "-"
        elif key.setting == "speed" and value not in LINK_SPEEDS:
            found[key] = 0
        elif key.setting == "df-preference" and not value and device.state == "drained":
            found[key] = LAST if rows[key._replace(setting="esi")] else 0
        elif key.setting == "df-preference" and value == ANY_CHOICE and is_at_least(device.version, DEFAULT_PREFERENCE):
            found[key] = 0
    return found


def _relays(device: Device, rows: Rows, names: dict[str, str]) -> None:
    """The source of relays is the address on the VLAN of the VRF's L3 VNI; it is called by the VRF."""
    tenants = {row.number: names[row.vrf] for row in device.interfaces.loopbacks}
    for key, value in rows.items():
        if key.setting == "relay-source" and isinstance(value, int) and value >= 0:
            rows[key] = tenants[value]


def _lines(device: Device, names: dict[str, str], management: str) -> Iterator[str]:
    yield from _routing_lines(device, names)
    yield from _service_lines(device, management)
    yield f"VRF {management}, table auto 127.0.0.1/8 ::1/128"
    yield from _last_routes(management)
    for row in served(device):
        sources = ", ".join(row.prefixes)
        rows = (rule.replace(f"{{ {sources} }} ip daddr", "SOURCES ip daddr") for rule in rules(device))
        yield from (f"filter {place}: {rule}" for place, rule in enumerate(rows, 1))
    yield from _port_lines(device)
    if device.evpn is not None:
        yield from _overlay_lines(device, names)
        yield from _relay_lines(device, names)


def _routing_lines(device: Device, names: dict[str, str]) -> Iterator[str]:
    bgp = device.routing.bgp
    yield "frr defaults datacenter"
    yield f"ip router-id {bgp.router_id}"
    yield "no zebra nexthop kernel enable"
    if device.evpn is not None:
        if not is_at_least(device.version, WITHDRAWALS_IN_ORDER):
            yield "zebra work-queue 0"
            yield "zebra zapi-packets 1"
        yield "advertise-all-vni"
    yield "bgp bestpath as-path multipath-relax"
    for vrf in bgp.vrfs:
        name = names[vrf.name]
        yield f"{name} bgp bestpath as-path multipath-relax"
        yield f"{name}: router bgp {bgp.asn}, router id {bgp.router_id}"
        yield from (f"{name} advertise {family} unicast" for family in TERMINALS)
    for name, group in sessions(device):
        tenant, _, rest = name.rpartition(" ")
        here = in_vrf(names.get(tenant, tenant), rest) if group is None else name
        yield f"{here}: tries again after {CONNECT_SECONDS} s"
        if group is not None and group.ttl_hops and group.multihop:
            yield needs_no_link(here)


def _service_lines(device: Device, management: str) -> Iterator[str]:
    row = device.management
    yield f"/etc/hostname {device.name}"
    yield "bgpd runs"
    yield "vtysh_enable runs"
    if any(group.bfd for group in device.routing.bgp.groups):
        yield "bfdd runs"
        yield f"bfdd starts with {LOCAL}"
    yield f"LLDP name {device.name}"
    yield "profile datacenter"
    yield f"zebra starts with {LOCAL} -s 90000000 --v6-rr-semantics"
    manager = ("mgmtd",) if is_at_least(device.version, MANAGER) else ()
    yield from (f"{daemon} starts with {LOCAL}" for daemon in (*manager, "bgpd", "staticd"))
    yield from (f"{key} = {value}" for key, value in KERNEL.items())
    if row.lldp:
        yield f"LLDP on swp*,{row.port}"
        yield "LLDP names a port as Linux does"
    yield f"bindacqdevice {management}"
    yield from (f"syslog {peer(server)}: info, udp 514, {management}" for server in row.syslog)


def _last_routes(vrf: str) -> Iterator[str]:
    yield from (f"VRF {vrf}: lookups end ({family})" for family in ("IPv4", "IPv6"))


def _port_lines(device: Device) -> Iterator[str]:
    interfaces = device.interfaces
    switched: list[tuple[str, Switching | None]] = [(f"bond{lag.number}", lag.switching) for lag in interfaces.lags]
    switched += [(port.name, port.switching) for port in interfaces.ethernet if not port.lag]
    for name, switching in switched:
        if switching is not None and not switching.access_vlan:
            yield f"{name}: bridge-allow-untagged no"
    for lag in interfaces.lags:
        yield from (f"bond{lag.number}: {words}" for words in BOND)


BOND = (
    "bond-mode 802.3ad",
    "bond-miimon 100",
    "bond-lacp-rate fast",
    "bond-xmit-hash-policy layer3+4",
    "bond-min-links 1",
)
"""LACP over all members (Linux, bonding.rst)."""


def _overlay_lines(device: Device, names: dict[str, str]) -> Iterator[str]:
    evpn = device.evpn
    if evpn is None:
        return
    mtu = max((port.profile.mtu for port in device.interfaces.ethernet), default=evpn.mtu)
    yield from (
        f"bridge: {words}" for words in (f"mtu {mtu}", "bridge-vlan-aware yes", "bridge-stp off", "bridge-mcsnoop no")
    )
    for vlan in evpn.vlans:
        yield f"bridge: VLAN {vlan.vlan_id}"
        yield f"VNI {vlan.vni}: bridge-arp-nd-suppress on"
    for vrf in evpn.vrfs:
        name = names[vrf.name]
        yield f"VRF {name}, table auto"
        yield from _last_routes(name)
        yield f"bridge: VLAN of VRF {name}"
        yield f"L3 VNI of VRF {name}: in VRF {name}, MAC {router_mac(evpn.vtep)}, MTU {evpn.mtu}"
    for vni in (*(row.vni for row in evpn.vlans), *(row.vni for row in evpn.vrfs)):
        yield f"VNI {vni}: bridge-learning off"
        if evpn.marks:
            yield f"VNI {vni}: tos inherit"


def _relay_lines(device: Device, names: dict[str, str]) -> Iterator[str]:
    """Each relay hears answers on every VLAN of its VRF, and of VRFs that it takes routes from."""
    evpn = device.evpn
    if evpn is None:
        return
    imports = {vrf.name: vrf.imports for vrf in device.routing.bgp.vrfs}
    relays = [row for row in evpn.gateways if row.relays_ipv4 or row.relays_ipv6]
    for row in relays:
        reached = [name for name in (row.vrf, *imports.get(row.vrf, ())) if name in names]
        for kind, servers in (("IPv4", row.relays_ipv4), ("IPv6", row.relays_ipv6)):
            if servers:
                yield f"{kind} relay of VLAN {row.vlan_id} runs in VRF {names[row.vrf]}"
        if row.relays_ipv4:
            places = [names[name] for name in reached[1:]]
            places += [f"VLAN {other.vlan_id}" for other in evpn.gateways if other.vrf in reached and other != row]
            yield from (f"IPv4 relay of VLAN {row.vlan_id} hears {place}" for place in places)
    if relays:
        yield from (
            f"relays: {words}" for words in ("Type=oneshot", "RemainAfterExit=yes", "WantedBy=multi-user.target")
        )
