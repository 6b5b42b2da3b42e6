"""Every code that any command prints is explained, in words and without a piece of our source."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.generate import checks_page, costs_page, findings_page, platforms_page
from fabricgen.audit.properties import PROPERTIES
from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.cli import main
from fabricgen.explain import problem as problems
from fabricgen.explain.code import code_answers, problem_code_answers
from fabricgen.explain.listed import listed_codes
from fabricgen.explain.parse import Question
from fabricgen.explain.problem import BY_COLUMN, SCHEMA, problem_codes
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.platforms import PLATFORMS
from tests.checks.cases import CASES
from tests.explain.asking import one, refused

ROOT = Path(__file__).parents[2]
SOURCE = "\n".join(path.read_text() for path in (ROOT / "fabricgen").rglob("*.py"))
CONSTANTS = {name for name in re.findall(r"^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b", SOURCE, re.MULTILINE)}
THEIRS = {"CONFIG_DB", "ROUTE_MAP", "STATIC_ROUTE"}
"""Words of ours that are words of a system, too, and stand in a page as such."""


@cache
def codes() -> frozenset[str]:
    """Codes as a reader of the source finds them, by other means than the code that explains them."""
    found = set(re.findall(r'\bcode\s*=\s*"([a-z0-9-]+)"', SOURCE))
    found |= set(re.findall(r'\b(?:_problem|limit|_told|_refuse\w*)\([^"()]*"([a-z0-9]+(?:-[a-z0-9]+)+)"', SOURCE))
    found |= set(CASES) | {code for check in (*CHECKS, *NOTES) for code in check.codes}
    return frozenset(found | {each.code for check in LIVE_CHECKS for each in check.codes})


@cache
def explained(code: str) -> list[str]:
    asked = Question("code", code)
    found = list(code_answers(asked)) or list(problem_code_answers(asked))
    return [fact.value for answer in found for fact in answer.facts]


def test_every_code_is_explained() -> None:
    assert len(codes()) > 300
    assert sorted(code for code in codes() if not any(explained(code))) == []
    assert sorted(code for code in problem_codes() if not any(explained(code))) == []
    assert {*SCHEMA, *BY_COLUMN} <= problem_codes()


def named(folder: str, made: str) -> set[str]:
    """Names that the modules of a folder give to what they make: the first argument, or that called `name`."""
    trees = [ast.parse(path.read_text()) for path in sorted((ROOT / "fabricgen" / folder).glob("*.py"))]
    constants = dict(pair for tree in trees for node in tree.body for pair in _texts(node))
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [
        next((keyword.value for keyword in call.keywords if keyword.arg == "name"), None) or call.args[0]
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == made
    ]
    texts = [constants[value.id] for value in given if isinstance(value, ast.Name)]
    texts += [str(value.value) for value in given if isinstance(value, ast.Constant)]
    assert len(texts) == len(given), "give it a constant"
    return set(texts)


def _texts(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Names and texts of an assignment of constants, also of several at once."""
    if not isinstance(node, ast.Assign):
        return
    target, value = node.targets[0], node.value
    pairs: list[tuple[ast.expr, ast.expr]] = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts, strict=True))
    for name, text in pairs:
        if isinstance(name, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield name.id, text.value


@pytest.mark.parametrize(
    ("folder", "made", "some"),
    [("audit", "Violation", "link-ends"), ("failures", "Finding", "shared-cage")],
)
def test_every_name_that_an_analysis_prints_is_explained(folder: str, made: str, some: str) -> None:
    """What is printed is read from the source, so that no new name is forgotten; asked with and without an intent."""
    names = named(folder, made)
    assert some in names
    names |= set(PROPERTIES) if folder == "audit" else set()
    listed = {row.code for row in listed_codes()}
    for name in names:
        assert any(explained(name)), name
        assert one(name).title.startswith(f"{name}: a")
        assert CliRunner().invoke(main, ["explain", name]).exit_code == 0
    assert names <= listed


def test_no_explanation_is_a_piece_of_source() -> None:
    told = {code: " ".join(explained(code)) for code in codes() | problem_codes()}
    odd = re.compile(r"\b[a-z_]+\.[A-Z][A-Z_]{2,}|__|lambda|\bself\.")
    assert {code: text for code, text in told.items() if odd.search(text)} == {}
    named = {code: CONSTANTS & set(re.findall(r"[A-Z][A-Z0-9_]+", text)) for code, text in told.items()}
    assert {code: names for code, names in named.items() if names - THEIRS} == {}


def test_the_page_of_platforms_has_the_limit_of_what_only_some_models_have() -> None:
    limits = [row.limit for platform in PLATFORMS.values() for row in platform.capabilities if row.vouched]
    assert [limit for limit in limits if limit not in platforms_page()] == []


@pytest.mark.parametrize("page", [checks_page, costs_page, findings_page, platforms_page])
def test_no_page_names_a_constant(page: object) -> None:
    assert callable(page)
    text = page()
    assert CONSTANTS & set(re.findall(r"[A-Z][A-Z0-9_]+", text)) - THEIRS == set()
    assert re.findall(r"\b[a-z_]+\.[A-Z][A-Z_]{2,}", text) == []


def test_a_rule_of_the_intent_and_a_word_of_push() -> None:
    found = one("planned-too-small")
    assert found.title == "planned-too-small: an error message"
    assert found.values("meaning") == ["slots names more servers than planned"]
    assert found.values("mistake") == ["train: {model: dgx-h100, slots: 0-31, planned: 16}"]
    assert found.values("message") == ["train uses slot 31, but only 16 slots are planned"]
    assert found.values("fix") == ["write planned: 32 or more"]
    assert one("wrong-type").values("meaning")[0].startswith("a value has the wrong type")
    assert one("unknown-scenario").values("why")[0].startswith("a scenario is a key under `scenarios`, or base (")
    assert one("management-gateway").values("meaning") == [
        "the gateway is not a usable host address of the management prefix"
    ]
    held = "the secret … has a character that its place in the rendered file cannot hold"
    assert held in one("secret-shape").values("what")
    assert one("journal-foreign").values("what")[0] == "<path> is not a journal of pushes"


@pytest.mark.parametrize("word", ["zzz", "frobnicate", "hello-world"])
def test_no_absurd_guess(word: str) -> None:
    assert refused(word)["fix"].startswith("write a name, such as")


def test_a_code_that_is_nearly_right() -> None:
    assert refused("planned-to-small")["fix"] == "did you mean planned-too-small?"


def test_no_module_that_gives_codes_by_position_is_passed_over() -> None:
    every = {code for text in problems._sources() for code in problems._positional(problems._tree(text))}
    assert len(every) > 40
    assert every <= problem_codes()


def test_a_code_that_is_chosen_where_it_is_given_is_known() -> None:
    """`code="a" if x else "b"`: who reads the sources by the text behind `code=` sees one of them."""
    chosen = {
        choice.value
        for path in sorted((ROOT / "fabricgen").rglob("*.py"))
        if re.search(r"\bcode ?=[^=]", text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.keyword) and node.arg == "code" and isinstance(node.value, ast.IfExp)
        for choice in (node.value.body, node.value.orelse)
        if isinstance(choice, ast.Constant)
    }
    assert chosen
    assert chosen <= codes() | problem_codes()
