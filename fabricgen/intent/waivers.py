"""Waivers: problems that the operator accepts, each with a reason that is printed.

    waivers:
      - {code: ecn-after-pfc, where: fabrics.backend.roce, reason: "measured in the lab, ticket NET-1234"}

`where` is a path of the intent, a switch, or left out. A problem with that code there becomes a warning: for a path,
problems at it or below it; for a switch, problems of that switch alone. Only problems that cost capacity or convenience
can be waived, not those that give two things one name or number, join what must stay apart, or that a switch refuses.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from fabricgen.errors import Problem
from fabricgen.intent.scalars import WORDS, IntentModel, Text
from fabricgen.source.annotations import Pattern


class Waiver(IntentModel):
    """One accepted problem."""

    code: Annotated[str, Pattern(r"^[a-z0-9]+(-[a-z0-9]+)*$", 40)] = Field(
        description="code of the problem that is accepted (`fabricgen explain CODE`)"
    )
    where: Text | None = Field(default=None, description="a path of this file (fabrics.backend.roce) or a switch")
    reason: Annotated[
        str, Pattern(WORDS, 300, least=8), Field(description="why it is accepted, by whom and until when")
    ]


WAIVABLE: Mapping[str, str] = MappingProxyType(
    {
        "balancing-mode": "worse spread of traffic, nothing lost",
        "cable-headroom": "the operator may know his cables and traffic better than the sum of worst cases",
        "bfd-differs": "the session is not watched by BFD; nothing else is lost",
        "dynamic-groups": "groups past the chip's table are balanced by hash, as without the mode",
        "ecmp-width": "paths past the chip's width are not used; capacity is lost, nothing else",
        "ecn-after-pfc": "pauses come before marks: slow, not wrong; thresholds may have been measured",
        "flowlet-gap": "packets may arrive out of order; the NICs may allow it",
        "headroom-low": "the operator may have measured what his link needs",
        "headroom-pool": "promised to more ports than can fill it at once; the operator may know that they do not",
        "links-missing": "less capacity than promised while something is broken",
        "mtu-differs": "largest packets are lost on one link; the operator may know that nobody sends any",
        "no-account": "accounts may come another way: raw lines, a script of the first start, a TACACS+ server",
        "outside-lost": "tenants without a way to the outside, until a border leaf is back",
        "oversubscribed": "less capacity than promised",
        "public-addresses": "addresses may be the operator's own",
        "rail-lost": "servers without one of their rails, until what is dead or absent is back",
        "roce-mtu": "smaller RoCE packets, nothing lost",
        "spines-drained": "drained spines still carry what nothing else can; where none is left, it is leaf-cut-off",
        "subnet-short": "the operator may know that not every server uses the network",
        "unsupported-version": "a release that nobody has judged our lines for; the operator may have",
    }
)
"""Codes of problems that can be waived → why."""

WARNINGS: Mapping[str, str] = MappingProxyType(
    {
        "ecn-after-pfc-published": "the maker of the box has tested its thresholds",
        "few-flows": "the operator knows how many flows his jobs make",
        "hashed-above": "flows may meet on the way down",
        "control-with-cnp": "the operator has seen the sessions outlast a storm of CNPs",
        "headroom-unproven": "the operator has measured that nothing is lost",
        "idle-key": "what else it takes may come at another time",
        "link-loss-idle": "the fabric may stand on fewer spines at another time",
        "mac-limit-low": "the guests that are counted may come at another time",
        "drain-idle": "the operator takes the jobs off the servers himself",
        "factory-password": "the operator has changed it on the switches",
        "nic-unknown": "the operator sets these NICs, and knows how",
        "outside-drained": "the operator has agreed the time with whoever uses the way out",
        "pair-short": "less capacity than promised while a link is broken",
        "plain-reference": "the text may be meant as it is written",
        "ports-left-up": "the operator has agreed the time with whoever uses the servers",
        "spraying-unproven": "the operator has measured that NICs take packets in any order",
        "subnet-alone": "the operator has agreed the time with whoever uses the subnet",
        "seeds-untold": "the operator has seen the spread on his switches",
        "watchdog-rounded": "a time that is longer or shorter by a step",
        "unequal-members": "worse spread of traffic while a link is broken",
    }
)
"""Codes of warnings, which stop nothing → a typical reason to waive; a waiver silences the warning."""

NEVER: Mapping[str, str] = MappingProxyType(
    {
        "backend-open": "a backend that is open is no backend",
        "planes-joined": "planes that touch fail together",
        "leaf-cut-off": "servers behind a leaf that reaches no other are lost, and not slow",
        "buffer-cycle": "buffers that wait in a circle stop the whole fabric",
        "valley-path": "a path down and up again can close such a circle",
        "tenant-overlap": "tenants would reach each other",
        "accept-own": "a peer outside would draw packets for servers that are inside",
        "name-twice": "one name for two things is refused by every tool behind this one",
        "address-twice": "one address on two ports breaks both",
        "asn-twice": "one AS number on two leaves drops each other's routes",
        "vni-twice": "one VNI for two networks joins them",
        "port-twice": "one port cannot take two cables",
        "nic-port-twice": "one port cannot take two cables",
        "nic-cage-twice": "one cage cannot hold two transceivers",
        "platform-cannot": "the switch would refuse the lines, or ignore them",
        "platform-limit": "the switch would refuse the lines, or ignore them",
        "marking-differs": "a packet that is lossless on one switch is dropped on the next",
    }
)
"""Codes that cannot be waived for a reason worth saying; other codes have a general reason."""


NEAR = 3
"""Number of similar codes that a fix names."""


def can_be_waived(code: str) -> bool:
    """Return whether a waiver may name the code of a problem or a warning."""
    return code in WAIVABLE or code in WARNINGS


def near_codes(code: str) -> tuple[str, ...]:
    """Return the codes that can be waived with a spelling like this one, the nearest first."""
    from difflib import get_close_matches  # noqa: PLC0415 - where something is wrong

    return tuple(get_close_matches(code, (*WAIVABLE, *WARNINGS), n=NEAR))


def _meant(code: str) -> str:
    near = near_codes(code)
    return f"; or did you mean {' or '.join(near)}?" if near else ""


def waiver_rules(waivers: tuple[Waiver, ...]) -> Iterator[Problem]:
    """Only codes that can be waived are waived, and each place once."""
    seen: dict[tuple[str, str | None], int] = {}
    for position, waiver in enumerate(waivers):
        if not can_be_waived(waiver.code):
            yield Problem(
                code="waiver-refused",
                what=f"{waiver.code} cannot be waived",
                where=("waivers", position, "code"),
                why=NEVER.get(waiver.code, "only what costs capacity or comfort can; the rest breaks something"),
                fix=f"remove this entry, and correct what {waiver.code} names{_meant(waiver.code)}",
            )
        elif (waiver.code, waiver.where) in seen:
            yield Problem(
                code="waiver-twice",
                what=f"{waiver.code} is waived twice{f' at {waiver.where}' if waiver.where else ''}",
                where=("waivers", position),
                why=f"waivers[{seen[waiver.code, waiver.where]}] does it already",
                fix="remove one of the two, and keep the better reason",
            )
        seen.setdefault((waiver.code, waiver.where), position)
