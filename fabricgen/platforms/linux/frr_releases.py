"""Releases of FRR from which on its lines are others: what FRR itself can do, whatever the platform."""

OLDEST = "8.4"
"""The oldest known one: its lines are those of a system that names no release of FRR."""
MANAGER = "9.0"
"""mgmtd holds the configuration of other daemons."""
WITHDRAWALS_IN_ORDER = "9.1"
"""zebra takes a route's withdrawal before the announcement behind it (FRRouting issue 12391)."""
WAITS_BESIDE_EVPN = "9.1"
"""`bgp suppress-fib-pending` holds no EVPN route back."""
DEFAULT_PREFERENCE = "10.0"
"""zebra does not print the default preference of an Ethernet segment."""
EVPN_LIMIT = "10.1"
"""The EVPN family has `maximum-prefix`."""
LAST_METRIC = 4278198272
"""Metric of the unreachable default route of a VRF, 0xff002000: zebra reads its first octet as distance 255, and
prefers any other route. Linux, vrf.rst; github.com/FRRouting/frr, zebra/rt_netlink.c."""
LAST_DISTANCE = 254
"""Distance of the same route where it is one of staticd: any other default is nearer, and zebra installs none of
distance 255 (github.com/FRRouting/frr, zebra/zebra_rib.c, DISTANCE_INFINITY)."""
LARGEST_TTL = "10.3"
"""bgpd prints `ebgp-multihop` alone for a TTL of 255: 10.3 does, 8.4 does not; those in between were not tried."""
