"""Options of a push, to read the intent and render the switch as a push does."""

from pathlib import Path

from fabricgen.cli.prove_platform.command import ProveOptions
from fabricgen.operation.push.options import PushOptions


def push_words(options: ProveOptions) -> PushOptions:
    """Options of a push of the same intent to the same inventory without --commit."""
    return PushOptions(
        intent=options.intent or Path(),
        inventory=options.inventory or Path(),
        commit=False,
        approval=None,
        signature=None,
        devices="*",
        against=None,
        overlay=options.overlay,
        scenario=options.scenario,
        against_scenario=None,
        templates=None,
        floor=None,
        largest=1,
        together=(),
        accepted=(),
        hosts=None,
        tested=False,
        limit=0,
        journal=None,
        abandon=False,
        take_over=False,
        undo=(),
        soak=None,
        paths=False,
        until=None,
        despite="",
        show=False,
        reports=(),
        workers=1,
        as_json=options.as_json,
        verbose=False,
    )
