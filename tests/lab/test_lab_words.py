"""What a lab reads: daemons files, settings, FRR's talk, its summary of sessions, the record of what was made."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.build import up
from fabricgen.lab.build.kernel import QUEUES, TRIALS, WHOLE, Kernel, unexercised
from fabricgen.lab.build.preflight import LabNeeds, limits, needs, require
from fabricgen.lab.host import neighbors, record
from fabricgen.lab.host.daemons import complaints, enabled, profile
from fabricgen.lab.host.inventory import expected_sessions, read_facts
from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.host.record import STARTING, UP, Record, claimed, labs, read_record, write_record
from fabricgen.lab.host.spaces import parse_settings
from fabricgen.lab.interfaces import ifupdown
from fabricgen.lab.model.lab import FULL, PLAIN
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import Subset, parse_subset
from fabricgen.lab.operate.status import LabSummary, SwitchStatus, read_summary
from tests.lab.sites import SMALL, plan

DAEMONS = """\
# leaf
bgpd=yes
ospfd=no
#bfdd=yes
vtysh_enable=yes
frr_profile="datacenter"
zebra_options="  -A 127.0.0.1 -s 90000000 --v6-rr-semantics"
bgpd_options="   -A 127.0.0.1"
"""


def test_the_daemons_file_says_what_runs() -> None:
    found = enabled(DAEMONS)
    assert [name for name in found if name != "mgmtd"] == ["zebra", "staticd", "bgpd"]
    assert found["zebra"] == ["-A", "127.0.0.1", "-s", "90000000", "--v6-rr-semantics"]
    assert found["staticd"] == []
    assert profile(DAEMONS) == ["-F", "datacenter"]
    assert profile("bgpd=yes") == []
    assert "bfdd" in enabled(DAEMONS.replace("#bfdd", "bfdd"))


def test_settings_are_read_without_remarks() -> None:
    assert parse_settings("# a\nnet.ipv4.ip_forward = 1\n\nnet.x = 0 # why\nno sign\n") == {
        "net.ipv4.ip_forward": "1",
        "net.x": "0",
    }


def test_only_what_speaks_against_a_configuration_is_a_complaint() -> None:
    said = """\
The route-map 'RM-X' does not exist.
[1234|zebra] sending configuration
line 12: % Unknown command: neighbour X
% Specify remote-as or peer-group commands first
Configuration file[/etc/frr/frr.conf] processing failure: 2
"""
    assert complaints(said) == (
        "line 12: % Unknown command: neighbour X",
        "% Specify remote-as or peer-group commands first",
    )


def test_established_sessions_are_counted_in_each_family() -> None:
    """The shape is that of FRR 8.4: families, and in each its peers with a state and the prefixes they sent."""
    up, down = {"state": "Established", "pfxRcd": 3}, {"state": "Active", "pfxRcd": 9}
    text = json.dumps(
        {
            "ipv4Unicast": {"peers": {"10.0.0.1": up, "10.0.0.3": down}, "totalPeers": 2},
            "l2VpnEvpn": {"peers": {"10.0.0.9": up}},
            "ipv4Multicast": {"peers": {"10.0.0.9": up}},
        }
    )
    assert read_summary(text) == LabSummary(established=2, prefixes=6)
    for text in ("", "% BGP instance not found", "[]", "{}"):
        assert read_summary(text) == LabSummary(0, 0)


def test_expected_sessions_count_the_families_of_each_group() -> None:
    """A leaf with two spines: IPv4 and IPv6 on each link, and one EVPN session each."""
    lab = make_lab(plan(SMALL), parse_subset("links=1,spines=2"))
    found = {device.name: expected_sessions(device) for device in lab.devices}
    assert found["be-leaf-000"] == 4
    assert found["fe-leaf-000"] == 6
    leaf = next(device for device in lab.devices if device.name == "be-leaf-000")
    groups = tuple(group._replace(families=("ipv4", "ipv6")) for group in leaf.routing.bgp.groups)
    routing = leaf.routing._replace(bgp=leaf.routing.bgp._replace(groups=groups))
    assert expected_sessions(leaf._replace(routing=routing)) == 8


def test_a_status_is_fine_when_all_is_there() -> None:
    row = SwitchStatus("leaf", 3, 3, 4, 4, 6, 6)
    assert row.fine
    for short in (row._replace(daemons=2), row._replace(sessions=3), row._replace(links=5)):
        assert not short.fine


def test_bfd_is_spoken_of_where_many_switches_share_a_host() -> None:
    lab = make_lab(plan(SMALL), Subset())
    kernel = Kernel("6.1", frozenset(), ifupdown=True)
    group = lab.devices[0].routing.bgp.groups[0]
    bgp = lab.devices[0].routing.bgp._replace(groups=(group._replace(bfd=True),))
    quick = lab.devices[0]._replace(routing=lab.devices[0].routing._replace(bgp=bgp))
    assert not list(limits(replace(lab, devices=(quick,) * 20), kernel))
    assert not list(limits(replace(lab, devices=lab.devices * 2), kernel))
    assert [row.feature for row in limits(replace(lab, devices=(quick,) * 21), kernel)] == ["bfd interval"]


def test_facts_of_no_lab_are_none(tmp_path: Path) -> None:
    assert read_facts(tmp_path) == {}
    (tmp_path / "lab.json").write_text("{")
    assert read_facts(tmp_path) == {}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LabPlace:
    """A lab's place whose run folder is not the host's."""
    for module in (record, neighbors):
        monkeypatch.setattr(f"{module.__name__}.RUN", tmp_path / "run", raising=False)
    monkeypatch.setattr("fabricgen.lab.host.place.RUN", tmp_path / "run")
    return place_of(tmp_path / "lab")


def _record(place: LabPlace, **changes: object) -> Record:
    found = Record(folder=str(place.folder), intent="i.yaml", subset="leaves=1", state=UP)
    return replace(found, **changes)  # type: ignore[arg-type]


def test_a_record_is_read_as_it_was_written(place: LabPlace) -> None:
    assert read_record(place) is None
    found = _record(place, thresholds={"a": (1, 2)})
    write_record(place, found)
    assert read_record(place) == found
    assert list(labs()) == [(place, found)]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"thresholds": {"a": 1}}', '{"thresholds": {}, "folder": "x"}'])
def test_half_a_record_is_none(place: LabPlace, text: str) -> None:
    place.run.mkdir(parents=True)
    place.record.write_text(text)
    assert read_record(place) is None


def test_one_at_a_time_holds_a_lab_and_leaves_no_folder(place: LabPlace) -> None:
    with claimed(place):
        with pytest.raises(FabricError) as caught, claimed(place):
            pass
        assert caught.value.problems[0].code == "lab-busy"
    assert not place.run.exists()
    write_record(place, _record(place))
    with claimed(place):
        pass
    assert place.record.exists()


def test_limits_go_to_the_lab_that_stays_and_are_put_back_by_the_last(
    place: LabPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbors, "SETTINGS", tmp_path)
    (tmp_path / "limit").write_text("8192")
    first = _record(place, thresholds={"limit": (128, 8192)})
    other = place_of(tmp_path / "other")
    write_record(place, first)
    write_record(other, _record(other))
    neighbors.restore_thresholds(place, first)
    assert (tmp_path / "limit").read_text() == "8192"
    place.record.unlink()
    left = read_record(other)
    assert left is not None
    assert left.thresholds == {"limit": (128, 8192)}
    neighbors.restore_thresholds(other, left)
    assert (tmp_path / "limit").read_text() == "128"


def test_limits_that_are_left_to_a_lab_that_is_being_built_stay_in_its_record(
    place: LabPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbors, "SETTINGS", tmp_path)
    (tmp_path / "limit").write_text("8192")
    other = place_of(tmp_path / "other")
    write_record(other, _record(other, state=STARTING))
    neighbors.restore_thresholds(place, _record(place, thresholds={"limit": (128, 8192)}))
    up._end_record(other)
    assert read_record(other) == _record(other, thresholds={"limit": (128, 8192)})


def test_limits_are_raised_for_the_family_that_needs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """28 cables: in IPv4 both ends of each, in IPv6 four times as many entries and more (seen: 560 of 64 cables)."""
    monkeypatch.setattr(neighbors, "SETTINGS", tmp_path)
    for family in ("ipv4", "ipv6"):
        folder = tmp_path / f"net/{family}/neigh/default"
        folder.mkdir(parents=True)
        for name, value in (("gc_thresh1", 128), ("gc_thresh2", 512), ("gc_thresh3", 99_999)):
            (folder / name).write_text(str(value))
    lab = make_lab(plan(SMALL), parse_subset("leaves=2,spines=2,links=1,servers=2,borders=0"))
    found = neighbors.thresholds(lab)
    assert found == {
        "net/ipv6/neigh/default/gc_thresh1": (128, 8192),
        "net/ipv6/neigh/default/gc_thresh2": (512, 16384),
    }


def test_a_limit_that_somebody_changed_since_is_left_alone(
    place: LabPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbors, "SETTINGS", tmp_path)
    (tmp_path / "limit").write_text("9999")
    neighbors.restore_thresholds(place, _record(place, thresholds={"limit": (128, 8192)}))
    assert (tmp_path / "limit").read_text() == "9999"


def test_labs_of_two_folders_share_no_name(tmp_path: Path) -> None:
    one, other = place_of(tmp_path / "a"), place_of(tmp_path / "b")
    assert one.prefix != other.prefix
    assert one == place_of(tmp_path / "b" / ".." / "a")


ALL = frozenset((*TRIALS, *QUEUES))


def test_a_kernel_is_full_when_an_interfaces_file_can_be_applied() -> None:
    assert Kernel("6.1", frozenset(), ifupdown=True).kind == FULL
    assert Kernel("6.1", frozenset(QUEUES), ifupdown=True).kind == FULL
    assert Kernel("6.1", frozenset(), ifupdown=False).kind == PLAIN
    for name in WHOLE:
        assert Kernel("6.1", frozenset((name,)), ifupdown=True).kind == PLAIN


def test_what_a_kernel_lacks_is_listed_where_it_matters() -> None:
    plain = Kernel("6.18", frozenset(("vrf", "red", "dummy")), ifupdown=True)
    found = {row.feature: row.reason for row in unexercised(plain, ("vrf", "vlan"))}
    assert "lacks vrf, dummy;" in found["interfaces (ifupdown2)"]
    assert set(found) == {"interfaces (ifupdown2)", "vrf", "vlan"}
    assert [row.feature for row in unexercised(plain, ())] == ["interfaces (ifupdown2)"]
    assert not list(unexercised(Kernel("6.1", frozenset(), ifupdown=True), ALL))


def test_a_lab_is_refused_where_the_host_can_not_hold_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ifupdown, "require", lambda: None)
    found = LabNeeds(switches=100, servers=1, links=1, memory=4004, available=4000, thresholds=False)
    with pytest.raises(FabricError) as caught:
        require(found, Kernel("6.1", frozenset(), ifupdown=True))
    assert caught.value.problems[0].code == "lab-memory"
    require(found._replace(available=4004), Kernel("6.1", frozenset(), ifupdown=True))
    with pytest.raises(FabricError) as caught:
        require(found._replace(available=9999), Kernel("6.1", frozenset(("vxlan",)), ifupdown=True))
    assert caught.value.problems[0].code == "lab-kernel"


def test_a_kernel_that_can_take_interfaces_files_needs_what_applies_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(ifupdown.FOLDER, str(tmp_path))
    found = LabNeeds(switches=1, servers=0, links=1, memory=40, available=4000, thresholds=False)
    with pytest.raises(FabricError) as caught:
        require(found, Kernel("6.1", frozenset(), ifupdown=True))
    assert caught.value.problems[0].code == "lab-ifupdown2"
    require(found, Kernel("6.1", frozenset(("vrf",)), ifupdown=True))


def test_needs_count_what_the_lab_has() -> None:
    lab = make_lab(plan(SMALL), Subset())
    found = needs(lab)
    assert (found.switches, found.servers, found.links) == (14, 12, len(lab.links))
    assert found.memory == 14 * 40 + 12 * 4
