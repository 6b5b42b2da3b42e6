"""Every platform that containerlab can run, and how."""

from collections.abc import Mapping

from fabricgen.platforms import eos_containerlab, frr_containerlab
from fabricgen.platforms.containerlab import Kind, Release
from fabricgen.platforms.eos import EOS
from fabricgen.platforms.frr import FRR

KINDS: Mapping[str, tuple[Kind, ...]] = {EOS.name: eos_containerlab.KINDS, FRR.name: frr_containerlab.KINDS}
"""Platform → its kinds, oldest first. A platform without a row can not be exported."""


def kind_of(platform: str, release: Release) -> Kind | None:
    """The kind of a platform in a release; None where there is none."""
    return next((kind for kind in KINDS.get(platform, ()) if kind.holds(release)), None)
