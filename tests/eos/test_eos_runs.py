"""Ports and neighbors that are alike are read once, and the audit is that of the whole text, whatever stands in it."""

import re
from collections.abc import Callable

import pytest

from fabricgen.audit.switch import SwitchAudit, audited
from fabricgen.device.device import Device
from fabricgen.platforms.eos.readback.readback import MAIN, READBACK
from tests.readback.sites import INVENTORIES, STAGES, switches
from tests.some import some

Edit = Callable[[str], str]
PORT, SESSION = "Ethernet1/5", "10.64.0.131"
"""Copies of be-leaf-000: its first blocks are of Ethernet1/1 and 10.64.0.129."""
AT_END = "\n!\nplatform trident mmu queue profile LOSSLESS apply\n"
LAST_PORT = "\ninterface Ethernet32/5\n"


def _leaf() -> tuple[Device, str]:
    rows = switches(INVENTORIES / "demo" / "intent.yaml")
    return next((device, files[MAIN]) for device, files in rows if device.name == "be-leaf-000")


def _replaced(old: str, text: str) -> Edit:
    def edit(whole: str) -> str:
        assert old in whole
        return whole.replace(old, text, 1)

    return edit


def _of_neighbor(line: str) -> Edit:
    return _replaced("   address-family ipv4\n", f"   {line}\n   address-family ipv4\n")


def _of_family(line: str) -> Edit:
    return _replaced("   address-family ipv4\n", f"   address-family ipv4\n      {line}\n")


def _of_port(*lines: str) -> Edit:
    return _replaced(AT_END, "\n" + "\n".join(lines) + AT_END)


def _exchanged(one: str, other: str) -> Edit:
    def edit(whole: str) -> str:
        assert one in whole
        assert other in whole
        return whole.replace(one, "\0").replace(other, one).replace("\0", other)

    return edit


def _with_another(whole: str) -> str:
    """Each port says its IPv6 address twice; one says another one first."""
    twice = re.sub(r"(\n   ipv6 address .*)", r"\1\1", whole)
    return _replaced("ipv6 address fd5e:8c1f:2a00::82/127", "ipv6 address fd5e:8c1f:2a00::1082/127")(twice)


EDITS: dict[str, Edit] = {
    "nothing": _replaced("hostname be-leaf-000", "hostname be-leaf-000"),
    "address of a copy": _replaced("ip address 10.64.0.2/31", "ip address 10.64.0.3/31"),
    "second address of a copy": _replaced(
        "ip address 10.64.0.2/31", "ip address 10.64.0.2/31\n   ip address 1.1.1.1/31"
    ),
    "description of a copy": _replaced("description train-001 OSFP4P2 rail 0", "description train-001  OSFP4P2 rail 0"),
    "spaces that do not count": _replaced("description train-001", "description  train-001"),
    "a copy is shut": _replaced(f"{PORT}\n   description train-001 OSFP4P2 rail 0\n   no shut", f"{PORT}\n   shut"),
    "addresses of two ports": _exchanged("ip address 10.64.0.2/31", "ip address 10.64.0.4/31"),
    "names of two ports": _exchanged(f"interface {PORT}\n", "interface Ethernet2/1\n"),
    "names of two ports in all": _exchanged(PORT, "Ethernet2/1"),
    "a copy twice": _of_port(f"interface {PORT}", "   shutdown"),
    "a copy twice, by its short name": _of_port(f"interface  {PORT.replace('Ethernet', 'et')}", "   shutdown"),
    "a copy twice, and nothing else": _of_port(f"interface {PORT}", "   no shutdown"),
    "the first twice": _of_port("interface Ethernet1/1", "   no shutdown"),
    "a subinterface of a copy": _of_port(f"interface {PORT}.5", "   encapsulation dot1q vlan 5"),
    "a line behind the last": _replaced("\n!\ninterface Ethernet33/1\n", "\n!\n   mtu 9214\ninterface Ethernet33/1\n"),
    "the first's description behind the last": _replaced(
        "\n!\ninterface Ethernet33/1\n", "\n!\n   description train-000 OSFP4P2 rail 0\ninterface Ethernet33/1\n"
    ),
    "a copy has another address as well": _with_another,
    "another name behind the last": _replaced(LAST_PORT, "\ninterface Ethernet31/1\n"),
    "AS of a copy": _replaced(f"neighbor {SESSION} remote-as 4201000024", f"neighbor {SESSION} remote-as 1"),
    "AS of a copy, with a dot": _replaced(f"{SESSION} remote-as 4201000024", f"{SESSION} remote-as 64102.11352"),
    "a neighbor is shut": _of_neighbor(f"neighbor {SESSION} shutdown"),
    "a neighbor is not active": _of_family(f"no neighbor {SESSION} activate"),
    "a neighbor has the same again": _of_neighbor(f"neighbor {SESSION} remote-as 4201000024"),
    "the first again": _of_neighbor("neighbor 10.64.0.129 remote-as 4201000024"),
    "a neighbor in another spelling": _of_neighbor("neighbor fd5e:8c1f:2a00:0::83 timers 1 3"),
    "a neighbor in a VRF": _of_neighbor(f"vrf red\n      neighbor {SESSION} remote-as 1"),
    "neighbors in a banner": lambda whole: whole.replace("router bgp", "banner login\nrouter bgp", 1),
    "no configuration behind the end": lambda whole: whole.replace(
        "interface Ethernet1/1\n", "end\ninterface Ethernet1/1\n"
    ),
}
HARMLESS = {"nothing", "spaces that do not count", "AS of a copy, with a dot", "a copy twice, and nothing else"}
HARMLESS |= {"the first twice", "a neighbor has the same again", "the first again", "a line behind the last"}


def _whole(monkeypatch: pytest.MonkeyPatch, device: Device, text: str) -> SwitchAudit:
    """The audit by the whole text."""
    with monkeypatch.context() as patched:
        patched.setattr("fabricgen.audit.switch._without_copies", lambda *_, **__: None)
        return audited(device, {MAIN: text}, filled=False)


@pytest.mark.parametrize("name", some(EDITS, of=2))
def test_an_edit_is_found_as_in_the_whole_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    device, text = _leaf()
    edited = EDITS[name](text)
    found = audited(device, {MAIN: edited}, filled=False).whole()
    assert found == _whole(monkeypatch, device, edited)
    assert found.is_exact is (name in HARMLESS)


@pytest.mark.parametrize("intent", [INVENTORIES / "demo/intent.yaml", STAGES / "eos/intent.yaml"], ids=["demo", "eos"])
def test_views_are_those_of_the_whole_texts(intent: object, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row for row in switches(intent) if row[0].system == "eos"]
    for device, files in rows:
        found, whole = audited(device, files, filled=False).whole(), _whole(monkeypatch, device, files[MAIN])
        assert found == whole
        assert found.view is not None
        assert whole.view is not None
        assert [*found.view.ports] == [*whole.view.ports]


def test_a_copy_that_is_planned_otherwise_is_found() -> None:
    device, text = _leaf()
    ports = tuple(
        port._replace(profile=port.profile._replace(mtu=1500)) if port.name == PORT else port
        for port in device.interfaces.ethernet
    )
    planned = device._replace(interfaces=device.interfaces._replace(ethernet=ports))
    (found,) = audited(planned, {MAIN: text}, filled=False).findings
    assert found.difference[:6] == ("different", "port", PORT, "mtu", 1500, 9214)


def test_little_of_a_leaf_is_left() -> None:
    device, text = _leaf()
    short = READBACK.without_copies(device, {MAIN: text})
    assert short is not None
    assert short.text.count("\n") == text.count("\n")
    assert len(short.text.replace("\n\n", "")) < len(text) / 4
    assert [len(run.copies) for run in short.runs] == [62] * 4
