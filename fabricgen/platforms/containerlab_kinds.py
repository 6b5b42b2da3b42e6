"""Every platform that containerlab can run, and how."""

from collections.abc import Mapping

from fabricgen.platforms import (
    cumulus_containerlab,
    eos_containerlab,
    frr_containerlab,
    nxos_containerlab,
    srlinux_containerlab,
)
from fabricgen.platforms.containerlab import Kind, Release
from fabricgen.platforms.cumulus import CUMULUS
from fabricgen.platforms.eos import EOS
from fabricgen.platforms.frr import FRR
from fabricgen.platforms.junos import JUNOS
from fabricgen.platforms.nxos import NXOS
from fabricgen.platforms.sonic import SONIC
from fabricgen.platforms.srlinux import SRLINUX

KINDS: Mapping[str, tuple[Kind, ...]] = {
    EOS.name: eos_containerlab.KINDS,
    FRR.name: frr_containerlab.KINDS,
    SRLINUX.name: srlinux_containerlab.KINDS,
    NXOS.name: nxos_containerlab.KINDS,
    CUMULUS.name: cumulus_containerlab.KINDS,
}
"""Platform → its kinds, oldest first. A platform without a row can not be exported."""

REFUSALS: Mapping[str, str] = {
    SONIC.name: (
        "sonic-vm adds config_db.json to what its image comes with, neighbors and addresses of another box among them "
        "(vrnetlab 9b1495fd, sonic/docker/backup.sh: `config load`), reads no frr.conf, and calls its ports Ethernet0, "
        "Ethernet4 and so on; of sonic-vs containerlab's manual has no startup configuration at all"
    ),
    JUNOS.name: (
        "juniper_vjunosevolved has twelve ports, et-0/0/0 to et-0/0/11, and none of them divided; "
        "juniper_vjunosswitch is an EX9214 whose ports are ge-0/0/N (containerlab's manual), and which lines of a QFX "
        "either takes was found nowhere"
    ),
}
"""Platform that containerlab has nodes for → why a switch of ours can not be one, as its documents of 0.79 have it."""


def kind_of(platform: str, release: Release) -> Kind | None:
    """The kind of a platform in a release; None where there is none."""
    return next((kind for kind in KINDS.get(platform, ()) if kind.holds(release)), None)
