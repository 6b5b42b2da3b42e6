"""The fan-out to a driver that tells answers apart: all is asked at once, and one that fails takes no other with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from napalm.base.exceptions import ConnectionException

from fabricgen.platforms.base.live.reader import Output
from fabricgen.verify.collect.store import Failure
from tests.verify.doubles import install, inventory, targets, well
from tests.verify.test_collection import CANARY, kept, run


class Row(NamedTuple):
    """What a double's `answers` gives."""

    value: object
    error: str = ""


def _said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Mapping[str, Row] | Exception) -> list[str]:
    """Collect from a double that answers so, and by `cli` what is well; commands that `cli` was asked."""
    alone: list[str] = []

    def one(command: str) -> object:
        alone.append(command)
        return well(command)

    def answers(self: object, asked: Mapping[str, str]) -> Mapping[str, Row]:
        assert asked == {"show version": "json", "show routes": "text", "show running-config": "text"}
        if isinstance(rows, Exception):
            raise rows
        return rows

    driver = install(monkeypatch, {"one": one})
    monkeypatch.setattr(driver, "answers", answers, raising=False)
    monkeypatch.setenv("CANARY", CANARY)
    site = inventory(tmp_path / "site", "one", defaults='username: verify\npassword: "${env:CANARY}"\n')
    assert run(site, targets("one"), tmp_path / "out") == ["one"]
    return alone


def test_what_fails_has_its_error_and_what_is_missing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"show version": Row({"version": "2"}), "show routes": Row(None, f"login {CANARY}\n failed")}
    assert _said(tmp_path, monkeypatch, rows) == ["show running-config"]
    assert kept(tmp_path / "out", "one").outputs == {
        "show version": Output({"version": "2"}),
        "show routes": Output(None, "login <removed> failed"),
        "show running-config": Output("show running-config\n"),
    }


def test_where_all_fail_the_switch_answers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("show version", "show routes", "show running-config")
    assert _said(tmp_path, monkeypatch, dict.fromkeys(names, Row(None, "no"))) == []
    assert kept(tmp_path / "out", "one").failure == Failure("no-answer", "no")


def test_a_switch_that_does_not_answer_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _said(tmp_path, monkeypatch, ConnectionException(f"{CANARY} is not let in")) == []
    assert kept(tmp_path / "out", "one").failure == Failure("unreachable", "<removed> is not let in")
