"""One adapter an operating system, and what each can do."""

from fabricgen.platforms.cumulus import CUMULUS
from fabricgen.platforms.eos import EOS
from fabricgen.platforms.frr import FRR
from fabricgen.platforms.junos import JUNOS
from fabricgen.platforms.nxos import NXOS
from fabricgen.platforms.platform import Platform
from fabricgen.platforms.sonic import SONIC
from fabricgen.platforms.srlinux import SRLINUX

PLATFORMS: dict[str, Platform] = {
    platform.name: platform for platform in (EOS, FRR, SONIC, CUMULUS, JUNOS, SRLINUX, NXOS)
}
"""Every platform by its name. Adding one is one folder, one adapter and one word here."""
