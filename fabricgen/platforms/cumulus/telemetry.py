"""What Cumulus Linux streams by gNMI, from 5.13 on: OpenConfig's paths with NVIDIA's additions.

Sources of the paths: the tables of metrics in NVIDIA's pages "gNMI Streaming", one page per release. A key is written
`*`, as in their examples. 5.13 takes name and password in a header only, which gnmic's `auth-scheme` adds; later ones
take both.
"""

from fabricgen.platforms.base.stream import Stream

DOCS = "github.com/CumulusNetworks/docs, gNMI Streaming of "
PAGES = f"{DOCS}5.13 (825c9c4d), 5.14 (7146c2b3), 5.15 (a9d50676) and 5.16 (e2ec27d7)"
MOVED = "5.14"
"""From this release on, counters by priority have another path."""

STREAMS = (
    Stream(
        name="pfc-out",
        path="/qos/interfaces/interface[interface-id=*]/state/switch-priority[priority=*]/counters",
        on_change=False,
        lossless=True,
        shows="PFC frames out, by priority",
        command="nv show interface swp1 counters qos pfc-stats",
        source=f"{DOCS}5.13 (825c9c4d); 5.14 (7146c2b3), updated metrics, whose columns are the wrong way round",
        until=MOVED,
    ),
    Stream(
        name="pfc",
        path="/qos/interfaces/interface[interface-id=*]/switch-priority[priority=*]/state/counters",
        on_change=False,
        lossless=True,
        shows="PFC frames in and out, by priority",
        command="nv show interface swp1 counters qos pfc-stats",
        source=f"{DOCS}5.14 (7146c2b3), 5.15 (a9d50676) and 5.16 (e2ec27d7): in-pause-pkts, out-pause-pkts",
        since=MOVED,
    ),
    Stream(
        name="queues",
        path="/qos/interfaces/interface[interface-id=*]/output/queues/queue[name=*]/state",
        on_change=False,
        lossless=False,
        shows="packets sent, dropped and marked by ECN, by queue",
        command="nv show interface swp1 counters qos egress-queue-stats",
        source=f"{PAGES}: transmit-pkts, wred-dropped-pkts, no-buffer-uc-dropped-pkts, ecn-marked-pkts",
    ),
    Stream(
        name="counters",
        path="/interfaces/interface[name=*]/state/counters",
        on_change=False,
        lossless=False,
        shows="octets, packets, discards and errors of ports",
        command="nv show interface swp1 counters",
        source=PAGES,
    ),
    Stream(
        name="links",
        path="/interfaces/interface[name=*]/state/oper-status",
        on_change=True,
        lossless=False,
        shows="ports that go up and down",
        command="nv show interface",
        source=PAGES,
    ),
    Stream(
        name="sessions",
        path="/network-instances/network-instance[name=*]/protocols/protocol[identifier=*][name=*]/bgp/neighbors"
        "/neighbor[neighbor-address=*]/state/session-state",
        on_change=True,
        lossless=False,
        shows="BGP sessions that come and go, of every VRF",
        command="nv show vrf default router bgp neighbor",
        source=PAGES,
    ),
)
"""In the order of an operator's questions: is it paused, is it dropped, is it down."""
