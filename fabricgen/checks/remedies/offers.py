"""What an operator may write so that a fabric has dimensions again: counts of spines, switches, servers, a third tier.

Each is tried before it is offered (`checks/remedies/trial.py`). Where no value of the refused key passes, what must
change with it is offered as well; where the lock alone refuses all of them, that is said.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from fabricgen.checks.numbers.pools import former_prefix
from fabricgen.checks.remedies.counts import both, one_count, with_counts
from fabricgen.checks.remedies.lock import as_recorded, ratios, renumber, with_other_numbers, written
from fabricgen.checks.remedies.models import own_spines, pod_sizes, with_spines
from fabricgen.checks.remedies.size import fewer_or_larger_pods, smaller_or_larger
from fabricgen.checks.remedies.speeds import another_speed, one_speed
from fabricgen.checks.remedies.trial import RemedyTrial, anywhere, offered
from fabricgen.errors import Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.fabric import RailOnly
from fabricgen.intent.model import Intent
from fabricgen.plan.lock import Lock

ADD_SPINE = r"(?:write topology\.design: rail-optimized and )?add a spine: model: and os:(?: \([^)]*\))?"
"""How `topologies` says that a fabric needs spines: they know of no model that holds."""


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
    trial = RemedyTrial(str(problem.where[1]), intent, catalog, recorded)
    remedy = REMEDIES.get(problem.code)
    fix = remedy(trial, problem) if remedy is not None else ""
    return problem._replace(fix=fix) if fix else problem


def _key(problem: Problem) -> str:
    """The key of the fabric that a problem is of, with dots; empty for the fabric itself."""
    return ".".join(map(str, problem.where[2:]))


def spine_counts(trial: RemedyTrial, key: str, stage: str, before: str = "") -> str:
    """What to write for a count of spines that is refused; empty where nothing was found that holds.

    key     `spines` or `superspines`; stage: which of its keys is refused, `now` or `planned`
    before  text before a lone value
    """
    asked = trial.spines(key)
    alone = offered(one_count(trial, key, stage, asked)) if asked is not None else ()
    if alone:
        return f"write {before}{' or '.join(sorted(alone, key=int))}"
    pairs = offered(both(trial, key, asked))
    if pairs:
        return f"write {', or '.join(pairs)}"
    # What passes where the lock alone refuses every count: the former ratio, or other numbers for all of it.
    if not trial.is_recorded:
        return ""
    kept = offered((*as_recorded(trial), *ratios(trial)), 1)
    fresh = offered(both(trial.renumbered(), key, asked), 1)
    moved = f"write {fresh[0]} and then run {renumber(trial.name)}" if fresh else ""
    return ", or ".join(text for text in (f"write {kept[0]}" if kept else "", moved) if text)


def _legal_count(trial: RemedyTrial, problem: Problem) -> str:
    key = problem.where[3:]
    return spine_counts(trial, *map(str, key)) if len(key) > 1 else ""


def _superspines_or_none(trial: RemedyTrial, problem: Problem) -> str:
    """What to write where a key speaks of pods and nothing joins them: superspines, where they hold, or not the key."""
    spine, key = trial.fabric.spine, problem.where[-1]
    if spine is None:
        return ""
    text = f"fabrics.{trial.name}.superspine: {{model: {spine.model}, os: {spine.os}}}"
    found = offered(with_counts(trial.on_fabric(superspine=spine), text), 1)
    return f"write {found[0]}, or remove {key}" if found else f"remove {key}"


def _with_own_spines(trial: RemedyTrial, problem: Problem) -> str:
    """The remedy with the model of a spine in it, where one holds."""
    found = offered(own_spines(trial), 1)
    return re.sub(ADD_SPINE, f"write {found[0]}", problem.fix) if found else ""


def _spines_or_none(trial: RemedyTrial, problem: Problem) -> str:
    """What to write where there are no spines: some, or another design; or not the key that speaks of them."""
    is_standing = isinstance(trial.fabric.topology, RailOnly) and trial.fabric.spine is not None
    stage = with_spines if is_standing else own_spines
    found = written(trial, stage) or with_other_numbers(trial, stage)
    if problem.where[2:]:  # else the key would be one of what the problem is at
        found = anywhere(trial.name, found)
    return _or_remove(trial, found, _key(problem))


def _pods_or_none(trial: RemedyTrial, problem: Problem) -> str:
    """What to write where nothing says how large a pod is: a size, or not the superspines that ask for it."""
    if _key(problem) != "topology":
        return ""  # a size of each group, of which one is left out
    return _or_remove(trial, written(trial, pod_sizes) or with_other_numbers(trial, pod_sizes), "superspine")


def _or_remove(trial: RemedyTrial, found: str, key: str) -> str:
    """What was found, and the removal of a key of the fabric, or of its topology, where it holds without."""
    fewer = f"remove {key}" if key and _without(trial, key).holds else ""
    return ", or ".join(text for text in (found, fewer) if text)


def _without(trial: RemedyTrial, key: str) -> RemedyTrial:
    """Without a key of the fabric, or of its topology."""
    own, _, below = key.partition(".")
    if not below:
        return trial.on_fabric(**{own: None})
    field = type(trial.fabric.topology).model_fields[below]
    return trial.on_topology(**{below: field.get_default(call_default_factory=True)})


def _one_speed(trial: RemedyTrial, problem: Problem) -> str:
    del problem
    found = one_speed(trial)
    return found and f"{found}, or give each speed a fabric of its own"


def _another_speed(trial: RemedyTrial, problem: Problem) -> str:
    role, key = problem.where[2:]
    return another_speed(trial, str(role)) if key == "model" else ""


REMEDIES: Mapping[str, Callable[[RemedyTrial, Problem], str]] = {
    "illegal-spine-count": _legal_count,
    "no-superspine": _superspines_or_none,
    "needs-spines": _with_own_spines,
    "no-spine": _spines_or_none,
    "units-per-pod": _pods_or_none,
    "mixed-speeds": _one_speed,
    "no-port-of-speed": _another_speed,
    "too-many-leaves": lambda trial, _: smaller_or_larger(trial),
    "too-many-pods": lambda trial, _: fewer_or_larger_pods(trial),
}
"""Code of a problem of dimensions → what gives a remedy that was tried, empty where none was found."""
