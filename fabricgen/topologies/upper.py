"""The tiers above the leaves: spines of a pod, and superspines in core groups, one group per spine number.

A spine has D ports towards its leaves and U towards its core group, split by `spine_oversubscription` as on a leaf,
in the cages that it has. U is no more than the leaves of a pod need, rounded up to what the superspines of the intent
can share equally, or to an even number where it does not set them; `spine_uplinks` asks for more. Superspine j of core
group k joins spine k of every pod, so the size of a group obeys the rule of the spines: it divides U, and pods x links
of a pair fit its ports. All spines and superspines of a pod that has a unit are built, whether it is full or not.
"""

from math import lcm
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.model import SwitchModel
from fabricgen.hardware.ports import PanelPort, ports
from fabricgen.intent.fabric import Spines, Switch, Tiers, model_key
from fabricgen.intent.scalars import Ratio
from fabricgen.topologies.arithmetic import LeafSplit, largest_split, legal_spines, uplinks_for, uplinks_on
from fabricgen.topologies.panel import usable_ports
from fabricgen.topologies.pods import PodLayout
from fabricgen.topologies.request import Request, larger_switches
from fabricgen.topologies.shape import Chassis, GroupShape, Shape
from fabricgen.topologies.spine_counts import PlannedLeaves, check_spines, check_superspines


class Upper(NamedTuple):
    """Spines and superspines of one fabric; the fields of `Shape`."""

    spine: Chassis
    spines: int
    spines_planned: int
    spine_ratio: Ratio = Ratio(1, 1)
    core: Chassis | None = None
    cores: int = 0
    cores_planned: int = 0
    core_links: int = 0

    def on(self, shape: Shape) -> Shape:
        """Return the shape with these superspines above its spines."""
        return shape._replace(
            spine_ratio=self.spine_ratio,
            core=self.core,
            cores=self.cores,
            cores_planned=self.cores_planned,
            core_links=self.core_links,
        )


def upper_tiers(
    request: Request,
    topology: Tiers,
    speed: int,
    leaves: PlannedLeaves,
    groups: tuple[GroupShape, ...],
    pods: PodLayout,
) -> Upper:
    """Return the spines, and superspines where there are pods. Raises FabricError with the legal counts.

    speed   Gb/s of every link above the leaves
    leaves  planned leaves of one pod; groups: their server groups
    """
    switch = required_spine(request)
    panel_ports = _ports(request, speed, "spine", switch)
    if request.fabric.superspine is None:
        spine = _chassis(request, switch, panel_ports, 0)
        return Upper(spine, *check_spines(request, topology.spines, leaves, len(panel_ports), groups))
    below = _ports(request, speed, "superspine", request.fabric.superspine)
    # First the largest split, which gives the leaf-spine links; then only the up ports that these links need.
    ratio = topology.spine_oversubscription
    split = split_panel(request.switch(switch), panel_ports, ratio)
    if not split.down:
        raise FabricError([_spine_too_small(request, switch, ratio, len(panel_ports))])
    spine = _chassis(request, switch, panel_ports, split.up, split.down)
    spines, planned = check_spines(request, topology.spines, leaves, len(spine.down), groups)
    links = leaves.number * (uplinks_on(spines, leaves.least) // spines)
    if topology.spine_uplinks is None:
        fewest = shared_uplinks(topology.superspines, uplinks_for(links, ratio), split.up)
        if topology.superspines is not None and request.recorded.superspines:
            # A lock without the uplinks of spines is of a time when they had all that the ratio leaves.
            fewest = split.up
        split = _narrowed(split, request.recorded.spine_up or fewest, ratio)
    else:
        links = _links_of_leaves(leaves, spines, planned, len(spine.down))
        split = _asked(request, panel_ports, links, topology.spine_uplinks)
    spine = _chassis(request, switch, panel_ports, split.up, split.down)
    present = 1 + max(group.present[-1].last // group.units_a_pod for group in groups)
    spines_of_pods = PlannedLeaves(pods.number, split.up, split.up, present)
    cores, cores_planned = check_superspines(
        _on_its_pods(request, groups), topology.superspines, spines_of_pods, len(below)
    )
    return Upper(
        spine=spine,
        spines=spines,
        spines_planned=planned,
        spine_ratio=ratio,
        core=_chassis(request, request.fabric.superspine, below, 0),
        cores=cores,
        cores_planned=cores_planned,
        core_links=split.up // cores,
    )


def split_panel(switch: SwitchModel, every: tuple[PanelPort, ...], ratio: Ratio) -> LeafSplit:
    """Return the most down ports that the ratio allows, with the fewest up ports, counted in whole cages.

    All ports of a cage are either up or down: 128 halves of 64 cages at 2:1 are 84 down and 42 up, as 43 would need the
    cages of 44.
    """
    return largest_split(len(every) - 1, lambda up: len(usable_ports(switch, every, every[-up:])), ratio)


def shared_uplinks(superspines: Spines | None, least: int, most: int) -> int:
    """Return the fewest up ports of a spine, at least `least`, that its present and planned superspines can share.

    superspines  as in the intent; None: any even number, so that there can be two
    most         up ports of the largest split; returned where no number up to it can be shared, for the refusal
    """
    if superspines is None:
        return least + least % 2
    share = lcm(superspines.now, superspines.planned or superspines.now)
    fewest = -(-least // share) * share
    return fewest if fewest <= most else most


def _links_of_leaves(leaves: PlannedLeaves, spines: int, planned: int, ports: int) -> int:
    """Return the links of a spine to leaves: to those of today, or to a full pod, whichever are more.

    ports  of a spine towards leaves. A full pod that does not fit under the spines of today has more of the planned
           ones, with fewer links to each.
    """
    legal = legal_spines(leaves.number, leaves.least, ports, uplinks_on(planned, leaves.least))
    enough = next((count for count in legal if count >= spines), planned)
    today, full = (uplinks_on(count, leaves.least) // count for count in (spines, enough))
    return max(leaves.present * today, leaves.number * full)


def _asked(request: Request, every: tuple[PanelPort, ...], links: int, asked: int) -> LeafSplit:
    """Return the split of a spine with as many up ports as the intent asks for. Raises FabricError with the limits.

    every  ports of its panel; links: those of its leaves, which need as many ports
    """
    switch, ratio = required_spine(request), request.fabric.topology.spine_oversubscription

    def free(up: int) -> int:
        return len(usable_ports(request.switch(switch), every, every[-up:]))

    least = uplinks_for(links, ratio)
    most = next((up for up in range(len(every) - 1, 0, -1) if free(up) >= links), 0)
    if not least <= asked <= most:
        raise FabricError([_spine_uplinks(request, switch, asked, (least, most), links)])
    return LeafSplit(min(free(asked), ratio.down * asked // ratio.up), asked)


def _spine_uplinks(request: Request, switch: Switch, asked: int, limits: tuple[int, int], links: int) -> Problem:
    least, most = limits
    ratio = request.fabric.topology.spine_oversubscription
    why = (
        f"{links} links to its leaves need at least {least} at {ratio.down}:{ratio.up}"
        if asked < least
        else f"{links} of its ports are for leaves: there is room for {most}"
    )
    numbers = f"write spine_uplinks: {least}{f' to {most}' if least < most else ''}, or " if least <= most else ""
    return Problem(
        code="uplinks-impossible",
        what=f"a spine {switch.model} cannot have {asked} uplinks",
        where=(*request.path, "topology", "spine_uplinks"),
        why=why,
        fix=f"{numbers}remove spine_uplinks",
    )


def _narrowed(split: LeafSplit, up: int, ratio: Ratio) -> LeafSplit:
    """Return the split with no more up ports than the leaves of a pod need, or than the lock records."""
    fewer = min(split.up, up)
    return LeafSplit(min(split.down, ratio.down * fewer // ratio.up), fewer)


def _on_its_pods(request: Request, groups: tuple[GroupShape, ...]) -> Request:
    """Return the request without the recorded superspines if pods have another size now: `lock_fit` refuses that."""
    units_of_groups = {group.name: group.units_a_pod for group in groups}
    if all(units_of_groups.get(name, units) == units for name, units in request.recorded.units):
        return request
    return request._replace(recorded=request.recorded._replace(superspines=0))


def required_spine(request: Request) -> Switch:
    """Return the spine of a fabric. Raises FabricError where it has none."""
    if request.fabric.spine is None:
        raise FabricError.of(
            code="no-spine",
            what=f"fabric {request.name} has no spine",
            where=request.path,
            why="spines connect its leaves",
            fix="add spine: {model: ..., os: ...}",
        )
    return request.fabric.spine


def _chassis(
    request: Request, switch: Switch, every: tuple[PanelPort, ...], up: int, down: int | None = None
) -> Chassis:
    """Return the last ports up and the first `down` ports (None: all others) down. No cage has both."""
    above = every[len(every) - up :]
    below = usable_ports(request.switch(switch), every, above)[:down]
    return request.chassis(switch, down=below, up=above, spare=every[len(below) : len(every) - up])


def _ports(request: Request, speed: int, role: str, switch: Switch) -> tuple[PanelPort, ...]:
    panel_ports = ports(request.switch(switch), speed)
    if not panel_ports:
        raise FabricError([no_ports(request, speed, role, switch)])
    return panel_ports


def speeds_of(switch: SwitchModel) -> tuple[int, ...]:
    """Return Gb/s that the cages of a panel offer, ascending, without service ports."""
    return tuple(sorted({mode.speed_gbps for run in switch.cages if not run.service for mode in run.modes}))


def no_ports(request: Request, speed: int, role: str, switch: Switch) -> Problem:
    """Return the problem of a switch without ports of a speed that its links need."""
    model, key = request.switch(switch), model_key(request.fabric, role, switch.model)
    known = larger_switches(request, switch, speed, 1)
    topology = request.fabric.topology
    is_asked = isinstance(topology, Tiers) and topology.uplink_gbps is not None
    why = (
        f"the intent has uplink_gbps: {speed}"
        if is_asked
        else "oversubscription 1:1 needs the same speed from NIC to spine"
    )
    offered = " or ".join(map(str, speeds_of(model)))
    other = f"write topology.uplink_gbps: {offered}" if is_asked else "connect NICs of one of those speeds"
    rest = "" if known else f", and no model of the library for {switch.os.partition('-')[0]} has {speed}G ports"
    return Problem(
        code="no-port-of-speed",
        what=f"{model.model} has no {speed}G ports",
        where=(*request.path, *key),
        why=f"{why}; its cages support {', '.join(f'{s}G' for s in speeds_of(model))}{rest}",
        fix=f"write {'.'.join(key)}: {' or '.join(known)}, or {other}" if known else other,
    )


def _spine_too_small(request: Request, spine: Switch, ratio: Ratio, have: int) -> Problem:
    return Problem(
        code="ratio-impossible",
        what=f"a spine {spine.model} cannot be split {ratio.down}:{ratio.up}",
        where=(*request.path, "topology", "spine_oversubscription"),
        why=f"it has {have} ports, and each side needs at least one",
        fix="write spine_oversubscription: 1:1, or a spine.model with more ports",
    )
