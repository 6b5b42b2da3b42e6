"""Faults of programs, of files, and of the way to a switch."""

import signal

from tests.faults.acts import (
    armed,
    disarmed,
    exchanged,
    goes_on,
    inventory_restored,
    left_out,
    signalled,
    stopped,
    unreached,
)
from tests.faults.model import Called, Cause, Fault, on, typed
from tests.faults.sessions import FRONT, LAST, LEAF, MISSING, OTHER, PAIR, SECOND, SPINE, TOP

LLDP_PID = "/run/fabricgen-lldpd.pid"
DEFAULTS = "-d -F datacenter -A 127.0.0.1 --log file:/var/log/frr"
ZEBRA = f"/usr/lib/frr/zebra {DEFAULTS}/zebra.log -s 90000000 --v6-rr-semantics"
FREE = "while ss -uln | grep -q ':3784 '; do sleep 0.1; done"
TAKES = 'import socket, time; s = socket.socket(2, 2); s.bind(("", 3784)); time.sleep(3600)'
STARTUP, PORTS_FILE, SYSCTL_FILE = "/etc/frr/frr.conf", "/etc/network/interfaces", "/etc/sysctl.d/90-fabric.conf"


def killed(daemon: str) -> str:
    """A command that ends a daemon of FRR as a crash does."""
    return f"kill -9 $(cat /run/frr/{daemon}.pid)"


def started(daemon: str) -> str:
    """A command that starts it again with its configuration."""
    program = ZEBRA if daemon == "zebra" else f"/usr/lib/frr/{daemon} {DEFAULTS}/{daemon}.log"
    return f"{program}; vtysh -b"


def kept(path: str) -> str:
    """A command that keeps a file."""
    return f"cp -p {path} {path}.kept"


def restored(path: str) -> str:
    """A command that puts it back."""
    return f"mv {path}.kept {path}"


PROGRAMS = (
    Fault(
        "bgpd-crashed",
        "program",
        "bgpd of a leaf has crashed.",
        on(OTHER, killed("bgpd")),
        on(OTHER, started("bgpd")),
        (Cause(OTHER, "daemon-dead", "daemon bgpd"), Cause(OTHER, "bgp-not-running", "BGP")),
        known=True,
    ),
    Fault(
        "zebra-crashed",
        "program",
        "zebra of a spine has crashed.",
        on(LAST, killed("zebra")),
        on(LAST, f"{started('zebra')}; {killed('bgpd')}; sleep 1; {started('bgpd')}"),
        (Cause(LAST, "daemon-dead", "daemon zebra"),),
    ),
    Fault(
        "staticd-crashed",
        "program",
        "staticd of a leaf has crashed.",
        on(LEAF, killed("staticd")),
        on(LEAF, started("staticd")),
        (Cause(LEAF, "daemon-dead", "daemon staticd"),),
    ),
    Fault(
        "bfdd-port-taken",
        "program",
        "A foreign process has the port of BFD, and bfdd does not start.",
        on(
            SECOND,
            f"{killed('bfdd')}; {FREE}; setsid /usr/bin/python3 -SE -c '{TAKES}' </dev/null >/dev/null 2>&1 &"
            " echo $! >/run/fault.pid; until ss -uln | grep -q ':3784 '; do sleep 0.1; done;"
            " /usr/lib/frr/bfdd -d -F datacenter -A 127.0.0.1 >/dev/null 2>&1 || true",
        ),
        on(SECOND, f"kill $(cat /run/fault.pid); {FREE}; {started('bfdd')}"),
        (Cause(SECOND, "daemon-dead", "daemon bfdd"),),
    ),
    Fault(
        "bgpd-hangs",
        "program",
        "bgpd of a spine hangs.",
        (Called(TOP, stopped("bgpd")),),
        (Called(TOP, goes_on("bgpd")),),
        (Cause(TOP, "daemon-hangs", "daemon bgpd"),),
        known=True,
    ),
    Fault(
        "bfdd-hangs",
        "program",
        "bfdd of a spine hangs.",
        (Called(SPINE, stopped("bfdd")),),
        (Called(SPINE, goes_on("bfdd")),),
        (Cause(SPINE, "daemon-hangs", "daemon bfdd"),),
    ),
    Fault(
        "lldpd-hangs",
        "program",
        "lldpd of a leaf hangs.",
        (Called(OTHER, signalled(LLDP_PID, signal.SIGSTOP)),),
        (Called(OTHER, signalled(LLDP_PID, signal.SIGCONT)),),
        (Cause(OTHER, "daemon-hangs", "lldpd"), Cause(OTHER, "not-read", "lldp")),
    ),
    Fault(
        "host-name",
        "program",
        "A spine was renamed in its routing daemons.",
        typed(LAST, "hostname core-7"),
        typed(LAST, f"hostname {LAST}"),
        (Cause(LAST, "another-name", "core-7"),),
        why="FRR prints the name of the box beside its own, so that its own is passed over; BGP's peers show it alone",
    ),
    Fault(
        "box-name",
        "program",
        "The box of a spine was renamed.",
        on(LAST, "hostname core-7"),
        on(LAST, f"hostname {LAST}"),
        (Cause(LAST, "another-name", "core-7"),),
    ),
    Fault(
        "configuration-lost",
        "program",
        "A leaf has come up without its BGP configuration.",
        on(PAIR, f"{killed('bgpd')}; sleep 0.5; /usr/lib/frr/bgpd {DEFAULTS}/bgpd.log"),
        on(PAIR, "vtysh -b"),
        (Cause(PAIR, "bgp-not-running", "BGP"), Cause(PAIR, MISSING, "configuration")),
    ),
)

FILES = (
    Fault(
        "startup-empty",
        "file",
        "A spine would start without a configuration.",
        on(SPINE, f"{kept(STARTUP)}; : >{STARTUP}"),
        on(SPINE, restored(STARTUP)),
        (Cause(SPINE, "startup-differs", "startup configuration"),),
        known=True,
    ),
    Fault(
        "startup-stale",
        "file",
        "A spine would start with an AS number of before a renumbering.",
        on(TOP, f"{kept(STARTUP)}; sed -i s/4202000003/64999/ {STARTUP}"),
        on(TOP, restored(STARTUP)),
        (Cause(TOP, "startup-differs", "64999"),),
    ),
    Fault(
        "commit-waits",
        "file",
        "A colleague's commit is waiting for confirmation.",
        (Called(FRONT, armed(("ip prefix-list COLLEAGUE seq 5 permit 192.0.2.0/24",))),),
        (Called(FRONT, disarmed),),
        (Cause(FRONT, "commit-armed", ""),),
    ),
)

ACCESS = (
    Fault(
        "management-cut",
        "access",
        "The management of a leaf is cut.",
        (Called(PAIR, unreached),),
        (Called(PAIR, inventory_restored),),
        (Cause(PAIR, "unreachable", ""),),
        known=True,
    ),
    Fault(
        "management-swapped",
        "access",
        "The management addresses of two leaves are swapped.",
        (Called(LEAF, exchanged(OTHER)),),
        (Called(LEAF, inventory_restored),),
        (Cause(LEAF, "another-switch", OTHER), Cause(OTHER, "another-switch", LEAF)),
    ),
    Fault(
        "inventory-lacks",
        "access",
        "A spine is not in the inventory.",
        (Called(LAST, left_out),),
        (Called(LAST, inventory_restored),),
        (Cause(LAST, "host-missing", ""),),
    ),
    Fault(
        "vtysh-broken",
        "access",
        "vtysh of a spine does not start.",
        on(SECOND, "mount --bind /bin/false /usr/bin/vtysh"),
        on(SECOND, "umount /usr/bin/vtysh"),
        (Cause(SECOND, "not-read", "show"), Cause(SECOND, "no-answer", "")),
        why="without vtysh no connection is opened: told as unreachable, with the command that failed",
    ),
)

SYSTEM = (*PROGRAMS, *FILES, *ACCESS)
