"""How a push commits on a switch with FRRouting: the driver is this project's own `napalm_frr`."""

from fabricgen.drivers import frr_drain
from fabricgen.drivers.manner import Closing, Manner

FRR = Manner(
    driver="frr",
    timed=True,
    step=1,
    replaces=True,
    says=True,
    closing=Closing.KEEPS,
    comment="!",
    # templates/frr/NOTES.md says what goes where.
    files={"interfaces": "/etc/network/interfaces", "sysctl.conf": "/etc/sysctl.d/90-fabric.conf"},
    proven="switches of the lab, which run FRRouting 8.4 in namespaces, pushed to by the tests",
    limits=(
        "A commit is not atomic: frr-reload.py changes line after line, and where one fails the driver puts back what "
        "ran before (frr-reload.py of 8.4.4).",
        "The timer is a process on the switch: a restart of the switch in the midst loads the startup configuration, "
        "which a timed commit has not changed (napalm_frr, device_side.py).",
    ),
    drain=frr_drain.drain,
    signs=frr_drain.SIGNS,
    seen=frr_drain.seen,
)
