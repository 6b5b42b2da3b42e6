"""How a push commits on a switch with Arista EOS, through NAPALM's `eos` driver and eAPI."""

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import HARMLESS, CommitProfile, Interruption, Pace, Respelled
from fabricgen.platforms.eos.live import drain, needed

EOS = CommitProfile(
    driver="eos",
    timed=True,
    pace=Pace(1, 5),
    step=1,
    replaces=True,
    carries_message=False,
    comment="!",
    files={},
    proven="",
    limits=(
        "What runs is compared while the commit timer runs, in a session of its own that is ended again: EOS refuses "
        "another commit meanwhile (NAPALM, pull request 1266), and nothing is said of a session. Not seen on a switch.",
        "Closing NAPALM's driver ends the session that it holds, a commit timer that runs with it: a push takes the "
        "session out of the driver's hand right after the commit, and names it again to confirm or to end it "
        "(napalm/eos/eos.py of 5.2.0, close and discard_config).",
        "NAPALM's rollback after a commit puts the startup configuration in place as it was before the commit, which "
        "is not what ran where somebody had not saved (NAPALM, issue 1952): a push never calls it, and ends a timed "
        "commit by its session, whose checkpoint is of what ran.",
        "A commit carries no message: its session is named fabricgen- and a digest of the message, which stands in the "
        "switch's log (napalm/eos/eos.py, commit_config).",
        "A session of anybody else that is open makes a push wait 10 s and give up; an open session ends by itself "
        "after 24 hours, or with 'configure session NAME abort' (napalm/eos/eos.py, _obtain_lock; EOS user manual, "
        "Configure Session).",
        "Each commit copies the startup configuration to flash:rollback-0 first, so a full flash refuses every commit "
        "(napalm/eos/eos.py, commit_config).",
        "NAPALM drops the indentation of what it loads, and lines that begin with one '!' (napalm/eos/eos.py, "
        "_load_config).",
        "A secret that is written in clear text shows as a difference where EOS stores it with a salt of its own; what "
        "is rendered carries hashes for users. Not seen on a switch.",
    ),
    drain=drain.drain,
    signs=drain.SIGNS,
    draining_peers=drain.draining_peers,
    overlay=drain.OVERLAY,
    marks=drain.marks,
    interrupts=HARMLESS
    | {
        Risk.SESSION_RESET: Interruption(45, "hold time 9 s, and the switch's own time between two tries", unsure=True),
        Risk.TRAFFIC_LOSS: Interruption(
            180, "recovery delay 120 of link tracking (templates/eos/NOTES.md), and training of links", unsure=True
        ),
    },
    respelled=(
        Respelled(
            r"tacacs-server|radius-server|snmp-server|ntp authentication-key|neighbor .* password",
            "unsure: EOS shows passwords and keys as type 7, salted; not seen on a switch",
        ),
    ),
    api_line=r"^management api http-commands$",
    needed=needed.needed,
)
