"""A switch of a running lab changed by its own file: what stands afterwards is what a lab built again would have."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.build.down import down
from fabricgen.lab.build.follow import prepare, rehost
from fabricgen.lab.build.kernel import probe
from fabricgen.lab.host.inventory import render_files
from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.lab import PLAIN, Lab
from fabricgen.lab.operate.run import run
from tests.frr.waiting import becomes
from tests.judges.held import held
from tests.lab.sites import available, remains
from tests.lab.variants import Intent, build, ifreload, kernel, lab_of, reload_all, variant, write_interfaces
from tests.some import some

WHY = available() or (
    None if probe(LabShell("none")).kind == PLAIN else "interfaces are ifupdown2's own on this kernel"
)
pytestmark = pytest.mark.skipif(WHY is not None, reason=str(WHY))

SECONDS = 120  # what the kernel does later: carriers, link-local addresses
LEAF, FAR = "fe-leaf-000", "fe-leaf-002"


class Standing(NamedTuple):
    """A lab that stands, and what the kernel had when it was built."""

    place: LabPlace
    lab: Lab
    kernel: frozenset[str]


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    folder = tmp_path_factory.mktemp("ifreload")
    intent = variant(folder / "base", lambda found: None)
    lab, place = lab_of(intent), place_of(folder / "lab")
    build(lab, place, intent)
    try:
        yield Standing(place, lab, kernel(place, lab))
    finally:
        down(place)
    assert remains(place) == {}


def _vlan_moves(intent: Intent) -> None:
    intent["tenants"]["research"]["networks"]["hosts"]["vlan"] = 111


def _address_moves(intent: Intent) -> None:
    """Of the gateway, and of every server behind it."""
    intent["tenants"]["research"]["networks"]["hosts"]["subnets"][0] = "172.20.0.0/20"


def _tenant_comes(intent: Intent) -> None:
    """With two networks, so that its server's port is tagged, and one that it imports from."""
    networks = {
        "hosts": {"vlan": 120, "subnets": ["172.19.0.0/20"]},
        "public": {"vlan": 121, "subnets": ["172.19.16.0/20"]},
    }
    intent["tenants"]["serving"] = {"servers": ["train[3]"], "imports": ["storage"], "networks": networks}


def _tenant_goes(intent: Intent) -> None:
    del intent["tenants"]["research"]


def _server_moves(intent: Intent) -> None:
    intent["tenants"]["storage"]["servers"].append("train[2]")
    intent["tenants"]["research"]["servers"] = ["train[0-1]"]


def _import_goes(intent: Intent) -> None:
    del intent["tenants"]["research"]["imports"]


def _ports_change(intent: Intent) -> None:
    """Addresses of every link, and the sizes of all packets."""
    intent["fabrics"]["frontend"]["addressing"]["links"] = ["ipv4"]


CHANGES = [
    _tenant_comes,
    _import_goes,
    *(pytest.param(change, marks=pytest.mark.long) for change in (_vlan_moves, _address_moves, _tenant_goes)),
    *(pytest.param(change, marks=pytest.mark.long) for change in (_server_moves, _ports_change)),
]


def _becomes(place: LabPlace, lab: Lab, wanted: frozenset[str]) -> None:
    """Wait until nothing is there that should not be, and nothing is missing."""
    deadline, begun = time.monotonic() + SECONDS, time.monotonic()
    while (found := kernel(place, lab)) != wanted and (ended := time.monotonic()) < deadline:
        time.sleep(2 * (ended - begun))
        begun = time.monotonic()
    more, less = (f"+ {line}" for line in found - wanted), (f"- {line}" for line in wanted - found)
    assert found == wanted, "\n".join(sorted([*more, *less]))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change.__name__).strip("_"))
def test_what_stands_is_what_a_new_lab_has(
    standing: Standing, tmp_path: Path, change: Callable[[Intent], None]
) -> None:
    """There and back again."""
    place, old = standing.place, standing.lab
    intent = variant(tmp_path / "site", change)
    new, other = lab_of(intent), place_of(tmp_path / "lab")
    build(new, other, intent)
    try:
        wanted = kernel(other, new)
    finally:
        down(other)
    assert wanted != standing.kernel
    prepare(place, new, render_files(new.devices))
    reload_all(place, new)
    rehost(place, new, render_files(new.devices))
    _becomes(place, new, wanted)
    prepare(place, old, render_files(old.devices))
    reload_all(place, old)
    rehost(place, old, render_files(old.devices))
    _becomes(place, old, standing.kernel)


def _texts(lab: Lab) -> dict[str, str]:
    return {name: files["interfaces"] for name, files in render_files(lab.devices).items()}


def test_a_file_that_was_not_rendered_for_this_lab_is_refused(standing: Standing) -> None:
    place, text = standing.place, _texts(standing.lab)[LEAF]
    write_interfaces(place, LEAF, f"{text}\nauto dummy9\niface dummy9\n")
    try:
        for words in (("-a",), ("-a", "--syntax-check")):
            done = ifreload(place, LEAF, *words)
            assert (done.returncode, done.stdout) == (1, "")
            assert "this lab supports only interfaces files that fabricgen rendered for it" in done.stderr
        assert run(place.folder, LEAF, ["ifquery", "-a", "--check"]).returncode == 1
        assert kernel(place, standing.lab) == standing.kernel
    finally:
        write_interfaces(place, LEAF, text)
    assert ifreload(place, LEAF, "swp1").returncode == 1
    assert run(place.folder, LEAF, ["ifquery", "-a", "--check"]).returncode == 0


def test_what_the_kernel_refuses_changes_nothing(standing: Standing, tmp_path: Path) -> None:
    """Somebody's interface has the name of one that is to be made, behind others that are made before."""
    place, new = standing.place, lab_of(variant(tmp_path / "site", _vlan_moves))
    prepare(place, new, render_files(new.devices))
    run(
        place.folder,
        FAR,
        ["nsenter", "--net=/run/netns/research", "ip", "link", "add", "name", "vlan111", "type", "bridge"],
    )
    write_interfaces(place, FAR, _texts(new)[FAR])
    try:
        done = ifreload(place, FAR)
        assert done.returncode == 1
        assert "File exists" in done.stderr
        assert run(place.folder, FAR, ["ifquery", "-a", "--check"]).stdout != ""
    finally:
        run(place.folder, FAR, ["nsenter", "--net=/run/netns/research", "ip", "link", "del", "dev", "vlan111"])
        write_interfaces(place, FAR, _texts(standing.lab)[FAR])
    rehost(place, standing.lab, render_files(standing.lab.devices))
    _becomes(place, standing.lab, standing.kernel)
    assert run(place.folder, FAR, ["ifquery", "-a", "--check"]).returncode == 0


@pytest.mark.parametrize("at", some([0.1, 0.05, 0.2, 0.4, 0.8]))
def test_killed_on_the_way_it_can_be_run_again(standing: Standing, tmp_path: Path, at: float) -> None:
    """Killed some time after the first change was noted: it is run again, with the new file or with the old one."""
    place, old = standing.place, standing.lab
    new = lab_of(variant(tmp_path / "site", _tenant_comes))
    prepare(place, new, render_files(new.devices))
    for lab in (new, old):
        write_interfaces(place, FAR, _texts(lab)[FAR])
        _kill(place, at)
    reload_all(place, old)
    rehost(place, old, render_files(old.devices))
    _becomes(place, old, standing.kernel)


def _kill(place: LabPlace, at: float) -> None:
    """Run ifreload, and kill it so many seconds after it began to change something, or let it end."""
    words = place.space(FAR).enter("ifreload", "-a")
    notes = place.files(FAR) / "units" / "notes.json"
    before = notes.stat().st_mtime_ns
    with subprocess.Popen(words, start_new_session=True, stderr=subprocess.DEVNULL) as begun:
        while begun.poll() is None and notes.stat().st_mtime_ns == before:
            time.sleep(0.005)
        time.sleep(at)
        if begun.poll() is None:
            os.killpg(begun.pid, signal.SIGKILL)


def test_a_lab_that_was_built_without_a_cable_says_so(standing: Standing, tmp_path: Path) -> None:
    """Before anything is changed."""

    def more(intent: Intent) -> None:
        intent["servers"]["train"]["slots"] = "0-4"

    new = lab_of(variant(tmp_path / "site", more))
    for verb in (prepare, rehost):
        with pytest.raises(FabricError) as caught:
            verb(standing.place, new, render_files(new.devices))
        (problem,) = caught.value.problems
        assert problem.code == "lab-outgrown"
        assert "train-004" in problem.why
    assert kernel(standing.place, standing.lab) == standing.kernel


def test_settings_reach_every_vrf(standing: Standing, tmp_path: Path) -> None:
    """And what no namespace has of its own is passed over."""
    (tmp_path / "some.conf").write_text("net.ipv4.ip_forward = 0\nnet.ipv4.neigh.default.gc_thresh1 = 7\n")
    place, value = standing.place, ["cat", "/proc/sys/net/ipv4/ip_forward"]
    limit = Path("/proc/sys/net/ipv4/neigh/default/gc_thresh1")
    before = limit.read_text()
    try:
        done = run(place.folder, LEAF, ["sysctl", "-q", "-p", str(tmp_path / "some.conf")])
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        for enter in ([], ["nsenter", "--net=/run/netns/storage"]):
            assert run(place.folder, LEAF, [*enter, *value]).stdout == "0\n"
        assert limit.read_text() == before
    finally:
        run(place.folder, LEAF, ["sysctl", "-q", "-p", "/etc/sysctl.d/90-fabric.conf"])
    assert kernel(place, standing.lab) == standing.kernel


def test_what_was_reverted_can_be_made_again(standing: Standing, tmp_path: Path) -> None:
    """With the ports of tagged VLANs, which come back out of a VRF that goes."""
    place, old = standing.place, standing.lab
    new = lab_of(variant(tmp_path / "site", _tenant_comes))
    prepare(place, new, render_files(new.devices))
    for lab in (new, old, new, old):
        reload_all(place, lab)
    rehost(place, old, render_files(old.devices))
    _becomes(place, old, standing.kernel)


@pytest.mark.long
def test_addresses_that_zebra_drops_are_told_again(standing: Standing, tmp_path: Path) -> None:
    """FRR before 10.0 drops an address that it hears of before its interface: here its main thread is late."""
    place, old = standing.place, standing.lab
    new = lab_of(variant(tmp_path / "site", _vlan_moves))
    prepare(place, new, render_files(new.devices))
    write_interfaces(place, FAR, _texts(new)[FAR])
    zebra = int(run(place.folder, FAR, ["cat", "/run/frr/zebra.pid"]).stdout)
    work = place.space(FAR).enter("vtysh", "-d", "zebra", *(("-c", "show interface") * 5000))
    inside = ["nsenter", "--net=/run/netns/research", "ip", "address", "show", "dev", "vlan111"]
    with held(zebra, work):
        begun = subprocess.Popen(place.space(FAR).enter("ifreload", "-a"))
        becomes(True, lambda: " inet " in run(place.folder, FAR, inside).stdout)
        time.sleep(3)
    assert begun.wait(SECONDS) == 0
    (gateway,) = re.findall(r"inet (\S+) scope global", run(place.folder, FAR, inside).stdout)
    asked = ["vtysh", "-c", "show interface vlan111 vrf research"]
    becomes(True, lambda: gateway in run(place.folder, FAR, asked).stdout)
    prepare(place, old, render_files(old.devices))
    reload_all(place, old)
    rehost(place, old, render_files(old.devices))
    _becomes(place, old, standing.kernel)
