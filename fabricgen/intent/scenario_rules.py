"""Rules for scenarios: tenants exist, and each move changes something and goes to one tenant."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from fabricgen.errors import FabricError, IntentPath, Problem, did_you_mean
from fabricgen.intent.model import Intent
from fabricgen.intent.range_problems import bad_slots
from fabricgen.intent.scenarios import BASE, SCENARIOS, Scenario
from fabricgen.intent.slot_ranges import Range, common, parse_range, without


class _Move(NamedTuple):
    """One range of a scenario."""

    range: Range
    tenant: str
    where: IntentPath


def scenarios(intent: Intent) -> Iterator[Problem]:
    """Each scenario names existing tenants, moves each server to one of them, and moves only what changes.

    Whether the servers exist is checked on the intent in that scenario, as for a tenant's own servers.
    """
    for name, scenario in intent.scenarios.items():
        if name == BASE:
            yield Problem(
                code="reserved-name",
                what=f"{BASE} cannot be the name of a scenario",
                where=(SCENARIOS, BASE),
                why=f"{BASE} is the intent as it is written",
                fix="write another name, e.g. day",
            )
        yield from _unknown(intent, name, scenario)
        moves, problems = _moves(name, scenario)
        yield from problems
        yield from _added_twice(name, moves["add"])
        yield from _already_owned(intent, name, moves["add"])
        yield from _not_owned(intent, name, moves["remove"])


def unknown_scenario(intent: Intent, name: str) -> Problem:
    """Return the problem of an unknown scenario."""
    return Problem(
        code="unknown-scenario",
        what=f"unknown scenario {name}",
        why=f"a scenario is a key under `{SCENARIOS}`, or {BASE} (the intent without a scenario)",
        fix=did_you_mean(name, (BASE, *intent.scenarios))
        if intent.scenarios
        else f"omit --scenario: this intent has no {SCENARIOS}; or define {name} under `{SCENARIOS}`",
    )


def require_scenario(intent: Intent, name: str) -> None:
    """Raise FabricError for an unknown scenario, or for scenarios that break their rules."""
    if name != BASE and name not in intent.scenarios:
        raise FabricError([unknown_scenario(intent, name)])
    problems = tuple(scenarios(intent))
    if problems:
        raise FabricError(problems)


def in_all_scenarios(intent: Intent) -> Intent:
    """Return the intent in which each tenant has all servers of any scenario; a server may then have several tenants.

    Used only to allocate numbers, so that they do not depend on the order in which scenarios are rendered.
    """
    tenants = dict(intent.tenants)
    for scenario in intent.scenarios.values():
        for name in scenario.keys() & tenants.keys():
            body, added = tenants[name], scenario[name].add
            servers = (*body.servers, *(text for text in added if "/" not in text))
            nics = (*body.nics, *(text for text in added if "/" in text))
            tenants[name] = body.model_copy(update={"servers": servers, "nics": nics})
    return intent.model_copy(update={"tenants": tenants}) if intent.scenarios else intent


def _unknown(intent: Intent, name: str, scenario: Scenario) -> Iterator[Problem]:
    for tenant in scenario:
        if tenant not in intent.tenants:
            yield Problem(
                code="unknown-name",
                what=f"unknown tenant {tenant}",
                where=(SCENARIOS, name, tenant),
                why="a scenario moves servers between tenants of this intent",
                fix=did_you_mean(tenant, intent.tenants),
            )


def _moves(name: str, scenario: Scenario) -> tuple[dict[str, list[_Move]], list[Problem]]:
    """Return what is added and removed, and the problems of ranges with invalid numbers."""
    by_key: dict[str, list[_Move]] = {"add": [], "remove": []}
    problems: list[Problem] = []
    for tenant, moves in scenario.items():
        for key, texts in (("add", moves.add), ("remove", moves.remove)):
            for position, text in enumerate(texts):
                where: IntentPath = (SCENARIOS, name, tenant, key, position)
                try:
                    by_key[key].append(_Move(parse_range(text), tenant, where))
                except ValueError as error:
                    problems.append(bad_slots(text, str(error), where))
    return by_key, problems


def _added_twice(name: str, added: list[_Move]) -> Iterator[Problem]:
    for first, second in combinations(added, 2):
        is_one_kind = bool(first.range.rails) is bool(second.range.rails)
        shared = common(first.range, second.range) if is_one_kind else None
        if shared is not None:
            to = " and to ".join(sorted({first.tenant, second.tenant}))
            yield Problem(
                code="scenario-twice",
                what=f"scenario {name} adds {shared.text} to {to}{'' if first.tenant != second.tenant else ' twice'}",
                where=second.where,
                why="a server, or a NIC, belongs to one tenant at a time",
                fix="keep it in one add:",
            )


def _already_owned(intent: Intent, name: str, added: list[_Move]) -> Iterator[Problem]:
    for move in added:
        shared = [overlap for held in _own(intent, move) if (overlap := common(held, move.range)) is not None]
        if shared:
            yield Problem(
                code="scenario-holds",
                what=f"scenario {name} adds {shared[0].text} to {move.tenant}, which has it already",
                where=move.where,
                why="servers that a scenario does not name stay with their tenants",
                fix=f"remove {shared[0].text} from add:",
            )


def _not_owned(intent: Intent, name: str, removed: list[_Move]) -> Iterator[Problem]:
    for move in removed:
        remaining = [move.range]
        for held in _own(intent, move):
            remaining = [part for piece in remaining for part in without(piece, held)]
        if remaining and move.tenant in intent.tenants:
            yield Problem(
                code="scenario-lacks",
                what=f"scenario {name} removes {remaining[0].text} from {move.tenant}, which does not have it",
                where=move.where,
                why="only what a tenant has can be removed from it",
                fix=f"delete {remaining[0].text} from remove:, or move it to remove: of the tenant that has it",
            )


def _own(intent: Intent, move: _Move) -> Iterator[Range]:
    """Yield the tenant's ranges of the kind that moves, without invalid ones, which other rules report."""
    tenant = intent.tenants.get(move.tenant)
    if tenant is None:
        return
    for text in tenant.nics if move.range.rails else tenant.servers:
        try:
            yield parse_range(text)
        except ValueError:
            continue


SCENARIO_RULES: tuple[Callable[[Intent], Iterator[Problem]], ...] = (scenarios,)
"""Every rule; for each a test has a case that breaks it."""
