"""Releases of FRR that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release
from fabricgen.platforms.linux.frr_releases import (
    DEFAULT_PREFERENCE,
    EVPN_LIMIT,
    LARGEST_TTL,
    MANAGER,
    WAITS_BESIDE_EVPN,
    WITHDRAWALS_IN_ORDER,
)

GIT = "github.com/FRRouting/frr"
ROUTER_MACS = (
    f"{GIT} issue 12391, commit cea3f7f25a; 8.4.5, 8.5.3 and 9.0.1 have it too, but not every release in between"
)
MAXIMUM = f"{GIT} commit 0c54dfde69; FRR 10.3: loaded, read back, and a session that was closed"

RELEASES = (
    Release("8.4", "FRR 8.4.4 of Debian 12", "FRR 8.4.4 itself"),
    Release("10.3", "FRR 10.3 of Debian 13", "FRR 10.3 itself, for frr.conf"),
)
DIFFERENCES = (
    Difference(
        MANAGER,
        "mgmtd, which holds the configuration of other daemons, listens on the switch itself",
        "",
        'mgmtd_options="  -A 127.0.0.1"',
        f"{GIT}, tools/etc/frr/daemons and tools/frrcommon.sh.in; /etc/frr/daemons of Debian 13",
    ),
    Difference(WITHDRAWALS_IN_ORDER, "router MACs of VTEPs", "zebra work-queue 0", "", ROUTER_MACS),
    Difference(WITHDRAWALS_IN_ORDER, "router MACs of VTEPs", "zebra zapi-packets 1", "", ROUTER_MACS),
    Difference(
        WAITS_BESIDE_EVPN,
        "waiting for the forwarding table on a switch with an EVPN session",
        "",
        "bgp suppress-fib-pending",
        f"{GIT}, bgp_check_advertise; FRR 8.4.4 and 10.3: EVPN routes behind a spine with the line",
    ),
    Difference(
        DEFAULT_PREFERENCE,
        "preference 32767 of an Ethernet segment, the default",
        "evpn mh es-df-pref 32767",
        "",
        f"{GIT} commit 3900813298; FRR 10.3: loaded and read back",
    ),
    Difference(EVPN_LIMIT, "limit of EVPN routes", "", "neighbor G maximum-prefix N warning-only", MAXIMUM),
    Difference(EVPN_LIMIT, "limit of EVPN routes", "", "neighbor G maximum-prefix N restart M", MAXIMUM),
    Difference(
        LARGEST_TTL,
        "a TTL of 255 that is sent and not checked",
        "neighbor G ebgp-multihop 255",
        "neighbor G ebgp-multihop",
        "FRR 8.4.4 and 10.3: loaded and read back",
    ),
)
