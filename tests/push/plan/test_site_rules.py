"""What has changed in the rules of a push since they were approved, in words."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fabricgen.operation.push.rules_file import read_rules
from fabricgen.push.plan.site_rules import FILE, FREEZE, as_approved, changed, freezes, lifted, plain

RULES = """\
soak: 1
freeze: [{from: "2020-12-20T18:00+01:00", until: "2021-01-04T06:00+01:00", why: year end}]
hooks: {wave-begins: {command: [./ask, noc], timeout: 90}}
counters: {window: 1, limits: {crc: {revert: 5}}}
"""
FROM, UNTIL = "2020-12-20T18:00+01:00", "2021-01-04T06:00+01:00"
GIVEN = {"leaf-0": {"hitless": 5}, "leaf-1": None}


def rules(folder: Path, text: str, given: Mapping[str, object] = GIVEN) -> dict[str, object]:
    """As an approval has them, read and written again as a journal keeps them."""
    (folder / FILE).write_text(text)
    found = plain(read_rules(folder), given)
    return dict(json.loads(json.dumps(found)))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("revert: 5", "revert: 500000", ["counters.limits.crc.revert was 5, and is 500000"]),
        ("crc: {revert: 5}", "", ["counters.limits.crc.revert was 5, and is 0.1"]),  # as without a word of the site
        ("revert: 5", "warn: 5", [
            "counters.limits.crc.warn was nothing, and is 5",
            "counters.limits.crc.revert was 5, and is nothing",
        ]),
        ("window: 1", "window: 600", ["counters.window was 1, and is 600"]),
        ("soak: 1", "soak: 0", ["soak was 1, and is 0"]),
        ("T06:00", "T05:00", []),  # see below
        ("noc]", "others]", ["hooks.wave-begins.command was ./ask; noc, and is ./ask; others"]),
        ("wave-begins", "run-ended", [
            "hooks.wave-begins.command was ./ask; noc, and is nothing",
            "hooks.wave-begins.timeout was 90, and is nothing",
            "hooks.run-ended.command was nothing, and is ./ask; noc",
            "hooks.run-ended.timeout was nothing, and is 90",
        ]),
        ("soak: 1\n", "", ["soak was 1, and is 0"]),
        ("soak: 1", "# two minutes\nsoak: 1.0", []),
        ("year end}]", "year end}]  # of 2020", []),
    ],
)  # fmt: skip
def test_what_push_yaml_says_otherwise_is_named(tmp_path: Path, old: str, new: str, told: list[str]) -> None:
    approved, now = rules(tmp_path, RULES), rules(tmp_path, RULES.replace(old, new))
    assert list(changed(approved, now)) == [f"push.yaml: {words}" for words in told]


GONE = (
    "push.yaml: the freeze from 2020-12-20T18:00:00+01:00 until 2021-01-04T06:00:00+01:00 (year end) no longer applies"
)
OVER = '{from: "2020-12-01T00:00+00:00", until: "2020-12-02T00:00+00:00", why: a day}'


@pytest.mark.parametrize(
    ("old", "new", "at", "told"),
    [
        (UNTIL, "2021-01-04T05:59+01:00", "2020-12-19", [GONE]),
        (FROM, "2020-12-20T18:01+01:00", "2020-12-19", [GONE]),
        ("[{from", f"[{OVER}, {{from", "2020-12-19", []),  # one more
        (UNTIL, "2021-02-04T06:00+01:00", "2020-12-19", []),  # a longer one
        ("+01:00", "+00:00", "2020-12-19", [GONE]),
        (FROM, "2020-12-20T17:00+00:00", "2020-12-19", []),  # the same moment
        ("year end", "exams", "2020-12-19", []),
        (f'freeze: [{{from: "{FROM}", until: "{UNTIL}", why: year end}}]', "", "2020-12-21", [GONE]),
        (f'freeze: [{{from: "{FROM}", until: "{UNTIL}", why: year end}}]', "", "2021-01-05", []),  # over
    ],
)
def test_a_freeze_may_come_later_and_none_may_go(tmp_path: Path, old: str, new: str, at: str, told: list[str]) -> None:
    assert old in RULES
    approved, now = ({FREEZE: frozen(tmp_path, text)} for text in (RULES, RULES.replace(old, new)))
    assert list(lifted(approved, now, datetime.fromisoformat(at).replace(tzinfo=UTC))) == told


def frozen(folder: Path, text: str) -> list[list[str]]:
    (folder / FILE).write_text(text)
    return freezes(read_rules(folder))


def test_what_is_signed_has_the_freezes_of_then(tmp_path: Path) -> None:
    then, now = frozen(tmp_path, RULES), frozen(tmp_path, RULES.replace("[{from", f"[{OVER}, {{from"))
    assert as_approved({"a": 1, FREEZE: then}, {"a": 2, FREEZE: now}) == {"a": 2, FREEZE: then}
    assert as_approved({"a": 1}, {"a": 2, FREEZE: now}) == {"a": 2}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"leaf-0": {"hitless": 500}}, ["leaf-0.hitless was 5, and is 500"]),
        ({}, ["leaf-0.hitless was 5, and is nothing"]),
        ({**GIVEN, "leaf-1": {"traffic loss": 9}}, ["leaf-1.traffic loss was nothing, and is 9"]),
        (dict(reversed(GIVEN.items())), []),
    ],
)
def test_how_long_a_change_may_interrupt_is_a_rule(
    tmp_path: Path, given: Mapping[str, object], told: list[str]
) -> None:
    approved, now = rules(tmp_path, RULES), rules(tmp_path, RULES, given)
    assert list(changed(approved, now)) == [f"interruption: {words}" for words in told]


def test_of_what_nobody_kept_nothing_is_said(tmp_path: Path) -> None:
    assert list(changed({}, rules(tmp_path, RULES))) == []


def test_no_file_says_what_an_empty_one_says(tmp_path: Path) -> None:
    empty = rules(tmp_path, "")
    (tmp_path / FILE).unlink()
    assert plain(read_rules(tmp_path), GIVEN) == empty
