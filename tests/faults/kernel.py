"""Faults of the kernel's routes and settings."""

from tests.faults.model import Cause, Fault, on, typed
from tests.faults.sessions import EXTRA, FRONT, LEAF, MISSING, OTHER, SECOND, SPINE, TOP

ROUTES = (
    Fault(
        "route-discarded",
        "route",
        "A spine discards what goes to a leaf's tunnel address, by a static route.",
        typed(TOP, "ip route 10.128.192.5/32 blackhole"),
        typed(TOP, "no ip route 10.128.192.5/32 blackhole"),
        (Cause(TOP, EXTRA, "ip route 10.128.192.5/32 blackhole"),),
    ),
    Fault(
        "route-by-hand",
        "route",
        "A spine has a more specific route, set by hand.",
        on(SPINE, "ip route add 10.64.1.0/26 via 10.64.0.128"),
        on(SPINE, "ip route del 10.64.1.0/26 via 10.64.0.128"),
        (Cause(SPINE, "route-unexpected", "10.64.1.0/26"),),
    ),
    Fault(
        "default-route",
        "route",
        "A leaf of the backend has a default route.",
        on(LEAF, "ip route add default via 10.64.0.129"),
        on(LEAF, "ip route del default via 10.64.0.129"),
        (Cause(LEAF, "isolation-route", "0.0.0.0/0"), Cause(LEAF, "route-unexpected", "0.0.0.0/0")),
    ),
    Fault(
        "path-lost",
        "route",
        "The kernel of a leaf uses three of four equal paths.",
        on(
            LEAF,
            "ip route replace 10.64.1.0/25 proto bgp metric 20 nexthop via 10.64.0.129 nexthop via 10.64.0.131"
            " nexthop via 10.64.0.133",
        ),
        on(
            LEAF,
            "ip route replace 10.64.1.0/25 proto bgp metric 20 nexthop via 10.64.0.129 nexthop via 10.64.0.131"
            " nexthop via 10.64.0.133 nexthop via 10.64.0.135",
        ),
        (Cause(LEAF, "route-width", "10.64.1.0/25"),),
    ),
    Fault(
        "path-weights",
        "route",
        "The kernel of a leaf prefers one of its equal paths.",
        on(
            OTHER,
            "ip route replace 10.64.0.0/25 proto bgp metric 20 nexthop via 10.64.1.129 weight 3"
            " nexthop via 10.64.1.131 nexthop via 10.64.1.133 nexthop via 10.64.1.135",
        ),
        on(
            OTHER,
            "ip route replace 10.64.0.0/25 proto bgp metric 20 nexthop via 10.64.1.129 nexthop via 10.64.1.131"
            " nexthop via 10.64.1.133 nexthop via 10.64.1.135",
        ),
        (Cause(OTHER, "route-weights", "10.64.0.0/25"),),
    ),
    Fault(
        "route-blackhole",
        "route",
        "The kernel of a spine discards what goes to a leaf's servers, by a route set by hand.",
        on(SECOND, "ip route add blackhole 10.64.0.0/25 metric 5"),
        on(SECOND, "ip route del blackhole 10.64.0.0/25 metric 5"),
        (
            Cause(SECOND, "route-missing", "10.64.0.0/25"),
            Cause(SECOND, "route-width", "10.64.0.0/25"),
            Cause(SECOND, "route-unexpected", "10.64.0.0/25"),
        ),
        why="a leaf behind the spine tells the paths that it lost as a cause of its own, and comes first",
    ),
    Fault(
        "aggregate-unanchored",
        "route",
        "The discard route behind an aggregate is gone.",
        typed(OTHER, "no ip route 10.64.1.0/25 blackhole"),
        typed(OTHER, "ip route 10.64.1.0/25 blackhole"),
        (Cause(OTHER, MISSING, "ip route 10.64.1.0/25 blackhole"), Cause(OTHER, "route-not-discarded", "10.64.1.0/25")),
    ),
    Fault(
        "rule",
        "route",
        "A rule sends a leaf's tunnels past the routing table.",
        on(FRONT, "ip rule add from 10.128.192.5 table 99 priority 100"),
        on(FRONT, "ip rule del from 10.128.192.5 table 99 priority 100"),
        (Cause(FRONT, "rule-unexpected", "rule 100"),),
    ),
)


def _set(id_: str, says: str, name: str, setting: str, values: tuple[str, str], *, known: bool = False) -> Fault:
    wrong, right = values
    return Fault(
        id_,
        "setting",
        says,
        on(name, f"sysctl -qw {setting}={wrong}"),
        on(name, f"sysctl -qw {setting}={right}"),
        (Cause(name, "setting-wrong", setting),),
        known=known,
    )


HASH, CHECKED = "net.ipv4.fib_multipath_hash_policy", "net.ipv4.conf.all.rp_filter"
SETTINGS = (
    _set("hash-policy", "A leaf leaves ports out of its hash.", LEAF, HASH, ("0", "1"), known=True),
    _set("rp-filter", "A spine checks where packets come from.", SPINE, CHECKED, ("1", "0"), known=True),
    _set("forwarding-off", "A spine does not forward IPv4.", TOP, "net.ipv4.ip_forward", ("0", "1")),
    _set("arp-ignore", "New ports answer ARP for others.", OTHER, "net.ipv4.conf.default.arp_ignore", ("0", "1")),
)

KERNEL = (*ROUTES, *SETTINGS)
