"""Telemetry of a Device → EOS's terms, and the paths that its gNMI server streams.

Sources of the paths: YANG, the models that Arista publishes for EOS 4.34.2F (github.com/aristanetworks/yang 63be023a,
2026-06-21): `release/openconfig/models` with the modules named, none of the leaves in its `not-supported` deviations.
They are in OpenConfig's tree and do not need `provider eos-native`. A native path of PFC, ECN or the watchdog was found
in no source (searched 2026-11-21).
"""

from typing import NamedTuple

from fabricgen.device.telemetry import QueueMonitor, Telemetry
from fabricgen.platforms.base.stream import Stream

YANG = "github.com/aristanetworks/yang 63be023a, EOS-4.34.2F"
ANTA = "anta 1.10"


class TelemetryContext(NamedTuple):
    """Queue monitoring in EOS's terms. Empty `thresholds`: EOS's defaults; `clients` 0: no stream."""

    latency: bool
    thresholds: str
    clients: int


def telemetry_words(telemetry: Telemetry) -> TelemetryContext:
    """Telemetry of one switch in EOS's terms."""
    monitor = telemetry.queue_monitor
    if monitor is None:
        return TelemetryContext(latency=False, thresholds="", clients=0)
    return TelemetryContext(latency=monitor.latency, thresholds=_thresholds(monitor), clients=monitor.streaming)


def _thresholds(monitor: QueueMonitor) -> str:
    """The threshold words; a single one is in the singular (pyavd 6.4.0, eos/queue-monitor-length.j2)."""
    if monitor.high and monitor.low:
        return f"thresholds {monitor.high} {monitor.low}"
    return f"threshold {monitor.high}" if monitor.high else ""


STREAMS = (
    Stream(
        name="pfc",
        path="/interfaces/interface/ethernet/pfc/priorities/priority/state",
        on_change=False,
        lossless=True,
        shows="PFC frames in and out, by priority",
        command="show priority-flow-control counters",
        source=f"{YANG}, arista-intf-augments 1.3.0 and later: in-frames, out-frames",
    ),
    Stream(
        name="watchdog",
        path="/interfaces/interface/ethernet/pfc/watchdog/tx-queues/tx-queue/state",
        on_change=False,
        lossless=True,
        shows="how often the PFC watchdog found a queue stuck, and how often it recovered",
        command="show priority-flow-control status",
        source=f"{YANG}, arista-intf-augments 1.7.4: stuck-count, recovery-count, and when each was last",
    ),
    Stream(
        name="queues",
        path="/qos/interfaces/interface/output/queues/queue/state",
        on_change=False,
        lossless=False,
        shows="packets sent, dropped and, where they are counted, marked by ECN, by queue",
        command="show interfaces counters queue detail; show qos interfaces ecn counters queue",
        source=f"{YANG}, openconfig-qos-interfaces 0.11.2 and arista-qos-augments 0.0.4: transmit-pkts, dropped-pkts, "
        "ecn-marked-pkts",
    ),
    Stream(
        name="counters",
        path="/interfaces/interface/state/counters",
        on_change=False,
        lossless=False,
        shows="octets, packets, discards and errors of ports",
        command="show interfaces counters; show interfaces counters errors",
        source=f"{YANG}, openconfig-interfaces; github.com/openconfig/featureprofiles issue 3952",
    ),
    Stream(
        name="links",
        path="/interfaces/interface/state/oper-status",
        on_change=True,
        lossless=False,
        shows="ports that go up and down",
        command="show interfaces status",
        source=f"{YANG}, openconfig-interfaces",
    ),
    Stream(
        name="sessions",
        path="/network-instances/network-instance/protocols/protocol/bgp/neighbors/neighbor/state/session-state",
        on_change=True,
        lossless=False,
        shows="BGP sessions that come and go, of every VRF",
        command="show bgp summary vrf all",
        source=f"{YANG}, openconfig-bgp-neighbor below openconfig-network-instance",
    ),
)
"""In the order of an operator's questions: is it paused, is it stuck, is it dropped, is it down."""
