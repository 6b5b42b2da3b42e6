"""Sets of parts that fail together: racks of the placement file, and groups of a YAML file.

    groups:
      feed-a: [be-leaf-00*, be-spine-00]
      rack-17: ["train[64-67]", be-leaf-012]

A switch with two feeds fails only when both feeds fail: list it in a separate group for that case.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from fabricgen.errors import FabricError
from fabricgen.failures.naming import PartNames
from fabricgen.failures.parts import Lost
from fabricgen.plan.plan import Plan
from fabricgen.source.document import Document
from fabricgen.source.validate import validate

PartName = Annotated[str, Field(min_length=1, max_length=200)]
GroupName = Annotated[str, Field(min_length=1, max_length=80)]


class GroupFile(BaseModel):
    """A file of groups."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    groups: dict[GroupName, Annotated[tuple[PartName, ...], Field(min_length=1)]] = Field(
        examples=[{"rack-1": ["be-leaf-000", "train[0]"]}],
        min_length=1,
        description="name → parts that fail together: switches, ports, servers",
    )


class Group(NamedTuple):
    """Parts that fail together, by fabric."""

    kind: str
    name: str
    losses: Mapping[str, Lost]


def read_groups(document: Document, names: PartNames, *, skip_unknown: bool = False) -> tuple[Group, ...]:
    """Return the groups of a file. Raises FabricError with a position for each unknown name.

    skip_unknown  ignore unknown names: an earlier plan does not have all parts
    """
    file = validate(GroupFile, document)
    groups, problems = [], []
    for name, parts in file.groups.items():
        loss = names.losses(parts, ("groups", name))
        problems += [problem._replace(at=document.place(problem.where), where=()) for problem in loss.problems]
        groups.append(Group("group", name, loss.losses))
    if problems and not skip_unknown:
        raise FabricError(problems)
    return tuple(group for group in groups if group.losses)


def racks(plan: Plan, names: PartNames) -> Iterator[Group]:
    """Return the racks that the placement file names, each with its servers."""
    by_rack: dict[str, list[str]] = {}
    for fabric in plan.fabrics.values():
        for key, server in fabric.exceptions.servers.items():
            if server.rack:
                by_rack.setdefault(server.rack, []).append(f"{key.group}[{key.slot}]")
        break
    for rack, servers in sorted(by_rack.items()):
        losses = {fabric: lost for fabric, lost in names.losses(servers).losses.items() if lost.servers}
        if losses:
            yield Group("rack", rack, losses)
