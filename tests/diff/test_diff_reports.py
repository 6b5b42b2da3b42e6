"""What a reader is told, on a terminal, in a comment and as JSON: the worst first, nothing disruptive as safe."""

import json
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.expect import Unexpected
from fabricgen.diff.model import ClassChange, Difference, Hunk, TextCause, TextClass
from fabricgen.diff.report_json import plain
from fabricgen.diff.report_markdown import CHARACTERS, MARK, markdown
from fabricgen.diff.report_text import change_words, text
from fabricgen.diff.words import named, reach, share, verdict
from fabricgen.platforms.base.cost import NO_LINE, Risk
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


def as_json(found: Difference) -> str:
    return json.dumps(plain(found), default=lambda later: later())


def test_like_changes_are_one_class_in_the_words_of_the_field() -> None:
    lines = list(text(difference(meaning((NEIGHBOR,), SPINES, RAIL))))
    assert lines == [
        "Highest risk: hitless (4 switches), no session reset, no traffic loss.",
        "20 switches: 4 changed, 16 unchanged",
        "",
        "HITLESS  4 spines of backend: be-spine-00…03",
        "  + 2 BGP neighbors per switch (to be-leaf-004)",
        "  touches 64 of 256 GPUs (rails 0, 1); links that carry 1/4 of the uplink bandwidth of backend; "
        "tenant research",
        "",
        "Renumbering: none (no address, AS number or VNI changes).",
    ]


@pytest.mark.parametrize("risk", [Risk.SESSION_RESET, Risk.TRAFFIC_LOSS, Risk.UNKNOWN, Risk.RELOAD])
def test_a_disruptive_change_is_never_told_as_safe(risk: Risk) -> None:
    found = difference(meaning((line("qos.ecn", ChangeOp.CHANGED, risk),), SPINES, RAIL))
    for told in ("\n".join(text(found)), markdown(found, "x", "y"), as_json(found)):
        assert risk.words in told.lower()
        for safe in ("hitless", "no traffic loss", "🟢", "⚪"):
            assert safe not in told


def test_a_known_loss_is_named_beside_what_no_source_covers() -> None:
    known = meaning((line("qos.ecn", ChangeOp.CHANGED, Risk.TRAFFIC_LOSS),), SPINES, RAIL)
    found = difference(known, text=(LOST_PFC,), reached=RAIL)
    assert verdict(found).startswith("Highest risk: unknown, at least traffic loss (1 switch)")


def test_text_that_the_intent_does_not_explain_is_unknown() -> None:
    found = difference(text=(LOST_PFC,), reached=RAIL)
    assert verdict(found) == "Highest risk: unknown (1 switch), up to 64 attached GPUs affected."
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
    assert list(text(difference())) == ["No differences.", "20 switches: 0 changed, 20 unchanged"]


def test_notes_come_first() -> None:
    noted = difference(meaning((NEIGHBOR,), SPINES))
    noted = type(noted)(**{name: getattr(noted, name) for name in noted.__slots__} | {"notes": ("another release",)})
    assert next(text(noted)) == "another release"
    assert markdown(noted, "x", "y").index("another release") < markdown(noted, "x", "y").index("Highest risk")


def test_moved_numbers_are_told() -> None:
    found = difference(meaning((TIMERS,), SPINES), moved=(MOVED,))
    assert "  be-leaf-000: asn 4201000000 → 4201000007" in list(text(found))
    assert "**Renumbering: 1 value changes.**" in markdown(found, "x", "y")


def many(devices: int, classes: int) -> tuple[str, ...]:
    del classes
    return tuple(f"be-leaf-{number * 7:05}" for number in range(devices))


def test_a_comment_on_a_thousand_switches_is_short_enough_to_read_and_to_post() -> None:
    classes = [
        meaning(
            tuple(line("bgp.network", ChangeOp.ADDED, Risk.HITLESS, about=f"n{at}") for _ in range(30)), many(1000, 1)
        )
        for at in range(100)
    ]
    texts = tuple(
        TextClass(
            artifact="startup-config",
            cause=TextCause.HAND,
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
    assert "parts are omitted, because of the length limit of a comment" in comment
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
    row = line("raw", ChangeOp.ADDED, Risk.UNKNOWN, values=("", EVIL))
    fenced = TextClass(
        artifact="startup-config",
        cause=TextCause.HAND,
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
    # CommonMark 0.31.2, 2.4: behind a backslash, punctuation is itself.
    assert r"\|\`x\`" in table
    assert r"\[a\](http://b)" in table
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
    assert "Unexpected changes: 1" in markdown(found, "x", "y", "", (row,))
    assert "be-spine-00…03" in markdown(found, "x", "y", "", (row,))
    assert "Every change is expected" in markdown(found, "x", "y", "", ())
    assert "xpected" not in markdown(found, "x", "y")


def one_line(kind: str, change: ChangeOp, *, values: tuple[str, str] = ("", ""), subjects: tuple[str, ...] = ()) -> str:
    row = ClassChange(kind, change, 1, *values, subjects, (), Risk.HITLESS, "a manual")
    return next(told for told in text(difference(meaning((row,), SPINES[:1]))) if told.startswith("  ")).strip()


@pytest.mark.parametrize(
    ("kind", "change", "told"),
    [
        ("interface.enabled", ChangeOp.REMOVED, "~ 1 port shut down (Ethernet1/1)"),
        ("interface.enabled", ChangeOp.ADDED, "+ 1 port enabled (Ethernet1/1)"),
        ("management.lldp", ChangeOp.REMOVED, "~ 1 LLDP turned off (Ethernet1/1)"),
        ("bgp.group.bfd", ChangeOp.REMOVED, "~ 1 peer group with BFD turned off (Ethernet1/1)"),
        ("lag.bpdu-guard", ChangeOp.REMOVED, "~ 1 port channel with BPDU guard turned off (Ethernet1/1)"),
    ],
)
def test_what_is_turned_off_is_not_told_as_turned_on(kind: str, change: ChangeOp, told: str) -> None:
    values = ("yes", "") if change is ChangeOp.REMOVED else ("", "yes")
    assert one_line(kind, change, values=values, subjects=("Ethernet1/1",)) == told
    fact = DeviceChange(kind, change, "Ethernet1/1", *values)
    assert change_words(fact) == told.replace("1 ", "", 1).translate({ord(each): None for each in "()"})


def test_what_a_whole_switch_loses_is_not_counted() -> None:
    told = one_line("evpn.multihomed", ChangeOp.REMOVED, values=("yes", ""))
    assert told == "~ no Ethernet segments (ESI) in the fabric any more"
    told = one_line("device.derived", ChangeOp.ADDED, values=("", "serving"), subjects=("VRF device of serving",))
    assert told == "+ 1 platform-specific value (VRF device of serving): serving"


def test_what_is_in_no_file_is_left_out_beside_what_is() -> None:
    """EOS configures no flowlet gap; with the sources it is listed, and where nothing else is."""
    gap = ClassChange(
        "load-balancing.flowlet-gap", ChangeOp.REMOVED, 1, "128 us", "", (), (), Risk.NONE, f"eos: {NO_LINE}"
    )
    found = difference(meaning((TIMERS, gap), SPINES))
    assert "flowlet gap" not in "\n".join(text(found))
    assert "flowlet gap" in "\n".join(text(found, details=True))
    assert "flowlet gap" in "\n".join(text(difference(meaning((gap,), SPINES))))
    assert "  and 1 kind of change that no file shows (-v lists all)" in list(text(found))
    assert "and 1 kind of change that no file shows" in markdown(found, "x", "y")
    assert not any("no file shows" in row for row in text(found, details=True))


def test_what_no_line_says_is_listed_where_nobody_knows_its_cost() -> None:
    """FRR: nobody knows what it costs to make links unnumbered; the row that makes a class unknown is shown."""
    gap = ClassChange("interface.unnumbered", ChangeOp.CHANGED, 1, "off", "on", (), (), Risk.UNKNOWN, f"frr: {NO_LINE}")
    found = difference(meaning((NEIGHBOR, gap), SPINES, RAIL))
    assert "off → on" in "\n".join(text(found))


def test_a_value_of_its_own_is_told_where_it_says_more_than_the_name() -> None:
    kind = "prefix-list.entry"
    told = one_line(kind, ChangeOp.REMOVED, values=("10.0.0.0/8", ""), subjects=("PL-FW",))
    assert told == "- 1 prefix-list entry (PL-FW): 10.0.0.0/8"
    assert one_line("bgp.network", ChangeOp.ADDED, values=("", "10.0.0.0/8"), subjects=("10.0.0.0/8",)) == (
        "+ 1 announced prefix (10.0.0.0/8)"
    )


def test_values_that_are_not_the_same_everywhere_are_not_told_as_none() -> None:
    told = one_line("bgp.asn", ChangeOp.CHANGED, values=("65000", ""))
    assert told == "~ AS number: 65000 → several"


def test_text_of_unknown_risk_stands_before_what_costs_less() -> None:
    found = difference(meaning((TIMERS,), SPINES), text=(LOST_PFC,))
    risks = [row.partition("  ")[0] for row in text(found) if row.startswith(("UNKNOWN", "SESSION RESET"))]
    assert risks == ["UNKNOWN", "SESSION RESET"]
    worse = difference(meaning((line("device.model", ChangeOp.CHANGED, Risk.RELOAD),), SPINES), text=(LOST_PFC,))
    assert [row[:6] for row in text(worse) if row.startswith(("UNKNOWN", "RELOAD"))] == ["RELOAD", "UNKNOW"]


def test_the_verdict_tells_whom_the_worst_classes_reach_together() -> None:
    classes = (meaning((TIMERS,), SPINES[:2], RAIL), meaning((TIMERS,), SPINES[2:], RAIL))
    found = difference(*classes, reached=replace(RAIL, gpus=128))
    assert verdict(found) == "Highest risk: session reset (4 switches), up to 128 attached GPUs affected."


def test_nobody_is_cited_where_nobody_said_it() -> None:
    comment = markdown(difference(meaning((TIMERS._replace(source=""),), SPINES)), "x", "y")
    assert ": session reset\n" in comment
    unsure = markdown(difference(meaning((TIMERS._replace(source="unsure: why"),), SPINES)), "x", "y")
    assert ": session reset; source: unsure: why\n" in unsure


def test_an_entity_that_a_user_wrote_is_text() -> None:
    row = line("raw", ChangeOp.ADDED, Risk.UNKNOWN, values=("", "a &lt; b & c"))
    comment = markdown(difference(meaning((row,), SPINES)), "x", "y")
    assert "a &amp;lt; b &amp; c" in comment
    named_so = replace(LOST_PFC, artifact="<b>&amp;_x")
    assert "<summary>Text of &lt;b&gt;&amp;amp;_x of" in markdown(difference(text=(named_so,)), "x", "y")


def test_every_fact_says_what_it_costs_to_machines() -> None:
    found = json.loads(as_json(difference(meaning((TIMERS, NEIGHBOR), SPINES[:1]))))
    facts = found["meaning"][0]["device_changes"]["be-spine-00"]
    assert [fact["risk"] for fact in facts] == ["session reset", "hitless"]


def test_a_sign_opens_no_list_inside_the_list() -> None:
    comment = markdown(difference(meaning((NEIGHBOR,), SPINES)), "x", "y")
    assert "\n- \\+ 2 BGP neighbors per switch (to be-leaf-004): hitless; source: RFC 4271, 4.2\n" in comment
