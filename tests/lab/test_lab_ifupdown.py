"""An interfaces file applied by ifupdown2 in a switch's namespaces: what is refused, what is read back, what is kept.

The files are plain ones, for a kernel without VRF devices; rendered ones are applied in tests/uml.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.build.remove import remove
from fabricgen.lab.host.place import Space, place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.spaces import hold, make_space
from fabricgen.lab.interfaces import ifupdown
from tests.judges import frr, interfaces

WHY = interfaces.available() or frr.available()
pytestmark = pytest.mark.skipif(WHY is not None, reason=str(WHY))

PORTS = """\
auto lo
iface lo inet loopback
    address 10.255.0.1/32
    address fd00::1/128

auto swp1
iface swp1
    alias spine-1 swp1
    link-speed 400000
    link-fec rs
    mtu 9216
    address 10.1.0.0/31

auto vni20
iface vni20
    mtu 9100
    vxlan-id 20
    vxlan-local-tunnelip 10.255.0.1

auto br20
iface br20
    bridge-ports vni20
"""


class Switch:
    """A switch of a lab with one port, and its folder of state."""

    def __init__(self, shell: LabShell, space: Space, state: Path) -> None:
        self.shell, self.space, self.state = shell, space, state

    def apply(self, text: str) -> None:
        """Apply a file."""
        ifupdown.apply(self.shell, self.space, text, self.state)

    def faults(self) -> tuple[str, ...]:
        """What differs from the file that was applied."""
        return tuple(ifupdown.faults(self.shell, self.space, self.state))

    def ip(self, *words: str) -> str:
        """Run a command of `ip` in the switch."""
        return self.shell.must(self.space.enter("ip", *words), doing="ip")


@pytest.fixture
def switch(tmp_path: Path) -> Iterator[Switch]:
    place = place_of(tmp_path)
    runs = LabShell(place.id)
    place.run.mkdir(parents=True)
    try:
        hold(runs, place)
        make_space(runs, place, "leaf", has_frr=True)
        found = Switch(runs, place.space("leaf"), tmp_path / "ifupdown2")
        found.ip("link", "add", "name", "swp1", "type", "veth", "peer", "name", "far")
        found.ip("link", "set", "dev", "far", "up")
        yield found
    finally:
        remove(place)
        shutil.rmtree(place.run)


def test_what_is_written_is_there(switch: Switch) -> None:
    switch.apply(PORTS)
    assert switch.faults() == ()
    said = switch.ip("-br", "address")
    assert "10.255.0.1/32 fd00::1/128" in said
    assert "10.1.0.0/31" in said
    assert "mtu 9216" in switch.ip("link", "show", "swp1")
    assert "vxlan id 20 local 10.255.0.1" in switch.ip("-d", "link", "show", "vni20")


def test_a_file_without_a_stanza_takes_the_device_down(switch: Switch) -> None:
    switch.apply(PORTS)
    switch.apply(PORTS.partition("auto vni20")[0])
    assert "vni20" not in switch.ip("link")
    assert switch.faults() == ()
    assert list((switch.state / "state").iterdir())  # what it knows of the time before, for this switch alone


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("link set dev swp1 mtu 1500", "swp1 mtu 1500"),
        ("address del 10.255.0.1/32 dev lo", "lo address 10.255.0.1/32"),
        ("address add 10.9.9.9/32 dev lo", "lo address 10.9.9.9/32"),
        ("link del dev vni20", "vni20 does not exist"),
    ],
)
def test_what_was_changed_by_hand_is_found(switch: Switch, words: str, fault: str) -> None:
    switch.apply(PORTS)
    switch.ip(*words.split())
    assert fault in switch.faults()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("10.1.0.0/31", "10.1.0.300/31", "10.1.0.300"),
        ("vxlan-id 20", "vxlan-idd 20", "vxlan-idd"),
        ("iface swp1", "interface swp1", "swp1"),
        ("mtu 9216", "mtu 92160", "92160"),
    ],
)
def test_a_bad_file_is_refused_and_changes_nothing(switch: Switch, old: str, new: str, said: str) -> None:
    before = switch.ip("address")
    with pytest.raises(FabricError) as caught:
        switch.apply(PORTS.replace(old, new))
    assert said in " ".join(problem.why for problem in caught.value.problems)
    assert {problem.code for problem in caught.value.problems} == {"lab-interfaces"}
    assert switch.ip("address") == before


def test_what_the_kernel_does_not_take_is_told(switch: Switch) -> None:
    """A port that is not there: the syntax is right, and `ifreload` itself ends with 0."""
    with pytest.raises(FabricError) as caught:
        switch.apply(PORTS.replace("swp1\n", "swp9\n"))
    assert "swp9" in " ".join(problem.why for problem in caught.value.problems)


def test_the_hosts_own_files_and_links_stay(switch: Switch) -> None:
    def host() -> tuple[object, ...]:
        folders = (Path("/etc/network"), Path("/etc/iproute2"), ifupdown.folder(), Path("/run/network"))
        files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files if "__pycache__" not in path.parts]
        # Links called fx... are those that test_lab_live.py makes beside this test.
        links = sorted(name for name in os.listdir("/sys/class/net") if not name.startswith("fx"))  # noqa: PTH208
        return (digests, Path("/var/tmp/network").exists(), links)

    before = host()
    switch.apply(PORTS)
    assert host() == before


def test_a_host_without_ifupdown2_is_told_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(ifupdown.FOLDER, str(tmp_path))
    with pytest.raises(FabricError) as caught:
        ifupdown.require()
    (problem,) = caught.value.problems
    assert problem.code == "lab-ifupdown2"
    assert str(tmp_path) in problem.why
    assert "make lab-deps" in problem.fix
