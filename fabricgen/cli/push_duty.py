"""When a push may go: push.yaml of the inventory, and in front of it what was typed."""

from datetime import datetime

import click

from fabricgen.cli.push_words import Words
from fabricgen.errors import FabricError, Problem
from fabricgen.push.duty import CANARY_SOAK, Rules, frozen, moment
from fabricgen.push.gates import Gates
from fabricgen.push.site_rules import FILE


def rules_of(words: Words, found: Rules) -> Rules:
    """Rules of this run. found: those of push.yaml."""
    return found._replace(
        soak=found.soak if words.soak is None else words.soak,
        until=words.until,
        despite=words.despite,
        gates=found.gates or Gates(),
        canary=CANARY_SOAK if words.soak is None else 0.0,
    )


def refuse_frozen(words: Words, rules: Rules, now: datetime) -> None:
    """Raise FabricError where a commit is typed in a freeze; a dry run is told of it."""
    found = frozen(rules, now)
    if found is None:
        return
    what = f"changes are frozen until {moment(found.ends)}: {found.why}"
    if rules.despite:
        click.echo(f"{what}; it goes on: {rules.despite}", err=True)
    elif not words.commit:
        click.echo(f"note: {what}; --commit is refused until then", err=True)
    else:
        problem = Problem(
            code="push-frozen",
            what=what,
            why=f"{words.inventory / FILE} has this freeze",
            fix='wait until then, or say why it can not wait: --in-freeze "…", which the journal and the hooks get',
        )
        raise FabricError([problem])
