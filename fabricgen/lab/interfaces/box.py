"""Files and programs of a switch in a lab: its files at Debian's paths, and the programs that apply them.

The programs come before the host's own in the switch's PATH. Those of ifupdown2 are ifreload.py. `sysctl` ignores
settings that a network namespace does not have, and sets the others in the namespaces of VRFs, too.
"""

import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import fabricgen
from fabricgen.lab.host.place import NETWORK, PROGRAMS, SETTINGS, LabPlace
from fabricgen.lab.host.spaces import host_run
from fabricgen.lab.interfaces import ifupdown
from fabricgen.lab.interfaces.switch_notes import FOLDER

INTERFACES, KERNEL = "interfaces", "90-fabric.conf"
"""Files of a switch, below /etc/network and /etc/sysctl.d."""
IFUPDOWN = ("ifreload", "ifquery", "ifdown")
CALL = """#!/bin/sh
exec env PYTHONPATH={path} {folder} {python} -P -m fabricgen.lab.interfaces.ifreload {arguments} {program} "$@"
"""
SYSCTL = """#!/bin/sh
for found in /run/netns/*; do
  if [ -e "$found" ]; then nsenter --net="$found" {sysctl} -e "$@" >/dev/null; fi
done
exec {sysctl} -e "$@"
"""


def write_box(place: LabPlace, name: str, files: Mapping[str, str], kind: str) -> None:
    """Write a switch's files and programs, before its namespaces are made.

    files  rendered, by name
    kind   of the kernel, PLAIN or FULL
    """
    folder = place.files(name)
    for part in (NETWORK, SETTINGS, PROGRAMS, FOLDER):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / NETWORK / INTERFACES).write_text(files["interfaces"], encoding="utf-8")
    (folder / SETTINGS / KERNEL).write_text(files["sysctl.conf"], encoding="utf-8")
    for program, text in _programs(place, name, kind).items():
        path = folder / PROGRAMS / program
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)


def _programs(place: LabPlace, name: str, kind: str) -> dict[str, str]:
    """Text of each program."""
    values = {
        "path": shlex.quote(str(Path(fabricgen.__file__).parents[1])),
        "folder": f"{ifupdown.FOLDER}={shlex.quote(str(ifupdown.folder()))}",
        "python": shlex.quote(sys.executable),
        "arguments": shlex.join([kind, name, str(place.files(name)), place.id, host_run()]),
    }
    sysctl = SYSCTL.format(sysctl=shlex.quote(shutil.which("sysctl") or "/usr/sbin/sysctl"))
    return {"sysctl": sysctl, **{program: CALL.format(program=program, **values) for program in IFUPDOWN}}
