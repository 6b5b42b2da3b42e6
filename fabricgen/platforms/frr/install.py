"""How FRR is installed on Debian."""

from fabricgen.platforms.base.install import Install

INSTALL = Install(
    "the shell, as root",
    ("apt-get update", "apt-get install --yes frr=VERSION frr-pythontools=VERSION"),
    "apt-get(8); the package restarts the daemons (debian/frr.postinst of FRR)",
)
