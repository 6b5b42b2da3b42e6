"""`fabricgen validate`: every mistake of an intent at once.

JSON: `problems`, empty; `waived` and `notes`, as `plan` has them; `held`, how the rules held: `proven` and `streamed`
are codes, `switches` how many were looked at in all postures, `cables` whether every cable was, too.
"""

import json
from pathlib import Path

import click

from fabricgen.checks.catalogue import Accepted
from fabricgen.checks.held import held_text, held_values
from fabricgen.cli.problems import notes_values, problems_told, tell_notes, tell_waived, waived_values
from fabricgen.cli.sound import Read, sound_in_all


def run(intent: Path, overlay: Path | None, *, as_json: bool) -> None:
    """Say every problem, or that there is none."""
    accepted = Accepted()
    with problems_told(as_json=as_json):
        found = sound_in_all(Read(intent, overlay), accepted)
    if as_json:
        told = {"waived": waived_values(accepted.waived), "notes": notes_values(accepted.notes)}
        click.echo(json.dumps({"problems": []} | told | {"held": held_values(accepted.held)}))
    else:
        tell_waived(accepted.waived, found[0].documents)
        tell_notes(accepted.notes, found[0].documents)
        more = f" in {len(found)} postures: {', '.join(each.posture for each in found)}" if len(found) > 1 else ""
        click.echo(f"{intent}: no problems{more} ({held_text(accepted.held)})", err=True)
