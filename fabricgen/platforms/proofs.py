"""What is claimed of each platform and can be tried, by the platform's name: see base/live/proof.py."""

from collections.abc import Mapping

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms import makers
from fabricgen.platforms.base.live.proof import ProofTable

PROOFS: Mapping[str, ProofTable] = OnDemand(makers("live.proof"))
