"""docs/review.md: its examples are what fabricgen prints, its tables have every word and key there is."""

import re
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from fabricgen.cli import VERBS, main
from fabricgen.diff.expect import Expect, ExpectedChange
from fabricgen.platforms.base.cost import Risk
from tests.recipes.recipe import RECIPES, doubles
from tests.recipes.repository import CLEAN, EXPECT, a_unit, another_hold_time

PAGE = RECIPES.parent / "review.md"
TEXT = PAGE.read_text()
NOT_CHECKED = (
    "\nNot checked: whether the files of all switches fit together, and which failures cost more (add --prove).\n"
)


def block(command: str) -> str:
    """What the page shows below a command."""
    (found,) = re.findall(rf"^    \$ {re.escape(command)}\n((?:    .*\n|\n(?=    ))*)", TEXT, re.MULTILINE)
    return re.sub(r"^    ", "", found, flags=re.MULTILINE)


def told(work: Path, command: str) -> str:
    env = {**CLEAN, **doubles(work.parent / "double")}
    return subprocess.run(command.split(), cwd=work, env=env, capture_output=True, text=True, check=False).stdout


DIFF = "fabricgen diff site/intent.yaml --against HEAD"


def test_the_example_is_what_is_printed(work: Path) -> None:
    a_unit(work)
    out = told(work, DIFF)
    shown = block(DIFF)
    assert out.startswith(shown)
    assert out.count("\nHITLESS") == shown.count("\nHITLESS") + 3
    assert out.endswith(NOT_CHECKED)
    assert out.removesuffix(NOT_CHECKED).endswith("\nRenumbering: none (no address, AS number or VNI changes).\n")
    assert "Three more classes follow, and the line `Renumbering: none (no address, AS number or VNI changes).`" in TEXT


def test_the_expect_file_is_the_whole_of_it(work: Path) -> None:
    a_unit(work)
    (work / EXPECT).write_text(block(f"cat {EXPECT}"))
    asked = f"{DIFF} --expect {EXPECT}"
    assert told(work, asked).endswith(f"\nEvery change is expected by {EXPECT}.\n{NOT_CHECKED}")
    another_hold_time(work)
    assert told(work, asked).removesuffix(NOT_CHECKED).endswith("\n" + block(asked))


def test_every_key_of_the_expect_file_is_told() -> None:
    keys = set(re.findall(r"^\| `([\w.\[\]]+)` \|", TEXT.partition("## Expected change")[2], re.MULTILINE))
    assert keys == set(Expect.model_fields) | {f"changes[].{name}" for name in ExpectedChange.model_fields}
    risks = get_args(ExpectedChange.model_fields["risk"].annotation)
    assert {risk.words for risk in Risk} == set(risks)


def test_every_risk_is_told() -> None:
    table = TEXT.partition("**Risk**")[2].partition("**Affects**")[0]
    assert [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")] == [
        "", *(risk.words for risk in Risk),
    ]  # fmt: skip


@pytest.mark.parametrize("line", re.findall(r"^    \$? ?(fabricgen .*?)(?:  .*)?$", TEXT, re.MULTILINE))
def test_commands_and_options_exist(line: str) -> None:
    words = line.split()
    assert words[1] in VERBS
    command = main.get_command(main.make_context("fabricgen", [words[1]]), words[1])
    assert command is not None
    known = {option for found in command.params for option in found.opts}
    assert {word for word in words if word.startswith("-")} <= known


def test_links_lead_somewhere() -> None:
    named = re.findall(r"\]\(([\w./-]+)\)", TEXT)
    assert {"recipes/github-actions.yaml", "recipes/gitlab-ci.yaml", "recipes/pre-commit-config.yaml"} <= set(named)
    assert not [name for name in named if not (PAGE.parent / name).exists()]
