"""When a push may go: push.yaml of the inventory, and in front of it what was typed."""

from datetime import datetime

import click

from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.options import PushOptions
from fabricgen.push.plan.duty import CANARY_SOAK, RunRules, frozen, moment
from fabricgen.push.plan.gates import Gates
from fabricgen.push.plan.site_rules import FILE


def rules_of(options: PushOptions, found: RunRules) -> RunRules:
    """Rules of this run. found: those of push.yaml."""
    return found._replace(
        soak=found.soak if options.soak is None else options.soak,
        until=options.until,
        despite=options.despite,
        gates=found.gates or Gates(),
        canary=CANARY_SOAK if options.soak is None else 0.0,
    )


def refuse_frozen(options: PushOptions, rules: RunRules, now: datetime) -> None:
    """Raise FabricError where a commit is typed in a freeze; a dry run is told of it."""
    found = frozen(rules, now)
    if found is None:
        return
    what = f"changes are frozen until {moment(found.ends)}: {found.why}"
    if rules.despite:
        click.echo(f"{what}; continuing: {rules.despite}", err=True)
    elif not options.commit:
        click.echo(f"note: {what}; --commit is refused until then", err=True)
    else:
        problem = Problem(
            code="push-frozen",
            what=what,
            why=f"{options.inventory / FILE} has this freeze",
            fix='wait until then, or say why it cannot wait: --in-freeze "…", which the journal and the hooks get',
        )
        raise FabricError([problem])
