"""Neighbors that are alike are read once, and the audit is that of the whole text, whatever stands in it."""

from collections.abc import Callable

import pytest

from fabricgen.audit.switch import SwitchAudit, audited
from fabricgen.device.device import Device
from fabricgen.platforms.nxos.readback.readback import MAIN, READBACK
from tests.readback.sites import STAGES, switches
from tests.some import some

Edit = Callable[[str], str]
FIRST, COPY, LAST = "10.64.0.17", "10.64.0.19", "10.64.0.31"
"""Neighbors of be-leaf-000: the first of a run, a copy of it, and the last one."""


def _leaf() -> tuple[Device, str]:
    rows = switches(STAGES / "nxos" / "intent.yaml")
    return next((device, files[MAIN]) for device, files in rows if device.name == "be-leaf-000")


def _whole(monkeypatch: pytest.MonkeyPatch, device: Device, text: str) -> SwitchAudit:
    """The audit by the whole text."""
    with monkeypatch.context() as patched:
        patched.setattr("fabricgen.audit.switch._without_copies", lambda *_, **__: None)
        return audited(device, {MAIN: text}, filled=False)


def _in_block(name: str, old: str, text: str) -> Edit:
    """Changes the first such line of a neighbor's block."""

    def edit(whole: str) -> str:
        ahead, sign, behind = whole.partition(f"\n  neighbor {name}\n")
        assert old in behind
        return ahead + sign + behind.replace(old, text, 1)

    return edit


def _begun(line: str) -> Edit:
    """Adds lines to the process of BGP, ahead of the first neighbor."""
    return lambda whole: whole.replace(f"  neighbor {FIRST}\n", f"{line}\n  neighbor {FIRST}\n", 1)


EDITS: dict[str, Edit] = {
    "nothing": lambda whole: whole,
    "AS of a copy": _in_block(COPY, "remote-as ", "remote-as 1"),
    "description of a copy": _in_block(COPY, "description ", "description other "),
    "description of a copy twice": _in_block(COPY, "    timers", "    description other\n    timers"),
    "AS of a copy twice": _in_block(COPY, "    timers", "    remote-as 1\n    timers"),
    "timers of a copy": _in_block(COPY, "timers 3 9", "timers 3 10"),
    "limit of a copy": _in_block(COPY, "maximum-prefix ", "maximum-prefix 1"),
    "map of a copy": _in_block(COPY, "-IN in", "-DRAINED-IN in"),
    "a copy is shut": _in_block(COPY, "    timers", "    shutdown\n    timers"),
    "a copy has a password": _in_block(COPY, "    timers", "    password 3 0123\n    timers"),
    "address of a copy": lambda whole: whole.replace(f"neighbor {COPY}\n", "neighbor 10.64.0.99\n"),
    "a copy is not there": lambda whole: whole.replace(f"  neighbor {COPY}\n", f"  neighbor {FIRST}\n"),
    "a copy again": _begun(f"  neighbor {COPY}\n    shutdown"),
    "a copy again, by its AS": _begun(f"  neighbor {COPY} remote-as 1"),
    "a copy again, the same": _begun(f"  neighbor {COPY}\n    timers 3 9"),
    "the first again": _begun(f"  neighbor {FIRST}\n    shutdown"),
    "a copy in a VRF": _begun(f"  vrf red\n    neighbor {COPY}\n      remote-as 1"),
    "a copy in another spelling": _begun("  neighbor fd00:64:0::13\n    shutdown"),
    "all of them behind another heading": _begun("router ospf 1"),
    "an indented line behind the last": _in_block(LAST, "  neighbor", "    shutdown\n  neighbor"),
    "a remark in a copy": _in_block(COPY, "    timers", "    ! a remark\n    timers"),
    "nothing behind the end": _begun("end"),
}
HARMLESS = {"nothing", "a copy again, the same", "a remark in a copy"}


@pytest.mark.parametrize("name", some(EDITS, of=2))
def test_an_edit_is_found_as_in_the_whole_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    device, text = _leaf()
    edited = EDITS[name](text)
    assert (edited != text) is (name != "nothing")
    found = audited(device, {MAIN: edited}, filled=False).whole()
    assert found == _whole(monkeypatch, device, edited)
    assert found.is_exact is (name in HARMLESS)


def test_views_are_those_of_the_whole_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    for device, files in switches(STAGES / "nxos" / "intent.yaml"):
        assert audited(device, files, filled=False).whole() == _whole(monkeypatch, device, files[MAIN])


def test_copies_are_left_out() -> None:
    device, text = _leaf()
    short = READBACK.without_copies(device, {MAIN: text})
    assert short is not None
    assert short.text.count("\n") == text.count("\n")
    assert [len(run.copies) for run in short.runs] == [6, 6]
    assert COPY in text
    assert COPY not in short.text
    assert LAST in short.text
