"""What Junos streams by gNMI: OpenConfig's paths with Juniper's additions, and one of Juniper's own.

Sources of the paths: the models of github.com/Juniper/yang 2a696d6, 24.4R1-EVO and 23.4R2-EVO, none of the nodes in
their deviations. The models of 24.4R1 have the same. Both ways of sending: Juniper's manual, gNMI Subscription.
"""

from fabricgen.platforms.base.stream import Stream

YANG = "github.com/Juniper/yang 2a696d6, 23.4R2-EVO and 24.4R1-EVO"

STREAMS = (
    Stream(
        name="pfc",
        path="/interfaces/interface/ethernet/state/counters/jnx-pfc-statistics",
        on_change=False,
        lossless=True,
        shows="PFC frames in and out, by priority",
        command="show interfaces extensive",
        source=f"{YANG}, jnx-aug-openconfig-interfaces: in-mac-pause-frames, out-mac-pause-frames",
    ),
    Stream(
        name="marks",
        path="/state/interfaces/interface/counters/errors",
        on_change=False,
        lossless=True,
        shows="packets marked by ECN, by port",
        command="show interfaces extensive; show interfaces queue",
        source="github.com/Juniper/yang 2a696d6, 24.4R1-EVO and 24.4R1, junos-state-interfaces 0.6.0: "
        "out-ecn-ce-marked-pkts",
        since="24.4",
    ),
    Stream(
        name="queues",
        path="/qos/interfaces/interface/output/queues/queue/state",
        on_change=False,
        lossless=False,
        shows="packets sent and dropped, by queue",
        command="show interfaces queue",
        source=f"{YANG}, openconfig-qos-interfaces: transmit-pkts, dropped-pkts; github.com/openconfig/featureprofiles "
        "598f5a74, feature/qos/otg_tests/qos_output_queue_counters_test, which names Juniper",
    ),
    Stream(
        name="counters",
        path="/interfaces/interface/state/counters",
        on_change=False,
        lossless=False,
        shows="octets, packets, discards and errors of ports",
        command="show interfaces extensive",
        source=f"{YANG}, openconfig-interfaces and jnx-aug-openconfig-interfaces",
    ),
    Stream(
        name="links",
        path="/interfaces/interface/state/oper-status",
        on_change=True,
        lossless=False,
        shows="ports that go up and down",
        command="show interfaces terse",
        source=f"{YANG}, openconfig-interfaces",
    ),
    Stream(
        name="sessions",
        path="/network-instances/network-instance/protocols/protocol/bgp/neighbors/neighbor/state/session-state",
        on_change=True,
        lossless=False,
        shows="BGP sessions that come and go, of every VRF",
        command="show bgp summary",
        source=f"{YANG}, openconfig-bgp-neighbor below openconfig-network-instance",
    ),
)
"""In the order of an operator's questions: is it paused, is it marked, is it dropped, is it down."""
