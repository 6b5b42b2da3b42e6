"""Kinds of changes of routing: lists, route maps, static routes and BGP."""

from fabricgen.changes.kind import BlastRadius, ChangeType, ValueType

_S, _O = ValueType.SETTING, ValueType.OWN
_SWITCH, _SESSION, _VRF, _NOTHING = BlastRadius.SWITCH, BlastRadius.SESSION, BlastRadius.VRF, BlastRadius.NOTHING

KINDS: tuple[ChangeType, ...] = (
    ChangeType("prefix-list", "prefix list", "prefix lists", _O, _SWITCH),
    ChangeType("prefix-list.entry", "prefix-list entry", "prefix-list entries", _O, _SWITCH),
    ChangeType("community-list", "community list", "community lists", _S, _SWITCH),
    ChangeType("community-list.member", "community-list member", "community-list members", _S, _SWITCH),
    ChangeType("route-target-list", "route-target list", "route-target lists", _S, _VRF),
    ChangeType("route-target-list.member", "route-target-list member", "route-target-list members", _S, _VRF),
    ChangeType("paths-list", "list of paths that lost links", "lists of paths that lost links", _S, _SWITCH),
    ChangeType("route-map", "route map", "route maps", _S, _SWITCH),
    ChangeType("route-map.statement", "route-map statement", "route-map statements", _S, _SWITCH),
    ChangeType("route-map.preference", "preference of a route map", "preferences of route maps", _S, _SWITCH),
    ChangeType("route-map.first-use", "route map new to a session", "route maps new to a session", _S, _SWITCH),
    ChangeType("static-route", "static route", "static routes", _O, _SWITCH),
    ChangeType("static-route.next-hop", "next hop of a static route", "next hops of static routes", _O, _SWITCH),
    ChangeType("bgp.asn", "AS number", "AS numbers", _O, _SWITCH),
    ChangeType("bgp.router-id", "router id", "router ids", _O, _SWITCH),
    ChangeType("bgp.timers", "BGP timers", "BGP timers", _S, _SWITCH),
    ChangeType("bgp.maximum-paths", "ECMP width", "ECMP widths", _S, _SWITCH),
    ChangeType("bgp.overlay-paths", "ECMP width in VRFs", "ECMP widths in VRFs", _S, _SWITCH),
    ChangeType(
        "bgp.wait-install",
        "waiting for installed routes",
        "waiting for installed routes",
        _S,
        _SWITCH,
        ("waiting for installed routes turned off", "waiting for installed routes turned off"),
    ),
    ChangeType("bgp.family", "address family of the underlay", "address families of the underlay", _S, _SWITCH),
    ChangeType("bgp.network", "announced prefix", "announced prefixes", _O, _SWITCH),
    ChangeType("bgp.group", "peer group", "peer groups", _S, _SWITCH),
    ChangeType("bgp.group.description", "peer-group description", "peer-group descriptions", _S, _NOTHING),
    ChangeType("bgp.group.family", "address family of a peer group", "address families of peer groups", _S, _SWITCH),
    ChangeType(
        "bgp.group.route-map-in", "inbound route map of a peer group", "inbound route maps of peer groups", _S, _SWITCH
    ),
    ChangeType(
        "bgp.group.route-map-out",
        "outbound route map of a peer group",
        "outbound route maps of peer groups",
        _S,
        _SWITCH,
    ),
    ChangeType("bgp.group.maximum-routes", "route limit of a peer group", "route limits of peer groups", _S, _SWITCH),
    ChangeType(
        "bgp.group.restart",
        "restart time of a peer group's sessions after the route limit",
        "restart times of peer groups' sessions after the route limit",
        _S,
        _SWITCH,
    ),
    ChangeType(
        "bgp.group.bfd",
        "BFD of a peer group",
        "BFD of peer groups",
        _S,
        _SWITCH,
        ("peer group with BFD turned off", "peer groups with BFD turned off"),
    ),
    ChangeType(
        "bgp.group.extended-communities",
        "extended communities of a peer group",
        "extended communities of peer groups",
        _S,
        _SWITCH,
        ("peer group with extended communities turned off", "peer groups with extended communities turned off"),
    ),
    ChangeType(
        "bgp.group.update-source", "source of a peer group's sessions", "sources of peer groups' sessions", _S, _SWITCH
    ),
    ChangeType("bgp.group.multihop", "TTL of a peer group's sessions", "TTLs of peer groups' sessions", _S, _SWITCH),
    ChangeType(
        "bgp.group.next-hop-unchanged",
        "kept next hop of a peer group",
        "kept next hops of peer groups",
        _S,
        _SWITCH,
        ("peer group that no longer keeps the next hop", "peer groups that no longer keep the next hop"),
    ),
    ChangeType(
        "bgp.group.extended-next-hop",
        "IPv6 next hops for IPv4 prefixes of a peer group",
        "IPv6 next hops for IPv4 prefixes of peer groups",
        _S,
        _SWITCH,
        (
            "peer group without IPv6 next hops for IPv4 prefixes",
            "peer groups without IPv6 next hops for IPv4 prefixes",
        ),
    ),
    ChangeType("bgp.group.ttl-security", "TTL security of a peer group", "TTL security of peer groups", _S, _SWITCH),
    ChangeType(
        "bgp.group.password", "password of a peer group's sessions", "passwords of peer groups' sessions", _S, _SWITCH
    ),
    ChangeType("bgp.neighbor", "BGP neighbor", "BGP neighbors", _O, _SESSION),
    ChangeType("bgp.neighbor.description", "neighbor description", "neighbor descriptions", _O, _NOTHING),
    ChangeType("bgp.neighbor.group", "peer group of a neighbor", "peer groups of neighbors", _S, _SESSION),
    ChangeType("bgp.neighbor.remote-as", "AS number of a neighbor", "AS numbers of neighbors", _O, _SESSION),
    ChangeType(
        "bgp.neighbor.route-map-in", "inbound route map of a neighbor", "inbound route maps of neighbors", _S, _SESSION
    ),
    ChangeType(
        "bgp.neighbor.route-map-out",
        "outbound route map of a neighbor",
        "outbound route maps of neighbors",
        _S,
        _SESSION,
    ),
    ChangeType("bgp.vrf", "BGP instance of a VRF", "BGP instances of VRFs", _S, _VRF),
    ChangeType("bgp.vrf.rd", "route distinguisher of a VRF", "route distinguishers of VRFs", _O, _VRF),
    ChangeType("bgp.vrf.import-target", "import target of a VRF", "import targets of VRFs", _S, _VRF),
    ChangeType("bgp.vrf.export-target", "export target of a VRF", "export targets of VRFs", _S, _VRF),
    ChangeType("bgp.vrf.import", "import from another VRF", "imports from other VRFs", _S, _VRF),
    ChangeType("bgp.vrf.import-map", "import map of a VRF", "import maps of VRFs", _S, _VRF),
    ChangeType("bgp.vrf.network", "announced prefix of a VRF", "announced prefixes of VRFs", _O, _VRF),
    ChangeType("bgp.vrf.neighbor", "external session", "external sessions", _O, _VRF),
    ChangeType(
        "bgp.vrf.neighbor.description",
        "description of an external session",
        "descriptions of external sessions",
        _O,
        _NOTHING,
    ),
    ChangeType("bgp.vrf.neighbor.remote-as", "AS number of an external peer", "AS numbers of external peers", _S, _VRF),
    ChangeType(
        "bgp.vrf.neighbor.route-map", "route map of an external session", "route maps of external sessions", _S, _VRF
    ),
    ChangeType(
        "bgp.vrf.neighbor.maximum-routes",
        "route limit of an external session",
        "route limits of external sessions",
        _S,
        _VRF,
    ),
    ChangeType(
        "bgp.vrf.neighbor.restart",
        "restart time of an external session after its route limit",
        "restart times of external sessions after their route limits",
        _S,
        _VRF,
    ),
    ChangeType(
        "bgp.vrf.neighbor.password", "password of an external session", "passwords of external sessions", _S, _VRF
    ),
)
