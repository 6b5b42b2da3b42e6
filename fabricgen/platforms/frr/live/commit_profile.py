"""How a push commits on a switch with FRRouting: the driver is this project's own `napalm_frr`."""

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import HARMLESS, CommitProfile, Interruption, Pace
from fabricgen.platforms.frr.live.files import FILES, STANZA
from fabricgen.platforms.linux.live import drain

FRR = CommitProfile(
    driver="frr",
    timed=True,
    pace=Pace(0.5, 3),
    step=1,
    replaces=True,
    carries_message=True,
    comment="!",
    files=FILES,
    heads={"interfaces": STANZA},
    proven="switches of the lab, which run FRRouting 8.4 in namespaces, pushed to by the tests",
    limits=(
        "A commit is not atomic: frr-reload.py changes line after line, and where one fails the driver puts back what "
        "ran before (frr-reload.py of 8.4.4).",
        "The timer is a process on the switch: a restart of the switch meanwhile loads the startup configuration, "
        "which a timed commit has not changed (napalm_frr, device_side.py).",
    ),
    drain=drain.drain,
    signs=drain.SIGNS,
    draining_peers=drain.draining_peers,
    overlay=drain.OVERLAY,
    marks=drain.marks,
    interrupts=HARMLESS
    | {
        Risk.SESSION_RESET: Interruption(
            30,
            "9 s until a far end notices (frr defaults datacenter), 1 s between two tries (timers connect 1), 5 s "
            "until a changed map applies (platforms/frr/costs.py, DELAY), and both ends may need them in turn",
        ),
        Risk.TRAFFIC_LOSS: Interruption(45, "the same, and ifreload -a in front of it; measured nowhere", unsure=True),
        Risk.RELOAD: Interruption(60, "a restart of the daemons and the same; measured nowhere", unsure=True),
    },
)
