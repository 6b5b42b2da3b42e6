"""How a push commits on Junos, through NAPALM's `junos` driver and NETCONF."""

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import HARMLESS, CommitProfile, Interruption, Pace, Respelled
from fabricgen.platforms.junos.live import drain, needed

JUNOS = CommitProfile(
    driver="junos",
    timed=True,
    pace=Pace(1, 15),
    step=60,
    replaces=True,
    carries_message=True,
    comment="##",
    files={},
    proven="",
    limits=(
        "What runs is compared while the commit waits: loaded under the lock, which is free then (napalm-junos, pull "
        "request 127), compared and discarded. Not seen here.",
        "A timed commit takes whole minutes (napalm/junos/junos.py of 5.2.0, commit_config).",
        "A commit is waited for 180 s, or the inventory's timeout where that is longer; one that takes longer still is "
        "looked for as after a lost connection.",
        "Loading takes an exclusive lock until the commit, and fails where anybody edits or has left something "
        "uncommitted (napalm/junos/junos.py, _load_candidate; PyEZ, Config.lock).",
        "Confirming is done with 'commit check', which confirms and does not make run what somebody else has in the "
        "candidate, as NAPALM's confirm_commit would. It fails where that does not hold together, and the commit "
        "reverts by its timer.",
        "The host key is checked against UserKnownHostsFile of ssh_config_file (default: ~/.ssh/config), else "
        "~/.ssh/known_hosts, by a driver of our own over NAPALM's, which has no option for it; 'ssh_strict: false' "
        "takes any (fabricgen/platforms/junos/napalm_driver; PyEZ 2.8.2, jnpr/junos/device.py; ncclient 0.7.0, "
        "transport/ssh.py).",
        "That a timed commit outlasts the session that made it, and waits for another to confirm it, is reported of "
        "Junos' own commit-configuration, which PyEZ sends (github.com/ncclient/ncclient pull request 239, "
        "github.com/Juniper/ansible-junos-stdlib pull request 57 and issue 660); it was not seen here. What becomes of "
        "it when the switch restarts meanwhile is in no source that was found.",
        "NAPALM guesses the format of what it loads from its first word: set, text, XML or JSON "
        "(napalm/junos/junos.py, _detect_config_format).",
        "What is rendered is loaded as text with overwrite; the lines of a drain begin with 'set' or 'delete' and are "
        "loaded as such (the same; PyEZ 2.8.2, jnpr/junos/utils/config.py, load).",
        "A warning of the switch while it loads is taken for a refusal, unless optional_args have ignore_warning "
        "(PyEZ, Config.load); one at a commit, such as that a license is missing, is none, since the switch commits "
        "(github.com/Juniper/ansible-junos-stdlib issue 58).",
        "Junos stores a secret that is written in clear text in a form of its own ($9$), so that it shows as a "
        "difference each time; what is rendered carries hashes for users. Not seen on a switch.",
        "A neighbor that gets an export policy of its own may be taken out of its group's update group and its session "
        "reset (operators report it, Juniper's manual does not; unsure): a drain and the configuration of a switch "
        "that is declared drained tell the group; where one port of several is drained, its own session has it.",
    ),
    drain=drain.drain,
    signs=drain.SIGNS,
    draining_peers=drain.draining_peers,
    overlay=drain.OVERLAY,
    marks=drain.marks,
    interrupts=HARMLESS
    | {
        Risk.SESSION_RESET: Interruption(60, "hold-time 9, and the switch's own time between two tries", unsure=True),
        Risk.TRAFFIC_LOSS: Interruption(90, "the same, and training of links", unsure=True),
    },
    respelled=(
        Respelled(
            r"secret|password|authentication-key|privacy-key",
            "unsure: Junos stores what is written in clear text as $9$, salted; not seen on a switch",
        ),
    ),
    needed=needed.needed,
)
