"""Small fabrics of three tiers and of several planes on real switch models, planned from shapes made by hand.

What stands above what is written here as it is in the drawings of a folded Clos, so that tests compare with a drawing
and not with a topology of ours: two pods of two leaves and two spines, core group k joined to spine k of each pod.
"""

from functools import cache

from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.hardware.model import NicGroup, NicPort
from fabricgen.hardware.ports import ports
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Ratio, Span
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from fabricgen.topologies.shape import Chassis, Column, GroupShape, Shape

EOS, FRR = "eos-4.34", "frr-8.4"
MODEL = "arista-7060x6-64pe"

USERS = ', users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}'
"""Of a system that without users can be reached at its console only."""

HEAD = """\
fabricgen: 1
site: dc1
management: {{vrf: mgmt, oob: 10.0.0.0/20, gateway: 10.0.0.1, sflow: {sflow}{users}}}
servers: {{train: {{model: dgx-h100, slots: 0-{last}}}}}
"""
BACKEND = """\
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {{train: compute}}
    topology: {{design: rail-optimized}}
    leaf: {{model: {model}, os: {system}}}
    spine: {{model: {model}, os: {system}}}
    superspine: {{model: {model}, os: {system}}}
    addressing: {{links: [ipv4, ipv6], ipv4: 10.64.0.0/16, ipv6: "fd5e:8c1f:2a00::/52"}}
    asns: 4201000000-4201999999
    transport: {transport}
    load_balancing: {balancing}
"""
FRONTEND = """\
fabrics:
  frontend:
    kind: frontend
    prefix: fe
    connects: {{train: frontend}}
    topology: {{design: leaf-spine, oversubscription: "1:1", border_leaves: 2}}
    leaf: {{model: {model}, os: {system}}}
    spine: {{model: {model}, os: {system}}}
    superspine: {{model: {model}, os: {system}}}
    addressing: {{links: [ipv4, ipv6], ipv4: 10.128.0.0/16, ipv6: "fd5e:8c1f:2a00:1000::/52"}}
    asns: 4202000000-4202999999
    server_ports: {{multihoming: active-backup, lacp_fallback: false, storm_control: null, bpdu_guard: false,
      uplink_tracking: false}}
tenants:
  research:
    servers: ["train[0-3]"]
    networks: {{hosts: {{vlan: 110, subnets: [172.18.0.0/20]}}}}
"""


@cache
def catalog() -> Catalog:
    return load_catalog(None)


def chassis(system: str, down: int, up: int) -> Chassis:
    """First cages of the panel down, the next up, the rest spare; 400G whole cages in halves."""
    switch = catalog().switches[MODEL]
    every = ports(switch, 400)
    return Chassis(
        switch=switch,
        asic=catalog().asics[switch.asic],
        system=system,
        down=every[:down],
        up=every[down : down + up],
        spare=every[down + up :],
    )


def group(leaf: Chassis, columns: tuple[Column, ...], pods: int, planes: int, present: int) -> GroupShape:
    """One unit a pod, `present` of them standing."""
    rows = 1 + max(column.row for column in columns)
    slots = len(leaf.down) // rows
    nics = NicGroup(
        speed_gbps=400 * planes,
        connector="osfp",
        ports=tuple(
            NicPort(name=f"nic{at}", rail=at, cage="both" if planes == 1 else "") for at in range(len(columns))
        ),
        planes=planes,
        vendor="nvidia",
        source="made up",
    )
    return GroupShape(
        name="train",
        leaf=leaf,
        nics=nics,
        columns=columns,
        slots_a_unit=slots,
        rails=1 + max(column.rail for column in columns),
        indexes=1 + max(column.index for column in columns),
        units_a_pod=1,
        present=(Span(0, present - 1),),
        planned=pods,
        slots=(Span(0, present * slots - 1),),
        leaves_of="train",
    )


def folded(system: str, *, columns: tuple[Column, ...], kind: str, cores: int = 2, borders: int = 0) -> Shape:
    """Two pods: two leaves with two uplinks each, two spines; `cores` superspines a core group."""
    leaf = chassis(system, 2, 2)
    return Shape(
        fabric=kind,
        kind=kind,
        design="rail-optimized" if kind == "backend" else "leaf-spine",
        planes=1,
        pods=2,
        groups=(group(leaf, columns, 2, 1, 2),),
        spine=chassis(system, 4, 4),
        border=leaf if borders else None,
        ratio=Ratio(1, 1),
        borders=borders,
        spines=2,
        spines_planned=2,
        links=1,
        cores=cores,
        cores_planned=cores,
        core_links=4 // cores,
        core=chassis(system, 8, 0),
    )


def intent(text: str, **words: object) -> Intent:
    told = {"last": 3, "model": MODEL, "transport": "best-effort", "balancing": "ecmp", "sflow": "null"} | words
    told["users"] = USERS if str(told["system"]).startswith("eos") else ""
    return validate(Intent, load_document((HEAD + text).format(**told), "intent.yaml"))


NONE = Exceptions()


def three_tiers(system: str = EOS, exceptions: Exceptions = NONE, cores: int = 2, **words: object) -> Plan:
    """A backend: leaves 0 and 1 in pod 0, 2 and 3 in pod 1; spines likewise; superspines 0 and 1 of group 0, then 1."""
    rails = (Column(0, 0, 0), Column(1, 0, 0))
    shapes = {"backend": folded(system, columns=rails, kind="backend", cores=cores)}
    return make_plan(intent(BACKEND, system=system, **words), catalog(), shapes, Lock(), exceptions)


def lossless(exceptions: Exceptions = NONE, sflow: str = "null") -> Plan:
    """The same with a lossless class."""
    return three_tiers(EOS, exceptions, transport="roce-lossless", sflow=sflow)


def overlay(system: str = FRR, exceptions: Exceptions = NONE) -> Plan:
    """A frontend of two pods: a pair of leaves each, two border leaves in the first."""
    pair = (Column(0, 0, 0), Column(0, 1, 0))
    shapes = {"frontend": folded(system, columns=pair, kind="frontend", borders=2)}
    return make_plan(intent(FRONTEND, system=system), catalog(), shapes, Lock(), exceptions)


def planes(system: str = EOS, count: int = 2, **words: object) -> Plan:
    """A backend of so many planes, in each two leaves with two uplinks and two spines."""
    leaf = chassis(system, 2, 2)
    shape = Shape(
        fabric="backend",
        kind="backend",
        design="rail-optimized",
        planes=count,
        pods=1,
        groups=(group(leaf, (Column(0, 0, 0), Column(1, 0, 0)), 1, count, 1),),
        spine=chassis(system, 4, 0),
        border=None,
        ratio=Ratio(1, 1),
        borders=0,
        spines=2,
        spines_planned=2,
        links=1,
    )
    shaped = {"backend": shape}
    return make_plan(intent(BACKEND, system=system, last=1, **words), catalog(), shaped, Lock(), NONE)


def rail_planes(system: str = EOS) -> Plan:
    """The backend of three tiers with a plane per rail: in each plane one leaf and two spines per pod."""
    shape = folded(system, columns=(Column(0, 0, 0), Column(0, 0, 0, 1)), kind="backend")
    shapes = {"backend": shape._replace(planes=2, rail_planes=2)}
    return make_plan(intent(BACKEND, system=system), catalog(), shapes, Lock(), NONE)
