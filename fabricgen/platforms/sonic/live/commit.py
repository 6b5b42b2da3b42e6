"""Commit operations of a push with `napalm_sonic`: a timer on the switch reverts timed commits, known by their message.

The driver has the same methods beyond NAPALM's as `napalm_frr`, so a push uses both in the same way.
"""

from dataclasses import replace

from fabricgen.platforms.base.live.commit_operations import ErrorPattern
from fabricgen.platforms.linux.live import commit

OPERATIONS = replace(
    commit.OPERATIONS,
    patterns=(
        ErrorPattern("LeasedError", "", "leased"),
        # Texts of napalm_frr, ssh.py, and of napalm_sonic, lifecycle.py.
        ErrorPattern("ConnectionException", r"host key|known_hosts", "host-key"),
        ErrorPattern("CommitError", r"out of reach|could not be put back whole", "lost"),
        ErrorPattern("", r"startup file could not be written|is its disk full", "unsaved"),
    ),
)
