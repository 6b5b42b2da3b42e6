"""How NX-OS is installed."""

from fabricgen.platforms.base.install import Install

INSTALL = Install(
    "NX-OS",
    ("copy URL bootflash: vrf management", "copy running-config startup-config", "install all nxos bootflash:IMAGE"),
    "Cisco Nexus 9000 NX-OS Software Upgrade and Downgrade Guide, Release 10.6(x): `install all` restarts the switch",
)
