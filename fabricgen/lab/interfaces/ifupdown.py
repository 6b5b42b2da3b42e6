"""Interfaces of a switch as on a real one: ifupdown2 applies the rendered file in the switch's namespaces.

ifupdown2 is unpacked, not installed (`make lab-deps`), and runs in a mount namespace below the switch's own: with its
own settings, state and table names, without the host's files and scripts under /etc/network. State is kept with the
lab, so that interfaces that are removed from the file are taken down the next time.

Three checks, since `ifreload -a` ends with 0 although it skipped something: its syntax check including attribute values
(off as Debian ships it), its messages, and `ifquery -a --check`, which reads back from the kernel.
Source: ifupdown2 3.0.0: ifreload(8), ifquery(8), ifupdown2.conf; tried on Linux 6.1 (UML) with VRF devices and a
VLAN-aware bridge.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.lab.host.place import Space
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.spaces import apply_settings, parse_settings

FOLDER = "FABRICGEN_IFUPDOWN2"
DEFAULT_FOLDER = "/var/lib/fabricgen/ifupdown2"
SETTINGS = Path("etc/network/ifupdown2/ifupdown2.conf")
"""Where the unpacked package reads its settings when /etc/network has none."""
STATE = "ifupdown2"
"""Folder of a switch for ifupdown2's state."""
PYTHON = ("/usr/bin/python3", "-E")
"""Debian's own Python, whatever environment the lab is started from: ifupdown2 needs the standard library only."""
NOT_HERE = re.compile(r"^\s+(link-speed|link-fec)\s.*\n", re.MULTILINE)
"""Lines that are dropped: ethtool cannot set the speed or FEC of a virtual link, and ifreload would fail on each."""
REMARKS = re.compile(
    r"^warning: (\S+: bridge inherits mtu from its ports\.|\S*brctl: missing - bridge operation may not work)"
)
"""No errors: the platform's notes explain the bridge's MTU; brctl only makes bridges without VLANs."""
NOT_YET = re.compile(r"^warning: \S+: interface not recognized")
"""The syntax check prints it for every device that does not exist yet."""

COVER = """
state=$0 folder=$1; shift
if [ -d /etc/network ]; then mount -t tmpfs tmpfs /etc/network || exit 99; fi
if [ -d /etc/iproute2/rt_tables.d ]; then mount --bind "$state/tables" /etc/iproute2/rt_tables.d || exit 99; fi
mount --bind "$state/ifupdown2.conf" "$folder" || exit 99
mkdir -p /run/network && exec "$@" </dev/null
"""
"""Shell lines that hide the host's files from ifupdown2. A mount that fails prints its own error."""
HIDDEN = ("unshare", "--mount", "--propagation", "private", "sh", "-c", COVER)


def build(shell: LabShell, device: Device, files: Mapping[str, str], space: Space, state: Path) -> tuple[str, ...]:
    """Apply settings and interfaces of a switch from its rendered files; return the settings that the kernel lacks.

    files  `sysctl.conf` and `interfaces` by name; the front ports exist
    state  folder of this switch for ifupdown2's state

    The management port, which has no cable in a lab, becomes a dummy device. Raises FabricError for errors of
    ifupdown2, and for differences from the file.
    """
    missing = apply_settings(
        shell, space.enter(), parse_settings(files["sysctl.conf"]), doing=f"settings of {space.name}"
    )
    port = device.management.port
    script = 'ip link show dev "$1" >/dev/null 2>&1 || ip link add name "$1" type dummy'
    shell.must(space.enter("sh", "-c", script, "sh", port), doing=f"management port of {space.name}")
    apply(shell, space, files["interfaces"], state)
    return missing


def apply(shell: LabShell, space: Space, text: str, state: Path) -> None:
    """Apply an interfaces file to a switch. Raises FabricError with every error.

    space  namespaces with their own /run and /sys
    """
    require()
    _write_state(state, text)
    _run(shell, space, state, "ifreload", "-a", "--syntax-check", also=NOT_YET)
    _run(shell, space, state, "ifreload", "-a")
    differences = tuple(faults(shell, space, state))
    if differences:
        raise FabricError(_differs(space.name, difference) for difference in differences)


def faults(shell: LabShell, space: Space, state: Path) -> Iterator[str]:
    """Differences between the kernel and the applied file, such as "swp1 mtu 1500".

    The file is the one that `apply` left in `state`. ifupdown2 does not read back the VLANs of the bridge itself.
    """
    output = _run(shell, space, state, "ifquery", "-a", "--check", "-o", "json")
    for row in json.loads(output or "[]"):
        yield from _failed(row)


def _failed(row: Mapping[str, Any]) -> Iterator[str]:
    """Attributes of one interface that differ; the value is the kernel's, of an address also the file's."""
    if row["status"] == "pass":
        return
    for attribute, verdicts in row["config_status"].items():
        values = row["config"][attribute]
        pairs = zip(values, verdicts, strict=True) if isinstance(verdicts, list) else ((values, verdicts),)
        yield from (f"{row['name']} {attribute} {value}".rstrip() for value, verdict in pairs if verdict == "fail")
    if not row["config_status"]:
        yield f"{row['name']} does not exist"


def _write_state(state: Path, text: str) -> None:
    """Write the file to apply, and ifupdown2's settings: its own except for the paths and the checks."""
    for name in ("state", "tables"):
        (state / name).mkdir(parents=True, exist_ok=True)
    changes = {
        "default_interfaces_configfile": str(state / "interfaces"),
        "state_dir": f"{state / 'state'}/",
        "addon_syntax_check": "1",
        "addon_scripts_support": "0",
    }
    lines = (folder() / SETTINGS).read_text(encoding="utf-8").splitlines()
    unchanged_lines = [line for line in lines if line.partition("=")[0] not in changes]
    settings = [*unchanged_lines, *(f"{key}={value}" for key, value in changes.items())]
    (state / "ifupdown2.conf").write_text("\n".join(settings) + "\n", encoding="utf-8")
    (state / "interfaces").write_text(NOT_HERE.sub("", text), encoding="utf-8")


def call(shell: LabShell, space: Space, state: Path, text: str, *command: str) -> CompletedProcess[str]:
    """Run a program of ifupdown2 with a file, as a real switch does; the caller must check its output and exit status.

    command  program and arguments: "ifquery", "-a", "--check"
    """
    require()
    _write_state(state, text)
    return _call(shell, space, state, *command)


def _call(shell: LabShell, space: Space, state: Path, program: str, *arguments: str) -> CompletedProcess[str]:
    """Run a program with the host's files hidden."""
    argv = (*PYTHON, str(folder() / "sbin" / program), *arguments)
    return shell.run(space.enter(*HIDDEN, str(state), str(folder() / SETTINGS), *argv))


def _run(
    shell: LabShell, space: Space, state: Path, program: str, *arguments: str, also: re.Pattern[str] = REMARKS
) -> str:
    """Run a program of ifupdown2 and return its output. Raises FabricError with its errors.

    also  messages that are no errors, in addition to REMARKS

    The exit status is 1 also after a remark, and where a check fails.
    """
    result = _call(shell, space, state, program, *arguments)
    lines = [line.strip() for line in result.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if not REMARKS.match(line) and not also.match(line)]
    if result.returncode and not lines and not result.stdout.strip():
        errors = [f"{program} ended with {result.returncode} and printed nothing"]
    if errors:
        raise FabricError(_refused(space.name, line) for line in errors)
    return result.stdout


def folder() -> Path:
    """Folder of the unpacked ifupdown2."""
    return Path(os.environ.get(FOLDER, DEFAULT_FOLDER))


def require() -> None:
    """Raise FabricError where ifupdown2 is not unpacked."""
    if not (folder() / SETTINGS).is_file() or not (folder() / "sbin/ifreload").exists():
        raise FabricError.of(
            code="lab-ifupdown2",
            what="ifupdown2 is not installed; it configures the interfaces of the switches",
            why=f"{folder()} does not have it",
            fix=f"run make lab-deps, or set {FOLDER} to its folder",
        )


def _refused(name: str, message: str) -> Problem:
    return Problem(
        code="lab-interfaces",
        what=f"{name}: ifupdown2 rejects its interfaces file",
        why=message,
        fix="correct the reported line if it is from `raw` in the intent, else report the template",
    )


def _differs(name: str, fault: str) -> Problem:
    return Problem(
        code="lab-interfaces",
        what=f"{name}: interfaces differ from their file after it was applied",
        why=f"ifquery --check: {fault}",
        fix="run it again on a kernel for which `lab up` reports full support, or report the template",
    )
