"""`fabricgen what-if`: what failures of a plan cost. Writes nothing, and asks no switch.

JSON: `site`, `floor` and `below` (failures that leave less, by number), `fabrics`: each `fabric`, `gpus`, `parts` that
can fail, `failures` that were looked at, `base` (the fabric as it is), `classes` (`parts`: their kinds, `count`,
`outcome`, `example`: one of them as --fail takes it, `do`) and `findings`; with --against `worse`: each `fabric`,
`parts`, `before` and `after`. Shares are text, as 63/64.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from fabricgen.baseline.open import open_side
from fabricgen.checks.catalogue import PLAN_CHECKS
from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.output import echo_json, reader_may_leave
from fabricgen.cli.common.problems import DIFFERENCES, problems_told
from fabricgen.cli.contracts.what_if import plain
from fabricgen.cli.what_if.command import WhatIfOptions
from fabricgen.cli.what_if.text import Told, text
from fabricgen.errors import FabricError, Problem
from fabricgen.explain.explain import GROUNDS
from fabricgen.failures.comparison import worse
from fabricgen.failures.groups import Group, racks, read_groups
from fabricgen.failures.naming import PartNames
from fabricgen.failures.report import FabricFailures, FabricQuestion, failures_of
from fabricgen.plan.plan import Plan
from fabricgen.site.checked import LoadRequest, load_checked
from fabricgen.site.workspace import WorkspaceError
from fabricgen.source.document import read_document

GROUNDED = (*GROUNDS, "superspine-rows", "planes-disjoint", "pods-joined", "link-loss")
"""Checks without which links and routes are not what is measured here; capacity that is short is no reason."""


def unsound(plan: Plan) -> tuple[Problem, ...]:
    """Problems that would make figures wrong; others of the intent do not."""
    return tuple(problem for check in PLAN_CHECKS if check.name in GROUNDED for problem in check.run(plan))


def run(options: WhatIfOptions) -> None:
    """Print it, and raise SystemExit with 3 where capacity falls below the floor or something is worse."""
    with problems_told(as_json=options.as_json):
        plan = load_checked(LoadRequest(options.intent, options.overlay), options.scenario, unsound).plan
        found = tuple(_found(plan, options))
        changed = tuple(worse({each.fabric: each for each in _before(options)}, found)) if options.against else ()
    told = Told(plan.intent.site, found, options.floor, changed if options.against else None)
    with reader_may_leave():
        _print(told, options)
    if told.below or changed:
        raise SystemExit(DIFFERENCES)


def _print(told: Told, options: WhatIfOptions) -> None:
    if options.as_json:
        echo_json(plain(told.site, told.fabrics, told.floor, told.below, told.worse))
        return
    for line in text(told, str(options.intent)):
        echo_line(line)


def _found(plan: Plan, options: WhatIfOptions) -> Iterator[FabricFailures]:
    names = PartNames(plan)
    groups = (*racks(plan, names), *_groups(options.groups, names)) if not options.fail else ()
    failing = names.losses(options.fail)
    if failing.problems:
        raise FabricError(failing.problems)
    for name, fabric in plan.fabrics.items():
        lost = failing.losses.get(name) if options.fail else None
        if lost is not None or not options.fail:
            yield failures_of(plan, fabric, FabricQuestion(options.pairs, lost, groups))


def _groups(path: Path | None, names: PartNames, *, skip_unknown: bool = False) -> tuple[Group, ...]:
    """The file of groups. Raises WorkspaceError with its lines."""
    if path is None:
        return ()
    document = read_document(path)
    try:
        return read_groups(document, names, skip_unknown=skip_unknown)
    except FabricError as error:
        raise WorkspaceError(error.problems, (document,)) from None


def _before(options: WhatIfOptions) -> Iterable[FabricFailures]:
    """Failures of the side that --against names. Groups are today's, without parts that were not there."""
    with open_side(str(options.against), options.intent, None, scenario=options.against_scenario) as side:
        wrong = unsound(side.plan) if side.plan is not None else ()
        if side.plan is None or wrong:
            problem = Problem(
                code="against-unread",
                what=f"{options.against} cannot be read",
                why=wrong[0].what if wrong else side.fault,
                fix="name a folder with an intent, or a git revision that fabricgen validate accepts",
            )
            raise FabricError([problem])
        names = PartNames(side.plan)
        groups = (*racks(side.plan, names), *_groups(options.groups, names, skip_unknown=True))
        asked = FabricQuestion(options.pairs, None, groups)
        return [failures_of(side.plan, fabric, asked) for fabric in side.plan.fabrics.values()]
