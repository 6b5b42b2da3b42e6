"""Names that `audit` and `what-if` print: properties that all configurations must have together, and notes."""

from collections.abc import Iterator, Mapping

from fabricgen.explain.answer import Answer, AnswerLine


def properties() -> Mapping[str, str]:
    """Name of each property of an audit → what holds, in one sentence."""
    # Imported only where a code is asked for: the audit takes a quarter of the time of an explanation to import.
    from fabricgen.audit.planned_reach import HOLDS, NAME  # noqa: PLC0415
    from fabricgen.audit.properties import PROPERTIES  # noqa: PLC0415

    return {name: holds for name, (holds, _) in PROPERTIES.items()} | {NAME: HOLDS}


def failure_notes() -> Mapping[str, str]:
    """Name of each note of `what-if` → what it means."""
    from fabricgen.failures.advice import NOTES  # noqa: PLC0415

    return NOTES


def analysis_answers(text: str) -> Iterator[Answer]:
    """The property or the note of this name."""
    holds, note = properties().get(text), failure_notes().get(text)
    if holds is not None:
        yield _answer(text, "a property that audit checks", ("requires", holds), "docs/audit.md#properties")
    if note is not None:
        page = "docs/what-if.md#what-is-worse-than-it-looks"
        yield _answer(text, "a note of what-if", ("meaning", note), page)


def _answer(name: str, kind: str, said: tuple[str, str], page: str) -> Answer:
    return Answer("code", f"{name}: {kind}", (AnswerLine(*said), AnswerLine("page", page)))
