"""`fabricgen export gnmic`: who asks which switch for what.

JSON: what every export tells, and `left_out` (`platform`, `devices`, `why`).
"""

import click

from fabricgen.cli.export import commit_export, require_place, tell_outcome
from fabricgen.cli.pieces import echo_pieces, json_object
from fabricgen.cli.problems import problems_told
from fabricgen.cli.sound import Read, sound
from fabricgen.cli.verbs.export import GnmicWords
from fabricgen.export.gnmic import Collector, GnmicWriter
from fabricgen.export.inventory import username
from fabricgen.resolve.device import devices


def run_gnmic(words: GnmicWords) -> None:
    """Write the subscriptions."""
    with problems_told(as_json=words.as_json, writes=True):
        require_place(words.out, words.intent)
        plan = sound(Read(words.intent, words.overlay), words.posture).plan
        collector = Collector(username(plan), words.authority, words.seconds)
        writer = GnmicWriter(collector)
        outcome = commit_export(words.out, "gnmic", writer.files(plan.intent.site, devices(plan)))
    left = writer.left
    if words.as_json:
        echo_pieces(json_object(outcome.parts, {"left_out": [one._asdict() for one in left]}))
        return
    for one in left:
        click.echo(f"left out: {len(one.devices)} switches of {one.platform}: {one.why}", err=True)
    tell_outcome(outcome, words.out)
