"""How Junos is installed."""

from fabricgen.platforms.base.install import Install

INSTALL = Install(
    "Junos, operational mode",
    ("file copy URL /var/tmp/IMAGE", "request system software add /var/tmp/IMAGE", "request system reboot"),
    "juniper.net, request system software add; Junos OS Evolved Software Installation and Upgrade Guide; read "
    "2026-11-30",
)
