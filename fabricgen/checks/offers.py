"""What an operator may write so that a fabric has dimensions again: counts of spines, switches, servers, a third tier.

Each is tried before it is offered (`checks/trial.py`). Where no value of the refused key passes, what must change with
it is offered as well; where the lock alone refuses all of them, that is said.
"""

import re
from collections.abc import Iterable, Iterator

from fabricgen.checks.pools import former_prefix
from fabricgen.checks.trial import MOST, OFFERED, Offer, Trial, near, offered
from fabricgen.errors import Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.fabric import BackendTiers, RailOnly, RailOptimized, Spines, Switch
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Ratio, Span
from fabricgen.plan.lock import Lock
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan

RATIOS = tuple(Ratio(down, up) for up in (1, 2) for down in range(1, 11) if up == 1 or down % 2)
"""Ratios that are tried where the lock has room for another number of uplinks."""
ADD_SPINE = re.compile(r"(?:write topology\.design: rail-optimized and )?add a spine: model: and os:(?: \([^)]*\))?")
"""How `topologies` says that a fabric needs spines: they know of no model that holds."""
MODELS = 24
"""Models of switches that are tried for one role."""
UNITS_PER_POD = (64, 32, 16, 8, 4, 2, 1)
"""Sizes of a pod that are tried for a third tier, the largest first."""


def with_tried_fixes(
    problems: Iterable[Problem], intent: Intent, catalog: Catalog, recorded: Lock
) -> tuple[Problem, ...]:
    """Problems of dimensions with remedies that were tried, where there are some."""
    return tuple(_tried(problem, intent, catalog, recorded) for problem in problems)


def with_former_prefixes(problems: Iterable[Problem], recorded: Lock) -> tuple[Problem, ...]:
    """Problems of a fabric without its IPv6 prefix: one that was rendered with one had another than a free one."""
    return tuple(
        _with_former(problem, recorded) if problem.code == "prefix-missing" else problem for problem in problems
    )


def _with_former(problem: Problem, recorded: Lock) -> Problem:
    name = str(problem.where[1])
    former = former_prefix((line for line in recorded.segments if line.fabric == name), 128)
    fix = re.sub(r'addressing\.ipv6: "[^"]*"', f'addressing.ipv6: "{former}"', problem.fix)
    return problem._replace(fix=fix) if former else problem


def _tried(problem: Problem, intent: Intent, catalog: Catalog, recorded: Lock) -> Problem:
    if problem.where[:1] != ("fabrics",) or len(problem.where) < 2:
        return problem
    trial = Trial(str(problem.where[1]), intent, catalog, recorded)
    fix = ""
    if problem.code == "illegal-spine-count" and len(problem.where) > 4:
        fix = spine_counts(trial, str(problem.where[3]), str(problem.where[4]))
    elif problem.code == "no-superspine":
        fix = superspines_or_none(trial, str(problem.where[-1]))
    elif problem.code == "needs-spines":
        fix = _with_own_spines(trial, problem.fix)
    elif problem.code == "too-many-leaves":
        fix = smaller_or_larger(trial)
    return problem._replace(fix=fix) if fix else problem


def trial_of(plan: Plan, name: str) -> Trial:
    """One fabric of a plan, to be tried otherwise."""
    return Trial(name, plan.intent, plan.catalog, plan.recorded)


def spine_counts(trial: Trial, key: str, stage: str, before: str = "") -> str:
    """What to write for a count of spines that is refused; empty where nothing was found that holds.

    key     `spines` or `superspines`; stage: which of its keys is refused, `now` or `planned`
    before  text before a lone value
    """
    asked = trial.spines(key)
    alone = offered(_one(trial, key, stage, asked)) if asked is not None else ()
    if alone:
        return f"write {before}{' or '.join(sorted(alone, key=int))}"
    both = offered(_both(trial, key, asked))
    if both:
        return f"write {', or '.join(both)}"
    return _with_lock(trial, key, asked)


def _one(trial: Trial, key: str, stage: str, asked: Spines) -> Iterator[Offer]:
    """Values of the refused key alone: the nearest below and above."""
    if stage == "planned":
        tried = ((count, trial.on_spines(asked.now, count, key)) for count in range(asked.now, MOST + 1))
        given = asked.planned or asked.now
    else:
        last = asked.planned or MOST
        tried = ((count, trial.on_spines(count, asked.planned, key)) for count in range(1, last + 1))
        given = asked.now
    legal = {count: one for count, one in tried if one.is_possible}
    held = [count for count in near(given, legal) if legal[count].holds]
    around = [*[count for count in held if count < given][:1], *[count for count in held if count > given][:1]]
    yield from (Offer(str(count), legal[count]) for count in dict.fromkeys((*around, *held)))


def _both(trial: Trial, key: str, asked: Spines | None) -> Iterator[Offer]:
    """Both counts, the nearest to what was written: first the planned one, which decides what a leaf has ports for."""
    if not _on_any(trial, key).is_possible:
        return  # none is legal, whatever the lock has: the usual case, and quickly seen
    now = asked.now if asked is not None else 1
    planned = (asked.planned or asked.now) if asked is not None else 1
    for last in near(planned, range(1, MOST + 1)):
        if trial.on_spines(last, last, key).is_possible:
            found = (trial.on_spines(count, last, key) for count in near(now, range(1, last + 1)))
            one = next((each for each in found if each.holds), None)
            if one is not None:
                yield Offer(_written(one, key), one)


def _on_any(trial: Trial, key: str = "spines") -> Trial:
    """Possible where any count of spines is legal, whatever the lock has."""
    return trial.on_topology(**{key: None})._replace(recorded=Lock())


def _written(trial: Trial, key: str) -> str:
    """Both counts as they are typed."""
    found = trial.spines(key)
    return f"topology.{key}: {{now: {found.now}, planned: {found.planned}}}" if found is not None else ""


def _with_lock(trial: Trial, key: str, asked: Spines | None) -> str:
    """What passes where the lock alone refuses every count: the former ratio, or other numbers for all of it."""
    if not trial.is_recorded:
        return ""
    kept = offered((*as_recorded(trial), *ratios(trial)), 1)
    fresh = offered(_both(trial.renumbered(), key, asked), 1)
    moved = f"write {fresh[0]} and run {_renumber(trial.name)}" if fresh else ""
    return ", or ".join(text for text in (f"write {kept[0]}" if kept else "", moved) if text)


def _renumber(name: str) -> str:
    """The command that gives a fabric other numbers, and what it does."""
    return f"render --renumber {name}, which moves every number of {name}"


def moving(trial: Trial) -> str:
    """How to give a fabric other numbers, with the counts of spines that it needs then."""
    fresh = trial.renumbered()
    pairs = () if fresh.holds else offered(_both(fresh, "spines", fresh.spines()), 1)
    return (f"write {pairs[0]} and " if pairs else "") + f"run {_renumber(trial.name)}"


def as_recorded(trial: Trial) -> Iterator[Offer]:
    """Keys whose former value the lines of the leaves say."""
    topology = trial.fabric.topology
    leaves = [line for line in trial.recorded.segments if line.fabric == trial.name and line.tier is Tier.LEAF]
    if isinstance(topology, RailOnly) or not leaves:
        return
    speeds = dict.fromkeys(line.up.gbps for line in leaves if line.up is not None)
    yield from (Offer(f"topology.uplink_gbps: {gbps}", trial.on_topology(uplink_gbps=gbps)) for gbps in speeds)
    if isinstance(topology, BackendTiers):
        slots = {line.group: line.slots for line in leaves if line.group in trial.fabric.connects}
        yield servers_a_unit(trial, topology.servers_per_unit, slots)
        planes = 1 + max(line.box.plane.last for line in leaves)
        yield Offer(f"topology.planes: {planes}", trial.on_topology(planes=planes))
    if isinstance(topology, RailOptimized):
        others = (rails for rails in (1, 2, 4, 8) if rails != topology.rails_per_leaf)
        yield from (Offer(f"topology.rails_per_leaf: {n}", trial.on_topology(rails_per_leaf=n)) for n in others)
    if trial.fabric.superspine is not None:
        units = 1 + max(line.box.su.last for line in leaves)
        yield Offer(f"topology.units_per_pod: {units}", trial.on_topology(units_per_pod=units))


def servers_a_unit(trial: Trial, asked: int | dict[str, int] | None, servers: dict[str, int]) -> Offer:
    """Other numbers of servers a unit for some groups, beside those that the intent has."""
    connects = sorted(trial.fabric.connects)
    standing = dict.fromkeys(connects, asked) if isinstance(asked, int) else dict(asked or {})
    each = {**standing, **servers}
    one = each.get(connects[0]) if len(connects) == 1 else None
    told = one or f"{{{', '.join(f'{name}: {number}' for name, number in each.items())}}}"
    return Offer(f"topology.servers_per_unit: {told}", trial.on_topology(servers_per_unit=one or each))


def ratios(trial: Trial) -> Iterator[Offer]:
    """Other ratios of a leaf: the former one fits the lines of the lock."""
    topology = trial.fabric.topology
    if isinstance(topology, RailOnly):
        return
    for ratio in RATIOS:
        if ratio != topology.oversubscription:
            text = f'topology.oversubscription: "{ratio.down}:{ratio.up}"'
            yield Offer(text, trial.on_topology(oversubscription=ratio))


def counts(trial: Trial, key: str) -> Iterator[Offer]:
    """Other counts of spines, the nearest first, the planned one alone where that is enough."""
    asked = trial.spines(key)
    if asked is not None and asked.planned is not None:
        for last in near(asked.planned, range(asked.now, MOST + 1)):
            one = trial.on_spines(asked.now, last, key)
            if one.is_possible:
                yield Offer(f"topology.{key}.planned: {last}", one)
    yield from _both(trial, key, asked)


def models(trial: Trial, role: str) -> Iterator[Offer]:
    """Other models for the switches of a role."""
    switch = getattr(trial.fabric, role, None)
    if switch is not None:
        for model in _models_of(trial.catalog, switch):
            yield Offer(f"{role}.model: {model}", trial.on_fabric(**{role: switch.model_copy(update={"model": model})}))


def one_link(trial: Trial, key: str, count: int) -> str:
    """Counts of spines with one link to each, now: the planned one goes with it where it is less. Empty: none holds."""
    asked = trial.spines(key)
    if asked is not None and asked.planned is not None and trial.on_spines(count, asked.planned, key).holds:
        return f"topology.{key}.now: {count}"
    both = trial.on_spines(count, count, key)
    return _written(both, key) if both.holds else ""


def smaller_or_larger(trial: Trial) -> str:
    """What to write where a tier of spines has too few ports: fewer servers, another spine, or a third tier."""
    choices = (_fewer(trial), _smaller_pods(trial), *_larger(trial), _third_tier(trial))
    found = [choice for choice in choices if choice]
    if found:
        return f"write {', or '.join(found)}"
    kept = offered(as_recorded(trial), 1) if trial.is_recorded else ()
    return f"write {kept[0]}" if kept else _at_most(trial)


def _fewer(trial: Trial) -> str:
    """The most planned servers of a group that its spines take; empty where those of today are too many."""
    for name in trial.fabric.connects:
        group = trial.intent.servers[name]
        fitting = _most(trial, name, group.slots[-1].last + 1, (group.planned or 0) - 1)
        if fitting:
            return fitting[1]
    return ""


def _at_most(trial: Trial) -> str:
    """How many servers the spines take where those of today are too many, of the first group where one is enough."""
    for name in trial.fabric.connects:
        fitting = _most(trial, name, 1, trial.intent.servers[name].slots[-1].last)
        if fitting:
            return f"plan for at most {fitting[0]} servers of {name}, or choose a spine with more ports"
    return ""


def _smaller_pods(trial: Trial) -> str:
    """The largest smaller number of units a pod that holds; empty where there are no pods, or groups have their own."""
    topology = trial.fabric.topology
    units = None if isinstance(topology, RailOnly) else topology.units_per_pod
    if not isinstance(units, int):
        return ""
    fewer = range(min(units, MOST) - 1, 0, -1)
    offers = (
        offer
        for each in fewer
        for offer in _with_counts(trial.on_topology(units_per_pod=each), f"topology.units_per_pod: {each}")
    )
    return next(iter(offered(offers, 1)), "")


def _most(trial: Trial, group: str, low: int, high: int) -> tuple[int, str] | None:
    """The most servers that fit, and their text, by halving: where a number fits, each smaller one does."""
    best: Trial | None = None
    most = 0
    while low <= high:
        middle = (low + high) // 2
        smaller = _with_servers(trial, group, middle)
        if smaller is not None and _on_any(smaller).is_possible:
            best, most, low = smaller, middle, middle + 1
        else:
            high = middle - 1
    found = offered(_with_counts(best, f"servers.{group}.planned: {most}"), 1) if best is not None else ()
    return (most, found[0]) if found else None


def _with_servers(trial: Trial, group: str, planned: int) -> Trial | None:
    """With so many servers of a group, planned and standing; None where none would be left."""
    slots = trial.intent.servers[group].slots
    kept = tuple(Span(span.first, min(span.last, planned - 1)) for span in slots if span.first < planned)
    return trial.on_group(group, planned=planned, slots=kept) if kept else None


def _with_counts(trial: Trial, text: str) -> Iterator[Offer]:
    """A remedy alone, or with the counts of spines that it needs."""
    yield Offer(text, trial)
    if trial.spines() is not None and not trial.holds:
        yield from (Offer(f"{text} and {one.text}", one.trial) for one in _both(trial, "spines", trial.spines()))


def _larger(trial: Trial) -> Iterator[str]:
    """Other spines that run the same system."""
    found = (offered(_with_counts(one.trial, one.text), 1) for one in models(trial, "spine"))
    for _, texts in zip(range(OFFERED), filter(None, found), strict=False):
        yield from texts


def _models_of(catalog: Catalog, switch: Switch) -> tuple[str, ...]:
    """Other models that run the system of a switch, by what their chips forward."""
    system = switch.os.partition("-")[0]
    known = (name for name, model in catalog.switches.items() if system in model.port_names and name != switch.model)
    return tuple(sorted(known, key=lambda name: (catalog.asics[catalog.switches[name].asic].terabits, name)))[:MODELS]


def _third_tier(trial: Trial) -> str:
    """Superspines of the spine's model above pods that are as large as they may be; empty where none holds."""
    fabric, topology = trial.fabric, trial.fabric.topology
    if fabric.spine is None or fabric.superspine is not None or isinstance(topology, RailOnly):
        return ""
    for units in UNITS_PER_POD:
        one = trial.on_fabric(superspine=fabric.spine).on_topology(units_per_pod=units)
        text = f"superspine: {{model: {fabric.spine.model}, os: {fabric.spine.os}}} and topology.units_per_pod: {units}"
        found = offered(_with_counts(one, text), 1)
        if found:
            return found[0]
    return ""


def superspines_or_none(trial: Trial, key: str) -> str:
    """What to write where a key speaks of pods and nothing joins them: superspines, where they hold, or not the key."""
    spine = trial.fabric.spine
    if spine is None:
        return ""
    text = f"fabrics.{trial.name}.superspine: {{model: {spine.model}, os: {spine.os}}}"
    found = offered(_with_counts(trial.on_fabric(superspine=spine), text), 1)
    return f"write {found[0]}, or remove {key}" if found else f"remove {key}"


def _with_own_spines(trial: Trial, fix: str) -> str:
    """The remedy with the model of a spine in it, where one holds."""
    found = offered(_own_spines(trial), 1)
    return ADD_SPINE.sub(f"write {found[0]}", fix) if found else fix


def _own_spines(trial: Trial) -> Iterator[Offer]:
    topology, leaf, design = trial.fabric.topology, trial.fabric.leaf, ""
    if isinstance(topology, RailOnly):
        design = "topology.design: rail-optimized and "
        kept = {"planes": topology.planes, "servers_per_unit": topology.servers_per_unit}
        trial = trial.on_fabric(topology=RailOptimized(design="rail-optimized").model_copy(update=kept))
    for model in (leaf.model, *_models_of(trial.catalog, leaf)):
        spine = leaf.model_copy(update={"model": model})
        yield Offer(f"{design}spine: {{model: {model}, os: {leaf.os}}}", trial.on_fabric(spine=spine))
