"""One adapter an operating system, and what each can do."""

from fabricgen.platforms.eos import EOS
from fabricgen.platforms.frr import FRR
from fabricgen.platforms.platform import Platform

PLATFORMS: dict[str, Platform] = {platform.name: platform for platform in (EOS, FRR)}
"""Every platform by its name. Adding one is one folder, one adapter and one word here."""
