"""A check or one of its codes: what a plan must satisfy and why, what is compared on a live fabric. Needs no intent."""

from collections.abc import Iterator

from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.checks.engine.check import Check
from fabricgen.explain.analysis import analysis_answers, failure_notes, properties
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.examples import example_lines
from fabricgen.explain.meanings import OF_CHECKS, REASONS
from fabricgen.explain.parse import Question
from fabricgen.explain.problem import problem_answers, problem_codes
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.finding_codes.entry import FindingCode, LiveCheck
from fabricgen.finding_codes.hosts import HOST_CODES

PROOF = "Proof: "
"""Begins the part of a rule that says why a check is complete: for those who change it, not for its users."""


def code_answers(asked: Question) -> Iterator[Answer]:
    """The checks that have this code or this name."""
    if asked.kind not in ("", "code"):
        return
    for check in (*CHECKS, *NOTES):
        if asked.text in (check.name, *check.codes):
            yield _answer(check, asked.text)
    for live_check in LIVE_CHECKS:
        if asked.text == live_check.name:
            codes = (AnswerLine("findings", f"{finding.code}: {finding.means}") for finding in live_check.codes)
            yield Answer(
                "code", f"{live_check.name}: a check of verify", (AnswerLine("compared", live_check.compares), *codes)
            )
        yield from (_finding_answer(live_check, finding) for finding in live_check.codes if asked.text == finding.code)
    if asked.text in HOST_CODES:
        compared = "expected.json of `export hosts` with what an agent saw on the server (docs/hosts.md)"
        facts = (AnswerLine("meaning", HOST_CODES[asked.text]), AnswerLine("compared", compared))
        yield Answer("code", f"{asked.text}: a difference on a server", facts)


def problem_code_answers(asked: Question) -> Iterator[Answer]:
    """A name that audit or what-if prints, or the problem of a code that no check has.

    It is asked last, because it reads fabricgen's source.
    """
    if asked.kind in ("", "code"):
        yield from tuple(analysis_answers(asked.text)) or problem_answers(asked.text)


def code_words() -> tuple[str, ...]:
    """Every code, and every name of a check, a property or a note."""
    plan_words = (word for check in (*CHECKS, *NOTES) for word in (check.name, *check.codes))
    live_words = (word for check in LIVE_CHECKS for word in (check.name, *(finding.code for finding in check.codes)))
    return (*plan_words, *live_words, *HOST_CODES, *properties(), *failure_notes(), *problem_codes())


def holds(check: Check) -> str:
    """What must hold: the first paragraph of the check's docstring."""
    return _paragraphs(check.run.__doc__ or "")[0][1]


def _answer(check: Check, text: str) -> Answer:
    requirement, *paragraphs = _paragraphs(check.run.__doc__ or "")
    meaning = [AnswerLine("meaning", OF_CHECKS[text])] if text in check.codes else []
    label = "requires" if check in CHECKS else "reports"
    example = tuple(example_lines(text))
    if text in REASONS:
        # The rule of such a check is about many codes; the page of checks has it.
        rule = [AnswerLine("why", REASONS[text])]
        of_check = [AnswerLine("check", f"docs/checks.md#{check.name}")]
    else:
        rule = [AnswerLine(label, requirement[1])]
        of_check = [AnswerLine(part, value) for part, words in paragraphs if (value := words.partition(PROOF)[0])]
    facts = [*meaning, *rule, *example, *of_check]
    facts.append(AnswerLine("codes", ", ".join(check.codes)))
    title = f"{text}: a check" if text == check.name else f"{text}: a code of the check {check.name}"
    return Answer("code", title, tuple(facts))


def _finding_answer(check: LiveCheck, finding: FindingCode) -> Answer:
    facts = (
        AnswerLine("meaning", finding.means),
        AnswerLine("fix", finding.fix),
        AnswerLine("compared", check.compares),
    )
    return Answer("code", f"{finding.code}: a finding of verify, check {check.name}", facts)


def _paragraphs(doc: str) -> list[tuple[str, str]]:
    """Paragraphs of a docstring with their labels; text after the word Source is a paragraph of its own."""
    paragraphs = []
    for part in doc.split("\n\n"):
        reason, _, source = " ".join(part.split()).partition("Source: ")
        paragraphs += [("why", reason.strip())] if reason else []
        paragraphs += [("source", source)] if source else []
    return paragraphs
