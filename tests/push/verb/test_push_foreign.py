"""Switches that are not to be touched: another one answers, or somebody else's commit waits there."""

import pytest

from fabricgen.device.device import Device
from fabricgen.operation.push.preview import _other_releases, _other_switches, _waiting
from fabricgen.platforms.base.live.run_marks import Armed, Phase
from fabricgen.push.act.survey import Surveyed
from fabricgen.state.state import Facts
from tests.eos.fleet import samples


def surveyed(name: str, hostname: str, armed: Armed | None = None) -> Surveyed:
    facts = Facts(hostname, "8.4.4", "", "")
    return Surveyed(name, facts, b"", "", "", (), armed, ())


def test_one_that_calls_itself_otherwise_is_a_stranger() -> None:
    found = list(
        _other_switches([surveyed("be-leaf-000", "be-leaf-001"), surveyed("be-leaf-002", "BE-leaf-002.dc1.example")])
    )
    assert [(one.code, one.what) for one in found] == [
        ("push-stranger", "the switch at the address of be-leaf-000 has the hostname be-leaf-001")
    ]


def test_one_that_gives_no_name_is_not_known_to_be_another() -> None:
    assert list(_other_switches([surveyed("be-leaf-000", "")])) == []


def test_what_is_armed_is_told_with_its_run_and_what_becomes_of_it() -> None:
    ours = Armed("fabricgen 0123456789ab a change 77e0", Phase.WAITS, 42)
    found = list(
        _waiting(
            [
                surveyed("a", "a", ours),
                surveyed("b", "b", Armed("", Phase.WAITS, who="alice")),
                surveyed("c", "c"),
                surveyed("d", "d", Armed("by hand", Phase.LOST)),
            ]
        )
    )
    assert [(one.code, one.what) for one in found] == [
        (
            "push-locked",
            (
                "on a a commit of push 0123456789ab (fabricgen 0123456789ab a change 77e0) is waiting for "
                "confirmation: without confirmation the switch reverts to its previous configuration in 42 s"
            ),
        ),
        (
            "push-locked",
            (
                "on b a commit by alice is waiting for confirmation: without confirmation the switch reverts "
                "to its previous configuration; the time is not shown"
            ),
        ),
        (
            "push-locked",
            (
                "on d a commit (by hand) has lost the process that would roll it back: its "
                "changes stay until someone rolls them back"
            ),
        ),
    ]
    assert "--take-over" in found[2].fix
    assert all("--take-over" not in one.fix for one in found[:2])
    assert all("--commit --abandon" in one.fix for one in found[:2])  # --abandon alone is refused


def device(version: str) -> Device:
    """A leaf of the demo's backend."""
    leaf = next(one for name, one in samples().items() if name.startswith("demo backend") and one.role == "leaf")
    return leaf._replace(name="be-leaf-000", version=version)


def test_a_switch_of_another_release_is_not_given_the_lines_of_the_intents() -> None:
    told = surveyed("be-leaf-000", "be-leaf-000")
    told = told._replace(facts=Facts("be-leaf-000", "4.33.2F", "", ""))
    (found,) = _other_releases({"be-leaf-000": device("4.34")}, [told])
    assert (found.code, found.what) == ("push-release", "be-leaf-000 runs 4.33.2F, but its configuration is for 4.34")
    assert found.fix.startswith("install 4.34 on it first")
    assert found.fix.endswith(", or write os: eos-4.33 for be-leaf-000 in overrides")


@pytest.mark.parametrize(("version", "wanted"), [("4.34.1F", "4.34"), ("", "4.34"), ("SONiC.master.1-ab", "master")])
def test_a_maintenance_release_and_one_that_is_not_reported_are_taken(version: str, wanted: str) -> None:
    told = surveyed("be-leaf-000", "be-leaf-000")._replace(facts=Facts("be-leaf-000", version, "", ""))
    assert list(_other_releases({"be-leaf-000": device(wanted)}, [told])) == []


def test_a_numbered_release_is_not_given_the_lines_of_a_branch_without_a_number() -> None:
    told = surveyed("be-leaf-000", "be-leaf-000")
    told = told._replace(facts=Facts("be-leaf-000", "SONiC.202505.1-4d", "", ""))
    (found,) = _other_releases({"be-leaf-000": device("master")._replace(system="sonic")}, [told])
    assert found.fix.endswith(", or write os: sonic-202505 for be-leaf-000 in overrides")


def test_a_release_that_no_platform_knows_is_not_offered() -> None:
    told = surveyed("be-leaf-000", "be-leaf-000")._replace(facts=Facts("be-leaf-000", "4.21.1F", "", ""))
    (found,) = _other_releases({"be-leaf-000": device("4.34")}, [told])
    assert "overrides" not in found.fix
