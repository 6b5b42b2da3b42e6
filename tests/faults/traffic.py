"""Faults that only traffic shows, as every table is as planned: what is lost or held back; and servers."""

from tests.faults.acts import again_and_again, ends
from tests.faults.model import Called, Cause, Fault, on
from tests.faults.sessions import FRONT, LAST, LEAF, OTHER, PAIR, SECOND, SPINE, TOP

PATHS = ("--paths",)
CLEARED = "nft delete table inet lossy"
INPUT = "type filter hook input priority 0;"
CLEARED_PORT = "nft delete table netdev lossy"


def drops(rule: str) -> str:
    """A command after which a switch drops of what it forwards what matches."""
    chain = "add table inet lossy; add chain inet lossy out { type filter hook forward priority 0; }"
    return f"nft '{chain}; add rule inet lossy out {rule} drop'"


def drops_at(port: str, rule: str) -> str:
    """A command after which a port drops of what arrives what matches."""
    hook = f'type filter hook ingress device "{port}" priority 0;'
    return f"nft 'add table netdev lossy; add chain netdev lossy in {{ {hook} }}; add rule netdev lossy in {rule} drop'"


LOST = (
    Fault(
        "loss-1-percent",
        "loss",
        "One packet of a hundred is lost on a cable, either way.",
        (
            *on(LEAF, drops_at("swp33s0", "numgen random mod 100 < 1")),
            *on(SPINE, drops_at("swp1s0", "numgen random mod 100 < 1")),
        ),
        (*on(LEAF, CLEARED_PORT), *on(SPINE, CLEARED_PORT)),
        (Cause(LEAF, "path-cable", "swp33s0"), Cause(SPINE, "path-cable", "swp1s0")),
        PATHS,
        known=True,
    ),
    Fault(
        "loss-one-direction",
        "loss",
        "Three packets of a hundred are lost towards a leaf of the overlay.",
        on(PAIR, drops_at("swp31", "numgen random mod 100 < 3")),
        on(PAIR, CLEARED_PORT),
        (Cause(PAIR, "path-cable", "swp31"), Cause(TOP, "path-cable", "swp20")),
        PATHS,
        known=True,
    ),
    Fault(
        "loss-small",
        "loss",
        "One packet of a thousand is lost on a cable.",
        on(LEAF, drops_at("swp34s0", "numgen random mod 1000 < 1")),
        on(LEAF, CLEARED_PORT),
        (Cause(LEAF, "path-cable", "swp34s0"), Cause(SPINE, "path-cable", "swp3s0")),
        PATHS,
        why="below a quarter of a percent: docs/verify.md says that so little is not seen",
    ),
    Fault(
        "spine-blackhole",
        "loss",
        "A spine drops all that it forwards; its sessions stand.",
        on(LAST, drops("")),
        on(LAST, CLEARED),
        (Cause(LAST, "path-switch", ""),),
        PATHS,
        known=True,
    ),
    Fault(
        "spine-full-size",
        "loss",
        "A spine forwards small packets only.",
        on(SPINE, drops("meta length > 1500")),
        on(SPINE, CLEARED),
        (Cause(SPINE, "path-switch", ""),),
        PATHS,
    ),
    Fault(
        "leaf-fabric-loss",
        "loss",
        "A leaf loses five packets of a hundred inside, whichever port they take.",
        on(OTHER, drops("numgen random mod 100 < 5")),
        on(OTHER, CLEARED),
        (Cause(OTHER, "path-switch", ""),),
        PATHS,
        why="all probes of this lab pass both of its backend leaves, and the other one is named",
    ),
    Fault(
        "spine-drops-tunnels",
        "loss",
        "A spine drops VXLAN, and lets everything else pass.",
        on(TOP, drops("udp dport 4789")),
        on(TOP, CLEARED),
        (Cause(TOP, "path-switch", ""),),
        PATHS,
        why="probes are UDP between tunnel addresses, not VXLAN: pings through tunnels show it alone",
    ),
    Fault(
        "port-not-forwarding",
        "loss",
        "One port of a spine does not forward.",
        on(SPINE, "sysctl -qw net.ipv4.conf.swp3s1.forwarding=0"),
        on(SPINE, "sysctl -qw net.ipv4.conf.swp3s1.forwarding=1"),
        (
            Cause(SPINE, "setting-wrong", "swp3s1.forwarding"),
            Cause(SPINE, "path-cable", "swp3s1"),
            Cause(OTHER, "path-cable", "swp34s0"),
        ),
        PATHS,
        why="a path that leads nowhere is told as one that no flow takes, with its cable",
    ),
    Fault(
        "policed",
        "loss",
        "A port lets a few packets a second pass.",
        on(SECOND, drops_at("swp1s0", "udp dport 1024-65535 limit rate over 50/second")),
        on(SECOND, CLEARED_PORT),
        (Cause(SECOND, "path-cable", "swp1s0"), Cause(LEAF, "path-cable", "swp33s1")),
        PATHS,
    ),
    Fault(
        "shaped",
        "queue",
        "An uplink is limited to ten megabits a second.",
        on(FRONT, "tc qdisc add dev swp29 root tbf rate 10mbit burst 10k latency 10ms"),
        on(FRONT, "tc qdisc del dev swp29 root"),
        (Cause(FRONT, "qos-shaped", "port swp29"),),
        known=True,
    ),
    Fault(
        "flapping-session",
        "flap",
        "A session falls every few seconds.",
        (Called(TOP, again_and_again("vtysh -c 'clear bgp 10.128.0.16'", 4)),),
        (Called(TOP, ends),),
        (),
        known=True,
        why="sessions are looked at once, between two falls",
    ),
    Fault(
        "flapping-port",
        "flap",
        "A port falls every few seconds.",
        (Called(LEAF, again_and_again("ip link set swp34s1 down; sleep 0.2; ip link set swp34s1 up", 8)),),
        (Called(LEAF, ends),),
        (),
        why="ports are looked at once, between two falls",
    ),
)

SERVERS = (
    Fault(
        "server-discards",
        "server",
        "A server discards what goes to another tenant's network.",
        on("train-000", "ip rule add priority 1 to 172.19.0.0/20 blackhole"),
        on("train-000", "ip rule del priority 1 to 172.19.0.0/20 blackhole"),
        (Cause("train-000", "ping-lost", ""),),
    ),
    Fault(
        "server-filter",
        "server",
        "A filter on a server drops what it is sent.",
        on(
            "train-001",
            f"nft 'add table inet f; add chain inet f in {{ {INPUT} policy drop; }}'",
        ),
        on("train-001", "nft delete table inet f"),
        (Cause("train-000", "ping-lost", "train-001"), Cause("train-002", "ping-lost", "train-001")),
    ),
    Fault(
        "server-mtu",
        "server",
        "A backend NIC of a server is left at 1500 octets.",
        on("train-000", "ip link set OSFP3P1 mtu 1500"),
        on("train-000", "ip link set OSFP3P1 mtu 9214"),
        (Cause("train-000", "ping-lost", "10.64.1."), Cause(OTHER, "mtu-wrong", "port swp1s0")),
        why="packets of full size are sent between one NIC of each leaf only",
    ),
    Fault(
        "server-address",
        "server",
        "A backend NIC of a server has lost its address.",
        on("train-001", "ip addr del 10.64.0.3/31 dev OSFP4P2"),
        on("train-001", "ip addr add 10.64.0.3/31 dev OSFP4P2; ip route add 10.64.0.0/16 via 10.64.0.2 dev OSFP4P2"),
        (Cause("train-000", "ping-lost", "10.64.0.3"), Cause("train-001", "ping-lost", "10.64.0.3")),
    ),
)

TRAFFIC = (*LOST, *SERVERS)
