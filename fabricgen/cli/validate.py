"""`fabricgen validate`: every mistake of an intent at once.

JSON: `problems`, empty; `waived` and `notes`, as `plan` has them; `held`, how the rules held: `proven` and `streamed`
are codes, `switches` how many were looked at in all postures, `cables` whether every cable was, too; `left`, settings
that reach no file, as `plan` has them.
"""

import click

from fabricgen.checks.catalogue import Accepted
from fabricgen.checks.held import held_text, held_values
from fabricgen.checks.left_to_system import left_text, left_to_system, left_values
from fabricgen.cli.problems import counted, notes_values, problems_told, tell_notes, tell_waived, waived_values
from fabricgen.cli.sound import Read, sound_in_all
from fabricgen.cli.verbs.validate import Words
from fabricgen.runs.asked import Asked
from fabricgen.runs.look import looker


def run(words: Words) -> None:
    """Validate, or raise SystemExit with every problem told."""
    accepted = Accepted(looker(Asked(words.jobs, words.cluster)))
    with problems_told(as_json=words.as_json):
        found = sound_in_all(Read(words.intent, words.overlay), accepted)
    left = left_to_system(accepted.kinds)
    if words.as_json:
        import json  # noqa: PLC0415

        told = {"waived": waived_values(accepted.waived), "notes": notes_values(accepted.notes)}
        click.echo(
            json.dumps({"problems": []} | told | {"held": held_values(accepted.held), "left": left_values(left)})
        )
    else:
        tell_waived(accepted.waived, found[0].documents)
        tell_notes(accepted.notes, found[0].documents)
        for line in left_text(left):
            click.echo(f"{words.intent}: {line}", err=True)
        more = f" in {len(found)} postures: {', '.join(each.posture for each in found)}" if len(found) > 1 else ""
        count = counted(len(accepted.notes), len(accepted.waived))
        click.echo(f"{words.intent}: {count}{more} ({held_text(accepted.held)})", err=True)
