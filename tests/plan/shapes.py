"""Shapes of any size on switches that exist nowhere, and the plan of one fabric of such a shape."""

from functools import cache

from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.model import Asic, Cages, Mode, NicGroup, NicPort, PortNames, SwitchModel
from fabricgen.hardware.ports import ports
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Ratio, Span
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from fabricgen.topologies.shape import Chassis, Column, GroupShape, Shape

ASIC = Asic(sources={}, name="chip", title="chip", terabits=51.2, queues=8)


@cache
def switch(radix: int) -> SwitchModel:
    """One-speed panel of so many whole cages."""
    cages = Cages(
        cages=f"1-{radix}",
        connector="osfp",
        lanes=8,
        modes=(Mode(parts=1, speed_gbps=400, lanes=8),),
        source="none",
    )
    return SwitchModel(
        sources={},
        model=f"panel-{radix}",
        vendor="none",
        title="panel",
        asic="chip",
        cages=(cages,),
        port_names={"eos": PortNames(whole="Ethernet{cage}/1", part="Ethernet{cage}/{lane}")},
        management_port={"eos": "Management1"},
        mtu=9214,
    )


@cache
def chassis(radix: int, down: int, up: int) -> Chassis:
    """First ports down, the next up, the rest spare."""
    every = ports(switch(radix), 400)
    return Chassis(
        switch=switch(radix),
        asic=ASIC,
        system="eos-4.34",
        down=every[:down],
        up=every[down : down + up],
        spare=every[down + up :],
    )


def group(
    name: str,
    leaf: Chassis,
    columns: tuple[Column, ...],
    units_a_pod: int,
    *,
    pods: int = 1,
    slots: int | None = None,
    planes: int = 1,
) -> GroupShape:
    """Server group that fills its leaves: slots a unit = host ports / rows of a leaf. All units stand unless told."""
    rows = 1 + max(column.row for column in columns)
    a_unit = len(leaf.down) // rows
    planned = units_a_pod * pods
    standing = planned if slots is None else -(-slots // a_unit)
    nics = NicGroup(
        speed_gbps=400 * planes,
        connector="osfp",
        ports=tuple(NicPort(name=f"nic{at}", rail=at) for at in range(len(columns))),
        planes=planes,
        vendor="nvidia",
        source="none",
    )
    return GroupShape(
        name=name,
        leaf=leaf,
        nics=nics,
        columns=columns,
        slots_a_unit=a_unit,
        rails=1 + max(column.rail for column in columns),
        indexes=1 + max(column.index for column in columns),
        units_a_pod=units_a_pod,
        present=(Span(0, standing - 1),),
        planned=planned,
        slots=(Span(0, (slots or planned * a_unit) - 1),),
        leaves_of=name,
    )


def rails(count: int, per_leaf: int = 1) -> tuple[Column, ...]:
    """Columns of a rail-optimized unit."""
    return tuple(Column(rail // per_leaf, 0, rail % per_leaf) for rail in range(count))


def shape(
    groups: tuple[GroupShape, ...],
    *,
    spine: Chassis | None,
    spines: int,
    links: int,
    spines_planned: int | None = None,
    planes: int = 1,
    rail_planes: int = 1,
    pods: int = 1,
    core: Chassis | None = None,
    cores: int = 0,
    core_links: int = 0,
    border: Chassis | None = None,
    borders: int = 0,
) -> Shape:
    """Shape with everything else plain."""
    return Shape(
        fabric="backend",
        kind="backend",
        design="rail-optimized",
        planes=planes,
        pods=pods,
        groups=groups,
        spine=spine,
        border=border,
        ratio=Ratio(1, 1),
        borders=borders,
        spines=spines,
        spines_planned=spines_planned or spines,
        links=links,
        core=core,
        cores=cores,
        cores_planned=cores,
        core_links=core_links,
        rail_planes=rail_planes,
    )


INTENT = """\
fabricgen: 1
site: dc1
management: {{oob: {oob}, gateway: 172.16.0.1}}
servers: {{train: {{model: any, slots: 0-0}}}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {{train: compute}}
    topology: {{design: rail-optimized}}
    leaf: {{model: any, os: eos-4.34}}
    addressing: {{links: {links}, hosts: {hosts}, ipv4: {ipv4}, ipv6: "fd5e:8c1f:2a00::/48"}}
    asns: 4200000000-4294967294
"""


def intent_of(
    *, ipv4: str = "10.0.0.0/8", oob: str = "172.16.0.0/12", links: str = "[ipv4, ipv6]", hosts: str = "ipv4"
) -> Intent:
    """Intent of one backend; only its pools are read, as the shape is given."""
    text = INTENT.format(ipv4=ipv4, oob=oob, links=links, hosts=hosts)
    return validate(Intent, load_document(text, "intent.yaml"))


def planned(
    made: Shape, recorded: Lock | None = None, exceptions: Exceptions | None = None, ipv4: str = "10.0.0.0/8"
) -> Plan:
    """Plan of one fabric of this shape."""
    return make_plan(
        intent_of(ipv4=ipv4),
        load_catalog(None),
        {"backend": made},
        recorded or Lock(),
        exceptions or Exceptions(),
    )


def fabric_of(
    made: Shape, recorded: Lock | None = None, exceptions: Exceptions | None = None, ipv4: str = "10.0.0.0/8"
) -> FabricPlan:
    """The fabric of such a plan."""
    return planned(made, recorded, exceptions, ipv4).fabrics["backend"]
