"""How Batfish reads each platform."""

from collections.abc import Mapping

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms import makers
from fabricgen.platforms.base.batfish import BatfishReading

READINGS: Mapping[str, BatfishReading] = OnDemand(makers("batfish"))
