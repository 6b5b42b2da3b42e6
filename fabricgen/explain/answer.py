"""What is said of one thing: facts, each with the formula it follows from and the place it was written at."""

from typing import NamedTuple


class Origin(NamedTuple):
    """Where a fact was written.

    at    file:line:column; empty where no file says it (yet)
    says  what stands there, in short: a segment, an override, a key of the intent
    """

    at: str
    says: str


class AnswerLine(NamedTuple):
    """One line of an answer.

    value    what is so
    formula  how it is computed: names of the operands, then their numbers; empty for what was written
    origin   the segment, override or key that it rests on
    """

    label: str
    value: str
    formula: str = ""
    origin: Origin | None = None


class Answer(NamedTuple):
    """One meaning of what was asked.

    kind  device, port, server, group, address, prefix, asn, vni, vlan, rd, route-target, tenant, network, peer,
          fabric, code
    """

    kind: str
    title: str
    facts: tuple[AnswerLine, ...]
