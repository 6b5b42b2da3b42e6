"""How Cumulus Linux is installed."""

from fabricgen.platforms.base.install import Install

INSTALL = Install(
    "the shell of Cumulus Linux",
    (
        "nv config save",
        "nv action fetch system image URL",
        "nv action install system image files IMAGE",
        "nv action boot-next system image other",
        "sudo reboot",
    ),
    "github.com/CumulusNetworks/docs, cumulus-linux-511 and 515, Upgrading Cumulus Linux: Optimized Image Upgrade; "
    "read 2026-11-30",
)
