"""Every cable of a whole site, one by one: no port ends two, no cage holds two transceivers."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import yaml

from fabricgen.checks.cabling.server_ports import nic_ports_once
from fabricgen.checks.catalogue import run_checks
from fabricgen.errors import FabricError
from fabricgen.plan.cable import Cable, CableEnd
from fabricgen.plan.cabling import cables
from fabricgen.plan.exceptions import AsBuilt, Exceptions, PortKey
from fabricgen.plan.links import BORDER_EXTERNAL
from fabricgen.plan.plan import Plan
from fabricgen.site.workspace import open_workspace
from tests.checks.cases import second_backend, shared_cages
from tests.checks.intents import catalog, only, plan, port_states, with_nic_groups

SITES = sorted((Path(__file__).parents[2] / "inventories").glob("*/intent.yaml"))


def ends(plan_: Plan) -> Iterator[tuple[Cable, CableEnd]]:
    for cable in cables(plan_):
        yield cable, cable.near
        if cable.kind != BORDER_EXTERNAL:
            yield cable, cable.far


def twice(plan_: Plan) -> list[tuple[str, ...]]:
    """Ports with two cables, and cages with two modules, by brute force."""
    ports: dict[tuple[str, ...], int] = defaultdict(int)
    cages: dict[tuple[str, ...], list[tuple[bool, str]]] = defaultdict(list)
    for _, end in ends(plan_):
        ports[end.device, end.port] += 1
        cage = end.cage or end.port
        ports[end.device, cage, f"part {end.part}"] += 1
        cages[end.device, cage].append((end.first, end.module))
    found = [key for key, count in ports.items() if count > 1]
    for key, modules in cages.items():
        if sum(first for first, _ in modules) != 1 or len({module for _, module in modules}) != 1:
            found.append(key)
    return found


@pytest.mark.parametrize("path", [path for path in SITES if "16k" not in str(path)], ids=lambda path: path.parent.name)
def test_no_port_of_our_sites_has_two_cables(path: Path) -> None:
    made = open_workspace(path).plan
    assert twice(made) == []
    assert list(nic_ports_once(made)) == []


def test_no_port_after_dead_ones_have_stepped_aside() -> None:
    rng = Random(1)  # noqa: S311 - a seed, no secret
    ours = [end for _, end in ends(plan()) if end.device.startswith(("be-", "fe-"))]
    for _ in range(12):
        device = rng.choice(ours).device
        mine = [end for end in ours if end.device == device]
        states = {
            (end.device, end.port): rng.choice(["dead", "absent", "drained"])
            for end in rng.sample(mine, min(3, len(mine)))
        }
        assert twice(plan(exceptions=port_states(states))) == []


def test_brute_force_sees_what_the_check_sees() -> None:
    made = second_backend()
    assert len({key for key in twice(made) if key[1].startswith("OSFP")}) > 32 * 8
    problem = only(made)
    assert problem == problem._replace(
        code="nic-port-twice",
        what="backend and backend2 both connect 8 NIC ports of train, the first is OSFP4P2",
        where=("fabrics", "backend2", "connects", "train"),
        why="a port takes one cable, and both fabrics name a NIC group that has these ports: backend (compute) and "
        "backend2 (compute)",
        fix="write train: storage in fabrics.backend2.connects (still free)",
    )


@pytest.mark.parametrize(("beside", "key"), [((), "backend2"), (("more",), "backend2.connects.train")])
def test_where_no_group_is_left_the_second_fabric_lets_go(beside: tuple[str, ...], key: str) -> None:
    """A fabric connects one group at least: one that has no other goes with it."""
    ours = catalog()
    server = ours.servers["dgx-h100"]
    nics = {name: group for name, group in server.nics.items() if name != "storage"}
    shelf = replace(ours.servers, _read={"dgx-h100": server.model_copy(update={"nics": nics})})
    made = second_backend(hardware=replace(ours, servers=shelf))
    two = made.intent.fabrics["backend2"]
    connects = {**two.connects, **dict.fromkeys(beside, "compute")}
    fabrics = {**made.intent.fabrics, "backend2": two.model_copy(update={"connects": connects})}
    (problem,) = nic_ports_once(made._replace(intent=made.intent.model_copy(update={"fabrics": fabrics})))
    assert problem.fix == f"remove fabrics.{key}: every NIC group of dgx-h100 is connected already"


@pytest.mark.parametrize("key", ["device_names", "pci_addresses"])
def test_a_port_with_two_names_is_one_port(key: str) -> None:
    """Two NIC groups of a file may describe the same ports, cut in another way."""
    nics = catalog().servers["dgx-h100"].nics["compute"]
    renamed = tuple(port.model_copy(update={"name": f"NIC {at}", "cage": ""}) for at, port in enumerate(nics.ports))
    cleared: dict[str, object] = {"device_names": (), "pci_addresses": ()}
    other = nics.model_copy(update={"ports": renamed, **cleared, key: getattr(nics, key)})
    assert [p.code for p in nic_ports_once(second_backend("more", with_nic_groups(more=other)))] == ["nic-port-twice"]
    apart = nics.model_copy(update={"ports": renamed, **cleared})
    assert list(nic_ports_once(second_backend("more", with_nic_groups(more=apart)))) == []


def test_ports_of_two_fabrics_are_told_beside_a_shape_that_is_impossible(tmp_path: Path) -> None:
    """Too many leaves for one fabric do not hide that another one takes the same NIC ports."""
    demo = (Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml").read_text()
    for both in (False, True):
        value = yaml.safe_load(demo)
        second = {**value["fabrics"]["backend"], "prefix": "b2", "asns": "4203000000-4203999999"}
        second["addressing"] = {"links": ["ipv4"], "hosts": "ipv4", "ipv4": "10.96.0.0/12"}
        value["fabrics"]["backend2"] = second
        if both:
            value["servers"]["train"]["planned"] = 100_000
        path = tmp_path / f"{both}.yaml"
        path.write_text(json.dumps(value))
        if not both:
            assert [one.code for one in run_checks(open_workspace(path).plan)] == ["nic-port-twice"]
            continue
        with pytest.raises(FabricError) as caught:
            open_workspace(path)
        assert [one.code for one in caught.value.problems][-1] == "nic-port-twice"
        assert {one.code for one in caught.value.problems} > {"nic-port-twice"}


def test_what_the_hardware_does_not_have_is_told_alone(tmp_path: Path) -> None:
    demo = (Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml").read_text()
    for old, new in (("model: dgx-h100", "model: dgx-h999"), ("train: compute", "train: computers"),
                     ("train: compute", "trains: compute")):  # fmt: skip
        path = tmp_path / "intent.yaml"
        path.write_text(demo.replace(old, new, 1))
        with pytest.raises(FabricError) as caught:
            open_workspace(path)
        assert "nic-port-twice" not in {one.code for one in caught.value.problems}


def test_a_cage_of_two_fabrics() -> None:
    (problem,) = nic_ports_once(shared_cages())
    assert problem.what == "4 cages of train hold a transceiver of backend and one of backend2, the first is OSFP1"
    assert problem.fix == "give all ports of a cage to one NIC group of hardware/servers/dgx-h100.yaml"


def neighbors(cable: Cable) -> list[Cable]:
    """Cables that share the server's cage with this one."""
    key = (cable.near.device, cable.near.cage)
    return [other for other in cables(plan()) if (other.near.device, other.near.cage) == key]


@pytest.mark.parametrize("names", [("optic", "sr4"), ("optic", "osfp-rhs-2x400g-sr4"), ("", "optic")])
def test_names_of_one_medium_in_a_cage(names: tuple[str, str]) -> None:
    assert twice(named(*names)) == []
    assert run_checks(named(*names)) == ()


def named(*names: str) -> Plan:
    """The demo whose cable file names media for the two cables of a server's cage."""
    first = next(cable for cable in cables(plan()) if cable.near.cage == "OSFP1")
    built = {
        PortKey(cable.near.device, cable.near.port): AsBuilt(2.0, name)
        for cable, name in zip(neighbors(first), names, strict=True)
    }
    return plan(exceptions=Exceptions(cables=built))


def test_two_media_in_one_cage_are_refused() -> None:
    """Each by itself fits; a cage holds one of them."""
    problem = only(named("sr4", "dr4"))
    assert (problem.code, problem.where) == ("no-medium", ("cables", "default", "server_leaf"))
    assert problem.why == (
        "cables of one cage have different media (dr4 and sr4), and a cage has one transceiver or one cable"
    )
