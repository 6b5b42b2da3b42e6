"""How drivers commit, and what a push does with each, by NAPALM's name of the driver."""

from collections.abc import Mapping

from fabricgen.drivers import eos_box, frr_box, junos_box, nxos_box
from fabricgen.drivers.eos_manner import EOS
from fabricgen.drivers.frr_manner import FRR
from fabricgen.drivers.handling import Handling
from fabricgen.drivers.junos_manner import JUNOS
from fabricgen.drivers.manner import Manner
from fabricgen.drivers.nxos_manner import NXOS

MANNERS: Mapping[str, Manner] = {manner.driver: manner for manner in (EOS, FRR, JUNOS, NXOS)}

HANDLINGS: Mapping[str, Handling] = {
    EOS.driver: eos_box.HANDLING,
    FRR.driver: frr_box.HANDLING,
    JUNOS.driver: junos_box.HANDLING,
    NXOS.driver: nxos_box.HANDLING,
}
