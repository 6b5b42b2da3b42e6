"""What may be written so that lines of the lock fit again, of a fabric whose switches are others now."""

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
from fabricgen.topologies.leaf_ports import port_speed
from fabricgen.topologies.shape import GroupShape


def former_or_moved(trial: RemedyTrial, fabric: FabricPlan, found: tuple[Misfit, ...]) -> str:
    """What keeps the numbers, as far as it was found; and the command that gives others, with what it needs."""
    own = _own_fabric(fabric, found)
    kept = next(filter(None, (offered(stage) for stage in _keeping(trial, fabric, found))), ())
    former = f"write {', or '.join(kept)}" if kept else own or "keep the former model and settings"
    return ", or ".join(text for text in (former, own if kept else "", moving(trial)) if text)


def _keeping(trial: RemedyTrial, fabric: FabricPlan, found: tuple[Misfit, ...]) -> Iterator[Iterator[Offer]]:
    """Values that may be those of the lock: what its lines say first, then what has to be guessed."""
    yield chain(as_recorded(trial), _new_beside(trial, fabric, found))
    yield (
        Offer(f"{one.text} and {two.text}", two.trial)
        for one in as_recorded(trial)
        for two in _new_beside(one.trial, fabric, found)
    )
    if not _own_fabric(fabric, found):  # else the ratio of all others would change for one group
        yield ratios(trial)
    yield counts(trial, "spines")
    yield chain.from_iterable(models(trial, role) for role in ("leaf", "spine", "superspine", "border"))


def _new_beside(trial: RemedyTrial, fabric: FabricPlan, found: tuple[Misfit, ...]) -> Iterator[Offer]:
    """As many servers a unit of a new group as the recorded uplinks carry."""
    up, topology = _recorded_up(found), trial.fabric.topology
    if up is None or not isinstance(topology, BackendTiers):
        return
    servers = {group.name: _servers_on(fabric, group, up) for group in _new_groups(fabric, up)}
    if servers and all(servers.values()):
        yield servers_a_unit(trial, topology.servers_per_unit, servers)


def _recorded_up(found: tuple[Misfit, ...]) -> UpPorts | None:
    ups = (segment.up for demand, segments, _ in found if demand.tier is not Tier.SPINE for segment in segments)
    return next((each for each in ups if each is not None), None)


def _own_fabric(fabric: FabricPlan, found: tuple[Misfit, ...]) -> str:
    """What to do with a server group that comes with this plan and asks for other uplinks; empty where none does."""
    up = _recorded_up(found)
    new = _new_groups(fabric, up) if up is not None and up.count != fabric.shape.uplinks_asked else ()
    if not new:
        return ""
    return f"give {' and '.join(group.name for group in new)} a fabric of {'its' if len(new) == 1 else 'their'} own"


def _new_groups(fabric: FabricPlan, up: UpPorts) -> tuple[GroupShape, ...]:
    """Server groups whose lines all come with this plan, where others have lines that were recorded with `up`."""
    new = tuple(group for group in fabric.shape.groups if not _has_line(fabric, group, up))
    return new if len(new) < len(fabric.shape.groups) else ()


def _has_line(fabric: FabricPlan, group: GroupShape, up: UpPorts) -> bool:
    return any(segment.up == up for segment in fabric.segments.get((Tier.LEAF, group.name), ()))


def _servers_on(fabric: FabricPlan, group: GroupShape, up: UpPorts) -> int:
    """Servers of a unit that so many uplinks carry at the ratio."""
    ratio, rows = fabric.shape.ratio, 1 + max(column.row for column in group.columns)
    fitting = ratio.down * up.count * up.gbps // (ratio.up * port_speed(group.nics) * rows)
    return min(fitting, group.slots_a_unit)
