"""How each platform's text is read back, by the platform's name: see readback/platform.py and platforms/*/readback/."""

from collections.abc import Mapping

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms import makers_of_some
from fabricgen.readback.platform import Readback

READBACKS: Mapping[str, Readback] = OnDemand(makers_of_some("readback.readback"))
