"""What SONiC streams by gNMI: tables of its databases, each named by the target.

Sources of the paths: the server, github.com/sonic-net/sonic-gnmi 5ec1c20b and branch 202505 at 9e9223d8:
sonic_data_client/virtual_db.go (`Ethernet*` is every port, by its alias) and db_client.go (a table alone is all of its
keys; sampled or on change, nothing else).
"""

from fabricgen.platforms.base.stream import Stream

SERVER = "github.com/sonic-net/sonic-gnmi 5ec1c20b and branch 202505 at 9e9223d8, sonic_data_client/"
VIRTUAL = f"{SERVER}virtual_db.go"
SWSS = "github.com/sonic-net/sonic-swss e6b0c5b5 and branch 202505 at e9dcd50b, orchagent/"
COUNTERS = "COUNTERS_DB"

STREAMS = (
    Stream(
        name="watchdog",
        path="/COUNTERS/Ethernet*/Pfcwd",
        on_change=False,
        lossless=True,
        shows="how often the PFC watchdog found a queue stuck, and how often it recovered",
        command="show pfcwd stats",
        source=f"{VIRTUAL}; {SWSS}pfcactionhandler.cpp: PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED and _RESTORED",
        target=COUNTERS,
    ),
    Stream(
        name="queues",
        path="/COUNTERS/Ethernet*/Queues",
        on_change=False,
        lossless=False,
        shows="packets sent, dropped and, where they are counted, marked by ECN, by queue",
        command="show queue counters; show queue wredcounters",
        source=f"{VIRTUAL}; {SWSS}portsorch.cpp: SAI_QUEUE_STAT_PACKETS, _DROPPED_PACKETS, _WRED_ECN_MARKED_PACKETS; "
        "sampled in github.com/sonic-net/sonic-mgmt b4ba9de3, tests/gnmi/test_pygnmi_client.py",
        target=COUNTERS,
    ),
    Stream(
        name="counters",
        path="/COUNTERS/Ethernet*",
        on_change=False,
        lossless=False,
        shows="octets, packets, discards and errors of ports, and PFC frames in and out, by priority",
        command="show interfaces counters; show pfc counters",
        source=f"{VIRTUAL}; {SWSS}portsorch.cpp: SAI_PORT_STAT_PFC_3_RX_PKTS and its like; sonic-gnmi 5ec1c20b, "
        "doc/grpc_telemetry.md",
        target=COUNTERS,
    ),
    Stream(
        name="links",
        path="/PORT_TABLE",
        on_change=True,
        lossless=False,
        shows="ports that go up and down",
        command="show interfaces status",
        source=f"{SERVER}db_client.go; {SWSS}portsorch.cpp: oper_status",
        target="APPL_DB",
    ),
    Stream(
        name="sessions",
        path="/NEIGH_STATE_TABLE",
        on_change=True,
        lossless=False,
        shows="BGP sessions of the default VRF that come and go, looked at every 15 seconds",
        command="show ip bgp summary; show ipv6 bgp summary",
        source="github.com/sonic-net/sonic-mgmt b4ba9de3, tests/telemetry/test_telemetry.py; "
        "github.com/sonic-net/sonic-buildimage 086b03bd, src/sonic-bgpcfgd/bgpmon/bgpmon.py",
        target="STATE_DB",
    ),
)
"""In the order of an operator's questions: is it stuck, is it dropped or paused, is it down."""
