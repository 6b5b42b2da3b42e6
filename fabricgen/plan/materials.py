"""Bill of materials: switches by model, transceivers and cables by kind with counts, and their power."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.hardware.model import Media, SwitchModel
from fabricgen.plan.cable import Cable
from fabricgen.plan.cabling import cables
from fabricgen.plan.fabric import FabricPlan, chassis_of, present_places
from fabricgen.plan.links import SERVER_LEAF
from fabricgen.plan.medium import OPTIC
from fabricgen.plan.plan import Plan


class SwitchItem(NamedTuple):
    """Switches of one model in one role. Watts are of one switch, None if no file has them."""

    fabric: str
    role: str
    model: str
    pieces: int
    typical_watts: float | None
    maximum_watts: float | None
    unsure: bool


class PartItem(NamedTuple):
    """Transceivers or copper cables of one kind, counted as pieces to buy.

    at       where they are plugged in: switch, server; both for a copper cable between the two
    watts    of one piece, with both ends of a cable
    """

    fabric: str
    part: str
    medium: str
    at: str
    pieces: int
    watts: float
    unsure: bool


class CableItem(NamedTuple):
    """Links of one kind, medium and length. `links` counts fibre runs, or links inside copper cables."""

    fabric: str
    kind: str
    medium: str
    part: str
    speed_gbps: int
    length_m: float
    links: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Materials:
    """What to buy, and its power. Spares, patch panels and fibre trunks are not included."""

    switches: tuple[SwitchItem, ...]
    parts: tuple[PartItem, ...]
    cables: tuple[CableItem, ...]


class Power(NamedTuple):
    """Watts of one fabric. Typical and maximum leave out switches without data: `unknown_…` counts them.

    unsure_…  some of these watts have a weak source or none: of switches, of optics and copper in switches, in servers
    """

    typical: float
    maximum: float
    unknown_typical: int
    unknown_maximum: int
    optics_in_switches: float
    optics_in_servers: float
    unsure_switches: bool
    unsure_in_switches: bool
    unsure_in_servers: bool


def materials(plan: Plan) -> Materials:
    """Count everything. One pass over the cables, in constant memory."""
    parts, runs = _counted(plan)
    known = part_watts(plan.catalog.media)
    return Materials(
        switches=tuple(item for fabric in plan.fabrics.values() for item in _switches(fabric)),
        parts=tuple(
            PartItem(fabric, part, medium, at, count, *known[part])
            for (fabric, medium, part, at), count in sorted(parts.items())
        ),
        cables=tuple(CableItem(*key, count) for key, count in sorted(runs.items())),
    )


PartKey = tuple[str, str, str, str]
RunKey = tuple[str, str, str, str, int, float]


def _counted(plan: Plan) -> tuple[Counter[PartKey], Counter[RunKey]]:
    parts: Counter[PartKey] = Counter()
    runs: Counter[RunKey] = Counter()
    for cable in cables(plan):
        runs[cable.fabric, cable.kind, cable.medium, _part_text(cable), cable.speed_gbps, cable.length_m] += 1
        if cable.medium:
            parts.update((cable.fabric, cable.medium, part, at) for part, at in _pieces(cable))
    return parts, runs


def _part_text(cable: Cable) -> str:
    near, far = cable.near.module, cable.far.module
    return near if near == far else f"{near} + {far}"


def _pieces(cable: Cable) -> Iterator[tuple[str, str]]:
    """What is counted at this link: a module at an end that is first in its cage, a copper cable at its wide end."""
    is_server_link = cable.kind == SERVER_LEAF
    if cable.medium != OPTIC:
        if cable.counted:
            yield cable.near.module, "both" if is_server_link else "switch"
        return
    if cable.near.first:
        yield cable.near.module, "server" if is_server_link else "switch"
    # An end without a port belongs to another owner, who buys its module.
    if cable.far.first and cable.far.port:
        yield cable.far.module, "switch"


def part_watts(media: Media) -> dict[str, tuple[float, bool]]:
    """Watts of one piece by its name, and whether they, or the part, are unsure."""
    watts_by_name: dict[str, tuple[float, bool]] = {}
    for cable in media.copper:
        watts = round(cable.end_watts * (1 + cable.far_plugs), 3)
        watts_by_name[cable.name] = (watts, _doubted(media.unsure, f"copper.{cable.name}"))
    for module in media.transceivers:
        watts = max(module.watts, watts_by_name.get(module.name, (0.0, False))[0])
        watts_by_name[module.name] = (watts, _doubted(media.unsure, f"transceivers.{module.name}"))
    return watts_by_name


def _doubted(unsure: Iterable[str], path: str) -> bool:
    return any(entry == path or entry.startswith(f"{path}.") for entry in unsure)


def _switches(fabric: FabricPlan) -> Iterator[SwitchItem]:
    counts: Counter[tuple[str, str]] = Counter()
    models: dict[str, SwitchModel] = {}
    for place in present_places(fabric):
        switch = chassis_of(fabric, place).switch
        models[switch.model] = switch
        counts[place.tier.value, switch.model] += 1
    for (role, model), count in counts.items():
        watts = models[model].watts
        yield SwitchItem(
            fabric=fabric.name,
            role=role,
            model=model,
            pieces=count,
            typical_watts=watts.typical if watts else None,
            maximum_watts=watts.maximum if watts else None,
            unsure=_doubted(models[model].unsure, "watts"),
        )


def power(bill: Materials, fabric: str) -> Power:
    """Add up the watts of one fabric."""
    switch_items = [item for item in bill.switches if item.fabric == fabric]
    parts = [item for item in bill.parts if item.fabric == fabric]
    return Power(
        typical=sum(item.pieces * item.typical_watts for item in switch_items if item.typical_watts is not None),
        maximum=sum(item.pieces * item.maximum_watts for item in switch_items if item.maximum_watts is not None),
        unknown_typical=sum(item.pieces for item in switch_items if item.typical_watts is None),
        unknown_maximum=sum(item.pieces for item in switch_items if item.maximum_watts is None),
        optics_in_switches=round(sum(p.pieces * p.watts * SWITCH_SHARE[p.at] for p in parts), 1),
        optics_in_servers=round(sum(p.pieces * p.watts * (1 - SWITCH_SHARE[p.at]) for p in parts), 1),
        unsure_switches=any(item.unsure for item in switch_items),
        unsure_in_switches=any(part.unsure and SWITCH_SHARE[part.at] > 0 for part in parts),
        unsure_in_servers=any(part.unsure and SWITCH_SHARE[part.at] < 1 for part in parts),
    )


SWITCH_SHARE = {"switch": 1.0, "server": 0.0, "both": 0.5}
"""Share of a piece's watts that the switches supply: a copper cable between server and switch draws at both ends."""
