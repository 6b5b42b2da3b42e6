"""Fixes that make recorded lines of the lock fit again after a fabric's switches have changed."""

from collections.abc import Iterator
from itertools import chain

from fabricgen.checks.numbers.lock_fit import Misfit
from fabricgen.checks.remedies.counts import counts
from fabricgen.checks.remedies.lock import as_recorded, moving, ratios, servers_a_unit
from fabricgen.checks.remedies.models import models
from fabricgen.checks.remedies.trial import Offer, RemedyTrial, offered
from fabricgen.intent.fabric import BackendTiers
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.segments import UpPorts
from fabricgen.topologies.shape import GroupShape
from fabricgen.topologies.split import port_speed


def former_or_moved(trial: RemedyTrial, fabric: FabricPlan, misfits: tuple[Misfit, ...]) -> str:
    """Return fixes that keep the numbers, if any work, and the command for new numbers, with what it needs."""
    own_fabric = _own_fabric(fabric, misfits)
    kept = next(filter(None, (offered(stage) for stage in _keeping(trial, fabric, misfits))), ())
    former = f"write {', or '.join(kept)}" if kept else own_fabric or "keep the former model and settings"
    return ", or ".join(text for text in (former, own_fabric if kept else "", moving(trial)) if text)


def _keeping(trial: RemedyTrial, fabric: FabricPlan, misfits: tuple[Misfit, ...]) -> Iterator[Iterator[Offer]]:
    """Yield offers with values that may be those of the lock: first from its lines, then guesses."""
    yield chain(as_recorded(trial), _for_new_groups(trial, fabric, misfits))
    yield (
        Offer(f"{first.text} and {second.text}", second.trial)
        for first in as_recorded(trial)
        for second in _for_new_groups(first.trial, fabric, misfits)
    )
    if not _own_fabric(fabric, misfits):  # else one group would change the ratio of all others
        yield ratios(trial)
    yield counts(trial, "spines")
    yield chain.from_iterable(models(trial, role) for role in ("leaf", "spine", "superspine", "border"))


def _for_new_groups(trial: RemedyTrial, fabric: FabricPlan, misfits: tuple[Misfit, ...]) -> Iterator[Offer]:
    """Yield the number of servers per unit of new groups that the recorded uplinks carry."""
    up, topology = _recorded_up(misfits), trial.fabric.topology
    if up is None or not isinstance(topology, BackendTiers):
        return
    added = [group for group in _new_groups(fabric, up) if len(fabric.shape.sharing(group.leaves_of)) == 1]
    servers = {group.name: _servers_on(fabric, group, up) for group in added}
    if servers and all(servers.values()):
        yield servers_a_unit(trial, topology.servers_per_unit, servers)


def _recorded_up(misfits: tuple[Misfit, ...]) -> UpPorts | None:
    ups = (segment.up for demand, segments, _ in misfits if demand.tier is not Tier.SPINE for segment in segments)
    return next((up for up in ups if up is not None), None)


def _own_fabric(fabric: FabricPlan, misfits: tuple[Misfit, ...]) -> str:
    """Return the fix for a new server group that needs other uplinks; empty where there is none."""
    up = _recorded_up(misfits)
    added = _new_groups(fabric, up) if up is not None and up.count != fabric.shape.uplinks_asked else ()
    if not added:
        return ""
    return f"give {' and '.join(group.name for group in added)} a fabric of {'its' if len(added) == 1 else 'their'} own"


def _new_groups(fabric: FabricPlan, up: UpPorts) -> tuple[GroupShape, ...]:
    """Return the server groups without recorded lines, if other groups have lines recorded with `up`."""
    new_groups = tuple(group for group in fabric.shape.groups if not _has_line(fabric, group, up))
    return new_groups if len(new_groups) < len(fabric.shape.groups) else ()


def _has_line(fabric: FabricPlan, group: GroupShape, up: UpPorts) -> bool:
    lines = fabric.segments.get((Tier.LEAF, group.leaves_of), ())
    return any(
        segment.up == up and (group.has_own_leaves or group.name in [each.group for each in segment.shared])
        for segment in lines
    )


def _servers_on(fabric: FabricPlan, group: GroupShape, up: UpPorts) -> int:
    """Return the servers per unit that so many uplinks carry at the ratio."""
    ratio, rows = fabric.shape.ratio, 1 + max(column.row for column in group.columns)
    fitting = ratio.down * up.count * up.gbps // (ratio.up * port_speed(group.nics) * rows)
    return min(fitting, group.slots_a_unit)
