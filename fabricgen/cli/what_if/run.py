"""`fabricgen what-if`: the cost of failures of a plan. Writes nothing and connects to no switch.

JSON: `site`, `floor`, `below` (number of failures that leave less than the floor) and `fabrics`, each with `fabric`,
`gpus`, `parts` (number of parts that can fail), `failures` (number of measured failures), `base` (outcome without a
failure), `classes` (`parts`: their kinds, `count`, `outcome`, `example`: one of them as --fail takes it, `do`) and
`findings`. With --against also `worse`, each with `fabric`, `parts`, `before` and `after`, and `uncompared`: names of
fabrics that only one of the two plans has. Shares are text, e.g. 63/64.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from fabricgen.baseline.open import open_side
from fabricgen.checks.catalogue import PLAN_CHECKS
from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.output import echo_json, reader_may_leave
from fabricgen.cli.common.problems import DIFFERENCES, reporting_problems
from fabricgen.cli.contracts.what_if import plain
from fabricgen.cli.what_if.command import WhatIfOptions
from fabricgen.cli.what_if.text import WhatIfReport, text
from fabricgen.errors import FabricError, Problem
from fabricgen.explain.explain import GROUNDS
from fabricgen.failures.comparison import compared
from fabricgen.failures.groups import Group, racks, read_groups
from fabricgen.failures.naming import PartNames
from fabricgen.failures.report import FabricFailures, FabricQuestion, failures_of
from fabricgen.plan.plan import Plan
from fabricgen.site.checked import LoadRequest, load_checked
from fabricgen.site.workspace import WorkspaceError
from fabricgen.source.document import read_document

GROUNDED = (*GROUNDS, "superspine-rows", "planes-disjoint", "pods-joined", "link-loss")
"""Checks that have to pass for links and routes to be as measured here. Insufficient capacity is allowed."""


def unsound(plan: Plan) -> tuple[Problem, ...]:
    """Return the problems of a plan that would make figures wrong; other problems of the intent are ignored."""
    return tuple(problem for check in PLAN_CHECKS if check.name in GROUNDED for problem in check.run(plan))


def run(options: WhatIfOptions) -> None:
    """Print the report. Raises SystemExit with 3 where a failure leaves less than the floor or something is worse."""
    with reporting_problems(as_json=options.as_json):
        plan = load_checked(LoadRequest(options.intent, options.overlay), options.scenario, unsound).plan
        failures = tuple(_failures(plan, options))
        comparison = compared(_before(options), failures) if options.against else None
    report = WhatIfReport(plan.intent.site, failures, options.floor, comparison, options.fail)
    with reader_may_leave():
        _print(report, options)
    if report.below or (comparison is not None and comparison.worse):
        raise SystemExit(DIFFERENCES)


def _print(report: WhatIfReport, options: WhatIfOptions) -> None:
    if options.as_json:
        echo_json(plain(report.site, report.fabrics, report.floor, report.below, report.comparison))
        return
    for line in text(report, str(options.intent)):
        echo_line(line)


def _failures(plan: Plan, options: WhatIfOptions) -> Iterator[FabricFailures]:
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
    """Read the file of groups. Raises WorkspaceError with lines of the file."""
    if path is None:
        return ()
    document = read_document(path)
    try:
        return read_groups(document, names, skip_unknown=skip_unknown)
    except FabricError as error:
        raise WorkspaceError(error.problems, (document,)) from None


def _before(options: WhatIfOptions) -> Iterable[FabricFailures]:
    """Return the failures of the plan that --against names, with the current groups. Parts it lacks are ignored."""
    with open_side(str(options.against), options.intent, None, scenario=options.against_scenario) as side:
        problems = unsound(side.plan) if side.plan is not None else ()
        if side.plan is None or problems:
            problem = Problem(
                code="against-unread",
                what=f"{options.against} cannot be read",
                why=problems[0].what if problems else side.fault,
                fix="name a folder with an intent, or a git revision that fabricgen validate accepts",
            )
            raise FabricError([problem])
        names = PartNames(side.plan)
        groups = (*racks(side.plan, names), *_groups(options.groups, names, skip_unknown=True))
        question = FabricQuestion(options.pairs, None, groups)
        return [failures_of(side.plan, fabric, question) for fabric in side.plan.fabrics.values()]
