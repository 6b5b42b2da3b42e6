"""When a push may run: push.yaml of the inventory, overridden by options."""

from datetime import datetime

import click

from fabricgen.errors import FabricError
from fabricgen.operation.push.options import PushOptions
from fabricgen.push.plan.duty import CANARY_SOAK, RunRules, frozen, moment
from fabricgen.push.plan.gates import Gates
from fabricgen.push.plan.site_rules import FILE


def rules_of(options: PushOptions, file_rules: RunRules) -> RunRules:
    """Rules of this run. file_rules: those of push.yaml."""
    return file_rules._replace(
        soak=file_rules.soak if options.soak is None else options.soak,
        until=options.until,
        despite=options.despite,
        gates=file_rules.gates or Gates(),
        canary=CANARY_SOAK if options.soak is None else 0.0,
    )


def refuse_frozen(options: PushOptions, rules: RunRules, now: datetime) -> None:
    """Raise FabricError for a commit during a freeze; a dry run prints a note."""
    freeze = frozen(rules, now)
    if freeze is None:
        return
    message = f"changes are frozen until {moment(freeze.ends)}: {freeze.why}"
    if rules.despite:
        click.echo(f"{message}; continuing: {rules.despite}", err=True)
    elif not options.commit:
        click.echo(f"note: {message}; --commit is refused until then", err=True)
    else:
        raise FabricError.of(
            code="push-frozen",
            what=message,
            why=f"{options.inventory / FILE} has this freeze",
            fix='wait until then, or add --in-freeze "REASON"; the journal and the hooks record the reason',
        )
