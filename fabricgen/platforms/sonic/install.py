"""How SONiC is installed."""

from fabricgen.platforms.base.install import Install

INSTALL = Install(
    "the shell of SONiC",
    ("sudo config save -y", "sudo sonic-installer install -y URL", "sudo reboot"),
    "github.com/sonic-net/sonic-utilities, sonic_installer/main.py: install takes a file or a URL and keeps the "
    "configuration",
)
