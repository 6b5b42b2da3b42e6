"""How SR Linux is installed."""

from fabricgen.platforms.base.install import Install

INSTALL = Install(
    "SR Linux, with the image in /tmp",
    ("save startup", "tools system deploy-image /tmp/IMAGE reboot"),
    "Nokia SR Linux Software Installation Guide, as public examples quote it (unsure: the guide itself was not read)",
)
