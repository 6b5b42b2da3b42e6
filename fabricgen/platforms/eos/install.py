"""How EOS is installed."""

from fabricgen.platforms.base.install import Install

INSTALL = Install(
    "EOS, enabled",
    ("copy URL flash:", "configure", "boot system flash:IMAGE", "end", "write memory", "reload"),
    "EOS user manual, Upgrades and Downgrades (arista.com/en/um-eos/eos-upgradedowngrade-overview), read 2026-11-30: "
    "the image is copied to flash, boot-config names it, the switch is reloaded",
)
