"""Kinds of facts of routing: lists, route maps, static routes and BGP."""

from fabricgen.facts.kind import Kind, Reach, Value

_S, _O = Value.SETTING, Value.OWN
_SWITCH, _SESSION, _VRF, _NOTHING = Reach.SWITCH, Reach.SESSION, Reach.VRF, Reach.NOTHING

KINDS: tuple[Kind, ...] = (
    Kind("prefix-list", "prefix list", "prefix lists", _O, _SWITCH),
    Kind("prefix-list.entry", "prefix-list entry", "prefix-list entries", _O, _SWITCH),
    Kind("community-list", "community list", "community lists", _S, _SWITCH),
    Kind("community-list.member", "community-list member", "community-list members", _S, _SWITCH),
    Kind("route-target-list", "route-target list", "route-target lists", _S, _VRF),
    Kind("route-target-list.member", "route-target-list member", "route-target-list members", _S, _VRF),
    Kind("paths-list", "list of paths that lost links", "lists of paths that lost links", _S, _SWITCH),
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
    Kind(
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
)
