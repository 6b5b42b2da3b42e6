"""The answer about one thing: lines, each with the formula behind its value and the position where it was written."""

from typing import NamedTuple


class Origin(NamedTuple):
    """Where a fact was written.

    at    file:line:column; empty if no file has it (yet)
    text  what is written there, in short: a segment, an override, a key of the intent
    """

    at: str
    text: str


class AnswerLine(NamedTuple):
    """One line of an answer.

    value    the value
    formula  how it is computed: names of the operands, then their numbers; empty for what was written
    origin   the segment, override or key that it comes from
    """

    label: str
    value: str
    formula: str = ""
    origin: Origin | None = None


class Answer(NamedTuple):
    """One meaning of the question.

    kind  device, port, server, group, address, prefix, asn, vni, vlan, rd, route-target, tenant, network, peer, fabric,
          code
    """

    kind: str
    title: str
    facts: tuple[AnswerLine, ...]
