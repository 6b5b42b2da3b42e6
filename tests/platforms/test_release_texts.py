"""The texts of two neighboring releases differ in the lines that the table of a platform names, and in no other."""

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.release import Difference
from tests.release_lines import neighbors, rows_between, switches, text_of, unexplained, unused
from tests.some import some

TEXTS = ("eos", "frr", "nxos")
"""Platforms whose table has one line a row."""
MOST = 4
"""Switches of a platform that a waived release is tried on."""
PAIRS = [(name, *pair) for name in TEXTS for pair in neighbors(name)]


@pytest.mark.parametrize(("name", "older", "newer"), some(PAIRS, of=4))
def test_releases_differ_in_the_lines_of_the_table(name: str, older: str, newer: str) -> None:
    rows = rows_between(name, older, newer)
    texts = [(text_of(device, older), text_of(device, newer)) for device in switches(name)]
    assert [line for pair in texts for line in unexplained(rows, *pair)] == []
    assert unused(rows, *("".join(side) for side in zip(*texts, strict=True))) == []


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_waived_release_before_the_known_ones_has_the_lines_of_the_oldest(name: str) -> None:
    """`waivers: [{code: unsupported-version}]` accepts any release."""
    oldest = PLATFORMS[name].versions[0]
    for device in switches(name)[:MOST]:
        early, known = (device._replace(version=version) for version in ("0.1", oldest))
        assert len([*PLATFORMS[name].limits(early)]) == len([*PLATFORMS[name].limits(known)])
        assert PLATFORMS[name].secrets("0.1").keys() == PLATFORMS[name].secrets(oldest).keys()
        assert unexplained([], text_of(device, "0.1"), text_of(device, oldest)) == []


ROW = Difference("2", "source", "logging vrf V source-interface P", "logging vrf V local-interface P", "manual")
OLD, NEW = "logging vrf M source-interface M1\n! 1\n", "logging vrf M local-interface M1\n! 2\n"


@pytest.mark.parametrize(
    ("rows", "older", "newer", "seen"),
    [
        ([ROW], OLD, NEW, []),
        ([], OLD, NEW, ["gone: logging vrf M source-interface M1", "came: logging vrf M local-interface M1"]),
        ([ROW], OLD, f"{NEW}more\n", ["came: more"]),
        ([ROW], f"{OLD}more\n", NEW, ["gone: more"]),
        ([ROW], f"{OLD}a\nb\n", f"{NEW}b\na\n", ["gone: b", "came: b"]),
    ],
)
def test_a_line_that_no_row_names_is_seen(rows: list[Difference], older: str, newer: str, seen: list[str]) -> None:
    assert unexplained(rows, older, newer) == seen


def test_a_row_without_a_line_is_seen() -> None:
    assert unused([ROW], OLD, NEW) == []
    assert unused([ROW], OLD, OLD) == [f"before: {ROW.before}", f"after: {ROW.after}"]
