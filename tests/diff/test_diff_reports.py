"""What a reader is told, on a terminal, in a comment and as JSON: the worst first, nothing disruptive as safe."""

import json
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from fabricgen.diff.expect import Unexpected
from fabricgen.diff.model import Cause, Hunk, TextClass
from fabricgen.diff.report_json import plain
from fabricgen.diff.report_markdown import CHARACTERS, MARK, markdown
from fabricgen.diff.report_text import text
from fabricgen.diff.words import named, reach, share, verdict
from fabricgen.facts.fact import Change
from fabricgen.platforms.cost import Risk
from tests.diff.samples import (
    LOST_PFC,
    MOVED,
    NEIGHBOR,
    NOBODY,
    RAIL,
    SPINES,
    TIMERS,
    difference,
    line,
    meaning,
)

GITHUB = 65_536
"""Characters that GitHub takes in a comment."""


def test_like_changes_are_one_class_in_the_words_of_the_field() -> None:
    lines = list(text(difference(meaning((NEIGHBOR,), SPINES, RAIL))))
    assert lines == [
        "Worst risk: hitless on 4 switches, no session reset, no traffic lost.",
        "20 switches, 4 changed, 16 as before",
        "",
        "HITLESS  4 spines of backend: be-spine-00…03",
        "  + 2 BGP neighbors each: be-leaf-004",
        "  reaches 64 of 256 GPUs on rails 0, 1; 1/4 of backend's bisection; tenant research",
        "",
        "Numbers of what stays: none moves.",
    ]


@pytest.mark.parametrize("risk", [Risk.SESSION_RESET, Risk.TRAFFIC_LOSS, Risk.UNKNOWN, Risk.RELOAD])
def test_a_disruptive_change_is_never_told_as_safe(risk: Risk) -> None:
    found = difference(meaning((line("qos.ecn", Change.CHANGED, risk),), SPINES, RAIL))
    for told in ("\n".join(text(found)), markdown(found, "x", "y"), json.dumps(plain(found))):
        assert risk.words in told.lower()
        for safe in ("hitless", "no traffic lost", "🟢", "⚪"):
            assert safe not in told


def test_text_that_the_intent_does_not_explain_is_unknown() -> None:
    found = difference(text=(LOST_PFC,))
    assert verdict(found) == "Worst risk: unknown on 1 switch, up to 64 GPUs behind them."
    lines = list(text(found))
    assert "- priority-flow-control on" in [row.strip() for row in lines]
    assert "@ interface Ethernet1/1" in [row.strip() for row in lines]
    assert "priority-flow-control on" in markdown(found, "x", "y")


def test_a_side_that_is_not_read_is_said_and_never_safe() -> None:
    found = difference(is_whole=False)
    assert next(text(found)).startswith("The other side could not be read")
    assert plain(found)["risk"] == "unknown"
    assert "No number" not in markdown(found, "x", "y")


def test_nothing_is_nothing() -> None:
    assert list(text(difference())) == ["Nothing differs.", "20 switches, 0 changed, 20 as before"]


def test_notes_come_first() -> None:
    noted = difference(meaning((NEIGHBOR,), SPINES))
    noted = type(noted)(**{name: getattr(noted, name) for name in noted.__slots__} | {"notes": ("another release",)})
    assert next(text(noted)) == "another release"
    assert markdown(noted, "x", "y").index("another release") < markdown(noted, "x", "y").index("Worst risk")


def test_moved_numbers_are_told() -> None:
    found = difference(meaning((TIMERS,), SPINES), moved=(MOVED,))
    assert "  be-leaf-000: asn 4201000000 → 4201000007" in list(text(found))
    assert "would move" in markdown(found, "x", "y")


def many(devices: int, classes: int) -> tuple[str, ...]:
    del classes
    return tuple(f"be-leaf-{number * 7:05}" for number in range(devices))


def test_a_comment_on_a_thousand_switches_is_short_enough_to_read_and_to_post() -> None:
    classes = [
        meaning(
            tuple(line("bgp.network", Change.ADDED, Risk.HITLESS, about=f"n{at}") for _ in range(30)), many(1000, 1)
        )
        for at in range(100)
    ]
    texts = tuple(
        TextClass(
            artifact="startup-config",
            cause=Cause.HAND,
            devices=many(1000, 1),
            hunks=tuple(Hunk((f"interface Ethernet{at}",), ("a" * 300,), ("b" * 300,)) for at in range(200)),
            risk=Risk.UNKNOWN,
            blast=NOBODY,
        )
        for _ in range(20)
    )
    comment = markdown(difference(*classes, text=texts), "x", "y", "fabricgen diff …")
    assert len(comment) <= CHARACTERS < GITHUB
    assert len(comment.encode()) < 4 * GITHUB
    assert comment.startswith(MARK.format("x") + "\n")
    assert "left out" in comment
    assert comment.rstrip().endswith("`fabricgen diff …`")
    assert "more class" in comment
    assert balanced(comment)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def balanced(comment: str) -> bool:
    parser = _Tags()
    parser.feed(comment)
    assert parser.seen <= {"details", "summary", "br"}
    return not parser.open


EVIL = "</details><script>|`x`\n# @everyone [a](http://b) \x1b[2J\u202e"


def test_what_a_user_wrote_is_no_markup_no_mention_and_no_escape_sequence() -> None:
    row = line("raw", Change.ADDED, Risk.UNKNOWN, values=("", EVIL))
    fenced = TextClass(
        artifact="startup-config",
        cause=Cause.HAND,
        devices=("a",),
        hunks=(Hunk(("banner",), ("```", EVIL), ()),),
        risk=Risk.UNKNOWN,
        blast=NOBODY,
    )
    found = difference(meaning((row,), SPINES), text=(fenced,))
    comment = markdown(found, "x", "y")
    table = comment[: comment.index("<details>")]
    assert "<script>" not in table.replace("\\<script", "")
    assert "@everyone" not in table
    assert "````diff" in comment
    for told in (comment, "\n".join(text(found))):
        assert "\x1b" not in told
        assert "\u202e" not in told


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("a-0", "a-1", "a-2"), "a-0…2"),
        (("a-09", "a-10", "a-11"), "a-09…11"),
        (("a-9", "a-10"), "a-9, a-10"),
        (("a-000", "a-002"), "a-000, a-002"),
        (("fw1", "fw2", "x"), "fw1…2, x"),
        ((), ""),
        (tuple("abcdefgh"), "a, b, c, d, e and 3 more"),
    ],
)
def test_names_in_a_row_are_one_word(names: tuple[str, ...], told: str) -> None:
    assert named(names) == told


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (Fraction(1), "all"),
        (Fraction(1, 16), "1/16"),
        (Fraction(3, 4), "3/4"),
        (Fraction(1, 3000), "less than 0.1 %"),
        (Fraction(33, 100), "33.0 %"),
    ],
)
def test_shares_are_said_as_people_say_them(part: Fraction, told: str) -> None:
    assert share(part) == told


def test_nobody_is_reached_by_what_reaches_nobody() -> None:
    assert reach(NOBODY) == ""


def test_a_comment_says_what_was_not_expected() -> None:
    found = difference(meaning((NEIGHBOR,), SPINES))
    row = Unexpected("bgp.neighbor added", Risk.HITLESS, SPINES)
    assert "Not expected: 1" in markdown(found, "x", "y", "", (row,))
    assert "be-spine-00…03" in markdown(found, "x", "y", "", (row,))
    assert "All of it is expected" in markdown(found, "x", "y", "", ())
    assert "xpected" not in markdown(found, "x", "y")
