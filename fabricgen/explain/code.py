"""A check or one of its codes: of a plan what must hold and why, of a live fabric what is compared. Needs no intent."""

from collections.abc import Iterator

from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.checks.engine.check import Check
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.meanings import OF_CHECKS
from fabricgen.explain.parse import Question
from fabricgen.explain.problem import problem_answers, problem_codes
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.finding_codes.entry import FindingCode, LiveCheck
from fabricgen.finding_codes.hosts import HOST_CODES


def code_answers(asked: Question) -> Iterator[Answer]:
    """The checks that carry a code, or have the name."""
    if asked.kind not in ("", "code"):
        return
    for check in (*CHECKS, *NOTES):
        if asked.text in (check.name, *check.codes):
            yield _answer(check, asked.text)
    for live in LIVE_CHECKS:
        if asked.text == live.name:
            codes = (AnswerLine("findings", f"{found.code}: {found.means}") for found in live.codes)
            yield Answer("code", f"{live.name}: a check of verify", (AnswerLine("compared", live.compares), *codes))
        yield from (_finding_answer(live, found) for found in live.codes if asked.text == found.code)
    if asked.text in HOST_CODES:
        compared = "expected.json of `export hosts` with what an agent saw on the server (docs/hosts.md)"
        facts = (AnswerLine("meaning", HOST_CODES[asked.text]), AnswerLine("compared", compared))
        yield Answer("code", f"{asked.text}: a difference on a server", facts)


def told_answers(asked: Question) -> Iterator[Answer]:
    """What the problem of a code says, where no check carries it: asked last, as fabricgen's source is read for it."""
    if asked.kind in ("", "code"):
        yield from problem_answers(asked.text)


def code_words() -> tuple[str, ...]:
    """Every code, and every name of a check."""
    planned = (word for check in (*CHECKS, *NOTES) for word in (check.name, *check.codes))
    live = (word for check in LIVE_CHECKS for word in (check.name, *(found.code for found in check.codes)))
    return (*planned, *live, *HOST_CODES, *problem_codes())


def holds(check: Check) -> str:
    """What must hold: the first paragraph of its docstring."""
    return _paragraphs(check.run.__doc__ or "")[0][1]


def _answer(check: Check, text: str) -> Answer:
    what, *rest = _paragraphs(check.run.__doc__ or "")
    meaning = [AnswerLine("meaning", OF_CHECKS[text])] if text in check.codes else []
    label = "requires" if check in CHECKS else "note"
    facts = [*meaning, AnswerLine(label, what[1]), *(AnswerLine(*part) for part in rest)]
    facts.append(AnswerLine("codes", ", ".join(check.codes)))
    title = f"{text}: a check" if text == check.name else f"{text}: a code of the check {check.name}"
    return Answer("code", title, tuple(facts))


def _finding_answer(check: LiveCheck, found: FindingCode) -> Answer:
    facts = (AnswerLine("meaning", found.means), AnswerLine("fix", found.mend), AnswerLine("compared", check.compares))
    return Answer("code", f"{found.code}: a finding of verify, check {check.name}", facts)


def _paragraphs(doc: str) -> list[tuple[str, str]]:
    """Paragraphs of a docstring with their labels; what follows the word Source is one of its own."""
    found = []
    for part in doc.split("\n\n"):
        why, _, source = " ".join(part.split()).partition("Source: ")
        found += [("why", why.strip())] if why else []
        found += [("source", source)] if source else []
    return found
