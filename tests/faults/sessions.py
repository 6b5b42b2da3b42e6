"""Faults of BGP sessions, of their BFD, and of what policy lets pass."""

from tests.faults.model import Cause, Fault, on, typed

LEAF, OTHER, SPINE, SECOND = "be-leaf-000", "be-leaf-001", "be-spine-00", "be-spine-01"
FRONT, PAIR, TOP, LAST = "fe-leaf-000", "fe-leaf-001", "fe-spine-00", "fe-spine-01"
LEAF_BGP, OTHER_BGP, SPINE_BGP = "router bgp 4201000000", "router bgp 4201000001", "router bgp 4201000004"
FRONT_BGP, PAIR_BGP, TOP_BGP = "router bgp 4202000002", "router bgp 4202000003", "router bgp 4202000004"
IPV4, IPV6, EVPN = "address-family ipv4 unicast", "address-family ipv6 unicast", "address-family l2vpn evpn"
MISSING, EXTRA = "drift-missing", "drift-extra"


def filtered(*matches: str) -> str:
    """A command that drops what arrives at a switch itself and matches."""
    lines = ["add table inet fault", "add chain inet fault in { type filter hook input priority 0; }"]
    lines += [f"add rule inet fault in {match} drop" for match in matches]
    return f"nft '{'; '.join(lines)}'"


UNFILTERED = "nft delete table inet fault"

NEIGHBORS = (
    Fault(
        "as-mistyped",
        "session",
        "A spine has the wrong AS number of a leaf.",
        typed(SPINE, SPINE_BGP, "neighbor 10.64.0.128 remote-as 64999"),
        typed(SPINE, SPINE_BGP, "neighbor 10.64.0.128 remote-as 4201000000"),
        (Cause(SPINE, "session-wrong-as", "10.64.0.128"), Cause(SPINE, EXTRA, "neighbor 10.64.0.128 remote-as 64999")),
        known=True,
    ),
    Fault(
        "neighbor-shutdown",
        "session",
        "A neighbor is shut down administratively.",
        typed(TOP, TOP_BGP, "neighbor 10.128.0.16 shutdown"),
        typed(TOP, TOP_BGP, "no neighbor 10.128.0.16 shutdown"),
        (Cause(TOP, EXTRA, "neighbor 10.128.0.16 shutdown"),),
    ),
    Fault(
        "neighbor-removed",
        "session",
        "A neighbor is removed.",
        typed(OTHER, OTHER_BGP, "no neighbor 10.64.1.129"),
        typed(
            OTHER,
            OTHER_BGP,
            "neighbor 10.64.1.129 remote-as 4201000004",
            "neighbor 10.64.1.129 peer-group SPINES-IPV4",
            "neighbor 10.64.1.129 description be-spine-00 swp1s1",
        ),
        (Cause(OTHER, "session-missing", "10.64.1.129"), Cause(OTHER, MISSING, "neighbor 10.64.1.129")),
    ),
    Fault(
        "password-one-end",
        "session",
        "One end of a session has a password.",
        typed(LAST, TOP_BGP, "neighbor 10.128.0.18 password unheard-of"),
        typed(LAST, TOP_BGP, "no neighbor 10.128.0.18 password"),
        (Cause(LAST, EXTRA, "neighbor 10.128.0.18 password"),),
    ),
    Fault(
        "neighbor-too-many",
        "session",
        "A leaf speaks BGP with a server that nobody planned to.",
        typed(LEAF, LEAF_BGP, "neighbor 10.64.0.1 remote-as 65001"),
        typed(LEAF, LEAF_BGP, "no neighbor 10.64.0.1"),
        (Cause(LEAF, "session-unexpected", "10.64.0.1"), Cause(LEAF, EXTRA, "neighbor 10.64.0.1")),
    ),
    Fault(
        "local-as",
        "session",
        "A leaf calls itself by another AS number towards its spines.",
        typed(PAIR, PAIR_BGP, "neighbor SPINES-IPV4 local-as 64999"),
        typed(PAIR, PAIR_BGP, "no neighbor SPINES-IPV4 local-as"),
        (Cause(PAIR, EXTRA, "local-as 64999"),),
    ),
    Fault(
        "router-id",
        "session",
        "A leaf has another router id.",
        typed(FRONT, FRONT_BGP, "bgp router-id 10.128.192.77"),
        typed(FRONT, FRONT_BGP, "bgp router-id 10.128.192.4"),
        (
            Cause(FRONT, "bgp-wrong-router-id", "10.128.192.77"),
            Cause(FRONT, EXTRA, "bgp router-id 10.128.192.77"),
            Cause(FRONT, MISSING, "bgp router-id 10.128.192.77"),
        ),
    ),
    Fault(
        "family-inactive",
        "session",
        "IPv6 is no longer activated towards the spines.",
        typed(LEAF, LEAF_BGP, IPV6, "no neighbor SPINES-IPV6 activate"),
        typed(LEAF, LEAF_BGP, IPV6, "neighbor SPINES-IPV6 activate"),
        (Cause(LEAF, MISSING, "neighbor SPINES-IPV6 activate"),),
    ),
    Fault(
        "prefix-limit",
        "session",
        "A limit of one prefix tears down the sessions of a spine.",
        typed(TOP, TOP_BGP, IPV4, "neighbor LEAVES-IPV4 maximum-prefix 1"),
        typed(TOP, TOP_BGP, IPV4, "neighbor LEAVES-IPV4 maximum-prefix 64 restart 5", "end", "clear bgp *"),
        (
            Cause(TOP, EXTRA, "neighbor LEAVES-IPV4 maximum-prefix 1"),
            Cause(TOP, MISSING, "neighbor LEAVES-IPV4 maximum-prefix 64"),
        ),
    ),
    Fault(
        "timers",
        "session",
        "A spine has slow timers: a dead leaf is noticed after three minutes.",
        typed(SECOND, SPINE_BGP, "neighbor LEAVES-IPV4 timers 60 180"),
        typed(SECOND, SPINE_BGP, "no neighbor LEAVES-IPV4 timers 60 180"),
        (Cause(SECOND, EXTRA, "timers 60 180"),),
    ),
    Fault(
        "tcp-179-filtered",
        "session",
        "A filter on a leaf drops BGP from one spine.",
        on(PAIR, filtered("ip saddr 10.128.0.25 tcp dport 179", "ip saddr 10.128.0.25 tcp sport 179")),
        on(PAIR, UNFILTERED),
        (Cause(PAIR, "session-down", "10.128.0.25"), Cause(TOP, "session-down", "10.128.0.24")),
    ),
    Fault(
        "overlay-source",
        "session",
        "Overlay sessions start from the wrong address.",
        typed(FRONT, FRONT_BGP, "no neighbor SPINES-EVPN update-source"),
        typed(FRONT, FRONT_BGP, "neighbor SPINES-EVPN update-source 10.128.192.4"),
        (Cause(FRONT, MISSING, "update-source"),),
    ),
)

WATCHED = (
    Fault(
        "bfd-off",
        "bfd",
        "BFD is off towards the spines of a leaf.",
        typed(LEAF, LEAF_BGP, "no neighbor SPINES-IPV4 bfd"),
        typed(LEAF, LEAF_BGP, "neighbor SPINES-IPV4 bfd"),
        (Cause(LEAF, MISSING, "neighbor SPINES-IPV4 bfd"), Cause(LEAF, "bfd-missing", "10.64.0.")),
    ),
    Fault(
        "bfd-unplanned",
        "bfd",
        "BFD watches a server that nobody planned to.",
        typed(LEAF, "bfd", "peer 10.64.0.1"),
        typed(LEAF, "no bfd"),
        (Cause(LEAF, "bfd-unexpected", "10.64.0.1"), Cause(LEAF, EXTRA, "peer 10.64.0.1")),
    ),
    Fault(
        "bfd-filtered",
        "bfd",
        "A filter drops the BFD packets of one link.",
        on(LEAF, filtered("iifname swp34s0 ip daddr 10.64.0.132 udp dport 3784")),
        on(LEAF, UNFILTERED),
        (Cause(LEAF, "bfd-down", "10.64.0.133"), Cause(SPINE, "bfd-down", "10.64.0.132")),
    ),
)

POLICY = (
    Fault(
        "map-denies",
        "policy",
        "A route map of a leaf lets nothing out.",
        typed(PAIR, "route-map RM-SPINES-IPV4-OUT deny 5"),
        typed(PAIR, "no route-map RM-SPINES-IPV4-OUT deny 5"),
        (Cause(PAIR, EXTRA, "route-map RM-SPINES-IPV4-OUT deny 5"),),
    ),
    Fault(
        "prefix-list-edited",
        "policy",
        "The tunnel address is no longer in the list of what a leaf announces.",
        typed(FRONT, "no ip prefix-list PL-OWN-IPV4 seq 20"),
        typed(FRONT, "ip prefix-list PL-OWN-IPV4 seq 20 permit 10.128.192.5/32"),
        (Cause(FRONT, MISSING, "PL-OWN-IPV4 seq 20"),),
    ),
    Fault(
        "paths-one",
        "policy",
        "A leaf uses one path of four.",
        typed(OTHER, OTHER_BGP, IPV4, "maximum-paths 1"),
        typed(OTHER, OTHER_BGP, IPV4, "maximum-paths 64"),
        (Cause(OTHER, MISSING, "maximum-paths 64"), Cause(OTHER, EXTRA, "maximum-paths 1")),
    ),
    Fault(
        "prepend",
        "policy",
        "A spine makes its paths longer than those of the other.",
        typed(SPINE, "route-map RM-LEAVES-IPV4-OUT permit 10", "set as-path prepend 4201000004"),
        typed(SPINE, "route-map RM-LEAVES-IPV4-OUT permit 10", "no set as-path prepend"),
        (Cause(SPINE, EXTRA, "as-path prepend"),),
    ),
    Fault(
        "graceful-shutdown",
        "policy",
        "A spine was told a graceful shutdown, and nobody took it back.",
        typed(LAST, TOP_BGP, "bgp graceful-shutdown"),
        typed(LAST, TOP_BGP, "no bgp graceful-shutdown"),
        (Cause(LAST, EXTRA, "graceful-shutdown"), Cause(LAST, "in-maintenance", "")),
    ),
    Fault(
        "network-lost",
        "policy",
        "A leaf does not announce its servers.",
        typed(OTHER, OTHER_BGP, IPV4, "no network 10.64.1.0/25"),
        typed(OTHER, OTHER_BGP, IPV4, "network 10.64.1.0/25"),
        (Cause(OTHER, MISSING, "network 10.64.1.0/25"),),
        known=True,
    ),
    Fault(
        "hijack",
        "policy",
        "A leaf announces the servers of another one, and discards what comes.",
        typed(
            LEAF,
            "ip route 10.64.1.0/25 blackhole",
            "ip prefix-list PL-OWN-IPV4 seq 30 permit 10.64.1.0/25",
            LEAF_BGP,
            IPV4,
            "network 10.64.1.0/25",
        ),
        typed(
            LEAF,
            "no ip route 10.64.1.0/25 blackhole",
            "no ip prefix-list PL-OWN-IPV4 seq 30",
            LEAF_BGP,
            IPV4,
            "no network 10.64.1.0/25",
        ),
        (Cause(LEAF, EXTRA, "10.64.1.0/25"),),
    ),
    Fault(
        "drained-by-hand",
        "policy",
        "A spine was drained by hand, and nobody brought it back.",
        typed(LAST, TOP_BGP, IPV4, "neighbor LEAVES-IPV4 route-map RM-LEAVES-IPV4-DRAINED-OUT out"),
        typed(LAST, TOP_BGP, IPV4, "neighbor LEAVES-IPV4 route-map RM-LEAVES-IPV4-OUT out"),
        (Cause(LAST, EXTRA, "RM-LEAVES-IPV4-DRAINED-OUT out"), Cause(LAST, MISSING, "RM-LEAVES-IPV4-OUT out")),
    ),
    Fault(
        "line-by-hand",
        "policy",
        "A line is typed that nobody planned, and that does nothing yet.",
        typed(SPINE, "ip prefix-list BY-HAND seq 5 permit 192.0.2.0/24"),
        typed(SPINE, "no ip prefix-list BY-HAND seq 5"),
        (Cause(SPINE, EXTRA, "BY-HAND"),),
        known=True,
    ),
)

SESSIONS = (*NEIGHBORS, *WATCHED, *POLICY)
