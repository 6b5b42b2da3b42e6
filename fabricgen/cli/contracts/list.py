"""`fabricgen list hardware`, `systems` or `checks`, each with --json."""

from fabricgen.cli.contracts.common import Versioned
from fabricgen.cli.list.hardware import ServerRow, SwitchRow
from fabricgen.cli.list.systems import SystemRow
from fabricgen.explain.listed import ListedCode


class HardwareList(Versioned):
    """`list hardware`: models of the library, both lists by vendor and model."""

    switches: list[SwitchRow]
    servers: list[ServerRow]
    left_out: list[str]


class SystemList(Versioned):
    """`list systems`: operating systems, in the order of the pages."""

    systems: list[SystemRow]


class CheckList(Versioned):
    """`list checks`: every code that `explain` knows, by its source, then by code."""

    checks: list[ListedCode]


DOCUMENTS = (HardwareList, SystemList, CheckList)
