"""Answers to plain text for people: labels, values and formulas in columns; places as numbered notes below."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from fabricgen.explain.answer import Answer, AnswerLine, Origin

WIDTH = 100
INDENT = "  "
LABEL = 15
GLUE = "\u00a0"
"""A blank where no line is broken."""
VALUE = 40
"""Most of a line that values take from formulas."""


def answers_text(answers: Iterable[Answer]) -> Iterator[str]:
    """Lines of all answers, without line ends; a blank line between two."""
    for at, answer in enumerate(answers):
        if at:
            yield ""
        yield from _answer(answer)


def _answer(answer: Answer) -> Iterator[str]:
    notes: dict[Origin, int] = {}
    yield answer.title
    facts = answer.facts
    width = max((len(fact.value) for fact in facts if fact.formula and len(fact.value) <= VALUE), default=0)
    before = ""
    for fact in facts:
        note = f"{GLUE}[{notes.setdefault(fact.origin, len(notes) + 1)}]" if fact.origin is not None else ""
        yield from _fact(fact, "" if fact.label == before else fact.label, note, width)
        before = fact.label
    for origin, number in notes.items():
        place = f"{origin.at}: " if origin.at else ""
        yield from _wrapped(f"{INDENT}[{number}] ", f"{place}{origin.says}")


def _fact(fact: AnswerLine, label: str, note: str, width: int) -> Iterator[str]:
    head = f"{INDENT}{label:<{LABEL - 1}} "
    if not fact.formula:
        yield from _wrapped(head, f"{fact.value}{note}")
        return
    how = f"{fact.formula}{note}"
    if len(fact.value) <= width:
        yield from _wrapped(f"{head}{fact.value:<{width}}  ", how)
        return
    yield from _wrapped(head, fact.value)
    yield from _wrapped(f"{' ' * len(head)}  ", f"= {how}")


def _wrapped(head: str, text: str) -> Iterator[str]:
    text = text.replace(" × ", f"{GLUE}×{GLUE}")
    lines = wrap(text, max(WIDTH - len(head), 30), break_long_words=False, break_on_hyphens=False) or [""]
    for at, line in enumerate(lines):
        yield f"{head if not at else ' ' * len(head)}{line.replace(GLUE, ' ')}".rstrip()
