"""Shared parts of the documents."""

from typing import Annotated, Literal, TypedDict

from fabricgen.cli.contracts.form import AllowedValues
from fabricgen.platforms.base.cost import Risk

RiskWord = Annotated[str, AllowedValues(tuple(risk.words for risk in Risk))]


class Versioned(TypedDict):
    """Head of each document."""

    schema_version: Literal[0]


class ProblemRow(TypedDict):
    """One problem of the command line or of a file.

    where  keys and list positions; path: the same as text
    file, line, column  null if it is about no place in a file
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
    """Problems that prevent the command; nothing was done. Exit code 1."""

    problems: list[ProblemRow]


class BlastRow(TypedDict):
    """Impact of a change.

    gpus       affected GPUs, of `gpus_all`
    rails      from 0
    bisection  fabric → affected share of the bandwidth between two of its tiers, 0 to 1
    """

    gpus: int
    gpus_all: int
    rails: list[int]
    tenants: list[str]
    bisection: dict[str, float]
