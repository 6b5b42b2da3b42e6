"""Reading and committing through NAPALM's own driver, PyEZ and ncclient, unmodified, over a double of NETCONF."""

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from jnpr.junos.exception import ConnectClosedError, RpcTimeoutError  # type: ignore[import-untyped]
from napalm.junos import JunOSDriver

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.junos.live import reader as junos
from fabricgen.platforms.junos.live.drain import drain
from fabricgen.platforms.junos.live.reader import JUNOS, REFUSED
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.judge.device import judge
from tests.doubles.junos_netconf import ERROR, Netconf, Switch, copied, grown, network, shown
from tests.junos.planned import drained, switches
from tests.junos.sites import render
from tests.push.boxed import CANARY, at, committing, fleet, inventory, refused

MESSAGE = "run 7f3a leaf change"
LEAF = "fe-leaf-000"


@pytest.fixture
def leaf() -> Iterator[Switch]:
    """A leaf of the small front fabric, as planned."""
    planned = switches("front")[LEAF]

    def answer(command: str) -> str | None:
        if command == "counters":
            return "<interface-information/>"
        found = planned.outputs.get(command, Output(None))
        return None if found.value is None else str(found.value)

    one = Switch(LEAF, grown(render(planned.device)), answer, CANARY)
    with network({830: one}):
        yield one


@pytest.fixture
def site(leaf: Switch, tmp_path: Path) -> Iterator[NapalmFleet]:
    with fleet(inventory(tmp_path, {"leaf": 830}, "junos"), "junos") as found:
        yield found


def test_what_napalm_gives_is_what_the_reader_takes(leaf: Switch) -> None:
    planned = switches("front")[LEAF]
    driver = JunOSDriver("127.0.0.1", "push", CANARY, optional_args={"port": 830})
    driver.open()
    outputs = {}
    for read in JUNOS.reads(JUNOS.vrf_names(planned.device)):
        try:
            value = driver.cli([read.command], encoding=read.encoding)[read.command]
            outputs[read.command] = Output(without_secrets(value) if read.part == "running" else value)
        except Exception as error:  # noqa: BLE001 - what a driver raises is told as the command's
            outputs[read.command] = Output(None, str(error))
    driver.close()
    assert outputs[junos.EVPN_INSTANCES].error.startswith(REFUSED)
    assert "junos:style" not in str(outputs[junos.BGP].value)
    found = judge(planned.expected, JUNOS.state(outputs, JUNOS.vrf_names(planned.device)), JUNOS.drift)
    assert found.findings == ()
    assert {one.reason for one in found.unchecked} <= {*planned.expected.unchecked.values(), *junos.UNSEEN.values()}
    assert dict(found.passed)["drift"] == 1


def test_only_what_the_switch_said_is_a_refusal() -> None:
    away = SimpleNamespace(hostname="leaf")
    assert not str(RpcTimeoutError(away, "command", 30)).startswith(REFUSED)
    assert not str(ConnectClosedError(away)).startswith(REFUSED)


def test_words_instead_of_xml_are_words(leaf: Switch) -> None:
    leaf.answer = lambda _: "LLDP is not running"
    driver = JunOSDriver("127.0.0.1", "push", CANARY, optional_args={"port": 830})
    driver.open()
    value = driver.cli([junos.LLDP], encoding="xml")[junos.LLDP]
    driver.close()
    assert JUNOS.state({junos.LLDP: Output(value)}, {}).unread["lldp"] == f"{junos.LLDP}: no XML: LLDP is not running"


def changed(old: str = "hold-time 9;", new: str = "hold-time 12;") -> tuple[Candidate, str]:
    text = render(switches("front")[LEAF].device)
    return Candidate(text.replace(old, new), {}), text


def test_a_rendered_file_replaces_all_and_is_confirmed(leaf: Switch, site: NapalmFleet) -> None:
    candidate, text = changed()
    assert at(site, lambda it: it.compare(Candidate(text, {}))) == ""
    difference = at(site, lambda it: it.compare(candidate))
    assert "+              hold-time 12;" in difference
    token = at(site, committing(candidate, MESSAGE, 61))
    assert leaf.active == grown(candidate.text)
    commit = next(call for call in leaf.asked if call.startswith("commit-configuration"))
    assert sorted(commit.split()[1:]) == sorted(["confirm-timeout=2", *f"log={MESSAGE}".split()])
    assert "load-configuration action=override" in leaf.asked
    at(site, lambda it: it.confirm(token))
    assert leaf.asked[-2] == "commit-configuration check="
    assert (leaf.deadline, leaf.active) == (None, grown(candidate.text))


def test_what_nobody_confirms_goes_back_by_itself(leaf: Switch, site: NapalmFleet) -> None:
    leaf.minute = 0.05
    before = copied(leaf.active)
    token = at(site, committing(changed()[0], MESSAGE, 60))
    end = time.monotonic() + 5
    while at(site, lambda it: it.pending()) is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert leaf.active == before
    assert refused(site, lambda it: it.confirm(token)).kind == "gone"


def test_a_commit_is_ended(leaf: Switch, site: NapalmFleet) -> None:
    before = copied(leaf.active)
    token = at(site, committing(changed()[0], MESSAGE, 60))
    at(site, lambda it: it.revert(token))
    assert (leaf.active, leaf.deadline, leaf.holder) == (before, None, None)


def test_what_is_refused_leaves_all_as_it_was(leaf: Switch, site: NapalmFleet) -> None:
    before = copied(leaf.active)
    found = refused(site, lambda it: it.load(changed("hold-time 9;", "frobnicate 9;")[0], MESSAGE))
    assert (found.kind, "frobnicate" in found.reason) == ("refused", True)
    assert (leaf.active, leaf.candidate, leaf.holder) == (before, before, None)


def test_a_commit_of_somebody_else_and_a_lock_are_in_the_way(leaf: Switch, site: NapalmFleet) -> None:
    leaf.commit(leaf.active, "by hand", 5)
    assert refused(site, lambda it: it.load(changed()[0], MESSAGE)).kind == "locked"
    leaf.deadline = None
    leaf.holder = object()
    found = refused(site, lambda it: it.load(changed()[0], MESSAGE))
    assert (found.kind, "jdoe" in found.reason) == ("locked", True)


LICENSES = ("requires 'bgp' license", "requires 'vxlan' license")


@pytest.mark.parametrize("warns", [LICENSES[:1], LICENSES])
def test_a_warning_is_no_refusal(leaf: Switch, site: NapalmFleet, warns: tuple[str, ...]) -> None:
    leaf.warns = warns
    before, candidate = copied(leaf.active), changed()[0]
    at(site, lambda it: it.revert(committing(candidate, MESSAGE, 60)(it)))
    assert (leaf.active, leaf.deadline, leaf.holder) == (before, None, None)
    at(site, lambda it: it.confirm(committing(candidate, MESSAGE, 60)(it)))
    assert (leaf.active, leaf.deadline, leaf.holder) == (grown(candidate.text), None, None)


def test_an_error_is_one_though_warnings_stand_beside_it(leaf: Switch, site: NapalmFleet) -> None:
    leaf.warns = LICENSES
    before = copied(leaf.active)
    token = at(site, lambda it: it.load(changed()[0], MESSAGE))

    def full(_: object) -> str:
        return ERROR.format("out of space") + ERROR.replace("y>error<", "y>warning<").format(LICENSES[0])

    with patch.object(Netconf, "_commit", lambda _, element: full(element)):
        found = refused(site, lambda it: it.commit(60))
    assert (token, found.kind, "out of space" in found.reason) == (MESSAGE, "refused", True)
    assert (leaf.active, leaf.candidate, leaf.holder) == (before, before, None)


def test_a_timer_that_runs_out_while_it_is_confirmed_is_seen(leaf: Switch, site: NapalmFleet) -> None:
    before = copied(leaf.active)
    token = at(site, committing(changed()[0], MESSAGE, 60))
    leaf.late = lambda: leaf.commit(before, "", None)  # `root via other`, as jmcp's tests have it
    assert refused(site, lambda it: it.confirm(token)).kind == "gone"
    assert leaf.active == before


def test_a_commit_that_is_not_known_again_takes_nothing_of_somebody_else(leaf: Switch, site: NapalmFleet) -> None:
    edited: dict[str, Any] = {"system": {"host-name by-hand": {}}}

    def unnamed(_: Netconf, __: object) -> str:
        leaf.candidate = edited  # the lock is given back, and somebody begins to edit
        return ""

    at(site, lambda it: it.load(changed()[0], MESSAGE))
    with patch.object(Netconf, "_commits", unnamed):
        assert refused(site, lambda it: it.commit(60)).kind == "unable"
    assert leaf.candidate == edited
    assert leaf.deadline is not None


@pytest.mark.parametrize("words", ["<output>no such command</output>", "<commits/>"])
def test_a_history_that_is_none_is_not_taken_for_an_empty_one(leaf: Switch, site: NapalmFleet, words: str) -> None:
    with patch.object(Netconf, "_commits", lambda *_: words):
        assert refused(site, lambda it: it.load(changed()[0], MESSAGE)).kind == "unable"
    assert "load-configuration action=override" not in leaf.asked
    with patch.object(Netconf, "_commits", lambda *_: "<commit-information/>"):
        assert at(site, lambda it: it.pending()) is None


def test_a_revert_that_is_refused_leaves_what_waits(leaf: Switch, site: NapalmFleet) -> None:
    candidate = changed()[0]
    token = at(site, committing(candidate, MESSAGE, 60))
    with patch.object(Netconf, "_commit", lambda *_: ERROR.format("out of space")):
        assert refused(site, lambda it: it.revert(token)).kind == "refused"
    assert (leaf.active, leaf.candidate, leaf.holder) == (grown(candidate.text), grown(candidate.text), None)
    assert at(site, lambda it: it.pending()) == token


def test_a_commit_is_waited_for(leaf: Switch, site: NapalmFleet) -> None:
    seen: list[tuple[str, int]] = []
    real = Netconf.rpc

    def timed(conn: Netconf, element: Any, *more: object) -> Any:  # noqa: ANN401 - of lxml and ncclient
        seen.append((element.tag, conn.timeout))
        return real(conn, element, *more)

    with patch.object(Netconf, "rpc", timed):
        at(site, lambda it: it.confirm(committing(changed()[0], MESSAGE, 60)(it)))
    waits = {tag: seconds for tag, seconds in seen}
    assert (waits["commit-configuration"], waits["get-commit-information"]) == (180, 5)  # 5: the inventory's


def test_a_configuration_in_parts_is_not_read_rather_than_full_of_drift(leaf: Switch) -> None:
    """PyEZ gives the first part for the whole (github.com/Juniper/py-junos-eznc issue 748, of a QFX5110)."""
    leaf.warns = LICENSES[:1]
    driver = JunOSDriver("127.0.0.1", "push", CANARY, optional_args={"port": 830})
    driver.open()
    text = driver.cli([junos.RUNNING])[junos.RUNNING]
    whole = driver.get_config(retrieve="running")["running"]
    driver.close()
    assert (text.endswith("protocols {\n"), whole.startswith(text)) == (True, True)
    found = JUNOS.state({junos.RUNNING: Output(text)}, {})
    assert (found.running, found.unread["running"].startswith(f"{junos.RUNNING}: it is cut")) == (None, True)


def test_what_is_cut_replaces_nothing(leaf: Switch, site: NapalmFleet) -> None:
    candidate, text = changed()
    cut = candidate._replace(text=candidate.text[: candidate.text.index("hold-time")])
    assert refused(site, lambda it: it.load(cut, MESSAGE)).kind == "refused"
    assert (leaf.active, leaf.holder, "load-configuration action=override" in leaf.asked) == (grown(text), None, False)


def test_a_connection_that_ends_in_a_commit_may_have_committed(leaf: Switch, site: NapalmFleet) -> None:
    leaf.lost = {"commit-configuration"}
    assert refused(site, committing(changed()[0], MESSAGE, 60)).kind == "lost"
    assert not [call for call in leaf.asked if "rollback" in call]


def test_a_wrong_password_and_nobody_there(leaf: Switch, tmp_path: Path) -> None:
    leaf.password = "another"  # noqa: S105
    with fleet(inventory(tmp_path / "a", {"leaf": 830}, "junos"), "junos") as found:
        assert refused(found, lambda it: it.running()).kind == "login"
    with fleet(inventory(tmp_path / "b", {"leaf": 831}, "junos"), "junos") as found:
        assert refused(found, lambda it: it.running()).kind == "unreachable"


def test_secrets_are_neither_shown_nor_told(leaf: Switch, site: NapalmFleet) -> None:
    text = at(site, lambda it: it.running())
    assert "encrypted-password <removed>" in text
    assert "$9$" not in text
    candidate, _ = changed('encrypted-password "*"', 'encrypted-password "$6$c4n4ry$0123456789abcdef"')
    difference = at(site, lambda it: it.compare(candidate))
    assert "c4n4ry" not in difference


@pytest.mark.parametrize(("plan", "name"), [("lossless", "be-spine-00"), ("unnumbered", "be-leaf-000")])
def test_the_lines_of_a_drain_are_taken_and_change_nothing_twice(plan: str, name: str, tmp_path: Path) -> None:
    one = drained(plan, name)
    spine = Switch(name, grown(one.healthy), password=CANARY)
    with network({830: spine}), fleet(inventory(tmp_path, {"leaf": 830}, "junos"), "junos") as site:
        lines = at(site, lambda it: drain(one.device, it.running()))
        at(site, committing(Candidate(lines, {}, merge=True), MESSAGE, 60))
        assert "load-configuration action=set" in spine.asked
        assert "DRAINED-OUT ]" in shown(spine.active)
        again = at(site, lambda it: drain(one.device, it.running()))
        spine.deadline = None
        assert again == lines
        assert at(site, lambda it: it.compare(Candidate(again, {}, merge=True))) == ""
