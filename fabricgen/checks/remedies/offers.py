"""Changes that give a fabric valid dimensions: counts of spines, other switches, fewer servers, a third tier.

Each is tried before it is offered (`checks/remedies/trial.py`). Where no value of the refused key works, changes that
must go with it are offered, too; where only the lock refuses all of them, the fix says so.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from fabricgen.checks.numbers.asns import asn_runs_of
from fabricgen.checks.numbers.pools import former_prefix
from fabricgen.checks.remedies.counts import both, one_count, with_counts
from fabricgen.checks.remedies.lock import as_recorded, ratios, renumber, with_other_numbers, written
from fabricgen.checks.remedies.models import own_spines, pod_sizes
from fabricgen.checks.remedies.size import fewer_or_larger_pods, fewer_servers, smaller_or_larger
from fabricgen.checks.remedies.speeds import another_speed, one_speed
from fabricgen.checks.remedies.trial import MOST_TRIED, OFFERED, Offer, RemedyTrial, anywhere, near, offered
from fabricgen.errors import Problem, did_you_mean
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.fabric import Spines
from fabricgen.intent.model import Intent
from fabricgen.plan.lock import Lock

ADD_SPINE = r"add a spine: model: and os:(?: \([^)]*\))?"
"""How `topologies` words that a fabric needs spines; it does not know which models work."""
COUNT_PAIR = re.compile(r"(?P<key>(?:super)?spines): \{now: (?P<now>\d+), planned: (?P<planned>\d+)\}(?: \([^)]*\))?")
"""How `topologies` words both counts of spines, and which cables move."""
LIMITS = re.compile(r"uplinks: (?P<least>\d+)(?: to (?P<most>\d+))?")
"""How `topologies` words the fewest and the most uplinks that a switch can have."""
NEAREST = 4
"""Number of values that are offered for a key that has many."""
TOO_MANY = frozenset({"too-many-leaves", "too-many-pods"})
"""Codes of a fabric with too many servers for its switches."""


def with_tried_fixes(
    problems: Iterable[Problem], intent: Intent, catalog: Catalog, recorded: Lock
) -> tuple[Problem, ...]:
    """Return problems of dimensions, with fixes that were tried where there are some."""
    listed = tuple(problems)
    most = _most_servers(listed, intent, catalog, recorded)
    return tuple(_tried(problem, RemedyTrial("", intent, catalog, recorded, most)) for problem in listed)


def _most_servers(problems: tuple[Problem, ...], intent: Intent, catalog: Catalog, recorded: Lock) -> dict[str, int]:
    """Return the most servers of each group that all fabrics with too few ports can take; empty for one fabric.

    A server group that two fabrics connect has one number of planned servers, so both fixes must have the same.
    """
    names = {str(problem.where[1]): problem for problem in problems if problem.code in TOO_MANY}
    most: dict[str, int] = {}
    for name in names if len(names) > 1 else ():
        for group, servers in fewer_servers(RemedyTrial(name, intent, catalog, recorded)).items():
            most[group] = min(servers, most.get(group, servers))
    return most


def with_known(
    problems: Iterable[Problem], intent: Intent, catalog: Catalog | None, recorded: Lock
) -> tuple[Problem, ...]:
    """Return problems of the intent alone, with fixes that fit the hardware and keep the numbers in the lock."""
    changed = {
        "unknown-name": lambda problem: _with_connectable(problem, intent, catalog),
        "prefix-missing": lambda problem: _with_former(problem, recorded),
        "asns-overlap": lambda problem: _with_former_asns(problem, intent, recorded),
    }
    return tuple(changed[problem.code](problem) if problem.code in changed else problem for problem in problems)


def _with_connectable(problem: Problem, intent: Intent, catalog: Catalog | None) -> Problem:
    """Offer for an unknown server group of a fabric those that have the NIC group that is connected."""
    if catalog is None or problem.where[2:3] != ("connects",):
        return problem
    fabric, name = intent.fabrics[str(problem.where[1])], str(problem.where[3])
    models = {group: catalog.servers.get(servers.model) for group, servers in intent.servers.items()}
    able = [group for group, model in models.items() if model is not None and fabric.connects[name] in model.nics]
    left = set(able) - set(fabric.connects)
    if not left:
        return problem
    why = f"{problem.why}; server groups with the NIC group {fabric.connects[name]}: {', '.join(sorted(able))}"
    return problem._replace(why=why, fix=did_you_mean(name, left))


def _with_former_asns(problem: Problem, intent: Intent, recorded: Lock) -> Problem:
    """Move the fabric whose AS numbers in the lock are outside its range, or else the one without any there."""
    names = [name for name in intent.fabrics if name in problem.what.split()]
    runs = {name: asn_runs_of(recorded.segments, name) for name in names}
    for name in (name for name in names if runs[name]):
        own = intent.fabrics[name].asns
        first, last = min(run.start for run in runs[name]), max(run.end for run in runs[name]) - 1
        others = [fabric.asns for other, fabric in intent.fabrics.items() if other != name]
        is_free = all(other.last < first or last < other.first for other in others)
        if is_free and not own.first <= first <= last <= own.last:
            end = min((first + own.last - own.first, *(other.first - 1 for other in others if other.first > last)))
            return problem._replace(
                where=("fabrics", name, "asns"),
                fix=f"write asns: {first}-{max(last, end)} for {name} (the lock has AS numbers of this range for it)",
            )
    new = next((name for name in names if not runs[name]), "")
    if not new or all(not run for run in runs.values()):
        return problem
    fix = problem.fix.replace(f" for {problem.where[1]},", f" for {new},")
    return problem._replace(where=("fabrics", new, "asns"), fix=fix)


def _with_former(problem: Problem, recorded: Lock) -> Problem:
    name = str(problem.where[1])
    lines = [line for line in recorded.segments if line.fabric == name]
    for family, bits, value in (("ipv6", 128, '"[^"]*"'), ("ipv4", 32, "[0-9./]+")):
        former = former_prefix(lines, bits)
        if former:
            text = f'"{former}"' if bits == 128 else former
            fix = re.sub(rf"addressing\.{family}: {value}", f"addressing.{family}: {text}", problem.fix)
            problem = problem._replace(fix=fix)
    return problem


def _tried(problem: Problem, site: RemedyTrial) -> Problem:
    if problem.where[:1] != ("fabrics",) or len(problem.where) < 2:
        return problem
    trial = site._replace(name=str(problem.where[1]))
    remedy = REMEDIES.get(problem.code)
    fix = remedy(trial, problem) if remedy is not None else ""
    # Keys of the site and of the fabric are mixed: then all are written in full.
    fix = anywhere(trial.name, fix) if "servers." in fix else fix
    return problem._replace(fix=fix) if fix else problem


def _key(problem: Problem) -> str:
    """Return the key of the fabric that a problem is about, with dots; empty for the fabric itself."""
    return ".".join(map(str, problem.where[2:]))


def spine_counts(trial: RemedyTrial, key: str, stage: str, before: str = "") -> str:
    """Return the fix for a refused count of spines; empty where none was found that works.

    key     `spines` or `superspines`; stage: which of its keys is refused, `now` or `planned`
    before  text before a single value
    """
    spines = trial.spines(key)
    alone = offered(one_count(trial, key, stage, spines), MOST_TRIED) if spines is not None else ()
    if alone:
        return f"write {before}{' or '.join(sorted(alone, key=int))}"
    pairs = offered(both(trial, key, spines))
    if pairs:
        return f"write {', or '.join(pairs)}"
    return _former_or_renumbered(trial, key, spines)


def _former_or_renumbered(trial: RemedyTrial, key: str, spines: Spines | None) -> str:
    """Return the fix where only the lock refuses every count: the former ratio, or new numbers for the whole fabric."""
    if not trial.is_recorded:
        return ""
    kept = offered((*as_recorded(trial), *ratios(trial)), 1)
    fresh = offered(both(trial.renumbered(), key, spines), 1)
    moved = f"write {fresh[0]} and then run {renumber(trial.name)}" if fresh else ""
    return ", or ".join(text for text in (f"write {kept[0]}" if kept else "", moved) if text)


def _legal_count(trial: RemedyTrial, problem: Problem) -> str:
    key = problem.where[3:]
    if len(key) > 1:
        return spine_counts(trial, str(key[0]), str(key[1]), f"{key[1]}: ")
    return _outgrown_count(trial, problem)


def _outgrown_count(trial: RemedyTrial, problem: Problem) -> str:
    """Return the fix for a count that is too small for planned leaves: the offered counts that work, or others.

    The lock may refuse all of them, as it records the uplinks of the leaves.
    """
    offers = [match for match in COUNT_PAIR.finditer(problem.fix)]
    working = [
        match[0] for match in offers if trial.on_spines(int(match["now"]), int(match["planned"]), match["key"]).holds
    ]
    if working or not offers:
        return f"write {', or '.join(working)}" if working else ""
    first = offers[0]
    key, counts = first["key"], Spines.model_construct(now=int(first["now"]), planned=int(first["planned"]))
    pairs = offered(both(trial, key, counts))
    return f"write {', or '.join(pairs)}" if pairs else _former_or_renumbered(trial, key, counts)


def _superspines_or_none(trial: RemedyTrial, problem: Problem) -> str:
    """Return the fix for a key about pods without superspines: superspines, if they work, or remove the key."""
    spine, key = trial.fabric.spine, problem.where[-1]
    if spine is None:
        return ""
    text = f"fabrics.{trial.name}.superspine: {{model: {spine.model}, os: {spine.os}}}"
    offers = offered(with_counts(trial.on_fabric(superspine=spine), text), 1)
    return f"write {offers[0]}, or remove {key}" if offers else f"remove {key}"


def _with_own_spines(trial: RemedyTrial, problem: Problem) -> str:
    """Return the fix with the model of a spine in it, if one works."""
    offers = offered(own_spines(trial), 1)
    fix = f"write {offers[0]}" if offers else with_other_numbers(trial, own_spines)
    return re.sub(ADD_SPINE, fix, problem.fix) if fix else ""


def _spines_or_none(trial: RemedyTrial, problem: Problem) -> str:
    """Return the fix for a fabric without spines: add some, or remove the key about them."""
    fix = written(trial, own_spines) or with_other_numbers(trial, own_spines)
    if problem.where[2:]:  # else the path of the problem is the fabric, and keys need no prefix
        fix = anywhere(trial.name, fix)
    return _or_remove(trial, fix, _key(problem))


def _pods_or_none(trial: RemedyTrial, problem: Problem) -> str:
    """Return the fix for an unknown pod size: a size, or remove the superspines that need it."""
    if _key(problem) != "topology":
        return ""  # sizes by group, with one missing
    return _or_remove(trial, written(trial, pod_sizes) or with_other_numbers(trial, pod_sizes), "superspine")


def _or_remove(trial: RemedyTrial, fix: str, key: str) -> str:
    """Return the fix, and the removal of a key of the fabric or of its topology if it works without."""
    fewer = f"remove {key}" if key and _without(trial, key).holds else ""
    return ", or ".join(text for text in (fix, fewer) if text)


def _without(trial: RemedyTrial, key: str) -> RemedyTrial:
    """Return the trial without a key of the fabric, or of its topology."""
    parent, _, child = key.partition(".")
    if not child:
        return trial.on_fabric(**{parent: None})
    field = type(trial.fabric.topology).model_fields[child]
    return trial.on_topology(**{child: field.get_default(call_default_factory=True)})


def _one_speed(trial: RemedyTrial, problem: Problem) -> str:
    del problem
    fix = one_speed(trial)
    return fix and f"{fix}, or give each speed a fabric of its own"


def _another_speed(trial: RemedyTrial, problem: Problem) -> str:
    role, key = problem.where[2:]
    return another_speed(trial, str(role)) if key == "model" else ""


def _rails_together(trial: RemedyTrial, problem: Problem) -> str:
    """Return the fix with the numbers of rails of a leaf or plane that work, and the NIC groups that divide."""
    key = str(problem.where[-1])
    asked = getattr(trial.fabric.topology, key, None)
    if asked is None:
        return ""  # of server groups that do not divide alike

    def stage(of: RemedyTrial) -> Iterator[Offer]:
        for rails in near(asked, (1, 2, 4, 8)):
            yield Offer(f"topology.{key}: {rails}", of.on_topology(**{key: rails}))

    _, more, others = problem.fix.partition(", or connect ")
    fix = written(trial, stage, each=OFFERED) or with_other_numbers(trial, stage)
    return fix and fix + more + others


def _another_uplinks(trial: RemedyTrial, problem: Problem) -> str:
    """Return the fix with the nearest numbers of uplinks that work; else one with the switches that share them.

    Empty where there is no room for any number, or all of the nearest work: then the limits say it.
    """
    key, limits = str(problem.where[-1]), LIMITS.search(problem.fix)
    if limits is None:
        return ""
    asked = getattr(trial.fabric.topology, key)
    numbers = range(int(limits["least"]), int(limits["most"] or limits["least"]) + 1)

    def changed(of: RemedyTrial) -> Iterator[Offer]:
        yield from (Offer(str(number), of.on_topology(**{key: number})) for number in near(asked, numbers))

    def with_others(of: RemedyTrial) -> Iterator[Offer]:
        for offer in islice(changed(of), MOST_TRIED):
            yield from with_counts(offer.trial, f"topology.{key}: {offer.text}")

    alone = offered(changed(trial), NEAREST)
    if alone and alone == tuple(map(str, islice(near(asked, numbers), NEAREST))):
        return ""
    fix = f"write {key}: {' or '.join(alone)}" if alone else written(trial, with_others, each=OFFERED)
    fewer = _without(trial, f"topology.{key}").holds
    return ", or ".join(text for text in (fix, f"remove {key}" if fewer else "") if text)


REMEDIES: Mapping[str, Callable[[RemedyTrial, Problem], str]] = {
    "illegal-spine-count": _legal_count,
    "uplinks-impossible": _another_uplinks,
    "odd-rails": _rails_together,
    "rail-planes": _rails_together,
    "no-superspine": _superspines_or_none,
    "needs-spines": _with_own_spines,
    "no-spine": _spines_or_none,
    "units-per-pod": _pods_or_none,
    "mixed-speeds": _one_speed,
    "no-port-of-speed": _another_speed,
    "no-common-speed": lambda trial, problem: another_speed(trial, "spine") if "spine" in problem.where else "",
    "too-many-leaves": lambda trial, _: smaller_or_larger(trial),
    "too-many-pods": lambda trial, _: fewer_or_larger_pods(trial),
}
"""Code of a problem of dimensions → function that returns a fix that was tried, or empty."""
