"""What a switch starts with, its files, settings of its kernel and its queueing disciplines: from recorded words."""

import re
from pathlib import Path
from typing import Any

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.frr.live.files import FILES, NO_FILE, QUEUES, READ_FILES, SETTINGS, STARTUP
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.state.state import Shaper, SideFile, State
from tests.lab.sites import SMALL, plan
from tests.live.frr_files_said import NETEM, QDISCS
from tests.live.frr_said import NAMES, outputs


def changed(command: str, value: object, error: str = "") -> State:
    """State where one command gave something else."""
    return FRR.state(outputs() | {command: Output(value, error)}, NAMES)


def test_files_and_settings_are_read() -> None:
    state = FRR.state(outputs(), NAMES)
    assert state.startup == "frr version 8.4\nhostname sw1\n"
    assert [kept.name for kept in state.files or ()] == ["interfaces", "sysctl.conf"]
    assert state.settings is not None
    assert state.settings["net.ipv4.fib_multipath_hash_policy"] == "1"
    assert state.settings["net.ipv4.conf.swp5/900.rp_filter"] == "2"
    assert state.settings["net.ipv4.ping_group_range"] == "1 0"
    assert len(state.settings) == 8


def test_a_file_that_is_not_there_is_told_from_one_that_is_not_read() -> None:
    """Words of cat (coreutils 9.1) behind the driver's own."""
    path = FILES["sysctl.conf"]
    state = changed(f"cat {path}", None, f"sw1: cat {path}: cat: {path}: {NO_FILE}")
    assert state.files is not None
    assert state.files[1] == SideFile("sysctl.conf", None)
    denied = changed(f"cat {path}", None, f"sw1: cat {path}: cat: {path}: Permission denied")
    assert denied.files is None
    assert "Permission denied" in denied.unread["files"]


def test_a_switch_without_a_startup_file_starts_with_nothing() -> None:
    assert changed(STARTUP, None, f"sw1: {STARTUP}: cat: /etc/frr/frr.conf: {NO_FILE}").startup == ""
    assert changed(STARTUP, "").startup == ""
    assert changed(STARTUP, None, "sw1: no answer within 60 s").startup is None


@pytest.mark.parametrize("said", ["", "sysctl: unrecognized option", "net.ipv4.ip_forward: 1"])
def test_settings_that_are_not_understood_are_unread(said: str) -> None:
    state = changed(SETTINGS, said)
    assert state.settings is None
    assert "shows no parameter" in state.unread["settings"]


def test_disciplines_that_hold_packets_back() -> None:
    state = changed(QUEUES, [*QDISCS, NETEM])
    assert [(one.port, one.kind, one.vrf) for one in state.shapers or ()] == [
        ("swp2", "tbf", ""),
        ("swp9", "netem", ""),
    ]
    there: Any = changed("tc -n storage -j qdisc show", [NETEM])
    assert [(one.port, one.vrf) for one in there.shapers] == [("swp2", ""), ("swp9", "storage")]
    assert changed(QUEUES, QDISCS[:3]).shapers == ()


def test_a_tree_of_classes_is_somebody_s_queues() -> None:
    """As tc shows what lab/model/queues.py makes of a Device: htb, prio below it, a capped band with tbf, drr."""
    port = {"dev": "swp1", "options": {}}
    tree = [
        {"kind": "htb", "handle": "1:", "root": True, **port},
        {"kind": "prio", "handle": "2:", "parent": "1:1", **port},
        {"kind": "tbf", "handle": "17:", "parent": "2:1", **port},
        {"kind": "drr", "handle": "3:", "parent": "2:2", **port},
    ]
    assert changed(QUEUES, tree).shapers == ()
    elsewhere = changed(QUEUES, [*tree, QDISCS[3]]).shapers
    assert [(one.port, one.kind) for one in elsewhere or ()] == [("swp2", "tbf")]
    assert [one.kind for one in changed(QUEUES, tree[:1]).shapers or ()] == ["htb"]


@pytest.mark.parametrize("value", ["no", [{"kind": 7}], [{"kind": "tbf", "dev": "swp1", "options": 7}], [7]])
def test_disciplines_that_are_not_understood_are_unread(value: object) -> None:
    state = changed(QUEUES, value)
    assert state.shapers is None
    assert state.unread["shapers"]


def test_a_shaper_is_shown_with_its_rate() -> None:
    assert changed(QUEUES, QDISCS).shapers == (
        Shaper("swp2", "tbf", 'tbf {"burst": 10240, "lat": 10000, "rate": 1250000}'),
    )


@pytest.mark.parametrize("intent", [SMALL])
def test_every_setting_that_is_rendered_is_asked_for(intent: Path) -> None:
    pattern = re.compile(SETTINGS.partition("'")[2].rstrip("'"))
    device = next(one for one in devices(plan(intent)) if one.system == "frr")
    (text,) = (file.text for file in Renderer().render(device) if file.path.endswith("/sysctl.conf"))
    names = [line.partition("=")[0].strip() for line in text.splitlines() if "=" in line and line[0] != "#"]
    assert len(names) > 20
    assert [name for name in names if not pattern.search(name)] == []


def test_the_files_are_those_that_a_push_puts_there() -> None:
    assert READ_FILES == ("cat /etc/network/interfaces", "cat /etc/sysctl.d/90-fabric.conf")
    assert FRR.files == tuple(FILES)
