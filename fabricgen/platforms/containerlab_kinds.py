"""Every platform that containerlab can run, and how."""

from collections.abc import Mapping

from fabricgen.platforms import eos_containerlab, frr_containerlab, nxos_containerlab, srlinux_containerlab
from fabricgen.platforms.containerlab import Kind, Release
from fabricgen.platforms.eos import EOS
from fabricgen.platforms.frr import FRR
from fabricgen.platforms.nxos import NXOS
from fabricgen.platforms.srlinux import SRLINUX

KINDS: Mapping[str, tuple[Kind, ...]] = {
    EOS.name: eos_containerlab.KINDS,
    FRR.name: frr_containerlab.KINDS,
    SRLINUX.name: srlinux_containerlab.KINDS,
    NXOS.name: nxos_containerlab.KINDS,
}
"""Platform → its kinds, oldest first. A platform without a row can not be exported."""


def kind_of(platform: str, release: Release) -> Kind | None:
    """The kind of a platform in a release; None where there is none."""
    return next((kind for kind in KINDS.get(platform, ()) if kind.holds(release)), None)
