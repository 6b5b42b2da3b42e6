"""A push and `napalm_sonic`: timed commits that a timer of the switch ends, known by the message that lies with them.

The driver has the methods of `napalm_frr` beyond NAPALM's, so that what a push does with it is the same.
"""

from dataclasses import replace

from fabricgen.drivers import frr_box
from fabricgen.drivers.handling import Telling

HANDLING = replace(
    frr_box.HANDLING,
    tellings=(
        Telling("LeasedError", "", "leased"),
        # Texts of napalm_frr, ssh.py, and of napalm_sonic, lifecycle.py.
        Telling("ConnectionException", r"host key|known_hosts", "host-key"),
        Telling("CommitError", r"out of reach|could not be put back whole", "lost"),
        Telling("", r"startup file could not be written|is its disk full", "unsaved"),
    ),
)
