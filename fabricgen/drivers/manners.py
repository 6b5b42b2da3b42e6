"""How drivers commit, and what a push does with each, by NAPALM's name of the driver."""

from collections.abc import Mapping

from fabricgen.drivers import cumulus_box, eos_box, frr_box, junos_box, nxos_box, sonic_box, srlinux_box
from fabricgen.drivers.cumulus_manner import CUMULUS
from fabricgen.drivers.eos_manner import EOS
from fabricgen.drivers.frr_manner import FRR
from fabricgen.drivers.handling import Handling
from fabricgen.drivers.junos_manner import JUNOS
from fabricgen.drivers.manner import Manner
from fabricgen.drivers.nxos_manner import NXOS
from fabricgen.drivers.sonic_manner import SONIC
from fabricgen.drivers.srlinux_manner import SRLINUX
from fabricgen.errors import FabricError, Problem

MANNERS: Mapping[str, Manner] = {manner.driver: manner for manner in (CUMULUS, EOS, FRR, JUNOS, NXOS, SONIC, SRLINUX)}

HANDLINGS: Mapping[str, Handling] = {
    CUMULUS.driver: cumulus_box.HANDLING,
    EOS.driver: eos_box.HANDLING,
    FRR.driver: frr_box.HANDLING,
    JUNOS.driver: junos_box.HANDLING,
    NXOS.driver: nxos_box.HANDLING,
    SONIC.driver: sonic_box.HANDLING,
    SRLINUX.driver: srlinux_box.HANDLING,
}


def manner_of(driver: str) -> Manner:
    """Return how a driver commits. Raises FabricError where nothing is known of it."""
    if driver not in MANNERS:
        problem = Problem(
            code="no-manner",
            what=f"nothing is known of how {driver} commits",
            why=f"drivers that push knows: {', '.join(sorted(MANNERS))}",
            fix=f"add what a push does with {driver} (docs/adding.md), or name other switches with --devices",
        )
        raise FabricError([problem])
    return MANNERS[driver]
