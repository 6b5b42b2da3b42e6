"""What the documents of several verbs have in common."""

from typing import Annotated, Literal, TypedDict

from fabricgen.cli.contracts.form import AllowedValues
from fabricgen.platforms.base.cost import Risk

RiskWord = Annotated[str, AllowedValues(tuple(risk.words for risk in Risk))]


class Versioned(TypedDict):
    """The head of each document."""

    schema_version: Literal[0]


class ProblemRow(TypedDict):
    """One problem of what was typed or written.

    where  keys and list positions; path: the same as people write it
    file, line, column  null where it is about no place of a file
    """

    code: str
    what: str
    why: str
    fix: str
    where: list[str | int]
    path: str
    file: str | None
    line: int | None
    column: int | None


class Problems(Versioned):
    """What stands against the command; nothing was done. Exit code 1."""

    problems: list[ProblemRow]


class BlastRow(TypedDict):
    """Whom a change reaches.

    gpus       behind what it concerns, of `gpus_all`
    rails      from 0
    bisection  fabric → share of the bandwidth between two of its tiers, 0 to 1
    """

    gpus: int
    gpus_all: int
    rails: list[int]
    tenants: list[str]
    bisection: dict[str, float]
