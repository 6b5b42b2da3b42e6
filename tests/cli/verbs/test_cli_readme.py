"""What README.md tells a person to type is there."""

import re
from pathlib import Path

from fabricgen.cli import VERBS, main

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^(?: {4}|\$ )(\S.*)$", re.MULTILINE)


def commands() -> list[str]:
    """Commands of the indented blocks, without the comment behind each."""
    lines = BLOCK.findall((ROOT / "README.md").read_text())
    return [line.partition("  #")[0].strip() for line in lines]


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_make_targets_exist() -> None:
    named = {word for line in commands() for word in re.findall(r"\bmake ([a-z-]+)", line)}
    assert {"render", "test"} <= named <= targets()


def test_verbs_and_options_exist() -> None:
    for line in commands():
        words = line.split()
        if not words or Path(words[0]).name != "fabricgen" or len(words) == 1:
            continue
        assert words[1] in VERBS or words[1].startswith("-"), line
        command = main.get_command(main.make_context("fabricgen", [words[1]]), words[1])
        known = {option for found in (command.params if command else ()) for option in found.opts}
        assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known | {"--help", "--version"}


def test_files_named_exist() -> None:
    text = (ROOT / "README.md").read_text()
    named = set(re.findall(r"\b(?:inventories|docs|schema|bench|templates)/[\w./-]*\w", text))
    assert "inventories/demo/intent.yaml" in named
    assert not [name for name in named if not (ROOT / name).exists()]


def test_every_make_target_is_told_by_help_and_is_phony() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = set(re.search(r"^\.PHONY:(.*)$", makefile, re.MULTILINE)[1].split())  # type: ignore[index]
    assert phony == targets()
    assert phony == set(re.findall(r"^([a-z-]+):.*##", makefile, re.MULTILINE))
