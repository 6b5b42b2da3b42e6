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
    "read 2026-11-30; which release over which: What's New of 512 (07e14210), 514 (00e6d395), 515 (046c6a19) and 516 "
    "(03700e50); of 513 not found",
    {"5.12": "5.11", "5.14": "5.12", "5.15": "5.12", "5.16": "5.14"},
)
