"""Worked examples of messages: a line of an intent, and what `validate` says of it; `make docs` writes them."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from fabricgen.explain.answer import AnswerLine

FILE = Path(__file__).with_name("examples.json")


@cache
def _examples() -> Mapping[str, Mapping[str, str]]:
    examples: Mapping[str, Mapping[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return examples


def example_lines(code: str) -> Iterator[AnswerLine]:
    """Yield a line that leads to the problem of a code, and its message; nothing for a code without an example."""
    example = _examples().get(code)
    if example is not None:
        yield AnswerLine("mistake", example["written"])
        yield AnswerLine("message", example["what"])
        yield AnswerLine("reason", example["why"])
        yield AnswerLine("fix", example["fix"])
