"""A lab can be verified wherever it can be built; real switches only where their operating system is supported."""

from pathlib import Path
from threading import Event

import pytest

from fabricgen.cli.verify.live import Live, collecting
from fabricgen.cli.verify.parallel import judging
from fabricgen.cli.verify.tasks import bench_of
from fabricgen.errors import FabricError
from fabricgen.lab.host.inventory import render_files, write_facts
from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.operation.intended import LabLocation, intended, read_plan
from fabricgen.operation.inventory import where_of, where_of_collection
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.site.workspace import WorkspaceError
from fabricgen.verify.collect.inventory import read_inventory
from fabricgen.verify.collect.store import VERSION
from fabricgen.verify.collect.store_lab import write_lab
from fabricgen.verify.expect.model import Expected
from fabricgen.workers.request import ParallelOptions
from tests.plan_inputs.sites import demo, planned

DEMO = Path(__file__).parents[2] / "inventories/demo/intent.yaml"
CANARY = "c4n4ry-7f3a9"
CASES = (("eos-4.34", "eos-4.99", "unsupported-version"), ("eos-4.34", "tos-1", "unknown-platform"))


@pytest.mark.parametrize(("old", "new", "code"), CASES)
def test_what_the_switches_run_is_no_matter_to_a_lab(tmp_path: Path, old: str, new: str, code: str) -> None:
    text = DEMO.read_text()
    assert old in text
    intent = tmp_path / "intent.yaml"
    intent.write_text(text.replace(old, new))
    with pytest.raises(WorkspaceError) as refused:
        read_plan(intent)
    assert code in {problem.code for problem in refused.value.problems}
    meant = intended(read_plan(intent, is_lab=True), LabLocation("units=1,leaves=1,spines=1,servers=1"), "be-*")
    assert set(meant.targets) == {"be-leaf-000", "be-spine-00"}


def test_other_problems_stop_a_lab_too(tmp_path: Path) -> None:
    text = DEMO.read_text()
    intent = tmp_path / "intent.yaml"
    intent.write_text(
        text.replace(
            "ecn: published", "ecn: {minimum_octets: 9000000, maximum_octets: 9000001, probability_percent: 10}"
        )
    )
    with pytest.raises(WorkspaceError):
        read_plan(intent, is_lab=True)


def test_a_secret_of_a_template_is_not_among_what_is_compared(tmp_path: Path) -> None:
    """A finding of drift tells the line of ours that is missing."""
    (tmp_path / "eos").mkdir()
    (tmp_path / "eos/end.j2").write_text(f"tacacs-server key 7 {CANARY}\nip nhrp network-id 7\nend\n")
    configurations = [one.configuration or "" for one in wanted(read_plan(DEMO), None, tmp_path)]
    assert len([text for text in configurations if "ip nhrp network-id 7\n" in text]) == len(configurations) > 0
    assert all("tacacs-server key 7 <removed>\n" in text for text in configurations)
    assert CANARY not in "".join(configurations)


LAB = "units=1,leaves=2,spines=2,links=2,servers=2,borders=0"
DEAD: dict[str, dict[str, str]] = {
    "be-spine-01": {"state": "dead"},
    "fe-leaf-000": {"state": "dead"},
    "link:be-leaf-000/Ethernet33/1": {"state": "dead"},
    "link:be-leaf-001/Ethernet1/1": {"state": "dead"},
}


def with_dead() -> Plan:
    made = planned(demo(overrides=DEAD))
    return with_exceptions(made, resolve_inputs(made.intent, made.fabrics))


def wanted(plan: Plan, where: LabLocation | None, templates: Path | None = None) -> list[Expected]:
    """What every switch must show, as it is judged."""
    with judging(ParallelOptions(1), plan, where, "*", templates) as found:
        return [one for group in found.order for one in bench_of(found.shared).expectations(group)]


def texts(plan: Plan, where: LabLocation) -> dict[str, str]:
    return {one.device: one.configuration or "" for one in wanted(plan, where)}


@pytest.fixture(scope="module")
def before() -> Lab:
    """The lab as it was built, before anything of it was declared dead."""
    return make_lab(planned(demo()), parse_subset(LAB))


def test_what_dies_while_a_lab_stands_changes_no_line_and_nothing_else_is_picked(before: Lab) -> None:
    """What is kept is the first leaves and spines: those of the lab, and not the ones behind a dead one."""
    where = LabLocation(LAB, built=frozenset(end for link in before.links for end in link))
    meant = intended(with_dead(), where, "*")
    names = {device.name for device in before.devices}
    assert set(meant.targets) == {one.name for one in meant.devices} == names - {"be-spine-01", "fe-leaf-000"}
    healthy = texts(planned(demo()), where)
    assert texts(with_dead(), where) == {name: text for name, text in healthy.items() if name in meant.targets}
    ports = {one.device: {row.name for row in one.interfaces} for one in wanted(with_dead(), where)}
    as_built = {one.name: {row.name for row in one.interfaces.ethernet} for one in before.devices}
    assert all(as_built[name] <= found for name, found in ports.items())


def test_what_is_dead_in_a_standing_lab_may_be_up_or_down_and_no_ping_leans_on_it(before: Lab) -> None:
    where = LabLocation(LAB, built=frozenset(end for link in before.links for end in link))
    meant = intended(with_dead(), where, "*")
    (leaf,) = (one for one in wanted(with_dead(), where) if one.device == "be-leaf-000")
    unknown = {row.name for row in leaf.interfaces if row.up is None}
    to_spine = {end.interface for link in before.links if link.far.owner == "be-spine-01" for end in link}
    assert {"swp33s0"} < unknown == {"swp33s0"} | {name for name in to_spine if name.startswith("swp3")}
    assert meant.lab is not None
    nics = {(nic.switch, nic.port) for server in meant.lab.servers for nic in server.nics}
    assert nics == {
        (nic.switch, nic.port) for server in before.servers for nic in server.nics if nic.switch != "fe-leaf-000"
    } - {("be-leaf-001", "swp1s0")}


def test_a_lab_that_was_built_without_the_dead_is_compared_with_itself() -> None:
    later = make_lab(with_dead(), parse_subset(LAB))
    ends = frozenset(end for link in later.links for end in link)
    meant = intended(with_dead(), LabLocation(LAB, built=ends), "*")
    assert set(meant.targets) == {device.name for device in later.devices}
    assert texts(with_dead(), LabLocation(LAB, built=ends)) == texts(with_dead(), LabLocation(LAB))
    assert "be-spine-01" not in meant.targets


def test_a_collection_keeps_what_its_lab_was_built_with(tmp_path: Path, before: Lab) -> None:
    ends = frozenset(end for link in before.links for end in link)
    write_lab(tmp_path, LAB, built=ends)
    assert where_of_collection(tmp_path) == LabLocation(LAB, built=ends)
    write_lab(tmp_path, LAB)
    assert where_of_collection(tmp_path) == LabLocation(LAB)


@pytest.mark.parametrize("built", ['"all"', '["be-leaf-000"]', '[["be-leaf-000", 1]]'])
def test_a_collection_that_names_no_ends_is_refused(tmp_path: Path, built: str) -> None:
    (tmp_path / "_lab.json").write_text(f'{{"collection": {VERSION}, "subset": "", "built": {built}}}')
    with pytest.raises(FabricError) as refused:
        where_of_collection(tmp_path)
    assert "it names no ends of cables" in str([problem.why for problem in refused.value.problems])


def test_an_inventory_s_lab_is_compared_with_what_it_was_built_of(tmp_path: Path, before: Lab) -> None:
    write_facts(place_of(tmp_path), before, DEMO, render_files(before.devices))
    found = where_of(read_inventory(tmp_path / "inventory"))
    assert found == LabLocation(parse_subset(LAB).text, built=frozenset(end for link in before.links for end in link))
    site, switches = read_inventory(tmp_path / "inventory"), intended(with_dead(), found, "*")
    live = Live(site=site, workers=1, save=tmp_path / "kept", retry=0)
    with collecting(live, switches, Event()):
        assert where_of_collection(tmp_path / "kept") == found
