"""Switches that are not to be touched: another one answers, or somebody else's commit waits there."""

from fabricgen.cli.push_plan import _strangers, _waiting
from fabricgen.push.survey import Surveyed
from fabricgen.state.state import Facts


def surveyed(name: str, hostname: str, waits: str | None = None) -> Surveyed:
    facts = Facts(hostname, "8.4.4", "", "")
    return Surveyed(name, facts, "", "", "", (), waits, ())


def test_one_that_calls_itself_otherwise_is_a_stranger() -> None:
    found = list(
        _strangers([surveyed("be-leaf-000", "be-leaf-001"), surveyed("be-leaf-002", "BE-leaf-002.dc1.example")])
    )
    assert [(one.code, one.what) for one in found] == [
        ("push-stranger", "what answers as be-leaf-000 calls itself be-leaf-001")
    ]


def test_one_that_gives_no_name_is_not_known_to_be_another() -> None:
    assert list(_strangers([surveyed("be-leaf-000", "")])) == []


def test_who_has_committed_is_told() -> None:
    found = list(_waiting([surveyed("a", "a", "a word of somebody"), surveyed("b", "b", ""), surveyed("c", "c")]))
    assert [(one.code, one.what) for one in found] == [
        ("push-locked", "a timed commit waits on a: a word of somebody"),
        ("push-locked", "a timed commit waits on b: one without a name"),
    ]
