"""`fabricgen diff --against live` on a real lab: what hands typed, what died, what the intent wants next."""

import json
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests import forked
from tests.cli.sites import edit
from tests.lab.faults import Running, signal_daemons
from tests.lab.sites import DEMO, available, lab_verb, plan

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "units=1,leaves=2,spines=2,links=2,servers=2,borders=0"
LEAF, OTHER = "be-leaf-000", "be-leaf-001"
SPINES = ("be-spine-00", "be-spine-01")
CANARY = "c4n4ry-7f3a9"
BACKEND = ("--devices", "be-*")
SECONDS = 240
SAFE = "no traffic loss"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A part of the demo, once for all; nobody has typed anything."""
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", DEMO, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        yield Running(folder, DEMO, make_lab(plan(DEMO), parse_subset(SUBSET)))
    finally:
        lab_verb("down", "--dir", folder)


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """The demo, to be edited."""
    shutil.copytree(DEMO.parent, tmp_path / "site")
    return tmp_path / "site/intent.yaml"


def diff(lab: Running, *words: object, intent: Path = DEMO, inventory: Path | None = None) -> tuple[int, str]:
    """Exit code and what is told. No secret is in it."""
    live = ("diff", intent, "--against", "live", "-i", inventory or lab.folder / "inventory", *words)
    done = forked.fabricgen(live, 120)
    assert done.stderr == ""
    assert CANARY not in done.stdout
    return done.returncode, done.stdout


def told(lab: Running, *words: object, intent: Path = DEMO) -> dict[str, Any]:
    """The result, where something differs."""
    code, text = diff(lab, *words, "--json", intent=intent)
    assert code == 3, text
    value = json.loads(text)
    assert isinstance(value, dict)
    return value


def router(lab: Running, name: str) -> str:
    return f"router bgp {lab.device(name).routing.bgp.asn}"


@contextmanager
def typed(lab: Running, name: str, section: str, line: str, back: str = "") -> Iterator[None]:
    """A line typed by hand, and taken away again."""
    within = (section,) if section else ()
    lab.typed(name, *within, line)
    try:
        yield
    finally:
        lab.typed(name, *within, back or f"no {line}")


def test_a_lab_runs_what_was_rendered(lab: Running) -> None:
    code, text = diff(lab)
    assert code == 0, text
    note, verdict, counts = text.splitlines()
    assert "only frr.conf is compared with the switch, not: " in note
    assert verdict == "No differences."
    assert counts == f"{len(lab.lab.devices)} switches: 0 differ, {len(lab.lab.devices)} match"


def test_a_description_typed_by_hand_costs_nothing(lab: Running) -> None:
    neighbor = lab.device(LEAF).routing.bgp.neighbors[0]
    line = f"neighbor {neighbor.address} description"
    with typed(lab, LEAF, router(lab, LEAF), f"{line} by hand", f"{line} {neighbor.description}"):
        value = told(lab, *BACKEND)
    (found,) = value["text"]
    assert (found["devices"], found["risk"]) == ([LEAF], "none")
    assert found["kinds"] == ["bgp.neighbor.description changed"]
    assert found["hunks"] == [
        {
            "section": [router(lab, LEAF)],
            "sections": [],
            "removed": [f"{line} by hand"],
            "added": [f"{line} {neighbor.description}"],
        }
    ]


def test_the_same_on_two_switches_is_one_class(lab: Running) -> None:
    with (
        typed(lab, SPINES[0], router(lab, SPINES[0]), "timers bgp 5 15"),
        typed(lab, SPINES[1], router(lab, SPINES[1]), "timers bgp 5 15"),
    ):
        value = told(lab, *BACKEND)
    (found,) = value["text"]
    assert (found["devices"], found["kinds"], found["risk"]) == (list(SPINES), ["bgp.timers removed"], "hitless")


def test_a_route_map_typed_by_hand_stands_under_its_statement(lab: Running) -> None:
    """And the same on a leaf with another AS is the same class."""
    statement = "route-map RM-SPINES-IPV4-IN permit 20"
    with (
        typed(lab, LEAF, statement, "set local-preference 90"),
        typed(lab, OTHER, statement, "set local-preference 90"),
    ):
        code, text = diff(lab, *BACKEND)
    assert code == 3
    lines = text.splitlines()
    at = lines.index(f"  @ {statement}")
    assert lines[at + 1] == "  - set local-preference 90"
    assert lines[at - 1].endswith("it concerns route-map.preference removed")
    assert lines[at - 2].endswith("  text of frr.conf on 2 switches: be-leaf-000…001")


def test_a_line_that_no_table_knows_is_unknown(lab: Running) -> None:
    with (
        typed(lab, LEAF, router(lab, LEAF), "bgp always-compare-med"),
        typed(lab, OTHER, router(lab, OTHER), "bgp always-compare-med"),
    ):
        value = told(lab, *BACKEND)
    (found,) = value["text"]
    assert (found["devices"], found["risk"], value["risk"]) == ([LEAF, OTHER], "unknown", "unknown")
    assert found["kinds"] == ["lines whose cost is unknown"]
    assert [(hunk["section"], hunk["removed"]) for hunk in found["hunks"]] == [
        (["router bgp *"], ["bgp always-compare-med"])
    ]


def test_a_password_typed_by_hand_is_told_without_it(lab: Running) -> None:
    name, address = SPINES[0], "192.0.2.9"
    lines = (f"neighbor {address} remote-as 65000", f"neighbor {address} password {CANARY}")
    lab.typed(name, f"password {CANARY}", router(lab, name), *lines)
    try:
        found = [diff(lab, "--devices", name, form) for form in ("-v", "--json", "--markdown")]
    finally:
        lab.typed(name, "no password", router(lab, name), f"no neighbor {address}")
    for code, text in found:
        assert code == 3
        assert "unknown" in text.lower()
        for line in (f"neighbor {address} password <secret>", "password <secret>"):
            assert line in text


def test_an_intent_that_the_lab_has_not_yet(lab: Running, intent: Path) -> None:
    edit(intent, "    transport: roce-lossless\n", "    transport: roce-lossless\n    bgp: {hold_seconds: 30}\n")
    value = told(lab, *BACKEND, intent=intent)
    assert {name for found in value["text"] for name in found["devices"]} == {LEAF, OTHER, *SPINES}
    assert {tuple(found["kinds"]) for found in value["text"]} == {("bgp.timers added",)}
    assert {line for found in value["text"] for hunk in found["hunks"] for line in hunk["added"]} == {"timers bgp 3 30"}


def test_a_tenant_that_the_lab_has_not_yet(lab: Running, intent: Path) -> None:
    edit(intent, 'servers: ["train[16-31]"]', 'servers: ["train[17-31]"]')
    with intent.open("a") as file:
        file.write(
            '  batch:\n    servers: ["train[16]"]\n    networks: {hosts: {vlan: 140, subnets: [172.22.0.0/24]}}\n'
        )
    value = told(lab, "--devices", "fe-*", intent=intent)
    added = {line for found in value["text"] for hunk in found["hunks"] for line in hunk["added"]}
    removed = {line for found in value["text"] for hunk in found["hunks"] for line in hunk["removed"]}
    assert "vrf batch" in added
    assert any(line.endswith(" vrf batch") and line.startswith("router bgp ") for line in added)
    assert not removed
    for found in value["text"]:
        assert found["kinds"]


def test_a_switch_that_the_inventory_lacks_is_told_first(lab: Running, tmp_path: Path) -> None:
    folder = tmp_path / "inventory"
    shutil.copytree(lab.folder / "inventory", folder)
    hosts = yaml.safe_load((folder / "hosts.yaml").read_text())
    del hosts[OTHER]
    (folder / "hosts.yaml").write_text(json.dumps(hosts))
    code, text = diff(lab, *BACKEND, inventory=folder)
    first, *_, counts = text.splitlines()
    assert (code, first) == (3, f"{OTHER} is not in the inventory: it was not queried")
    assert counts == "4 switches: 1 not read, 0 differ, 3 match"
    assert SAFE not in text


def test_a_dead_daemon_takes_its_lines_with_it_and_nothing_is_safe(lab: Running) -> None:
    """The first of those that do not come back: what bgpd would run is not known, so nothing says what a push does."""
    signal_daemons(lab, SPINES[1], ("bgpd",), signal.SIGKILL)
    wait_for(lambda: "bgpd" not in lab.inside(SPINES[1], "vtysh", "-c", "show daemons").split())
    code, text = diff(lab, *BACKEND)
    first, *_, counts = text.splitlines()
    dead = f"{SPINES[1]} did not show all of its running configuration: lines are missing, and bgpd does not run"
    assert (code, first) == (3, dead)
    assert counts == "4 switches: 1 not read, 0 differ, 3 match"
    assert "router bgp" not in text
    assert SAFE not in text


def test_a_dead_switch_is_told_first_and_nothing_is_safe(lab: Running) -> None:
    signal_daemons(lab, SPINES[0], ("bgpd", "staticd", "zebra"), signal.SIGKILL)
    for daemon in ("bfdd", "watchfrr"):
        kill_if_there(lab, SPINES[0], daemon)
    code, text = diff(lab, *BACKEND)
    assert (code, text.splitlines()[0].partition(": ")[0]) == (3, f"{SPINES[0]} cannot be reached")
    assert SAFE not in text
    assert diff(lab, "--devices", "be-spine-*")[0] == 5


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.1)


def kill_if_there(lab: Running, name: str, daemon: str) -> None:
    with suppress(AssertionError):
        signal_daemons(lab, name, (daemon,), signal.SIGKILL)
