"""Answers as plain text for people: labels, values and formulas in columns; positions as numbered notes below."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from fabricgen.explain.answer import Answer, AnswerLine, Origin

WIDTH = 100
INDENT = "  "
LABEL = 15
GLUE = "\u00a0"
"""A blank at which a line must not be broken."""
VALUE = 40
"""Limit on the width of the value column in front of formulas."""


def answers_text(answers: Iterable[Answer]) -> Iterator[str]:
    """Lines of all answers, without line ends; a blank line between two answers."""
    for index, answer in enumerate(answers):
        if index:
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
        yield from _wrapped(f"{INDENT}[{number}] ", f"{place}{origin.text}")


def _fact(fact: AnswerLine, label: str, note: str, width: int) -> Iterator[str]:
    head = f"{INDENT}{label:<{LABEL - 1}} "
    if not fact.formula:
        yield from _wrapped(head, f"{fact.value}{note}")
        return
    formula_text = f"{fact.formula}{note}"
    if len(fact.value) <= width:
        yield from _wrapped(f"{head}{fact.value:<{width}}  ", formula_text)
        return
    yield from _wrapped(head, fact.value)
    yield from _wrapped(f"{' ' * len(head)}  ", f"= {formula_text}")


def _wrapped(head: str, text: str) -> Iterator[str]:
    text = text.replace(" × ", f"{GLUE}×{GLUE}")
    lines = wrap(text, max(WIDTH - len(head), 30), break_long_words=False, break_on_hyphens=False) or [""]
    for index, line in enumerate(lines):
        yield f"{head if not index else ' ' * len(head)}{line.replace(GLUE, ' ')}".rstrip()
