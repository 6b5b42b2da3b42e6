"""Recorded: files, settings and queueing disciplines of a Debian 12 switch with FRR 8.4.4.

Taken 2026-11-23 on Linux 6.18 with procps-ng 4.0.2 and iproute2 6.1.0, shortened to some lines. Of netem, which that
kernel does not have, the row is as tc/q_netem.c of iproute2 6.1.0 prints it.
"""

from fabricgen.platforms.frr.live.files import QUEUES, SETTINGS
from fabricgen.platforms.linux.live.counters import COUNTED

SETTING_LINES = """net.core.default_qdisc = pfifo_fast
net.ipv4.conf.all.rp_filter = 0
net.ipv4.conf.default.rp_filter = 0
net.ipv4.conf.swp1.rp_filter = 0
net.ipv4.conf.swp5/900.rp_filter = 2
net.ipv4.fib_multipath_hash_policy = 1
net.ipv4.ping_group_range = 1\t0
net.ipv6.conf.all.forwarding = 1
"""
QDISCS = [
    {"kind": "noqueue", "handle": "0:", "dev": "lo", "root": True, "refcnt": 2, "options": {}},
    {"kind": "mq", "handle": "0:", "dev": "swp1", "root": True, "options": {}},
    {"kind": "fq_codel", "handle": "0:", "dev": "swp1", "parent": ":1", "options": {"limit": 10240}},
    {
        "kind": "tbf",
        "handle": "8091:",
        "dev": "swp2",
        "root": True,
        "refcnt": 2,
        "options": {"rate": 1250000, "burst": 10240, "lat": 10000},
    },
]
NETEM = {
    "kind": "netem",
    "handle": "8002:",
    "dev": "swp9",
    "root": True,
    "refcnt": 2,
    "options": {"limit": 1000, "loss-random": {"loss": 0.01, "correlation": 0}, "ecn": False, "gap": 0},
}
RECEIVED = {"bytes": 9, "packets": 1, "errors": 2, "dropped": 0, "over_errors": 0, "crc_errors": 2, "frame_errors": 0}
SENT = {"bytes": 9, "packets": 1, "errors": 0, "dropped": 0, "carrier_errors": 0, "carrier_changes": 3}
COUNTERS = [
    {"ifname": "lo", "link_type": "loopback", "stats64": {"rx": RECEIVED, "tx": SENT}},
    {"ifname": "swp1", "link_type": "ether", "stats64": {"rx": RECEIVED, "tx": SENT}},
    {
        "ifname": "swp2",
        "link_type": "ether",
        "linkinfo": {"info_kind": "veth"},
        "stats64": {"rx": RECEIVED, "tx": SENT},
    },
    {"ifname": "br0", "link_type": "ether", "linkinfo": {"info_kind": "bridge"}, "stats64": {"tx": SENT}},
    {"ifname": "swp3", "link_type": "ether", "stats64": {"rx": {}, "tx": {}}},
]
"""Keys as `ip -j -d -s -s link show` of iproute2 6.1.0 prints them on Linux 6.18; the numbers are ours."""
SAID: dict[str, object] = {
    "cat /etc/frr/frr.conf": "frr version 8.4\nhostname sw1\n",
    "cat /etc/network/interfaces": "auto lo\niface lo inet loopback\n    address 10.0.0.4/32\n",
    "cat /etc/sysctl.d/90-fabric.conf": "net.ipv4.fib_multipath_hash_policy = 1\n",
    SETTINGS: SETTING_LINES,
    QUEUES: QDISCS,
    COUNTED: COUNTERS,
}
