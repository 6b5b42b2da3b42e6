"""Who answered, where the name could not be read: told, never passed over."""

from dataclasses import replace

from fabricgen.state.state import Facts, State
from fabricgen.verify.finding import SwitchVerdict, Unchecked
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, RIGHT, bgp

NO_NAME = replace(RIGHT, facts=None, unread={"facts": "`show version`: it printed nothing"})


def verdict(state: State) -> SwitchVerdict:
    return judge(LEAF, state, lambda _, __: ())


def test_a_name_that_was_not_read_is_told() -> None:
    found = verdict(NO_NAME)
    assert found.findings == ()
    assert found.unchecked == (Unchecked("leaf1", "reachable", "`show version`: it printed nothing"),)
    assert dict(found.passed)["reachable"] == 1  # its router id is the planned one


def test_without_a_router_id_nothing_says_who_it_is() -> None:
    found = verdict(replace(NO_NAME, bgp=None, unread={}))
    assert ("reachable", "it was not read") in [(one.check, one.reason) for one in found.unchecked]
    assert "reachable" not in dict(found.passed)


def test_a_switch_that_gives_no_name() -> None:
    found = verdict(replace(RIGHT, facts=Facts("", "", "", "")))
    assert found.unchecked == (Unchecked("leaf1", "reachable", "it shows no hostname"),)


def test_a_router_id_typed_wrong_is_no_other_switch() -> None:
    found = verdict(bgp(router_id="10.0.0.7")(NO_NAME))
    assert [one.code for one in found.findings] == ["bgp-wrong-router-id"]
    assert "reachable" not in dict(found.passed)
