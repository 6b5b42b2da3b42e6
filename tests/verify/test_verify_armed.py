"""A commit that a switch will end by itself: asked, kept, told by verify and by diff, and never taken for nothing."""

import json
from pathlib import Path

import pytest

from fabricgen.cli.diff.live import _armed
from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.run_marks import Armed, Phase, name_of, run_of
from fabricgen.verify.collect.store import Collected, read, write
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.armed_commit import with_armed

ARMED = Armed("fabricgen 0123456789ab leaf change 77e0", Phase.CHANGES, 61, "alice")
SAID = (
    "a commit of push 0123456789ab (fabricgen 0123456789ab leaf change 77e0) by alice is under way: without "
    "confirmation the switch reverts to its previous configuration in 61 s"
)
NOTHING = SwitchVerdict(device="leaf", passed=(), findings=(), unchecked=())


def collected(armed: Armed | str | None) -> Collected:
    return Collected(device="leaf", system="frr", vrfs={}, armed=armed)


@pytest.mark.parametrize("armed", [ARMED, Armed("", Phase.LOST), "it does not report it", None])
def test_it_is_kept_as_it_was_seen(tmp_path: Path, armed: Armed | str | None) -> None:
    write(tmp_path, collected(armed))
    assert read(tmp_path, "leaf") == collected(armed)


def test_a_collection_without_it_is_as_it_always_was(tmp_path: Path) -> None:
    write(tmp_path, collected(None))
    assert "armed" not in json.loads((tmp_path / "leaf.json").read_text())


@pytest.mark.parametrize("wrong", [{**ARMED._asdict(), "phase": "sleeps"}, {"token": "a"}, 7])
def test_what_is_no_such_thing_is_refused(tmp_path: Path, wrong: object) -> None:
    write(tmp_path, collected(ARMED))
    path = tmp_path / "leaf.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "armed": wrong}))
    with pytest.raises(FabricError, match="cannot be used"):
        read(tmp_path, "leaf")


def test_verify_finds_it() -> None:
    (finding,) = with_armed(NOTHING, ARMED).findings
    assert (finding.code, finding.check, finding.actual) == ("commit-armed", "reachable", SAID)
    assert with_armed(NOTHING, None) == NOTHING


def test_where_it_is_not_known_that_is_said_and_is_no_pass() -> None:
    found = with_armed(NOTHING, "no such command")
    assert found.findings == ()
    assert [(one.check, one.reason) for one in found.unchecked] == [
        ("reachable", "cannot tell whether a commit is waiting: no such command")
    ]


def test_diff_notes_it() -> None:
    assert list(_armed("leaf", collected(ARMED))) == [f"leaf: {SAID}"]
    assert list(_armed("leaf", collected("gone"))) == [
        "leaf: cannot tell whether a commit is waiting for confirmation: gone"
    ]
    assert list(_armed("leaf", collected(None))) == list(_armed("leaf", None)) == []


def test_a_name_says_its_run_as_far_as_it_fits() -> None:
    message = "fabricgen 0123456789ab leaf change 77e0"
    assert run_of(message) == "0123456789ab"
    assert (len(name_of(message)), run_of(name_of(message))) == (26, "01234567")
    assert name_of(message) != name_of(f"{message}1")
    assert [run_of(text) for text in (name_of("by hand"), "by hand", "", "fabricgen-0123", f"{name_of(message)}x")] == [
        ""
    ] * 5
