"""Edits use words that the systems know: published models and programs take an edited file as they took the file.

A fault that a system would refuse to load is none that an audit meets. EOS, NX-OS and NVUE have no judge here.
"""

import re
from collections.abc import Callable, Mapping
from types import ModuleType

import pytest

from tests.audit.seeded import sites
from tests.audit.seeded.catalogue import HARMLESS, ROWS, edited, site_of
from tests.audit.seeded.row import Seeded, file_of
from tests.judges import frr, interfaces, junos, sonic, srlinux
from tests.some import LONG
from tests.srlinux import xgs

Judge = Callable[[str], list[str]]

JUDGES: Mapping[str, tuple[ModuleType, Judge]] = {
    "config_db.json": (sonic, lambda text: sonic.faults(text, "master")),
    "config.json": (srlinux, xgs.faults),
    "juniper.conf": (junos, junos.faults),
    "frr.conf": (frr, lambda text: list(frr.dry_run(text))),
    "interfaces": (interfaces, lambda text: list(interfaces.syntax(text))),
}
"""File → its judge, and what it says of a text."""
CASES = [
    pytest.param(system, file, stride, marks=LONG if stride == 1 else (), id=f"{system}-{file}-{stride}")
    for system, file in (
        ("frr", "frr.conf"),
        ("frr", "interfaces"),
        ("sonic", "config_db.json"),
        ("srlinux", "config.json"),
        ("junos", "juniper.conf"),
    )
    for stride in (24, 1)
]


@pytest.mark.parametrize(("system", "file", "stride"), CASES)
def test_a_system_takes_the_edited_file(
    system: str, file: str, stride: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    module, judge = JUDGES[file]
    if reason := module.available():
        pytest.skip(f"judge: {reason}")
    right: set[str] = set()
    rendered: dict[str, Mapping[str, Mapping[str, str]]] = {}
    rows = [row for row in (*ROWS[system], *HARMLESS[system]) if row.file in ("", file) and not _is_shown(row)]
    for row in rows[::stride]:
        if row.variant not in rendered:
            folder = tmp_path_factory.mktemp(f"{system}{row.variant}")
            rendered[row.variant] = sites.render(site_of(row, folder), folder / "out")
        before = rendered[row.variant][row.switch]
        assert file_of(row, before) == file
        if before[file] not in right:
            assert judge(_filled(before[file])) == [], row.switch
            right.add(before[file])
        assert judge(_filled(edited(row, before)[file])) == [], row


def _filled(text: str) -> str:
    """A file with something in place of its references to secrets, as a switch gets it."""
    return re.sub(r"\$\{env:\w+\}", "s0mesecret", text)


def _is_shown(row: Seeded) -> bool:
    """Whether a row is what a switch shows and nothing that is loaded."""
    return row.system == "frr" and row.kind == "header"
