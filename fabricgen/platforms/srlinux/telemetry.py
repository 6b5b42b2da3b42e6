"""What SR Linux streams by gNMI: paths of Nokia's own models."""

from fabricgen.platforms.base.stream import Stream

YANG = "github.com/nokia/srlinux-yang-models 97b373e, v25.3.1"

STREAMS = (
    Stream(
        name="pfc",
        path="/qos/interfaces/interface/pfc/statistics",
        on_change=False,
        lossless=True,
        shows="PFC frames in and out, by priority",
        command="info from state qos interfaces interface * pfc statistics",
        source=f"{YANG}, srl_nokia-qos: pfc-pause-frames-received and -generated",
    ),
    Stream(
        name="watchdog",
        path="/qos/interfaces/interface/pfc/statistics/pfc-priority/deadlock-recovery-occurrences",
        on_change=False,
        lossless=True,
        shows="how often a queue was taken out of a deadlock",
        command="info from state qos interfaces interface * pfc statistics",
        source=f"{YANG}, srl_nokia-qos",
    ),
    Stream(
        name="queues",
        path="/qos/interfaces/interface/output/queues/queue/queue-statistics/aggregate-statistics",
        on_change=False,
        lossless=False,
        shows="packets sent, dropped and, where the chip counts them, marked by ECN, by queue",
        command="info from state qos interfaces interface * output queues",
        source=f"{YANG}, srl_nokia-qos: ecn-marked-packets has a feature of its own",
    ),
    Stream(
        name="counters",
        path="/interface/statistics",
        on_change=False,
        lossless=False,
        shows="octets, packets, discards and errors of ports",
        command="info from state interface * statistics",
        source=f"{YANG}, srl_nokia-interfaces",
    ),
    Stream(
        name="links",
        path="/interface/oper-state",
        on_change=True,
        lossless=False,
        shows="ports that go up and down",
        command="show interface",
        source=f"{YANG}, srl_nokia-interfaces",
    ),
    Stream(
        name="sessions",
        path="/network-instance/protocols/bgp/neighbor/session-state",
        on_change=True,
        lossless=False,
        shows="BGP sessions that come and go, of every VRF",
        command="show network-instance default protocols bgp neighbor",
        source=f"{YANG}, srl_nokia-bgp",
    ),
)
"""In the order of an operator's questions: is it paused, is it stuck, is it dropped, is it down."""
