"""Where a NAPALM-shaped driver of this project's own is, for systems of which NAPALM brings none that is safe.

`napalm.get_network_driver` finds drivers by names of top-level modules alone, so a connection asks this table first.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Class(NamedTuple):
    """A class by its module, which is imported when a switch is opened."""

    module: str
    name: str


DRIVERS: Mapping[str, Class] = {
    "sonic": Class("fabricgen.drivers.napalm_sonic", "SonicDriver"),
    "cumulus": Class("fabricgen.drivers.napalm_cumulus", "CumulusDriver"),
    "srlinux": Class("fabricgen.drivers.napalm_srlinux", "SRLinuxDriver"),
    "junos": Class("fabricgen.drivers.napalm_junos", "CheckedJunOSDriver"),
}
"""By the driver's name, as an inventory has it."""
