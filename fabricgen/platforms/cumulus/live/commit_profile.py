"""How a push commits on a switch with NVIDIA Cumulus Linux: the driver is this project's own, napalm_driver/."""

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import HARMLESS, CommitProfile, Interruption, Pace
from fabricgen.platforms.cumulus.live import drain, needed

MINUTE = 60

CUMULUS = CommitProfile(
    driver="cumulus",
    timed=True,
    pace=Pace(2, 10),
    step=MINUTE,
    replaces=True,
    carries_message=True,
    comment="#",
    files={},
    proven="",
    limits=(
        "What runs is compared while the commit waits, by `nv config replace`, `diff` and `detach`; that none of them "
        "touches what waits is said nowhere, nor which of both `diff` takes for applied (511 NVUE CLI). Were it the "
        "former one, each commit would go back.",
        "A timed commit is `nv config apply --confirm`, whose time is whole minutes by NVIDIA's own words, and ten "
        "minutes where none is given (511 NVUE CLI, 0bbf81aa).",
        "It is confirmed and ended by `nv config apply REVISION --confirm-yes` and `--confirm-no`, which NVIDIA's "
        "manual does not name: they are those of a public NAPALM driver for Cumulus, and of NVIDIA's tests of another "
        "system with NVUE (github.com/david-pili/napalm-cumulus, napalm_cumulus/cumulus.py, 4a22064e).",
        "`nv config replace` takes away what is not rendered: user cumulus, whose account is deleted, and the default "
        "firewall; an account that is logged in cannot be deleted (511 NVUE CLI, Default Startup File).",
        "Loading detaches what the same account has set and not applied; it stays on the switch as a revision of its "
        "own (511 NVUE CLI, Detach a Pending Configuration).",
        "vtysh, iproute2 and lldpcli are run by `sudo -n`: the login must need no password for it (napalm_cumulus).",
        "NVUE runs with the option that answers its prompts with yes; whether it then keeps what it could "
        "apply in part only is not said (511 NVUE CLI).",
        "Where an apply stops midway (state `ignore_fail`) parts of it may be on the switch while NVUE calls the old "
        "configuration applied: that is reported, taken for a commit that waits, and left to hands, as NVIDIA's client "
        "does (github.com/NVIDIA/nv-config-manager).",
        "What is reverted by a push is saved, since auto-save may have saved what was not confirmed; what reverts by "
        "its time is saved by NVUE or not, which is said nowhere (511 NVUE CLI).",
        "A switch whose nvue-startup.service is not running starts with what ran before the restart, not with its "
        "startup.yaml (511 NVUE CLI, NVUE Configuration File).",
        "FRR is restarted by a change of the AS number or of its daemons (511 NVUE CLI, NVUE and FRR Restart).",
        "After TACACS+ is configured further commands of NVUE may fail until nvued is restarted, a confirmation among "
        "them: the commit then reverts by its time (511 release notes 00feaec3, 4423335).",
        "With routes announced only once they are installed, a drain may leave routes out of hardware (511 release "
        "notes 00feaec3, 4582679).",
    ),
    drain=drain.drain,
    signs=drain.SIGNS,
    draining_peers=drain.seen,
    overlay=drain.OVERLAY,
    marks=drain.marks,
    signed=drain.signed,
    interrupts=HARMLESS
    | {
        Risk.SESSION_RESET: Interruption(
            60, "hold time 9 s, connection-retry 1; FRR restarts with another AS number (limits)", unsure=True
        ),
        Risk.TRAFFIC_LOSS: Interruption(90, "the same, and training of links", unsure=True),
        Risk.RELOAD: Interruption(180, "switchd restarts, as with another hash seed (511 ECMP)", unsure=True),
    },
    needed=needed.needed,
)
