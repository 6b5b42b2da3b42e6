"""What counts as a difference."""

import pytest

from fabricgen.readback.compare import Difference, DifferenceKind, differences
from fabricgen.readback.policy import PERMIT_ALL, Lines, Policy, PrefixRange, Term, TermLines, policy
from fabricgen.readback.rows import Key, Part, Reading, Row, Value

SESSION = ("session", "10.0.0.1")


def _kinds(setting: str, intended: Value | None, read: Value | None) -> list[DifferenceKind]:
    reading = Reading()
    reading.put(*SESSION, "remote-as", 1, "f", 1)
    if read is not None:
        reading.put(*SESSION, setting, read, "f", 2)
    expected: dict[Key, Value] = {Key(*SESSION, "remote-as"): 1}
    if intended is not None:
        expected[Key(*SESSION, setting)] = intended
    return [row.kind for row in differences(expected, reading)]


@pytest.mark.parametrize(
    ("setting", "intended", "read", "kinds"),
    [
        ("source", 0, None, [DifferenceKind.MISSING]),
        ("source", None, 0, [DifferenceKind.EXTRA]),
        ("source", 0, -1, [DifferenceKind.DIFFERENT]),
        ("source", -1, None, []),
        ("source", None, -1, []),
        ("multihop", 0, None, []),
        ("multihop", 3, None, [DifferenceKind.MISSING]),
        ("bfd", False, None, []),
        ("bfd", None, True, [DifferenceKind.EXTRA]),
    ],
)
def test_loopback_0_is_a_source(
    setting: str, intended: Value | None, read: Value | None, kinds: list[DifferenceKind]
) -> None:
    assert _kinds(setting, intended, read) == kinds


def _one(key: Key, intended: Value, row: Row, *others: tuple[Key, Row]) -> Difference:
    reading = Reading()
    reading.add(key, row)
    for other, other_row in others:
        reading.add(other, other_row)
    expected: dict[Key, Value] = {key: intended} | {other: other_row.value for other, other_row in others}
    (found,) = differences(expected, reading)
    return found


ONE, TWO = PrefixRange("10.0.0.0/8", 8, 8), PrefixRange("11.0.0.0/8", 8, 8)
DENY = Term(permit=False, communities=frozenset({"1:1"}))
POLICY_OUT = Key(*SESSION, "policy-out.ipv4")


def _prefixes(*ranges: PrefixRange) -> Term:
    return Term(permit=True, prefixes_ipv4=frozenset(ranges))


def test_a_range_that_is_missing_is_near_the_others_of_its_list() -> None:
    read = policy([(DENY, 9), (_prefixes(ONE), TermLines(10, {"prefixes_ipv4": 11, ONE: 3}))])
    found = _one(POLICY_OUT, policy([(DENY, 0), (_prefixes(ONE, TWO), 0)]), Row(read, "f", 20))
    assert (found.line, found.near) == (3, ())


def test_a_range_that_is_not_planned_has_its_own_line() -> None:
    read = policy([(DENY, 9), (_prefixes(ONE, TWO), TermLines(10, {"prefixes_ipv4": 11, ONE: 3, TWO: 4}))])
    found = _one(POLICY_OUT, policy([(DENY, 0), (_prefixes(ONE), 0)]), Row(read, "f", 20))
    assert (found.line, found.near) == (4, ())


def test_a_term_behind_one_that_takes_all_is_among_the_lines_of_its_policy() -> None:
    read = policy([(PERMIT_ALL, 5), (DENY, 2)])
    found = _one(POLICY_OUT, policy([(DENY, 0), (PERMIT_ALL, 0)]), Row(read, "f", 20))
    assert {2, 5} <= {found.line, *found.near}


def test_what_is_lost_of_a_thing_is_near_the_parts_of_its_other_settings() -> None:
    other = (Key(*SESSION, "families"), Row(frozenset({"ipv4"}), "f", 7, {"ipv4": 7, "evpn": 9}))
    found = _one(Key(*SESSION, "bfd"), True, Row(False, "f", 0), other)
    assert found.near == (7, 9)


def test_a_line_that_a_block_lacks_is_missing_at_the_block() -> None:
    found = _one(Key("line", "a line", "present"), True, Row(False, "f", 12))
    assert (found.kind, found.setting, found.line) == (DifferenceKind.MISSING, "", 12)


def test_a_line_that_the_text_lacks_has_no_place() -> None:
    expected = {Key("line", name, "present"): True for name in ("a", "b", "c")}
    rows = {Key("line", name, "present"): Row(True, "f", at) for name, at in (("a", 24), ("c", 7))}
    (found,) = differences(expected, Reading(rows=rows))
    assert (found.name, found.file, found.line) == ("b", "f", 0)


def test_a_member_that_is_missing_has_the_line_where_it_would_be() -> None:
    families = Row(frozenset({"ipv4"}), "f", 7, {"ipv4": 7, "evpn": 9})
    found = _one(Key(*SESSION, "families"), frozenset({"ipv4", "evpn"}), families)
    assert (found.line, found.near) == (9, ())
    found = _one(Key(*SESSION, "families"), frozenset({"evpn"}), families._replace(value=frozenset()))
    assert found.line == 9


def test_a_community_that_is_not_planned_has_its_own_line() -> None:
    read = Term(permit=True, set_communities=frozenset({"1:1", "1:2"}))
    lines = TermLines(10, {"set_communities": 11, "1:1": 12, "1:2": 13})
    planned = policy([(read._replace(set_communities=frozenset({"1:1"})), 0)])
    found = _one(POLICY_OUT, planned, Row(policy([(read, lines)]), "f", 20))
    assert found.line == 13


A, B = Term(permit=True, communities=frozenset({"1:1"})), Term(permit=True, communities=frozenset({"2:2"}))


@pytest.mark.parametrize(
    ("intended", "read", "place"),
    [
        (Policy((A,)), Policy((B,), (TermLines(20, {"communities": (30, 21)}),)), (30, (9, 21, 30))),
        (Policy((A, A)), Policy((A, B), (10, TermLines(20, {"communities": (30, 21)}))), (30, (21, 30))),
        (Policy((A, A)), Policy((A, B), (10, TermLines(20, {"communities": 21}))), (21, ())),
        (Policy((A,)), policy([(PERMIT_ALL, 10), (A, 20)]), (10, (9, 10))),
        (Policy((A, PERMIT_ALL)), policy([(PERMIT_ALL, 10), (A, 20)]), (10, (10, 20))),
        (Policy((A,)), Policy((PERMIT_ALL,)), (9, (1, 9))),
        (Policy((A,)), Policy((), (TermLines(10, {"permit": (3, 4)}),)), (10, (3, 4, 9, 10))),
    ],
    ids=[
        "another policy: the line that names it, too",
        "a part that two lines say",
        "a part that one line says",
        "what permits everything has a line",
        "a term that no route comes to",
        "no policy: any line of the session",
        "no term: the lines where one could be",
    ],
)
def test_a_policy_is_named_where_it_differs(intended: Policy, read: Policy, place: tuple[int, tuple[int, ...]]) -> None:
    reading = Reading()
    reading.put(*SESSION, "remote-as", 1, "f", 1)
    reading.put(*SESSION, "policy-in.ipv4", read, "f", 9)
    expected: dict[Key, Value] = {Key(*SESSION, "remote-as"): 1, Key(*SESSION, "policy-in.ipv4"): intended}
    assert [(row.line, row.near) for row in differences(expected, reading)] == [place]


@pytest.mark.parametrize(
    ("setting", "intended", "read", "parts", "place"),
    [
        ("pfc", (3,), (), {}, (9, (1, 9))),
        ("families", frozenset({"evpn"}), frozenset(), {"ipv4": 5, "evpn": 7}, (7, (1, 5, 7, 9))),
        ("dscp-classes", (0, 3), (0, 0), {1: (6, 4)}, (6, (4, 6))),
        ("headroom", 9, 8, {"profile": 5}, (9, (5, 9))),
    ],
    ids=["nothing", "nothing, and what turns it off", "a part that two lines say", "what names the value"],
)
def test_a_part_of_a_row_has_its_lines(
    setting: str, intended: Value, read: Value, parts: dict[Part, Lines], place: tuple[int, tuple[int, ...]]
) -> None:
    thing = SESSION if setting == "families" else ("port", "1")
    reading = Reading()
    reading.put(*thing, "description", "a", "f", 1)
    reading.add(Key(*thing, setting), Row(read, "f", 9, parts))
    expected: dict[Key, Value] = {Key(*thing, "description"): "a", Key(*thing, setting): intended}
    assert [(row.line, row.near) for row in differences(expected, reading)] == [place]


USER = Key("management", "", "snmp-user")


@pytest.mark.parametrize("said", [("other", "monitor"), ("monitor", "other"), ("monitor", "other", "monitor")])
def test_each_of_two_values_must_be_the_planned_one(said: tuple[str, ...]) -> None:
    reading = Reading()
    for line, user in enumerate(said, 1):
        reading.put(*USER, user, "f", line)
    found = differences({USER: "monitor"}, reading)
    assert [(row.kind, row.read, row.line) for row in found] == [
        (DifferenceKind.DIFFERENT, "other", said.index("other") + 1)
    ]


def test_a_setting_that_is_also_taken_back_is_a_difference() -> None:
    reading = Reading()
    reading.put(*SESSION, "bfd", True, "f", 1)
    reading.put(*SESSION, "bfd", False, "f", 2)
    assert [row.line for row in differences({Key(*SESSION, "bfd"): True}, reading)] == [2]
    assert [row.line for row in differences({Key(*SESSION, "remote-as"): 1}, reading)] == [1, 1]


def test_a_set_that_grows_is_one_value() -> None:
    reading = Reading()
    for line, servers in enumerate(({"10.0.0.1"}, {"10.0.0.1", "10.0.0.2"}), 1):
        reading.put("management", "", "ntp", frozenset(servers), "f", line)
    assert not differences({Key("management", "", "ntp"): frozenset({"10.0.0.1", "10.0.0.2"})}, reading)
