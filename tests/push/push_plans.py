"""Plans for tests of a push, subjects of them, and shares counted cable by cable without the code under test."""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, places, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import host_ports, uplinks
from fabricgen.platforms.base.cost import Risk
from fabricgen.push.model import Decision, Need, SwitchToChange
from fabricgen.site.workspace import open_workspace
from tests.plan.shapes import chassis, group, planned, rails, shape

INVENTORIES = Path(__file__).parents[2] / "inventories"
WHY = "2 lines whose cost is unknown"


def inventory(name: str, folder: Path, more: str = "", *edits: tuple[str, str]) -> Plan:
    """Plan of an inventory in a new folder, texts replaced and lines added; the lock comes along."""
    folder.mkdir(parents=True)
    text = (INVENTORIES / name / "intent.yaml").read_text()
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "intent.yaml").write_text(text + more)
    (folder / "fabricgen.lock").write_bytes((INVENTORIES / name / "fabricgen.lock").read_bytes())
    return open_workspace(folder / "intent.yaml").plan


def overrides(**states: str) -> str:
    """Lines of an intent."""
    return "overrides:\n" + "".join(f'  "{key}": {{state: {state}}}\n' for key, state in states.items())


def subject(plan: Plan, name: str, risk: Risk = Risk.TRAFFIC_LOSS, system: str = "") -> SwitchToChange:
    for fabric in plan.fabrics.values():
        for place in places(fabric):
            if name_of(fabric, place) == name:
                known = chassis_of(fabric, place).system
                return SwitchToChange(name, fabric.name, place.tier.value, system or known, risk, WHY)
    raise LookupError(name)


def every_subject(plan: Plan, risk: Risk = Risk.TRAFFIC_LOSS) -> list[SwitchToChange]:
    return [
        SwitchToChange(
            name_of(fabric, place), fabric.name, place.tier.value, chassis_of(fabric, place).system, risk, WHY
        )
        for fabric in plan.fabrics.values()
        for place in places(fabric)
    ]


def plain(subjects: Collection[SwitchToChange]) -> list[Decision]:
    """Decisions to change them at once."""
    return [Decision(one, Need.PLAIN, "") for one in subjects]


def clos(*, spines: int, links: int, planes: int, pods: int, cores: int, borders: int, exceptions: Exceptions) -> Plan:
    """Two units a pod of two leaves each, pairs where there are border leaves, else two rails; two tiers or three."""
    ups = spines * links
    down = 8
    leaf = chassis(down + ups, down, ups)
    columns = rails(2) if not borders else (rails(1)[0], rails(1)[0]._replace(index=1))
    made = shape(
        (group("train", leaf, columns, 2, pods=pods, planes=planes),),
        spine=chassis(24, 8 * links, cores),
        spines=spines,
        links=links,
        planes=planes,
        pods=pods,
        core=chassis(8, 8, 0) if cores else None,
        cores=cores,
        core_links=1 if cores else 0,
        border=chassis(down + ups, down, ups) if borders else None,
        borders=borders,
    )
    return planned(made, exceptions=exceptions)


def names(plan: Plan) -> Mapping[str, tuple[FabricPlan, Place]]:
    return {name_of(fabric, place): (fabric, place) for fabric in plan.fabrics.values() for place in places(fabric)}


class Cable:
    """One uplink by names, and whether it carries traffic by the states of its ports."""

    def __init__(self, plan: Plan, found: tuple[FabricPlan, Place], number: int) -> None:
        fabric, place = found
        link = tuple(uplinks(fabric, place))[number]
        self.lower, self.upper = name_of(fabric, link.lower), name_of(fabric, link.upper)
        self.gbps = link.lower_port.speed_gbps
        self.neighbors = PortKey(self.lower, port_text(fabric, link.lower, link.lower_port))
        self.far = PortKey(self.upper, port_text(fabric, link.upper, link.upper_port))
        states = fabric.exceptions.ports
        self.active = states.get(self.neighbors) not in ("absent", "drained") and states.get(self.far) not in (
            "absent",
            "drained",
        )
        self.drained = fabric.exceptions.devices.get(self.upper) == "drained"
        del plan


def cables(plan: Plan) -> dict[str, list[Cable]]:
    """Uplinks of each switch that counts: in service, and of leaves those with a server."""
    found = {}
    for name, (fabric, place) in names(plan).items():
        count = len(tuple(uplinks(fabric, place)))
        is_empty = place.tier is Tier.LEAF and not any(host.present for host in host_ports(fabric, place))
        if count and not is_empty and fabric.exceptions.devices.get(name) != "drained":
            found[name] = [Cable(plan, (fabric, place), number) for number in range(count)]
    return found


def kept(found: list[Cable], away: Collection[str], broken: Collection[PortKey] = ()) -> Fraction:
    """Share of a switch's uplinks while some above it are away."""
    up = (
        one.gbps
        for one in found
        if one.active and not one.drained and one.upper not in away and not {one.neighbors, one.far} & set(broken)
    )
    return Fraction(sum(up), sum(one.gbps for one in found))


def default_floor(found: list[Cable]) -> Fraction:
    """All but one of the switches above, of the links that are active."""
    each: dict[str, int] = {}
    for one in found:
        each[one.upper] = each.get(one.upper, 0) + (one.gbps if one.active else 0)
    return Fraction(sum(each.values()) - max(each.values()), sum(one.gbps for one in found))


def hit(found: dict[str, list[Cable]], away: Collection[str]) -> Iterator[tuple[str, list[Cable]]]:
    """Switches that lose something while these are away."""
    for name, own in found.items():
        if any(one.upper in away and one.active and not one.drained for one in own):
            yield name, own
