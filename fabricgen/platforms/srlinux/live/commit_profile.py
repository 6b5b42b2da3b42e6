"""How a push commits on Nokia SR Linux, through this project's own driver `napalm_srlinux`."""

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import HARMLESS, CommitProfile, Interruption, Pace, Respelled
from fabricgen.platforms.srlinux.live import drain, needed

SRLINUX = CommitProfile(
    driver="srlinux",
    timed=True,
    pace=Pace(1, 5),
    step=1,
    replaces=True,
    carries_message=True,
    comment="//",
    files={},
    proven="",
    limits=(
        "What runs is compared while the commit waits, by the method `diff` of JSON-RPC; whether a commit that waits "
        "stands in its way is not said. Not seen on a switch.",
        "The user that pushes must be let in by JSON-RPC, which the role network-admin is and network-operator is not "
        "(templates/srlinux/aaa.j2).",
        "A configuration that replaces keeps /system/json-rpc-server and /system/tls as they run, since a push comes "
        "that way and the commit could not be confirmed without them; all else that is not rendered goes, the ACL that "
        "a switch comes with, too.",
        "A commit carries no message: a checkpoint named fabricgen- and a digest of the message is made right before "
        "each, with the message as its comment, and a commit that waits is known by the checkpoint in front of it. A "
        "switch keeps its ten newest checkpoints by default (srl_nokia-configuration of Nokia's YANG 25.3.1), so a "
        "push of three parts ousts three older ones, of whomever.",
        "No lock is held between loading and committing: what somebody else commits meanwhile is replaced, as JSON-RPC "
        "makes a private candidate for each request alone (srl-labs/learn-srlinux, json-rpc/basics.md).",
        "A commit counts as kept where the switch shows it as complete (the same YANG), and as nothing else; what "
        "waits and is not ours is neither confirmed, ended nor saved.",
        "What is loaded is validated by the models; an application of the switch may still refuse the commit, which "
        "then changes nothing (the same).",
        "A secret that is written in clear text may show as a difference, as the switch keeps it encrypted; hashes of "
        "users do not. Not seen on a switch.",
        "Remarks in a configuration (_annotate) are lost when it is put back.",
        "That a timed commit outlasts the request that made it is what learn-srlinux and the tests of napalm-srlinux "
        "show on switches in containers; how it fares over a restart is not said.",
    ),
    drain=drain.drain,
    signs=drain.SIGNS,
    draining_peers=drain.draining_peers,
    overlay=drain.OVERLAY,
    marks=drain.marks,
    interrupts=HARMLESS
    | {
        Risk.SESSION_RESET: Interruption(60, "hold time 9 s, and the switch's own time between two tries", unsure=True),
        Risk.TRAFFIC_LOSS: Interruption(90, "the same, and training of links", unsure=True),
    },
    respelled=(
        Respelled(
            r"secret-key|password|authentication-key",
            "unsure: the switch keeps what is written in clear text encrypted, again each time (its NOTES.md)",
        ),
    ),
    needed=needed.needed,
)
