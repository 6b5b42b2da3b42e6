"""What a platform's files say nothing of though a Device has it, and why that is right: the only exceptions.

Fields that ask for nothing (`NO_FEATURE` of device/needs.py) and those that a capability row leaves to the system
(`instead`) need no row here.
"""

from typing import NamedTuple


class LeftOut(NamedTuple):
    """Fields that nobody reads, or that change nothing.

    systems  platforms, parted by spaces
    fields   paths without the roles of ports, parted by spaces; a path stands for all below it
    roles    of switches, or of those with one release, as leaf/master; empty: all
    """

    systems: str
    fields: str
    why: str
    roles: str = ""

    def covers(self, system: str, role: str, path: str) -> bool:
        """Whether the row is about a field."""
        below = any(path == one or path.startswith(f"{one}.") for one in self.fields.split())
        roles = self.roles.split()
        mine = not roles or role in roles or role.partition("/")[0] in roles
        return below and mine and system in self.systems.split()


ALL = "eos frr sonic cumulus junos srlinux nxos"
UPPER = "spine superspine"

LEFT_OUT = (
    LeftOut(ALL, "evpn.gateway_mac", "a border leaf has no VLAN, so no gateway", "border-leaf"),
    LeftOut(ALL, "routing.bgp.overlay_paths", "paths of VRFs: switches above leaves have none", UPPER),
    LeftOut(
        "eos frr sonic cumulus srlinux nxos",
        "routing.policy.community_lists.community",
        "above leaves the one list is of graceful shutdown, which has a word of its own",
        UPPER,
    ),
    LeftOut("cumulus srlinux nxos", "routing.policy.community_lists.graceful_shutdown", "as above", "superspine"),
    LeftOut("sonic", "routing.bgp.overlay_paths", "this release has no tunnels, so no VRFs", "leaf/202505"),
    LeftOut(
        "sonic",
        "routing.policy.prefix_lists.entries.sequence management.vrf",
        "tables number entries by themselves, and call the VRF mgmt",
        "spine/master superspine/master",
    ),
    LeftOut("sonic", "routing.bgp.groups.next_hop_unchanged", "FRR keeps it by itself", "spine/202505"),
    LeftOut("junos", "routing.policy.community_lists.graceful_shutdown", "the community is written as numbers"),
    LeftOut(
        "eos junos srlinux nxos",
        "evpn.vtep",
        "the address of the loopback that the tunnel names",
    ),
    LeftOut("eos junos srlinux nxos", "evpn.mtu", "tunnels have no MTU of their own there: links and gateways have"),
    LeftOut("eos frr junos srlinux nxos cumulus", "evpn.vlans.vrf", "the gateway of the VLAN says its VRF"),
    LeftOut("eos nxos", "evpn.vrfs.id", "a number for systems that make a VLAN or a distinguisher of it"),
    LeftOut("junos nxos", "evpn.marks", "copied both ways without a line: see tunnel-marks"),
    LeftOut("eos frr", "interfaces.ethernet.profile.parts", "the name and the speed of a port say how its cage splits"),
    LeftOut("junos", "interfaces.ethernet.profile.parts", "a port whose cage is whole has none to say"),
    LeftOut("frr nxos", "interfaces.ethernet.profile.lanes", "the driver's; the speed says them"),
    LeftOut("junos", "interfaces.ethernet.profile.lanes", "said of divided cages alone"),
    LeftOut(
        "eos nxos",
        "interfaces.ethernet.profile.mtu interfaces.lags.mtu",
        "a switched port takes the largest frame: `mtu` is of routed ports (EOS), 1500 or the jumbo size (NX-OS)",
        "leaf",
    ),
    LeftOut("eos sonic", "interfaces.subinterfaces.mtu", "the port's own", "border-leaf"),
    LeftOut(
        "eos",
        "interfaces.ethernet.switching.broadcast_percent interfaces.ethernet.switching.multicast_percent",
        "said of the port-channel where the port is a member",
        "leaf",
    ),
    LeftOut(
        "srlinux",
        "interfaces.lags.switching.broadcast_percent interfaces.lags.switching.multicast_percent",
        "said of the member ports",
        "leaf",
    ),
    LeftOut("eos junos srlinux", "interfaces.lags.members", "each port says its aggregate", "leaf"),
    LeftOut("frr", "interfaces.ethernet.lag", "a bond names its members"),
    LeftOut("frr junos srlinux cumulus", "interfaces.lags.es_import", "made by the system of the identifier", "leaf"),
    LeftOut(
        "junos srlinux nxos",
        "interfaces.ethernet.profile.fec",
        "from 50G a lane on IEEE 802.3 has one FEC, which the system takes by itself",
    ),
    LeftOut("frr cumulus", "interfaces.ethernet.profile.unnumbered", "a session that names the port makes it so (BGP)"),
    LeftOut("cumulus", "interfaces.ethernet.profile.sflow", "sFlow is of all ports (sFlow.md)"),
    LeftOut("frr sonic cumulus junos", "interfaces.ethernet.profile.routed", "a port that switches nothing is routed"),
    LeftOut("sonic", "interfaces.subinterfaces.description", "VLAN_SUB_INTERFACE has no field for it", "border-leaf"),
    LeftOut("sonic", "evpn.gateways.description", "VLAN_INTERFACE has no field for it", "leaf"),
    LeftOut("junos", "interfaces.loopbacks.description", "said of units in a VRF", f"border-leaf {UPPER}"),
    LeftOut("cumulus", "interfaces.loopbacks.number", "`lo` holds all of the default VRF's", "superspine"),
    LeftOut("frr cumulus", "evpn.gateways.relay_source", "the loopback in the gateway's VRF", "leaf"),
    LeftOut("eos srlinux nxos junos", "management.gateway", "the static route of the management VRF has it"),
    LeftOut(
        "frr sonic cumulus",
        "routing.static_routes",
        "that of the management VRF is the gateway of its port",
        f"border-leaf {UPPER}",
    ),
    LeftOut("frr sonic junos srlinux", "routing.static_routes.family", "the prefix says it"),
    LeftOut("junos", "routing.static_routes.vrf", "the management VRF has a name of its own", f"border-leaf {UPPER}"),
    LeftOut("cumulus", "management.port", "eth0 always"),
    LeftOut("srlinux cumulus", "telemetry.ecn_counters", "counted without a line: see ecn-counters"),
    LeftOut("frr sonic srlinux", "load_balancing load_balancing.mode", "ecmp, and nothing else, by itself"),
    LeftOut("sonic", "load_balancing.seed", "the tier says it: see hash-seed"),
    LeftOut("frr", "load_balancing.seed", "each switch has one of its own by itself: see hash-seed"),
    LeftOut("frr cumulus", "routing.bgp.wait_install", "not beside an EVPN session: see wait-install", "border-leaf"),
    LeftOut("sonic", "qos.headroom_pool_octets qos.resume_octets", "NVIDIA's chips compute them", "superspine"),
    LeftOut("srlinux", "telemetry", "every part of it is refused, or is no line"),
    LeftOut(
        "eos sonic srlinux",
        "qos.headroom",
        "ports have the octets of their own, or the switch has one value",
    ),
    LeftOut("junos cumulus nxos", "qos.headroom", "the switch sets it aside by itself, of what a port's cable asks"),
    LeftOut("sonic cumulus junos srlinux nxos", "qos.headroom_octets", "ports have their own, or the switch has it"),
    LeftOut("sonic", "interfaces.ethernet.headroom_octets", "NVIDIA's chips compute it: see headroom", UPPER),
    LeftOut(
        "junos", "interfaces.ethernet.headroom_octets", "computed of the length; one of the operator's own is refused"
    ),
    LeftOut("junos srlinux", "qos.headroom_pool_octets", "of ports without a table, or the system's own"),
    LeftOut("eos junos srlinux", "qos.profiles.speed_gbps", "the profile's name says it"),
    LeftOut("srlinux nxos", "qos.watchdog.polling_ms", "the system's own"),
    LeftOut("eos junos srlinux", "routing.bgp.vrfs.imports", "the route targets say it"),
    LeftOut(
        "frr sonic cumulus",
        "routing.bgp.vrfs.import_targets",
        "a VRF takes its own target; others are taken over by name inside the switch",
    ),
    LeftOut(
        "cumulus",
        "routing.policy.route_target_lists",
        "matched by the VRF that a route comes from: lists of targets are FRR's, not NVUE's",
    ),
    LeftOut(
        "frr sonic cumulus junos",
        "routing.bgp.groups.extended_communities",
        "sent without a line (FRR sends all kinds by default; Junos too)",
    ),
    LeftOut(
        "frr cumulus junos srlinux",
        "routing.bgp.groups.next_hop_unchanged",
        "by itself, or with the word of every EVPN session",
        "spine",
    ),
    LeftOut("nxos", "routing.bgp.groups.description", "sessions in full: each has its own"),
    LeftOut(
        "junos srlinux",
        "routing.policy.prefix_lists.entries.sequence routing.policy.prefix_lists.family",
        "entries stand in their order; a prefix says its family",
    ),
)
"""A row that nothing needs any more fails."""
