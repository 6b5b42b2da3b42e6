"""Every kind of fact that a Device holds: what a diff, a table of costs and an `expect:` file may name.

A kind without a dot is a thing that is there or not; below it are the settings of one that stays. A setting that is
empty, 0, False or None before is added, after it removed, else changed.
"""

from enum import StrEnum
from typing import NamedTuple


class Value(StrEnum):
    """What the values of a kind are to a reader who sees many switches at once.

    SETTING  the same on many switches: two switches differ alike only if the values are equal
    OWN      each switch has its own (addresses, numbers, names): switches differ alike whatever the values
    """

    SETTING = "setting"
    OWN = "own"


class Reach(StrEnum):
    """What stops when a fact goes wrong."""

    SWITCH = "switch"
    PORT = "port"
    SESSION = "session"
    VRF = "vrf"
    NOTHING = "nothing"


class Kind(NamedTuple):
    """One kind. `one` and `many` are its words in a sentence; `off`: those of one that is turned off, where others."""

    name: str
    one: str
    many: str
    value: Value
    reach: Reach
    off: tuple[str, str] | None = None


_S, _O = Value.SETTING, Value.OWN
_SWITCH, _PORT, _SESSION, _VRF, _NOTHING = Reach.SWITCH, Reach.PORT, Reach.SESSION, Reach.VRF, Reach.NOTHING

KINDS: tuple[Kind, ...] = (
    Kind("device", "switch", "switches", _O, _SWITCH),
    Kind("device.name", "name of the switch", "names of the switch", _O, _NOTHING),
    Kind("device.site", "name of the site", "names of the site", _S, _NOTHING),
    Kind("device.fabric", "name of the fabric", "names of the fabric", _S, _NOTHING),
    Kind("device.place", "role", "roles", _S, _SWITCH),
    Kind("device.model", "switch model", "switch models", _S, _SWITCH),
    Kind("device.spelling", "wording by model", "wordings by model", _S, _SWITCH),
    Kind("device.system", "operating system", "operating systems", _S, _SWITCH),
    Kind("device.version", "system version", "system versions", _S, _SWITCH),
    Kind("device.state", "state", "states", _S, _SWITCH),
    Kind("device.derived", "number of the platform's own", "numbers of the platform's own", _S, _SWITCH),
    Kind("management.port", "management port", "management ports", _S, _NOTHING),
    Kind("management.vrf", "management VRF", "management VRFs", _S, _NOTHING),
    Kind("management.address", "management address", "management addresses", _O, _NOTHING),
    Kind("management.gateway", "management gateway", "management gateways", _S, _NOTHING),
    Kind("management.domain", "DNS domain", "DNS domains", _S, _NOTHING),
    Kind("management.dns", "DNS server", "DNS servers", _S, _NOTHING),
    Kind("management.ntp", "NTP server", "NTP servers", _S, _NOTHING),
    Kind("management.syslog", "syslog server", "syslog servers", _S, _NOTHING),
    Kind("management.user", "local user", "local users", _S, _NOTHING),
    Kind("management.tacacs", "TACACS+ setting", "TACACS+ settings", _S, _NOTHING),
    Kind("management.snmp", "SNMP setting", "SNMP settings", _S, _NOTHING),
    Kind("management.gnmi", "gNMI setting", "gNMI settings", _S, _NOTHING),
    Kind("management.eapi", "HTTPS API certificate", "HTTPS API certificates", _S, _NOTHING),
    Kind("management.lldp", "LLDP", "LLDP", _S, _NOTHING, ("LLDP turned off", "LLDP turned off")),
    Kind("management.sflow", "sFlow setting", "sFlow settings", _S, _NOTHING),
    Kind("interface", "port", "ports", _O, _PORT),
    Kind("interface.description", "port description", "port descriptions", _O, _NOTHING),
    Kind("interface.enabled", "port turned on", "ports turned on", _O, _PORT, ("port shut", "ports shut")),
    Kind("interface.role", "use of a port", "uses of ports", _S, _PORT),
    Kind("interface.mtu", "port MTU", "port MTUs", _S, _PORT),
    Kind("interface.speed", "port speed", "port speeds", _S, _PORT),
    Kind("interface.fec", "port FEC", "port FECs", _S, _PORT),
    Kind("interface.qos", "QoS profile of a port", "QoS profiles of ports", _S, _PORT),
    Kind(
        "interface.sflow",
        "sFlow on a port",
        "sFlow on ports",
        _S,
        _NOTHING,
        ("port with sFlow turned off", "ports with sFlow turned off"),
    ),
    Kind("interface.tracking", "uplink tracking of a port", "uplink tracking of ports", _S, _PORT),
    Kind("interface.ipv4", "IPv4 address of a port", "IPv4 addresses of ports", _O, _PORT),
    Kind("interface.ipv6", "IPv6 address of a port", "IPv6 addresses of ports", _O, _PORT),
    Kind("interface.lag", "aggregate of a port", "aggregates of ports", _O, _PORT),
    Kind("interface.access-vlan", "untagged VLAN of a port", "untagged VLANs of ports", _S, _PORT),
    Kind("interface.trunk-vlan", "tagged VLAN of a port", "tagged VLANs of ports", _S, _PORT),
    Kind(
        "interface.bpdu-guard",
        "BPDU guard of a port",
        "BPDU guards of ports",
        _S,
        _PORT,
        ("port with BPDU guard turned off", "ports with BPDU guard turned off"),
    ),
    Kind("interface.storm-control", "storm control of a port", "storm control of ports", _S, _PORT),
    Kind("interface.headroom", "PFC headroom of a port", "PFC headrooms of ports", _O, _PORT),
    Kind("interface.peer", "far end of a cable", "far ends of cables", _O, _PORT),
    Kind("interface.length", "cable length", "cable lengths", _O, _NOTHING),
    Kind("lag", "aggregate", "aggregates", _O, _PORT),
    Kind("lag.description", "aggregate description", "aggregate descriptions", _O, _NOTHING),
    Kind("lag.access-vlan", "untagged VLAN of an aggregate", "untagged VLANs of aggregates", _S, _PORT),
    Kind("lag.trunk-vlan", "tagged VLAN of an aggregate", "tagged VLANs of aggregates", _S, _PORT),
    Kind(
        "lag.bpdu-guard",
        "BPDU guard of an aggregate",
        "BPDU guards of aggregates",
        _S,
        _PORT,
        ("aggregate with BPDU guard turned off", "aggregates with BPDU guard turned off"),
    ),
    Kind("lag.storm-control", "storm control of an aggregate", "storm control of aggregates", _S, _PORT),
    Kind("lag.mtu", "aggregate MTU", "aggregate MTUs", _S, _PORT),
    Kind("lag.esi", "Ethernet segment", "Ethernet segments", _O, _PORT),
    Kind("lag.system-id", "LACP system id", "LACP system ids", _O, _PORT),
    Kind(
        "lag.fallback",
        "LACP fallback",
        "LACP fallbacks",
        _S,
        _PORT,
        ("aggregate with LACP fallback turned off", "aggregates with LACP fallback turned off"),
    ),
    Kind("lag.tracking", "uplink tracking of an aggregate", "uplink tracking of aggregates", _S, _PORT),
    Kind("lag.member", "member of an aggregate", "members of aggregates", _O, _PORT),
    Kind("subinterface", "subinterface", "subinterfaces", _O, _PORT),
    Kind("subinterface.description", "subinterface description", "subinterface descriptions", _O, _NOTHING),
    Kind("subinterface.vrf", "VRF of a subinterface", "VRFs of subinterfaces", _S, _PORT),
    Kind("subinterface.ipv4", "IPv4 address of a subinterface", "IPv4 addresses of subinterfaces", _O, _PORT),
    Kind("subinterface.ipv6", "IPv6 address of a subinterface", "IPv6 addresses of subinterfaces", _O, _PORT),
    Kind("subinterface.mtu", "subinterface MTU", "subinterface MTUs", _S, _PORT),
    Kind("loopback", "loopback", "loopbacks", _O, _SWITCH),
    Kind("loopback.description", "loopback description", "loopback descriptions", _O, _NOTHING),
    Kind("loopback.ipv4", "IPv4 loopback address", "IPv4 loopback addresses", _O, _SWITCH),
    Kind("loopback.ipv6", "IPv6 loopback address", "IPv6 loopback addresses", _O, _SWITCH),
    Kind("loopback.vrf", "VRF of a loopback", "VRFs of loopbacks", _S, _VRF),
    Kind("prefix-list", "prefix list", "prefix lists", _O, _SWITCH),
    Kind("prefix-list.entry", "prefix-list entry", "prefix-list entries", _O, _SWITCH),
    Kind("community-list", "community list", "community lists", _S, _SWITCH),
    Kind("community-list.member", "community-list member", "community-list members", _S, _SWITCH),
    Kind("route-target-list", "route-target list", "route-target lists", _S, _VRF),
    Kind("route-target-list.member", "route-target-list member", "route-target-list members", _S, _VRF),
    Kind("route-map", "route map", "route maps", _S, _SWITCH),
    Kind("route-map.statement", "route-map statement", "route-map statements", _S, _SWITCH),
    Kind("route-map.preference", "preference of a route map", "preferences of route maps", _S, _SWITCH),
    Kind("route-map.first-use", "route map new to a session", "route maps new to a session", _S, _SWITCH),
    Kind("static-route", "static route", "static routes", _O, _SWITCH),
    Kind("static-route.next-hop", "next hop of a static route", "next hops of static routes", _O, _SWITCH),
    Kind("bgp.asn", "AS number", "AS numbers", _O, _SWITCH),
    Kind("bgp.router-id", "router id", "router ids", _O, _SWITCH),
    Kind("bgp.timers", "BGP timers", "BGP timers", _S, _SWITCH),
    Kind("bgp.maximum-paths", "ECMP width", "ECMP widths", _S, _SWITCH),
    Kind("bgp.overlay-paths", "ECMP width in VRFs", "ECMP widths in VRFs", _S, _SWITCH),
    Kind(
        "bgp.wait-install",
        "waiting for installed routes",
        "waiting for installed routes",
        _S,
        _SWITCH,
        ("waiting for installed routes turned off", "waiting for installed routes turned off"),
    ),
    Kind("bgp.family", "address family of the underlay", "address families of the underlay", _S, _SWITCH),
    Kind("bgp.network", "announced prefix", "announced prefixes", _O, _SWITCH),
    Kind("bgp.group", "peer group", "peer groups", _S, _SWITCH),
    Kind("bgp.group.description", "peer-group description", "peer-group descriptions", _S, _NOTHING),
    Kind("bgp.group.family", "address family of a peer group", "address families of peer groups", _S, _SWITCH),
    Kind(
        "bgp.group.route-map-in", "inbound route map of a peer group", "inbound route maps of peer groups", _S, _SWITCH
    ),
    Kind(
        "bgp.group.route-map-out",
        "outbound route map of a peer group",
        "outbound route maps of peer groups",
        _S,
        _SWITCH,
    ),
    Kind("bgp.group.maximum-routes", "route limit of a peer group", "route limits of peer groups", _S, _SWITCH),
    Kind(
        "bgp.group.bfd",
        "BFD of a peer group",
        "BFD of peer groups",
        _S,
        _SWITCH,
        ("peer group with BFD turned off", "peer groups with BFD turned off"),
    ),
    Kind(
        "bgp.group.extended-communities",
        "extended communities of a peer group",
        "extended communities of peer groups",
        _S,
        _SWITCH,
        ("peer group with extended communities turned off", "peer groups with extended communities turned off"),
    ),
    Kind(
        "bgp.group.update-source", "source of a peer group's sessions", "sources of peer groups' sessions", _S, _SWITCH
    ),
    Kind("bgp.group.multihop", "TTL of a peer group's sessions", "TTLs of peer groups' sessions", _S, _SWITCH),
    Kind(
        "bgp.group.next-hop-unchanged",
        "kept next hop of a peer group",
        "kept next hops of peer groups",
        _S,
        _SWITCH,
        ("peer group that keeps the next hop no more", "peer groups that keep the next hop no more"),
    ),
    Kind("bgp.neighbor", "BGP neighbor", "BGP neighbors", _O, _SESSION),
    Kind("bgp.neighbor.description", "neighbor description", "neighbor descriptions", _O, _NOTHING),
    Kind("bgp.neighbor.group", "peer group of a neighbor", "peer groups of neighbors", _S, _SESSION),
    Kind("bgp.neighbor.remote-as", "AS number of a neighbor", "AS numbers of neighbors", _O, _SESSION),
    Kind(
        "bgp.neighbor.route-map-in", "inbound route map of a neighbor", "inbound route maps of neighbors", _S, _SESSION
    ),
    Kind(
        "bgp.neighbor.route-map-out",
        "outbound route map of a neighbor",
        "outbound route maps of neighbors",
        _S,
        _SESSION,
    ),
    Kind("bgp.vrf", "VRF's BGP", "VRFs' BGP", _S, _VRF),
    Kind("bgp.vrf.rd", "route distinguisher of a VRF", "route distinguishers of VRFs", _O, _VRF),
    Kind("bgp.vrf.import-target", "import target of a VRF", "import targets of VRFs", _S, _VRF),
    Kind("bgp.vrf.export-target", "export target of a VRF", "export targets of VRFs", _S, _VRF),
    Kind("bgp.vrf.import", "imported VRF", "imported VRFs", _S, _VRF),
    Kind("bgp.vrf.import-map", "import map of a VRF", "import maps of VRFs", _S, _VRF),
    Kind("bgp.vrf.network", "announced prefix of a VRF", "announced prefixes of VRFs", _O, _VRF),
    Kind("bgp.vrf.neighbor", "outside session", "outside sessions", _O, _VRF),
    Kind(
        "bgp.vrf.neighbor.description",
        "description of an outside session",
        "descriptions of outside sessions",
        _O,
        _NOTHING,
    ),
    Kind("bgp.vrf.neighbor.remote-as", "AS number of an outside peer", "AS numbers of outside peers", _S, _VRF),
    Kind("bgp.vrf.neighbor.route-map", "route map of an outside session", "route maps of outside sessions", _S, _VRF),
    Kind(
        "bgp.vrf.neighbor.maximum-routes",
        "route limit of an outside session",
        "route limits of outside sessions",
        _S,
        _VRF,
    ),
    Kind("bgp.vrf.neighbor.password", "password of an outside session", "passwords of outside sessions", _S, _VRF),
    Kind("evpn", "VTEP", "VTEPs", _O, _SWITCH),
    Kind("evpn.vtep", "VTEP address", "VTEP addresses", _O, _SWITCH),
    Kind("evpn.gateway-mac", "gateway MAC", "gateway MACs", _S, _SWITCH),
    Kind("evpn.mtu", "MTU inside the tunnel", "MTUs inside the tunnel", _S, _SWITCH),
    Kind("evpn.vlan", "VLAN", "VLANs", _S, _VRF),
    Kind("evpn.vlan.name", "VLAN name", "VLAN names", _S, _NOTHING),
    Kind("evpn.vlan.vni", "L2 VNI", "L2 VNIs", _S, _VRF),
    Kind("evpn.vlan.rd", "route distinguisher of a VLAN", "route distinguishers of VLANs", _O, _VRF),
    Kind("evpn.vlan.route-target", "route target of a VLAN", "route targets of VLANs", _S, _VRF),
    Kind("evpn.vlan.vrf", "VRF of a VLAN", "VRFs of VLANs", _S, _VRF),
    Kind("evpn.gateway", "anycast gateway", "anycast gateways", _S, _VRF),
    Kind("evpn.gateway.description", "gateway description", "gateway descriptions", _S, _NOTHING),
    Kind("evpn.gateway.vrf", "VRF of a gateway", "VRFs of gateways", _S, _VRF),
    Kind("evpn.gateway.ipv4", "IPv4 gateway address", "IPv4 gateway addresses", _S, _VRF),
    Kind("evpn.gateway.ipv6", "IPv6 gateway address", "IPv6 gateway addresses", _S, _VRF),
    Kind("evpn.gateway.relay", "DHCP relay target", "DHCP relay targets", _S, _VRF),
    Kind("evpn.gateway.relay-source", "DHCP relay source", "DHCP relay sources", _S, _VRF),
    Kind("evpn.gateway.mtu", "gateway MTU", "gateway MTUs", _S, _VRF),
    Kind("evpn.vrf", "tenant VRF", "tenant VRFs", _S, _VRF),
    Kind("evpn.vrf.vni", "L3 VNI", "L3 VNIs", _S, _VRF),
    Kind("evpn.vrf.id", "VRF number", "VRF numbers", _S, _VRF),
    Kind("qos", "lossless plan", "lossless plans", _S, _SWITCH),
    Kind("qos.marking", "marking plan's name", "marking plans' names", _S, _NOTHING),
    Kind("qos.classification", "DSCP classification", "DSCP classifications", _S, _SWITCH),
    Kind("qos.queue-map", "queue of a traffic class", "queues of traffic classes", _S, _SWITCH),
    Kind("qos.profile", "QoS profile", "QoS profiles", _S, _SWITCH),
    Kind("qos.pfc", "PFC priorities", "PFC priorities", _S, _SWITCH),
    Kind("qos.queue", "transmit queue", "transmit queues", _S, _SWITCH),
    Kind("qos.scheduling", "queue scheduling", "queue scheduling", _S, _SWITCH),
    Kind("qos.ecn", "pair of ECN thresholds", "pairs of ECN thresholds", _S, _SWITCH),
    Kind("qos.headroom", "PFC headroom", "PFC headrooms", _S, _SWITCH),
    Kind("qos.headroom-row", "headroom row of a cable length", "headroom rows of cable lengths", _O, _NOTHING),
    Kind("qos.headroom-pool", "headroom pool", "headroom pools", _S, _SWITCH),
    Kind("qos.alpha", "dynamic threshold (alpha)", "dynamic thresholds (alpha)", _S, _SWITCH),
    Kind("qos.resume", "PFC resume offset", "PFC resume offsets", _S, _SWITCH),
    Kind("qos.watchdog", "PFC watchdog", "PFC watchdogs", _S, _SWITCH),
    Kind("load-balancing.mode", "load-balancing mode", "load-balancing modes", _S, _SWITCH),
    Kind("load-balancing.seed", "hash seed", "hash seeds", _S, _SWITCH),
    Kind("load-balancing.flowlet-gap", "flowlet gap", "flowlet gaps", _S, _SWITCH),
    Kind("raw", "block of raw lines", "blocks of raw lines", _S, _SWITCH),
)

KIND: dict[str, Kind] = {kind.name: kind for kind in KINDS}
"""Every kind by its name."""
