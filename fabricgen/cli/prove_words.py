"""What a push would have been told: the intent is read, and the switch rendered, as a push does it."""

from pathlib import Path

from fabricgen.cli.push_words import Words as PushWords
from fabricgen.cli.verbs.prove_platform import Words


def push_words(words: Words) -> PushWords:
    """A push of the same intent to the same inventory that commits nothing."""
    return PushWords(
        intent=words.intent or Path(),
        inventory=words.inventory or Path(),
        commit=False,
        approval=None,
        signature=None,
        devices="*",
        against=None,
        overlay=words.overlay,
        posture=words.posture,
        against_posture=None,
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
        as_json=words.as_json,
        verbose=False,
    )
