"""A push and `napalm_sonic`: timed commits that a timer of the switch ends, known by the message that lies with them.

The driver has the methods of `napalm_frr` beyond NAPALM's, so that what a push does with it is the same.
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
