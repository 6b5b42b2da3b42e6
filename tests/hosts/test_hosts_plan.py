"""Servers as values: each NIC is the far end of its leaf's port, named by its rail, and moves for nobody."""

from copy import deepcopy
from ipaddress import ip_interface

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.hosts import leaves
from fabricgen.hosts.expected import gid_of
from fabricgen.hosts.missing import missing
from fabricgen.hosts.model import Host
from fabricgen.hosts.names import function_of, unique_name
from fabricgen.hosts.operator import OperatorNames, operator_names
from fabricgen.hosts.selection import selected
from fabricgen.hosts.template_context import context_of
from fabricgen.plan.fabric import place_of
from fabricgen.policy.nics import split_settings, splits_of
from tests.hosts.making import HARDWARE, Json, backend, demo, hosts, planned, switches


def variables(host: Host) -> dict[str, str]:
    """Environment of the collective library, what is set alone."""
    return {variable.name: variable.value for variable in host.library if variable.value}


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_a_nic_has_the_other_address_of_its_leafs_port(family: str) -> None:
    site = backend()
    site["fabrics"]["backend"]["addressing"] |= {"links": [family], "hosts": family}
    plan = planned(site)
    rows = {(d.name, row.name): row for d in switches(plan).values() for row in d.interfaces.ethernet}

    for host in hosts(plan).values():
        for nic in host.nics:
            row = rows[nic.switch, nic.port]
            near = ip_interface(row.ipv4 or row.ipv6)
            own = ip_interface(nic.address)
            assert (row.peer, row.peer_port) == (host.name, nic.label)
            assert own.network == near.network
            assert {own.ip, near.ip} == {own.network[0], own.network[1]}
            assert nic.gateway == str(near.ip)
            assert (nic.speed_gbps, nic.fec) == (row.profile.speed_gbps, row.profile.fec)
            assert nic.mtu == 9000 <= row.profile.mtu
    assert len({nic.address for host in hosts(plan).values() for nic in host.nics}) == 4 * 8


def test_rails_are_named_by_the_gpu_and_bound_by_pci_address() -> None:
    """DGX H200: table 5 of its user guide has rail 0 on 0000:18:00.0 and rail 7 on 0000:dc:00.0."""
    host = hosts(planned(backend()), "train[2]")["train-002"]
    assert [(nic.name, nic.rail) for nic in host.nics] == [(f"rail{rail}", rail) for rail in range(8)]
    assert (host.nics[0].pci, host.nics[7].pci) == ("0000:18:00.0", "0000:dc:00.0")
    assert variables(host)["NCCL_IB_HCA"] == "=" + ",".join(f"rdma-rail{rail}" for rail in range(8))
    assert [nic.table for nic in host.nics] == list(range(100, 108))


def test_without_pci_addresses_names_are_marked_as_to_check() -> None:
    """Device names of the Pollara as public scripts have them; HGX boards are of several makers, and have none."""
    host = hosts(planned(backend("mi300x-pollara", roce={"marking": "amd-pollara"})), "train[0]")["train-000"]
    assert variables(host)["NCCL_IB_HCA"] == "=" + ",".join(f"ionic_{rail}" for rail in range(8))
    (told,) = [variable.why for variable in host.library if variable.name == "NCCL_IB_HCA"]
    assert "TO CHECK" in told
    unknown = hosts(planned(backend("hgx-h200")), "train[0]")["train-000"]
    assert "NCCL_IB_HCA" not in variables(unknown)
    assert "pci_addresses" in next(variable.why for variable in unknown.library if variable.name == "NCCL_IB_HCA")


def edited(model: str, old: str, new: str) -> dict[str, str]:
    """Hardware file of a site's own, made of ours."""
    text = (HARDWARE / f"{model}.yaml").read_text()
    assert text.count(old) == 1
    return {f"hardware/servers/{model}.yaml": text.replace(old, new)}


def test_a_site_gives_pci_addresses_in_a_hardware_file_of_its_own() -> None:
    """What the problem of a missing rail list tells a person to do, done."""
    site = backend("hgx-h200")
    before = operator_names(hosts(planned(site), "train[0]")["train-000"])
    assert isinstance(before, Problem)
    assert "pci_addresses" in before.fix
    reorder = "    reorder: true\n"
    own = ", ".join(f'"0000:{10 + rail}:00.0"' for rail in range(8))
    plan = planned(site, edited("hgx-h200", reorder, f"{reorder}    pci_addresses: [{own}]\n"))

    after = operator_names(hosts(plan, "train[0]")["train-000"])
    assert isinstance(after, OperatorNames)
    assert after.rails == tuple((f"0000:{10 + rail}:00.0",) for rail in range(8))


def test_two_planes_are_two_functions_of_a_nic() -> None:
    site = backend("dgx-b300")
    site["fabrics"]["backend"]["topology"] = {"design": "rail-optimized", "rails_per_leaf": 1, "planes": 2}
    host = hosts(planned(site), "train[0]")["train-000"]

    assert [(n.name, n.rail, n.plane) for n in host.nics[:3]] == [
        ("rail0p0", 0, 0),
        ("rail0p1", 0, 1),
        ("rail1p0", 1, 0),
    ]
    assert {nic.speed_gbps for nic in host.nics} == {400}
    assert len({nic.switch for nic in host.nics}) == len(host.nics) == 16
    assert variables(host)["NCCL_CROSS_NIC"] == "0", "a plane is joined to no other"
    assert [function_of("0000:18:00.0", plane) for plane in range(3)] == [
        "0000:18:00.0",
        "0000:18:00.1",
        "0000:18:00.2",
    ]
    assert function_of("0000:18:00.7", 1) == function_of("", 0) == ""


@pytest.mark.parametrize(
    ("planes", "names"),
    [(1, ("rail0a", "rail0b")), (2, ("rail0p0a", "rail0p1a", "rail0p0b", "rail0p1b"))],
)
def test_ports_to_a_pair_of_leaves_are_functions_of_the_nic_that_they_share(
    planes: int, names: tuple[str, ...]
) -> None:
    """The first half has the first lanes, so the first functions (policy/nics.py, SPLITS)."""
    site = backend("dgx-b300", transport="best-effort")
    site["fabrics"]["backend"]["topology"] = {"design": "rail-optimized", "leaves_per_rail": 2, "planes": planes}
    own = [f"0000:{10 + rail}:00.0" for rail in range(8)]
    hardware = f"model: dgx-b300\nnics: {{compute: {{pci_addresses: {own}}}}}\n"
    (host,) = hosts(planned(site, {"hardware/servers/dgx-b300.yaml": hardware}), "train[0]").values()

    first = {nic.name: nic.pci for nic in host.nics if nic.rail == 0}
    assert first == {name: f"0000:10:00.{number}" for number, name in enumerate(names)}
    assert len({nic.pci for nic in host.nics}) == len(host.nics) == 16 * planes
    assert {nic.device for nic in host.nics} == {f"rdma-{nic.name}" for nic in host.nics}
    cuts = context_of(host).cuts
    assert [(cut.label, cut.pci, cut.parts, cut.word) for cut in cuts[:1]] == [
        ("ConnectX-8 0", "0000:10:00.0", 2 * planes, "ports")
    ]
    assert len(cuts) == 8
    assert not {"no-nic-names", "no-plane-script"} & {problem.code for problem in missing(host)}


def test_rails_without_a_spine_are_told_to_the_library() -> None:
    site = backend()
    site["fabrics"]["backend"]["topology"] = {"design": "rail-only"}
    del site["fabrics"]["backend"]["spine"]
    alone = variables(hosts(planned(site), "train[0]")["train-000"])
    joined = variables(hosts(planned(backend()), "train[0]")["train-000"])

    assert (alone["NCCL_CROSS_NIC"], alone["NCCL_PXN_DISABLE"]) == ("0", "0")
    assert not {"NCCL_CROSS_NIC", "NCCL_PXN_DISABLE"} & set(joined)


@pytest.mark.parametrize(
    ("model", "keys", "names"),
    [
        ("dgx-h200", {"rails_per_plane": 1}, ("rail0", "rail1", "rail2")),
        ("dgx-h200", {"rails_per_plane": 2, "rails_per_leaf": 2}, ("rail0", "rail1", "rail2")),
        ("dgx-h200", {"design": "rail-only"}, ("rail0", "rail1", "rail2")),
        ("dgx-b300", {"rails_per_plane": 1}, ("rail0p0", "rail0p1", "rail1p0")),
    ],
)
def test_rails_of_planes_of_their_own_are_told_to_the_library(model: str, keys: Json, names: tuple[str, ...]) -> None:
    """Names are those of the rail and of the NIC's own slice; the library cannot see which NICs the planes join."""
    site = backend(model)
    site["fabrics"]["backend"]["topology"] = {"design": "rail-optimized", **keys}
    plan = planned(site)
    host = hosts(plan, "train[1]")["train-001"]
    assert tuple(nic.name for nic in host.nics[:3]) == names
    assert {(nic.plane, nic.planes) for nic in host.nics} == {(0, 1)} if model == "dgx-h200" else {(0, 2), (1, 2)}
    assert (variables(host)["NCCL_CROSS_NIC"], variables(host)["NCCL_PXN_DISABLE"]) == ("0", "0")
    rows = {(d.name, row.name): row for d in switches(plan).values() for row in d.interfaces.ethernet}
    assert all(
        (row.peer, row.peer_port) == (host.name, nic.label) for nic in host.nics for row in [rows[nic.switch, nic.port]]
    )
    fabric = plan.fabrics["backend"]
    places = {nic.name: place_of(fabric, nic.switch) for nic in host.nics}
    planes = {
        nic.rail: {place.plane for n in host.nics if n.rail == nic.rail and (place := places[n.name])}
        for nic in host.nics
    }
    slices, per_plane = fabric.shape.slices, keys.get("rails_per_plane", 1)
    assert planes == {rail: {rail // per_plane * slices + number for number in range(slices)} for rail in range(8)}


@pytest.mark.parametrize(
    ("mode", "pairs"),
    [("ecmp", "4"), ("ecmp-queue-pair", "4"), ("dlb-flowlet", "2"), ("dlb-global", "2"), ("dlb-per-packet", "4")],
)
def test_queue_pairs_follow_the_load_balancing(mode: str, pairs: str) -> None:
    host = hosts(planned(backend(load_balancing=mode)), "train[0]")["train-000"]
    assert variables(host)["NCCL_IB_QPS_PER_CONNECTION"] == pairs


def test_tenants_of_a_shared_backend_move_no_address() -> None:
    def shared(tenants: Json) -> dict[str, Host]:
        return hosts(planned(backend(tenancy="evpn-type5") | {"tenants": tenants}))

    one = shared({"a": {"servers": ["train[0-3]"]}, "b": {"nics": ["train[1]/0-3"]}})
    other = shared({"b": {"servers": ["train[0-3]"]}})
    alone = hosts(planned(backend()))

    for name, host in alone.items():
        wanted = [(nic.address, nic.gateway, nic.table) for nic in host.nics]
        assert [(nic.address, nic.gateway, nic.table) for nic in one[name].nics] == wanted
        assert [(nic.address, nic.gateway, nic.table) for nic in other[name].nics] == wanted
    assert [nic.tenant for nic in one["train-001"].nics] == ["b"] * 4 + ["a"] * 4
    assert (alone["train-000"].settings[0].packet_gap, one["train-000"].settings[0].packet_gap) == (25, 33)


def test_a_nic_of_nobody_has_no_address_and_keeps_its_table() -> None:
    site = backend(tenancy="evpn-type5") | {"tenants": {"a": {"nics": ["train[0]/4-7"]}}}
    host = hosts(planned(site), "train[0]")["train-000"]
    assert [nic.used for nic in host.nics] == [False] * 4 + [True] * 4
    assert [nic.table for nic in host.routed] == [104, 105, 106, 107]
    assert variables(host)["NCCL_IB_HCA"] == "=rdma-rail4,rdma-rail5,rdma-rail6,rdma-rail7"


def test_a_second_backend_is_named_by_itself_and_out_of_the_librarys_way() -> None:
    """A lossless storage fabric, by a name that comes first: the GPUs' NICs stay rail0 to rail7, from table 100 on."""
    site = backend()
    other = site["fabrics"]["backend"] | {
        "prefix": "st",
        "connects": {"train": "storage"},
        "asns": "4203000000-4203999999",
    }
    other |= {"addressing": {"links": ["ipv4"], "ipv4": "10.200.0.0/16"}, "topology": {"design": "tor"}}
    del other["spine"]
    site["fabrics"]["alpha"] = deepcopy(other)
    host = hosts(planned(site), "train[0]")["train-000"]

    assert [(nic.name, nic.table) for nic in host.nics[:8]] == [(f"rail{rail}", 100 + rail) for rail in range(8)]
    assert [(nic.name, nic.fabric, nic.table) for nic in host.nics[8:]] == [
        ("alpha0", "alpha", 108),
        ("alpha1", "alpha", 109),
    ]
    assert variables(host)["NCCL_IB_HCA"].count("rdma-rail") == 8
    assert "alpha" not in variables(host)["NCCL_IB_HCA"]
    assert [settings.fabric for settings in host.settings] == ["backend", "alpha"]


def test_a_frontend_is_joined_as_its_switches_are() -> None:
    site = demo()
    esi = hosts(planned(site), "train[0]", "store[0]", "train[31]")
    site["fabrics"]["frontend"]["server_ports"] = {"multihoming": "active-backup", "uplink_tracking": False}
    site["tenants"]["research"]["networks"]["two"] = {"vlan": 111, "subnets": ["172.20.0.0/24"]}
    backup = hosts(planned(site), "train[0]")["train-000"]

    assert [(bond.mode, bond.members) for bond in esi["train-000"].bonds] == [("802.3ad", ("frontend0", "frontend1"))]
    (network,) = esi["train-000"].networks
    assert (network.interface, network.vlan_id, network.families) == ("bond-frontend", 0, (4,))
    assert variables(esi["train-000"])["NCCL_SOCKET_IFNAME"] == "=bond-frontend"
    assert esi["store-000"].library == ()
    assert [bond.mode for bond in backup.bonds] == ["active-backup"]
    assert [(n.interface, n.link, n.vlan_id) for n in backup.networks] == [
        ("vlan110", "bond-frontend", 110),
        ("vlan111", "bond-frontend", 111),
    ]
    assert variables(backup)["NCCL_SOCKET_IFNAME"] == "=vlan110"


def test_a_server_that_moves_to_another_tenant_changes_its_network_alone() -> None:
    """What a scenario does: train[15] goes from research, whose network has relays, to serving, whose has none."""
    site = demo()
    before = hosts(planned(site), "train[15]")["train-015"]
    site["tenants"]["research"]["servers"] = ["train[0-14]"]
    site["tenants"]["serving"]["servers"] = ["train[15-31]"]
    after = hosts(planned(site), "train[15]")["train-015"]

    assert (after.nics, after.bonds, after.settings) == (before.nics, before.bonds, before.settings)
    assert [network.families for network in before.networks] == [(4,)]
    assert [network.families for network in after.networks] == [()]


def test_states_of_slots_and_ports_reach_the_server() -> None:
    site = backend()
    plan = planned(site)
    first = hosts(plan, "train[0]")["train-000"]
    site["overrides"] = {"train[1]": {"state": "absent"}, f"be-leaf-000/{first.nics[0].port}": {"state": "absent"}}
    found = hosts(planned(site))

    assert list(found) == ["train-000", "train-002", "train-003"]
    assert [nic.used for nic in found["train-000"].nics] == [False] + [True] * 7
    assert found["train-000"].nics[0].address == first.nics[0].address
    assert variables(found["train-000"])["NCCL_IB_HCA"].startswith("=rdma-rail1,")


def test_the_rail_list_has_the_form_of_the_operators_own_type() -> None:
    found = operator_names(hosts(planned(backend()), "train[0]")["train-000"])
    assert isinstance(found, OperatorNames)
    assert (found.planes, found.net, found.rdma) == (1, "rail%rail_id%", "rdma-rail%rail_id%")
    assert found.rails[:2] == (("0000:18:00.0",), ("0000:40:00.0",))


@pytest.mark.parametrize("text", ["train", "trian[0]", "train[4]", "train[3-1]", "train[0-3]/1", "train[0,0]"])
def test_servers_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(FabricError) as told:
        list(selected(planned(backend()), [text]))
    assert [problem.code for problem in told.value.problems] == ["bad-servers"]


def test_a_vendor_of_no_source_is_refused() -> None:
    after = "    reorder: true\n    device_names: [ionic_0"
    own = edited("mi300x-pollara", f"    vendor: amd\n{after}", f"    vendor: intel\n{after}")
    with pytest.raises(FabricError) as told:
        hosts(planned(backend("mi300x-pollara", roce={"marking": "amd-pollara"}), own))
    assert [problem.code for problem in told.value.problems] == ["nic-vendor"]


def test_leaves_are_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(backend())
    wanted = hosts(plan)
    monkeypatch.setattr(leaves, "KEPT", 1)
    assert hosts(plan) == wanted


def test_names_are_no_longer_than_linux_takes() -> None:
    names: set[str] = set()
    given = [unique_name("bond-a-very-long-frontend", names) for _ in range(12)]
    assert len(set(given)) == 12
    assert max(map(len, given)) <= 15


def test_a_gid_is_written_as_sysfs_does() -> None:
    """RFC 4291, 2.5.5.2; show_gids of mlnx-tools prints the same file."""
    assert gid_of("10.64.0.1/31") == "0000:0000:0000:0000:0000:ffff:0a40:0001"
    assert gid_of("fd5e:8c1f:2a00::1/127") == "fd5e:8c1f:2a00:0000:0000:0000:0000:0001"


def test_a_connectx8_is_cut_as_the_published_profile_says() -> None:
    """RA2.1.yaml of the operator, mlxConfig.swplb "1023" breakout 4."""
    (split,) = (found for found in splits_of("nvidia", 4) if found.device == "0x1023")
    told = split_settings(split)
    assert told[:3] == ("NUM_OF_PF=4", "NUM_OF_PLANES_P1=0", "LAG_RESOURCE_ALLOCATION=0")
    lanes = [word.partition("=")[2] for word in told[3:]]
    assert lanes == ["0x1", "0x1", "0x2", "0x2", "0x3", "0x3", "0x4", "0x4", *["0xff"] * 8]
    assert splits_of("nvidia", 8) == splits_of("amd", 2) == splits_of("intel", 2) == ()
