"""How a push commits on SONiC, through this project's own driver `napalm_sonic`. Not yet tested on a real switch."""

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import HARMLESS, CommitProfile, Interruption, Pace
from fabricgen.platforms.sonic.live import drain, needed

SONIC = CommitProfile(
    driver="sonic",
    timed=True,
    pace=Pace(1, 5),
    step=1,
    replaces=True,
    carries_message=True,
    comment="!",
    files={"frr.conf": "/etc/sonic/frr/frr.conf"},
    proven="",
    limits=(
        "What runs is compared as CONFIG_DB and the file frr.conf, which the bgp container reads when it starts; what "
        "its daemons hold is seen by the checks alone. Lines of a drain are compared with what they run.",
        "A commit is not atomic: the generic config updater changes CONFIG_DB part by part, and what it cannot bring "
        "to an end is undone by 'config rollback' to the checkpoint of the commit (sonic-utilities, "
        "generic_config_updater/generic_updater.py).",
        "The updater refuses most changes of PFC_WD, BUFFER_POOL and BUFFER_PROFILE, of WRED_PROFILE too in 202505: it "
        "takes those that its table lists for a chip, and none of a hwsku that is not there, as Dell's are not; "
        "'config reload' of the file is the way then (sonic-utilities 691b1bbc and branches 202505 to 202605, "
        "generic_config_updater/field_operation_validators.py, gcu_field_operation_validators.conf.json).",
        "It refuses to take PFC_WD's GLOBAL row or LOOPBACK_INTERFACE's Loopback0 away, so a commit that adds one of "
        "them to a table that is there cannot be reverted (the same, gu_common.py, validate_field_operation).",
        "The updater writes each patch to the switch's own log, secrets in it (the same, PatchApplier.apply), and its "
        "checkpoint lies in /etc/sonic/checkpoints.",
        "Another frr.conf restarts the bgp container, which ends every session of the switch: SONiC's container has no "
        "frr-reload.py (sonic-buildimage, rules/docker-fpm-frr.mk installs frr without frr-pythontools) and reads the "
        "file when it starts (dockers/docker-fpm-frr/frr/supervisord, vtysh_b). Until it has, the new file is on the "
        "disk: a switch that loses its power in those seconds starts with it. A revert goes back to the file, not to "
        "lines that somebody has typed into vtysh.",
        "The timer is a transient one of systemd: a restart of the switch meanwhile loads the startup files, which "
        "a timed commit has not changed (systemd-run(1)).",
        "SONiC's own tables and fields stay as they run, DEVICE_METADATA's mac among them (sonic/live/drift.py), so "
        "a counter or a feature that a former file has switched on and this one does not name stays on.",
        "The updater has no lock: whoever else changes CONFIG_DB while a commit waits loses it with a revert "
        "(generic_updater.py, ConfigLock).",
    ),
    drain=drain.drain,
    signs=drain.SIGNS,
    draining_peers=drain.draining_peers,
    overlay=drain.OVERLAY,
    marks=drain.marks,
    interrupts=HARMLESS
    | {
        Risk.SESSION_RESET: Interruption(
            120,
            "another frr.conf restarts the bgp container (limits), and every session comes up again",
            unsure=True,
        ),
        Risk.TRAFFIC_LOSS: Interruption(150, "the same, and training of links", unsure=True),
        Risk.RELOAD: Interruption(300, "config reload restarts every container", unsure=True),
    },
    needed=needed.needed,
)
