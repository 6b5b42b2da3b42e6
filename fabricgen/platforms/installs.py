"""How a release of each operating system is installed."""

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms import makers
from fabricgen.platforms.base.install import Install

INSTALLS: OnDemand[Install] = OnDemand(makers("install", "INSTALL"))
