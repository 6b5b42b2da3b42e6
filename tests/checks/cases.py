"""A case for every code: a plan, or a fault put into one, that trips it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pytest

from fabricgen.checks.cabling import cabling
from fabricgen.checks.capacity import balancing
from fabricgen.checks.lossless import marking
from fabricgen.checks.switches import watch as switches
from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.hardware.model import NicPort
from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Id, Lock
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.plan.wiring import Uplink, downlinks, uplinks
from fabricgen.platforms import ADAPTERS, PLATFORMS
from fabricgen.platforms.base.platform import FeatureScope, Platform
from fabricgen.platforms.base.raw_values import json_fault
from fabricgen.platforms.sonic.document import merged
from fabricgen.policy.marking import MARKING_BY_NAME
from fabricgen.resolve import profiles as port_profiles
from fabricgen.topologies.shape import Chassis, Column
from tests.checks import shared as shared_backend
from tests.checks.devices import OPEN, Edit, bgp_edited, map_replaced, with_edit
from tests.checks.intents import (
    Edits,
    as_built,
    catalog,
    plan,
    port_states,
    with_asic,
    with_fabric,
    with_group,
    with_nic_groups,
    with_nics,
    with_shape,
)
from tests.leaf_pairs import site as leaf_pairs
from tests.resolve import tiers

BACKEND = "fabrics.backend"
ALONE = {"links": ["ipv6"], "hosts": "ipv6", "ipv6": "fd5e:8c1f:2a00::/52"}
"""Addressing of a fabric without IPv4."""
FRONTEND = "fabrics.frontend"
RESEARCH = "tenants.research"
SERVING = "tenants.serving"

Patch = pytest.MonkeyPatch
Case = Callable[[Patch], Plan]


def edits(**changes: object) -> Case:
    """Case of the demo with these keys edited; a double underscore stands for the dot."""
    return lambda _patch: plan({key.replace("__", "."): value for key, value in changes.items()})


def key(path: str, value: object) -> Case:
    """Case of the demo with one key edited."""
    return lambda _patch: plan({path: value})


def stands_in(patch: Patch, changed: Platform) -> None:
    """Another adapter in the place of the one of its name."""
    patch.setitem(ADAPTERS, changed.name, lambda: changed)


def halved(patch: Patch) -> Plan:
    """Half an object among the raw lines of a system whose file is JSON."""
    stands_in(patch, PLATFORMS["eos"]._replace(raw_fault=partial(json_fault, joined=merged)))
    return plan({"raw": [{"system": "eos", "lines": ['{"PORT": {']}]})


def one_sided(patch: Patch) -> Plan:
    """A system that balances flowlets only where every switch does, and one spine that does not."""
    rows = tuple(
        row._replace(scope=FeatureScope.FABRIC) if row.feature == "dlb-flowlet" else row
        for row in PLATFORMS["eos"].capabilities
    )
    stands_in(patch, PLATFORMS["eos"]._replace(capabilities=rows))
    return overridden({"be-spine-00": {"load_balancing": "ecmp"}})(patch)


def without_row(patch: Patch) -> Plan:
    """A system whose table says nothing of NTP."""
    rows = tuple(row for row in PLATFORMS["eos"].capabilities if row.feature != "ntp")
    stands_in(patch, PLATFORMS["eos"]._replace(capabilities=rows))
    return plan()


def limit(patch: Patch) -> Plan:
    """Values that a system has no words for."""
    where = ("fabrics", "backend", "mtu")
    told = Problem(code="platform-cannot", what="it is refused", where=where, why="a rule", fix="a word")
    stands_in(patch, PLATFORMS["eos"]._replace(limits=lambda _device: (told,)))
    return plan()


def recorded(path: str, value: object, **more: object) -> Case:
    """Case of the demo rendered once, then one key edited."""
    return lambda _patch: plan({path: value, **more}, recorded=plan().lock)


def told(edit: Edit, *names: str) -> Case:
    """Case of the demo whose switches are told something else."""

    def case(patch: Patch) -> Plan:
        patch.setattr(switches, "devices", with_edit(edit, *names))
        return plan()

    return case


def overridden(overrides: Mapping[str, object], patch: Callable[[Patch], None] = lambda _: None) -> Case:
    """Case of the demo with overrides."""

    def case(monkeypatch: Patch) -> Plan:
        patch(monkeypatch)
        made = plan({"overrides": overrides})
        return with_exceptions(made, resolve_inputs(made.intent, made.fabrics))

    return case


def slow_lanes(patch: Patch) -> None:
    """Ports between switches whose lanes ask for no FEC of their own."""
    patch.setattr(port_profiles, "RS_FEC_FROM_GBPS", 500)


def leaf() -> Chassis:
    return plan().fabrics["backend"].shape.groups[0].leaf


def with_leaf(**changes: object) -> Plan:
    return with_group(plan(), leaf=leaf()._replace(**changes))  # type: ignore[arg-type]


def with_port(port: PanelPort) -> Plan:
    """The demo whose backend leaf uses this in place of its second host port."""
    first, _, *others = leaf().down
    return with_leaf(down=(first, port, *others))


def same_row(_patch: Patch) -> Plan:
    made = plan()
    found = made.fabrics["frontend"].segments
    moved = {at: tuple(s._replace(row=2) if at[1] == "train" else s for s in own) for at, own in found.items()}
    return with_fabric(made, "frontend", segments=moved)


def crossed(patch: Patch) -> Plan:
    def cables(fabric: FabricPlan, place: Place) -> Iterator[Uplink]:
        for link in uplinks(fabric, place):
            yield link._replace(upper=link.upper._replace(plane=1)) if link.number == 1 else link

    patch.setattr(cabling, "uplinks", cables)
    return tiers.planes()


def one_ended(patch: Patch) -> Plan:
    def cables(fabric: FabricPlan, place: Place) -> Iterator[Uplink]:
        yield from (link for link in downlinks(fabric, place) if (link.number, place.index) != (0, 0))

    patch.setattr(cabling, "downlinks", cables)
    return plan()


def crossed_session(patch: Patch) -> Plan:
    """A leaf of the first of two planes speaks with a spine of the second."""

    def edit(device: Device) -> Device:
        first, *others = device.routing.bgp.neighbors
        return bgp_edited(neighbors=(first._replace(description="be-spine-02 Ethernet1/1"), *others))(device)

    patch.setattr(switches, "devices", with_edit(edit, "be-leaf-000"))
    return tiers.planes()


def rail_twice(_patch: Patch) -> Plan:
    first, _, *others = plan().fabrics["backend"].shape.groups[0].columns
    return with_group(plan(), columns=(first, first, *others))


def rail_of_three(_patch: Patch) -> Plan:
    """One rail with two ports and one with none of its own: 8 ports of 7 rails, and a leaf for all."""
    server = catalog().servers["dgx-h100"].nics["compute"]
    nics = tuple(NicPort(name=port.name, rail=min(port.rail, 6)) for port in server.ports)
    return plan({f"{BACKEND}.topology": {"design": "tor"}}, hardware=with_nics(ports=nics))


def rails_turned(_patch: Patch) -> Plan:
    columns = plan().fabrics["backend"].shape.groups[0].columns
    return with_group(plan(), columns=tuple(Column((c.rail + 1) % 4, c.index, c.row) for c in columns))


def patched(module: object, name: str, value: object) -> Case:
    def case(patch: Patch) -> Plan:
        patch.setattr(module, name, value)
        return plan()

    return case


def bad_marking(patch: Patch) -> Plan:
    patch.setitem(MARKING_BY_NAME, "nvidia", MARKING_BY_NAME["nvidia"]._replace(cnp_dscp=26))
    return plan()


def chip(**changes: object) -> Case:
    return lambda _patch: plan(hardware=with_asic(**changes))


def profiles(_patch: Patch) -> Plan:
    long = {"cables.default.leaf_spine": 300, f"{BACKEND}.roce.headroom_overcommit": 8}
    return plan(long, hardware=with_asic(headroom_profiles=1))


def rows_edited(**changes: object) -> Edit:
    """Edit of the profile of every port."""

    def edit(device: Device) -> Device:
        rows = tuple(
            row._replace(profile=row.profile._replace(**changes))  # type: ignore[arg-type]
            for row in device.interfaces.ethernet
        )
        return device._replace(interfaces=device.interfaces._replace(ethernet=rows))

    return edit


def other_marking(device: Device) -> Device:
    assert device.qos is not None
    return device._replace(qos=device.qos._replace(marking="other"))


def one_seed(device: Device) -> Device:
    return device._replace(load_balancing=device.load_balancing._replace(seed=0))


def wide_gateways(device: Device) -> Device:
    if device.evpn is None:
        return device
    gateways = tuple(gateway._replace(mtu=9214) for gateway in device.evpn.gateways)
    return device._replace(evpn=device.evpn._replace(gateways=gateways))


def unknown_system(_patch: Patch) -> Plan:
    """Only the check that names platforms sees the spine's operating system: no number depends on it."""
    spine = plan().fabrics["backend"].fabric.spine
    assert spine is not None
    fabric = plan().fabrics["backend"].fabric.model_copy(update={"spine": spine.model_copy(update={"os": "nos-1"})})
    return with_fabric(plan(), fabric=fabric)


def weighed_tiers(_patch: Patch) -> Plan:
    made = tiers.three_tiers()
    return with_fabric(made, fabric=made.fabrics["backend"].fabric.model_copy(update={"link_loss": "weighted"}))


def spines_only(patch: Patch) -> Plan:
    """A system that is rendered as a spine alone, on leaves."""
    artifacts = {role: files for role, files in PLATFORMS["eos"].artifacts.items() if role == "spine"}
    stands_in(patch, PLATFORMS["eos"]._replace(artifacts=artifacts))
    return plan()


def cannot(patch: Patch) -> Plan:
    stands_in(patch, PLATFORMS["eos"]._replace(capabilities=()))
    return plan()


def second_backend(nics: str = "compute", hardware: Catalog | None = None) -> Plan:
    """The demo with one more backend, which connects a NIC group of the servers of the first."""
    first = plan().intent.fabrics["backend"].model_dump(mode="json", exclude_unset=True, by_alias=True)
    addressing = {"links": ["ipv4"], "hosts": "ipv4", "ipv4": "10.96.0.0/12"}
    own = {"prefix": "b2", "connects": {"train": nics}, "addressing": addressing, "asns": "4203000000-4203999999"}
    return plan({"fabrics.backend2": first | own}, hardware=hardware)


def shared_cages() -> Plan:
    """Two NIC groups of a server whose ports sit in the same cages, each on a backend of its own."""
    ours = catalog().servers["dgx-h100"]
    nics = ours.nics["compute"]
    others = tuple(port.model_copy(update={"name": f"{port.cage}P{9 - int(port.name[-1])}"}) for port in nics.ports)
    left = nics.model_copy(update={"device_names": (), "pci_addresses": ()})
    right = left.model_copy(update={"ports": others})
    return second_backend("more", with_nic_groups(compute=left, more=right))


SPINES = tuple(f"be-spine-{number:02d}" for number in range(4))
CORES = tuple(f"be-super-{number:02d}" for number in range(4))
OWN_ECN = {"probability_percent": 10}
SHORT_ECN = {**OWN_ECN, "minimum_octets": 20_000, "maximum_octets": 30_000}
DEEP_ECN = {**OWN_ECN, "minimum_octets": 200_000, "maximum_octets": 10_000_000}
LONG_CABLE = as_built({("be-leaf-000", "Ethernet33/1"): 2000.0})
OUT = "RM-SPINES-IPV4-OUT"


def no_users(_patch: Patch) -> Plan:
    """A backend of a system that takes all accounts away, and no user."""
    switch = {"model": "nvidia-sn5600", "os": "cumulus-5.11"}
    own = {"leaf": switch, "spine": switch, "topology.spines": {"now": 2, "planned": 32}}
    return plan({**{f"{BACKEND}.{part}": value for part, value in own.items()}, "management.users": {}})


SOURCES = {"sources": ["10.0.0.0/28"]}


def strict(edits: Edits) -> Case:
    """A site with the profile `strict` and sources of managers."""
    return lambda _: plan({"security": "strict", "management.access": SOURCES, **edits})


def strict_api(_patch: Patch) -> Plan:
    """A backend of a system whose API answers with a certificate of its own."""
    switch = {"model": "cisco-n9364d-gx2a", "os": "nxos-10.5"}
    own = {"leaf": switch, "spine": switch, "topology.spines": {"now": 2, "planned": 32}}
    edits = {f"{BACKEND}.{part}": value for part, value in own.items()}
    return strict({**edits, "management.eapi": None})(_patch)


CASES: dict[str, Case] = {
    "unknown-platform": unknown_system,
    "platform-role": spines_only,
    "unsupported-version": key(f"{BACKEND}.leaf.os", "eos-4.20"),
    "platform-cannot": cannot,
    "platform-part": without_row,
    "one-sided": one_sided,
    "lock-misfit": recorded(f"{BACKEND}.topology.rails_per_leaf", 1),
    "rows-overlap": same_row,
    "name-twice": key("servers.be-leaf", {"model": "dgx-h100", "slots": "0-3"}),
    "name-too-long": lambda _: with_fabric(plan(), prefix="x" * 60),
    "vtep-family": key(f"{FRONTEND}.addressing.links", ["ipv6"]),
    "host-family": lambda _: plan({f"{BACKEND}.addressing.links": ["ipv4"], f"{BACKEND}.addressing.hosts": "ipv6"}),
    "public-addresses": key(f"{BACKEND}.addressing.ipv4", "11.64.0.0/12"),
    "prefixes-overlap": key(f"{BACKEND}.addressing.ipv4", "10.0.0.0/12"),
    "pool-exhausted": key(f"{BACKEND}.addressing.ipv4", "10.64.0.0/20"),
    "outside-pool": recorded(f"{BACKEND}.addressing.ipv4", "10.96.0.0/12"),
    "oob-exhausted": key("management.oob", "10.0.0.0/27"),
    "oob-moved": recorded("management.oob", "10.9.0.0/20"),
    "oob-gateway": key("management.gateway", "10.0.0.17"),
    "oob-server": key("management.aaa.tacacs", ["10.0.0.7", "10.0.0.17"]),
    "router-ids-exhausted": key(f"{BACKEND}.addressing", ALONE | {"router_ids": "10.9.0.0/30"}),
    "router-ids-moved": lambda _: plan(
        {f"{BACKEND}.addressing": ALONE | {"router_ids": "10.9.0.0/16"}},
        recorded=plan({f"{BACKEND}.addressing": ALONE}).lock,
    ),
    "address-twice": lambda _: clashing_lock(),
    "asns-exhausted": key(f"{BACKEND}.asns", "4201000000-4201000003"),
    "asns-moved": recorded(f"{BACKEND}.asns", "4201500000-4201999999"),
    "asn-twice": key(f"{FRONTEND}.asns", "4201000000-4201999999"),
    "nic-planes": lambda _: with_group(plan(), nics=catalog().servers["dgx-b300"].nics["compute"]),
    "uneven-links": lambda _: with_shape(plan(), spines=5),
    "spine-ports": lambda _: with_shape(plan(), spines=1, links=64),
    "superspine-ports": lambda _: with_shape(
        tiers.three_tiers(), cores=1, core_links=4, core=tiers.chassis(tiers.EOS, 6, 0)
    ),
    "planes-joined": crossed,
    "cable-ends": one_ended,
    "nic-port-twice": lambda _: second_backend(),
    "nic-cage-twice": lambda _: shared_cages(),
    "port-twice": lambda _: with_leaf(up=(leaf().down[0], *leaf().up[1:])),
    "rail-columns": rail_twice,
    "rail-leaf": rails_turned,
    "rail-pair": rail_of_three,
    "no-such-mode": lambda _: with_port(leaf().down[1]._replace(speed_gbps=50)),
    "cage-in-two-modes": lambda _: with_port(leaf().down[1]._replace(parts=1, part=0, speed_gbps=800, lanes=8)),
    "no-medium": key("cables.default.border_external", 90000),
    "logical-ports": lambda _: with_leaf(switch=leaf().switch.model_copy(update={"logical_ports": 100})),
    "oversubscribed": lambda _: with_leaf(up=leaf().up[:32]),
    "pods-apart": lambda _: tiers.lossless(Exceptions(devices=dict.fromkeys(CORES, "drained"))),
    "spines-drained": lambda _: plan(exceptions=Exceptions(devices=dict.fromkeys(SPINES, "drained"))),
    "rail-lost": overridden({"be-leaf-000": {"state": "dead"}}),
    "outside-lost": overridden({"fe-border-*": {"state": "absent"}}),
    "drain-alone": overridden({"be-leaf-000/Ethernet1/1": {"state": "drained"}}),
    "leaf-cut-off": overridden({"be-spine-*": {"state": "dead"}}),
    "waiver-place": lambda _: plan({"waivers": [{"code": "roce-mtu", "where": "be-leaf-999", "reason": "somewhere"}]}),
    "links-missing": lambda _: plan(exceptions=port_states({("be-leaf-000", "Ethernet33/1"): "absent"})),
    "ecmp-width": chip(ecmp_width=32),
    "maximum-paths": patched(balancing, "maximum_paths", lambda _fabric, _tier: 8),
    "balancing-mode": key(f"{BACKEND}.load_balancing", "dlb-per-packet"),
    "dynamic-groups": lambda _: with_group(plan(), planned=40),
    "link-loss": weighed_tiers,
    "switch-mtu": key(f"{FRONTEND}.mtu", 9500),
    "external-mtu": key(f"{SERVING}.external.0.mtu", 9215),
    "host-mtu": key(f"{BACKEND}.roce.host_mtu", 9300),
    "roce-mtu": key(f"{BACKEND}.roce.host_mtu", 4000),
    "vxlan-mtu": key(f"{FRONTEND}.mtu", 1500),
    "unknown-profile": key(f"{BACKEND}.roce.marking", "nvidea"),
    "marking-plan": bad_marking,
    "lossless-classes": patched(marking, "lossless_classes", lambda _marking: (3, 4)),
    "cnp-with-control": key(f"{BACKEND}.roce.marking", "broadcom"),
    "priority-not-class": key(f"{BACKEND}.roce.marking", "juniper"),
    "nic-marking": key(f"{BACKEND}.roce.marking", "azure"),
    "headroom-unknown": chip(buffer_octets=None),
    "headroom-pool": key(f"{BACKEND}.roce.headroom_overcommit", 2.0),
    "headroom-profiles": profiles,
    "ecn-missing": key(f"{BACKEND}.roce.ecn", "cisco-100"),
    "ecn-thresholds": key(f"{BACKEND}.roce.ecn", SHORT_ECN),
    "ecn-after-pfc": key(f"{BACKEND}.roce.ecn", "amd-dell"),
    "buffer": chip(buffer_octets=1_000_000),
    "tenant-overlap": key(f"{SERVING}.networks.hosts.subnets", ["172.18.8.0/24"]),
    "subnet-short": key(f"{RESEARCH}.networks.hosts.subnets", ["172.18.0.0/28"]),
    "accept-own": key(f"{RESEARCH}.external.0.accept", ["172.18.0.0/20"]),
    "vni-twice": lambda _: plan({f"{SERVING}.vni": 20000, f"{RESEARCH}.vni": 20000}),
    "vni-range": key(f"{FRONTEND}.evpn.vni_base", 16777210),
    "ids-exhausted": lambda _: plan(recorded=Lock(ids=(Id("frontend", "vrf", "old", 65535),))),
    "relay-pool": key(f"{RESEARCH}.relay_sources", ["172.30.0.0/30"]),
    "relay-loopback": lambda _: plan(recorded=Lock(ids=(Id("frontend", "vrf", "old", 2090),))),
    "vlan-clash": key(f"{SERVING}.networks.hosts.vlan", 110),
    "nic-rail": lambda _: shared_backend.shared(tenants__serving__nics=["train[0]/6-8"]),
    "tenancy-leaf-pairs": lambda _: shared_backend.bonded(),
    "route-scale": lambda _: plan(shared_backend.SHARED, hardware=with_asic(routes_ipv4=200)),
    "leaf-pairs-lossless": lambda _: leaf_pairs.planned(system=leaf_pairs.EOS, transport="roce-lossless"),
    "leaf-pairs-rails": lambda _: leaf_pairs.with_unequal_rails(),
    "leaf-pairs-twice": lambda _: leaf_pairs.on_two_fabrics(),
    "host-asn": lambda _: leaf_pairs.planned(asns="4294900000-4294967294"),
    "host-routes": lambda _: with_group(plan(hardware=with_asic(routes_ipv4=400)), indexes=2),
    "tunnel-mtu": lambda _: shared_backend.shared(fabrics__backend__mtu=9040),
    "monitor-thresholds": key(f"{BACKEND}.telemetry", {"queue_monitor": {"high": 100, "low": 100}}),
    "monitor-off": key(f"{BACKEND}.telemetry", {"capture": "congestion", "queue_monitor": {"enabled": False}}),
    "nothing-marked": key("fabrics.frontend.telemetry", {"ecn_counters": True}),
    "outside-port": key(f"{SERVING}.external.0.port", 99),
    "port-two-peers": key(f"{SERVING}.external.0.peer", "fw9"),
    "no-account": no_users,
    "no-key-account": key("management.login", {"password_login": False}),
    "strict-sources": key("security", "strict"),
    "strict-accounts": strict({"management.users": {}}),
    "strict-certificate": strict_api,
    "raw-nowhere": key("raw", [{"system": "eos", "artifact": "no-such-file", "lines": ["x"]}]),
    "raw-syntax": halved,
    "platform-limit": limit,
    "port-mtu": overridden({"link:be-leaf-003/Ethernet40/1": {"mtu": 8000}}),
    "fec-lanes": overridden({"be-leaf-003/Ethernet1/1": {"fec": "fc-fec"}}),
    "headroom-low": overridden({"be-leaf-003/Ethernet1/1": {"headroom_octets": 200000}}),
    "fec-differs": overridden({"fe-spine-00/Ethernet1/1": {"fec": "rs-fec"}}, slow_lanes),
    "bfd-differs": overridden({"backend/spine": {"bgp": {"bfd": True}}}),
    "ttl-differs": overridden({"backend/spine": {"bgp": {"ttl_security": "check"}}}),
    "password-differs": overridden({"backend/spine": {"bgp": {"password": "${env:BGP_PASSWORD}"}}}),
    "buffer-cycle": told(map_replaced(OUT, OPEN)),
    "valley-path": told(map_replaced(OUT, OPEN), "be-leaf-000"),
    "backend-open": told(bgp_edited(networks_ipv4=("0.0.0.0/0",)), "be-leaf-000"),
    "tenants-meet": shared_backend.told(shared_backend.meeting, "be-leaf-000"),
    "backend-bridged": shared_backend.told(shared_backend.bridging, "be-leaf-001"),
    "nic-in-no-vrf": shared_backend.told(shared_backend.exposed, "be-leaf-002"),
    "planes-speak": crossed_session,
    "marking-differs": told(other_marking, "be-spine-01"),
    "lossless-bridged": told(rows_edited(qos="ROCE-200G"), "fe-leaf-000"),
    "hash-seeds": told(one_seed),
    "mtu-differs": told(rows_edited(mtu=9000), "be-leaf-001"),
    "gateway-mtu": told(wide_gateways),
    "flowlet-gap": key(f"{BACKEND}.roce.ecn", DEEP_ECN),
    "cable-headroom": lambda _: plan(exceptions=LONG_CABLE),
}


def clashing_lock() -> Plan:
    """A lock that a merge has left with one loopback run for leaves and spines, and fabrics that do not overlap."""
    made = plan()
    start = next(s.loopback4 for s in made.lock.segments if s.tier is Tier.LEAF and s.fabric == "backend")
    segments = tuple(
        s._replace(loopback4=start) if s.fabric == "backend" and s.tier is Tier.SPINE else s for s in made.lock.segments
    )
    return made._replace(lock=made.lock._replace(segments=segments))
