"""What holds of the templates of every platform: which constructs decide, and which fields a Device is made of."""

import dataclasses
from collections.abc import Iterator

from jinja2 import Environment, nodes

from fabricgen.device import device, evpn, interfaces, management, qos, routing, telemetry

FORBIDDEN = (
    nodes.Assign,
    nodes.AssignBlock,
    nodes.BinExpr,
    nodes.Block,
    nodes.Call,
    nodes.CallBlock,
    nodes.Compare,
    nodes.Compare,
    nodes.Concat,
    nodes.Filter,
    nodes.FilterBlock,
    nodes.Getitem,
    nodes.Include,
    nodes.Import,
    nodes.Macro,
    nodes.Test,
    nodes.UnaryExpr,
)
JOINS = (nodes.And, nodes.Or)
"""Two parts that must both be there, or one of them: no arithmetic, though the parser calls them binary."""


def logic(source: str) -> Iterator[str]:
    """Every construct of a template that decides, computes or looks something up."""
    tree = Environment(autoescape=True).parse(source)
    for node in tree.find_all(nodes.Node):
        if isinstance(node, FORBIDDEN) and not isinstance(node, JOINS):
            yield type(node).__name__


def fields() -> set[str]:
    """Names of all fields that a Device is made of."""
    found: set[str] = set()
    for module in (device, evpn, interfaces, management, qos, routing, telemetry):
        for thing in vars(module).values():
            if isinstance(thing, type) and thing.__module__ == module.__name__:
                if dataclasses.is_dataclass(thing):
                    found |= {field.name for field in dataclasses.fields(thing)}
                found |= set(getattr(thing, "_fields", ()))
    return found
