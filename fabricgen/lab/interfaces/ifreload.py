"""Programs of ifupdown2 inside a switch of a lab: `ifreload -a` applies /etc/network/interfaces.

If the kernel supports everything in the file, they are ifupdown2's own. On a kernel without VRF devices, `ifreload -a`,
`ifreload -a --syntax-check` and `ifquery -a --check` are supported: silent with status 0 on success, otherwise with
errors and status 1. Only files that fabricgen rendered for this lab are known: replacements of VRFs and VLANs are
computed beforehand (`follow.prepare`). A file is applied completely or not at all.
Source: ifreload(8) and ifquery(8) of ifupdown2 3.0.0.
"""

import sys
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.lab.host.place import Space
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.spaces import parse_settings
from fabricgen.lab.interfaces import ifupdown
from fabricgen.lab.interfaces.box import INTERFACES, KERNEL
from fabricgen.lab.interfaces.bring import SwitchPorts, bring
from fabricgen.lab.interfaces.switch_notes import FOLDER, digest, interfaces_lock, read_layout, read_notes, read_pairs
from fabricgen.lab.interfaces.units import KernelObject, change, whole
from fabricgen.lab.model.lab import FULL

FILE = Path("/etc/network") / INTERFACES
SETTINGS = Path("/etc/sysctl.d") / KERNEL
OWN = Path("/proc/self/ns")
IMPORTS = "--fabricgen-imports"
"""Argument that no real `ifreload` has: apply the VRF imports, and not the file, which may be another one by now."""
LEADING = 5
"""Number of words that the switch's own programs put before their name and the caller's arguments; see box.py."""


def main(argv: list[str]) -> int:
    """Run a program, and return its exit status.

    argv  kind of kernel, the switch's name, its folder, the lab's id, result of spaces.host_run outside of it; then
          the program and its arguments
    """
    kind, name, folder, mark, outside = argv[:LEADING]
    space = Space(name, "", OWN / "net", OWN / "uts", OWN / "mnt")
    try:
        notes = Path(folder) / FOLDER
        with interfaces_lock(notes) as lock:
            box = SwitchPorts(LabShell(mark, (lock,)), space, _settings(), notes, outside)
            return _full(box, argv[LEADING:]) if kind == FULL else _plain(box, argv[LEADING:])
    except FabricError as error:
        for problem in error.problems:
            _complain(f"error: {problem.what}: {problem.why}")
        return 1


def _full(box: SwitchPorts, command: list[str]) -> int:
    result = ifupdown.call(box.shell, box.space, box.folder.parent / ifupdown.STATE, _text(), *command)
    sys.stdout.write(result.stdout)
    sys.stderr.write(result.stderr)
    return result.returncode


def _plain(box: SwitchPorts, command: list[str]) -> int:
    if command == ["ifreload", "-a"]:
        file = digest(_text())
        bring(box, _wanted(box, file), file)
    elif command == ["ifreload", "-a", "--syntax-check"]:
        _wanted(box, digest(_text()))
    elif command == ["ifreload", IMPORTS]:
        # Apply other VRF imports to the file that was applied last. After a killed run the caller must repeat that run.
        notes = read_notes(box.folder)
        if not notes.unsure:
            bring(box, _wanted(box, notes.file), notes.file)
    elif command == ["ifquery", "-a", "--check"]:
        # Compare with the notes, as ifquery also reports interfaces that do not exist.
        touched = change(read_notes(box.folder), _wanted(box, digest(_text()))).touched
        names = sorted({key.split()[0] for key in touched})
        sys.stdout.writelines(f"iface {name}    [fail]\n" for name in names)
        return 1 if names else 0
    else:
        _complain(f"error: {' '.join(command)}: not supported on a switch of this lab")
        return 1
    return 0


def _wanted(box: SwitchPorts, file: str) -> tuple[KernelObject, ...]:
    """Units of the interfaces file with this digest. Raises FabricError where it is not known."""
    layout = read_layout(box.folder, file)
    if layout is None:
        raise FabricError.of(
            code="lab-interfaces",
            what=f"{box.space.name} does not support this interfaces file",
            why="without VRF devices this lab supports only interfaces files that fabricgen rendered for it",
            fix="change the intent and push it, or use a kernel for which `lab up` reports full support",
        )
    return whole(layout, read_pairs(box.folder))


def _text() -> str:
    try:
        return FILE.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FabricError.of(
            code="lab-interfaces", what=f"{FILE} cannot be read", why=str(error), fix="restore the rendered file"
        ) from None


def _settings() -> dict[str, str]:
    try:
        return parse_settings(SETTINGS.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def _complain(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
