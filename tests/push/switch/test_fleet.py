"""Many switches at once: who answers, who does not, and what is no switch's fault."""

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS, COMMIT_PROFILES
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.verify.collect.inventory import read_inventory
from tests.doubles.eapi_sessions import switch
from tests.push.boxed import LOGIN, at, fleet, inventory, refused

TEXT = "hostname {}\n"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """Three switches, and one where nobody listens."""
    with switch(TEXT.format("a"), login=LOGIN) as a, switch(TEXT.format("b")) as b, switch(TEXT.format("c")) as c:
        yield inventory(tmp_path, {"a": a.port, "b": b.port, "c": c.port, "nobody": 1}, "eos", transport="http")


def test_each_switch_has_its_own_result_in_the_order_given(site: Path) -> None:
    with fleet(site, "eos") as eos:
        found = eos.each(["c", "nobody", "a", "absent"], lambda box: (box.name, box.running()))
    assert list(found) == ["c", "nobody", "a", "absent"]
    assert found["c"] == ("c", "hostname c\nend\n")
    assert found["a"] == ("a", "hostname a\nend\n")
    for name in ("nobody", "absent"):
        error = found[name]
        assert isinstance(error, SwitchError)
        assert error.kind == "unreachable"


def test_switches_are_acted_on_at_the_same_time(site: Path) -> None:
    together = threading.Barrier(3, timeout=20)
    with fleet(site, "eos", workers=3) as eos:
        assert len(set(eos.each(["a", "b", "c"], lambda _: together.wait()).values())) == 3


def test_a_connection_is_kept_from_one_call_to_the_next(tmp_path: Path) -> None:
    with switch(TEXT.format("a")) as box:
        with fleet(inventory(tmp_path, {"leaf": box.port}, "eos", transport="http"), "eos") as eos:
            for _ in range(3):
                at(eos, lambda it: it.running())
        assert box.asked.count("show version") == 1  # NAPALM asks it when it opens


def test_one_that_went_away_while_nobody_asked_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with switch(TEXT.format("a")) as box:
        folder = inventory(tmp_path, {"leaf": box.port}, "eos", transport="http")
        with fleet(folder, "eos") as eos:
            at(eos, lambda it: it.load(Candidate(TEXT.format("b"), {}), "m"))
            monkeypatch.setattr("napalm.eos.EOSDriver.is_alive", lambda _: {"is_alive": False})
            assert refused(eos, lambda it: it.commit(None)).kind == "lost"
            assert box.asked.count("show version") == 2
            assert box.sessions == {}


def test_one_that_did_not_answer_is_tried_again(tmp_path: Path) -> None:
    with switch(TEXT.format("a")) as box:
        folder = inventory(tmp_path, {"leaf": box.port}, "eos", transport="http")
        with fleet(folder, "eos") as eos:
            box.hangs_up = "show running-config"
            assert refused(eos, lambda it: it.running()).kind == "lost"
            assert at(eos, lambda it: it.running()) == "hostname a\nend\n"


@pytest.mark.parametrize("error", [KeyError("of ours"), ZeroDivisionError(), OSError("of ours")])
def test_what_is_no_switchs_fault_passes(site: Path, error: Exception) -> None:
    def act(box: SwitchConnection) -> None:
        if box.name == "b":
            raise error

    with fleet(site, "eos") as eos, pytest.raises(type(error)):
        eos.each(["a", "b"], act)


def test_a_mistake_of_this_program_in_the_midst_of_a_driver_passes(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("fabricgen.platforms.eos.live.commit._shown")
    with fleet(site, "eos") as eos, pytest.raises(NameError):
        eos.each(["a"], lambda box: box.pending())


def test_an_error_that_the_act_takes_is_none_of_the_fleets(site: Path) -> None:
    def act(box: SwitchConnection) -> str:
        try:
            box.confirm("none")
        except SwitchError as error:
            return error.kind
        return ""

    with fleet(site, "eos") as eos:
        assert eos.each(["a", "b"], act) == {"a": "gone", "b": "gone"}
        assert eos.each(["a"], lambda box: box.pending()) == {"a": None}


def test_a_driver_that_nobody_knows(site: Path) -> None:
    with NapalmFleet(read_inventory(site), {"a": "no-such"}, 1) as none:
        assert refused(none, lambda it: it.running(), "a").kind == "unable"
        assert refused(none, lambda it: it.running(), "b").kind == "unable"


def test_a_secret_that_is_gone(tmp_path: Path) -> None:
    folder = inventory(tmp_path, {"leaf": 1}, "eos", transport="http")
    eos = fleet(folder, "eos")
    (folder / "password").unlink()
    assert refused(eos, lambda it: it.running()).kind == "unreachable"


def test_logs_are_as_they_were(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.root.manager, "disable", logging.DEBUG)
    with fleet(site, "eos") as eos:
        eos.each(["nobody"], lambda it: it.running())
    assert logging.root.manager.disable == logging.DEBUG


def test_nothing_is_logged(site: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.root.manager, "disable", logging.NOTSET)
    with fleet(site, "eos") as eos:
        eos.each(["nobody"], lambda it: it.running())
    assert caplog.records == []


def test_every_manner_has_its_handling() -> None:
    assert list(COMMIT_PROFILES) == list(COMMIT_OPERATIONS)
    for name, profile in COMMIT_PROFILES.items():
        assert profile.driver == name
        assert profile.limits
        assert all(limit.endswith(".") for limit in profile.limits)
