"""What NX-OS streams by gNMI: paths of Cisco's own model, origin `device`.

OpenConfig's paths need `feature openconfig` (github.com/CiscoSE/NexusProgrammability 1d374bf, docs/Telemetry/Dial-In),
and have neither PFC nor marks (github.com/YangModels/yang 6795d9c6, vendor/cisco/nx/10.6-3: ecn-marked-pkts is not
supported). Sources of the paths: Cisco-NX-OS-device.yang of 9.3(1), and programs that read the same objects from later
releases. The name of the origin: github.com/cisco-ie/cisco-gnmi-python 83cc291, src/cisco_gnmi/nx.py. Both ways of
sending: Cisco Nexus 9000 NX-OS programmability guide 10.4(x), gNMI.
"""

from fabricgen.platforms.base.stream import Stream

YANG = "Cisco-NX-OS-device.yang of 9.3(1), github.com/CiscoDevNet/ydk-cpp 9f454187"
SENSORS = "github.com/CiscoSE/NexusProgrammability 1d374bf, docs/Telemetry/sensor-path.md"
MONITOR = "github.com/paregupt/nexus_traffic_monitor 9ed4c95"
MAPPER = "github.com/camiloserranor/network-mapper 9d6ed3a"
ORIGIN = "device"
PORTS = "/System/intf-items/phys-items/PhysIf-list"

STREAMS = (
    Stream(
        name="queues",
        path="/System/ipqos-items/queuing-items/policy-items/out-items/intf-items/If-list/queCmap-items/QueuingStats-list",
        on_change=False,
        lossless=False,
        shows="packets sent, dropped and marked by ECN, PFC frames in and out, and how often the PFC watchdog found it "
        "stuck and restored it, by queue",
        command="show queuing interface",
        source=f"{YANG}: txPackets, dropPackets, randEcnMarkedPackets, pfcRxPpp, pfcTxPpp, pfcwdShutdownCount, "
        f"pfcwdRestoredCount; {SENSORS}; {MONITOR}: ipqosQueuingStats, of `show queuing interface`",
        origin=ORIGIN,
    ),
    Stream(
        name="counters-in",
        path=f"{PORTS}/dbgIfIn-items",
        on_change=False,
        lossless=False,
        shows="octets, packets, discards and errors that ports receive",
        command="show interface counters; show interface counters errors",
        source=f"{YANG}; {MAPPER}",
        origin=ORIGIN,
    ),
    Stream(
        name="counters-out",
        path=f"{PORTS}/dbgIfOut-items",
        on_change=False,
        lossless=False,
        shows="octets, packets, discards and errors that ports send",
        command="show interface counters; show interface counters errors",
        source=YANG,
        origin=ORIGIN,
    ),
    Stream(
        name="links",
        path=f"{PORTS}/phys-items/operSt",
        on_change=True,
        lossless=False,
        shows="ports that go up and down",
        command="show interface status",
        source=f"{YANG}; {MONITOR}: ethpmPhysIf",
        origin=ORIGIN,
    ),
    Stream(
        name="sessions",
        path="/System/bgp-items/inst-items/dom-items/Dom-list/peer-items/Peer-list/ent-items/PeerEntry-list/operSt",
        on_change=True,
        lossless=False,
        shows="BGP sessions that come and go, of every VRF",
        command="show bgp all summary vrf all",
        source=f"{YANG}; {MAPPER}: operSt of PeerEntry-list",
        origin=ORIGIN,
    ),
)
"""In the order of an operator's questions: is it dropped, paused or stuck, is it down."""
