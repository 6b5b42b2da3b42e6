"""Judge the text of /etc/network/interfaces with ifupdown2's own parser: text to complaints.

Debian's ifupdown2 is unpacked into a private folder by `.ci/lab-deps.sh`. It runs in network and mount
namespaces of its own, so it neither sees nor writes this machine's links, state, policy or lock files.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(os.environ.get("FABRICGEN_IFUPDOWN2", "/var/lib/fabricgen/ifupdown2"))
PACKAGE = FOLDER / "usr/share/ifupdown2"  # as the Debian package lays it out
SETTINGS = FOLDER / "etc/network/ifupdown2/ifupdown2.conf"
ADDONS = FOLDER / "etc/network/ifupdown2/addons.conf"
PYTHON = "/usr/bin/python3"  # ifupdown2 needs the standard library only, and no virtual environment

SECONDS = 30  # a file of 200 interfaces takes less than one
NOT_STARTED = 99  # exit status of COVER; ifupdown2's own are 0 and 1

# Remarks that are no fault. ifupdown2 says a bridge takes its MTU from its ports, but it makes the bridge's VLAN
# interfaces before the last port has its MTU: without a line of its own the bridge stays at 1500 octets and refuses
# the VLAN interfaces' larger MTU (ifupdown2 3.0.0 on Linux 6.1).
REMARKS = re.compile(r"^warning: \S+: bridge inherits mtu from its ports\.")

# The machine's own files are covered before ifupdown2 starts; the covers end with the namespace. Debian ships
# the values of attributes unchecked (addon_syntax_check=0).
COVER = f"""
mount -t tmpfs none /run && mkdir /run/network && mount -t tmpfs none /var/tmp || exit {NOT_STARTED}
if [ -d /etc/network ]; then mount -t tmpfs none /etc/network || exit {NOT_STARTED}; fi
sed 's/^addon_syntax_check=.*/addon_syntax_check=1/' '{SETTINGS}' >/run/ifupdown2.conf || exit {NOT_STARTED}
exec '{PYTHON}' -B -c "$0"
"""

# ifupdown2 reads fixed paths under /etc; these point it at the unpacked files.
START = f"""
import importlib.util, sys
sys.path.insert(0, {str(PACKAGE)!r})
import ifupdown.config
ifupdown.config.IFUPDOWN2_CONF_PATH = "/run/ifupdown2.conf"
ifupdown.config.ADDONS_CONF_PATH = {str(ADDONS)!r}
sys.argv = ["ifup", "-a", "-s", "-i", "-"]
spec = importlib.util.spec_from_file_location("start", {str(PACKAGE / "__main__.py")!r})
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
sys.exit(start.main())
"""


ALIAS = (
    COVER.replace("exec ", "mount -t sysfs none /sys && ip link add swp1 type veth peer swp2 || exit 99\n")
    + "\ncat /sys/class/net/swp1/ifalias\n"
)
APPLY = START.replace('["ifup", "-a", "-s", "-i", "-"]', '["ifup", "-a", "-i", "-"]')


def kernel_alias(text: str) -> str:
    """The alias that the kernel has after ifupdown2 has applied a file whose port swp1 has this text."""
    file = f"auto swp1\niface swp1\n    alias {text}\n"
    command = ["unshare", "--mount", "--net", "--propagation", "private", "sh", "-c", ALIAS, APPLY]
    done = subprocess.run(command, input=file, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        raise RuntimeError(f"ifupdown2 did not run: exit status {done.returncode}: {done.stderr}")
    return done.stdout.removesuffix("\n")


def available() -> str | None:
    """Why this judge cannot work here, or None when it can."""
    if os.geteuid() != 0:
        return "ifupdown2's syntax check needs root"
    if not (PACKAGE / "__main__.py").is_file():
        return f"ifupdown2 is not unpacked in {FOLDER}: run make lab-deps"
    if shutil.which("unshare") is None:
        return "unshare (Debian package util-linux) is not installed"
    return None


def syntax(text: str) -> tuple[str, ...]:
    """Complaints of `ifup -a -s` about a whole interfaces file, in the order printed; () when it is accepted.

    Found: malformed stanzas, unknown attributes, values outside an attribute's range or list. Not found: references
    to interfaces the file does not hold. Raises RuntimeError when ifupdown2 could not be run.
    """
    command = ["unshare", "--mount", "--net", "--propagation", "private", "sh", "-c", COVER, START]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False)
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    if done.returncode == NOT_STARTED or "Traceback" in done.stderr:
        raise RuntimeError(f"ifupdown2 did not run: exit status {done.returncode}: {done.stderr}")
    if done.returncode and not lines:
        return (f"refused without a word, exit status {done.returncode}",)
    return tuple(line for line in lines if not REMARKS.match(line))  # a remark, too, makes the exit status 1
