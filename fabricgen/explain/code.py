"""A check by its name or one of its codes: what must hold, why, and by what source. Needs no intent."""

from collections.abc import Iterator

from fabricgen.checks.catalogue import CHECKS
from fabricgen.checks.check import Check
from fabricgen.explain.answer import Answer, Fact
from fabricgen.explain.parse import Asked


def code_answers(asked: Asked) -> Iterator[Answer]:
    """The checks that carry a code, or have the name."""
    if asked.kind in ("", "code"):
        for check in CHECKS:
            if asked.text in (check.name, *check.codes):
                yield _answer(check, asked.text)


def code_words() -> tuple[str, ...]:
    """Every code, and every name of a check."""
    return tuple(word for check in CHECKS for word in (check.name, *check.codes))


def _answer(check: Check, text: str) -> Answer:
    what, *rest = _paragraphs(check.run.__doc__ or "")
    facts = [Fact("holds", what[1]), *(Fact(*part) for part in rest)]
    facts.append(Fact("codes", ", ".join(check.codes)))
    title = f"{text}: a check" if text == check.name else f"{text}: a code of the check {check.name}"
    return Answer("code", title, tuple(facts))


def _paragraphs(doc: str) -> list[tuple[str, str]]:
    """Paragraphs of a docstring with their labels; what follows the word Source is one of its own."""
    found = []
    for part in doc.split("\n\n"):
        why, _, source = " ".join(part.split()).partition("Source: ")
        found += [("why", why.strip())] if why else []
        found += [("source", source)] if source else []
    return found
