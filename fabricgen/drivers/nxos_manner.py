"""How a push commits on a switch with Cisco NX-OS, through NAPALM's `nxos` driver and NX-API."""

from fabricgen.drivers import undrained
from fabricgen.drivers.manner import Closing, Manner

NXOS = Manner(
    driver="nxos",
    timed=False,
    step=1,
    replaces=False,
    says=False,
    closing=Closing.KEEPS,
    comment="!",
    files={},
    proven="",
    limits=(
        "A commit does not revert by itself: a change that cuts off the switch stays (napalm/nxos/nxos.py of 5.2.0, "
        "commit_config).",
        "Only a checkpoint file that the switch wrote can replace what runs, so rendered text is merged: what runs and "
        "is not rendered stays (napalm/nxos/nxos.py, load_replace_candidate).",
        "A commit is saved as it is made, and going back puts the checkpoint rollback_config.txt in place, which is of "
        "the last commit by NAPALM alone (napalm/nxos/nxos.py, commit_config and rollback).",
        "What a commit would change is worked out here from the running text, and shows lines that are missing, not "
        "those that a line takes away (netutils, diff_network_config).",
        "A login that is refused looks like a switch that does not answer: the driver says 'Cannot connect' of both "
        "(napalm/nxos/nxos.py, open).",
        "Counters of ports are not read: the driver has no way (napalm/nxos/nxos.py, no get_interfaces_counters).",
        undrained.NO_DRAIN,
    ),
    drain=undrained.drain,
    signs=undrained.SIGNS,
    seen=undrained.seen,
)
