"""Waivers: problems that the operator accepts, each with a reason that is printed.

    waivers:
      - {code: ecn-after-pfc, where: fabrics.backend.roce, reason: "measured in the lab, ticket NET-1234"}

`where` is a path of the intent, a switch, or left out. A problem with that code there becomes a warning: for a path,
problems at it or below it; for a switch, problems of that switch alone. Only problems that cost capacity or convenience
can be waived, not those that give two things one name or number, join what must stay apart, or that a switch refuses.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from fabricgen.errors import Problem
from fabricgen.intent.scalars import WORDS, IntentModel, Text
from fabricgen.source.annotations import Pattern


class Waiver(IntentModel):
    """One accepted problem."""

    code: Annotated[str, Pattern(r"^[a-z0-9]+(-[a-z0-9]+)*$", 40)] = Field(
        examples=["headroom-pool"], description="code of the problem that is accepted (`fabricgen explain CODE`)"
    )
    where: Text | None = Field(
        default=None, description="a path of this file (fabrics.backend.roce) or the name of a switch"
    )
    reason: Annotated[
        str,
        Pattern(WORDS, 300, least=8),
        Field(examples=["accepted by NAME until DATE"], description="why it is accepted, by whom and until when"),
    ]


def waiver_line(code: str, reason: str, where: str = "") -> str:
    """The line that accepts a problem, as a fix offers it."""
    place = f"where: {where}, " if where else ""
    return f'waivers: [{{code: {code}, {place}reason: "{reason}"}}] (at the top level of the intent)'


WAIVABLE: Mapping[str, str] = {
    "balancing-mode": "traffic is spread less evenly; nothing is lost",
    "cable-headroom": "the operator may know cables and traffic better than the sum of worst cases",
    "bfd-differs": "the session is not watched by BFD; nothing else is lost",
    "dynamic-groups": "groups past the chip's table are balanced by hash, as without the mode",
    "ecmp-width": "paths past the chip's width are not used; capacity is lost, nothing else",
    "ecn-after-pfc": "PFC pauses come before ECN marks: slower, not wrong; thresholds may have been measured",
    "flowlet-gap": "packets may arrive out of order; the NICs may allow it",
    "headroom-low": "the operator may have measured what the link needs",
    "headroom-pool": "headroom is overcommitted; the operator may know that the ports do not pause at once",
    "links-missing": "less capacity than planned while something is broken",
    "mtu-differs": "largest packets are lost on one link; the operator may know that no host sends such packets",
    "no-account": "accounts may be created elsewhere: raw lines, a zero-touch script, a TACACS+ server",
    "outside-lost": "tenants have no external connectivity until a border leaf is back in service",
    "oversubscribed": "less capacity than planned",
    "public-addresses": "the addresses may be the operator's own",
    "rail-lost": "servers lose one of their rails until the dead or absent part is back in service",
    "roce-mtu": "RoCE packets are smaller; nothing is lost",
    "strict-accounts": "accounts may be created elsewhere: a zero-touch script, a TACACS+ server",
    "strict-certificate": "the operator may trust the certificate of each switch by itself",
    "strict-sources": "a firewall in front of the out-of-band network may do it",
    "spines-drained": "drained spines still forward where no other path is left",
    "subnet-short": "the operator may know that not every server uses the network",
    "unsupported-version": "the configuration was not validated for this release; the operator may have tested it",
}
"""Codes of problems that can be waived → why."""

WARNINGS: Mapping[str, str] = {
    "ecn-after-pfc-published": "the vendor of the switch has tested its thresholds",
    "ttl-unchecked": "one checked end of a session is enough for the operator",
    "ttl-sent-only": "the next step of the change follows",
    "few-flows": "the operator knows how many flows the jobs make",
    "hashed-above": "flows may share a link on the way down",
    "control-with-cnp": "the operator has tested that sessions stay up during a storm of CNPs",
    "headroom-unproven": "the operator has measured that nothing is lost",
    "lossless-exits": "the outside peers send no packets with these code points",
    "lossless-oversubscribed": "the operator knows the load of RDMA",
    "lossless-switched": "the operator has tested the watchdog",
    "idle-key": "the setting that it needs may be added later",
    "link-loss-idle": "the fabric may have fewer spines at another time",
    "mac-limit-low": "the guests may be added later",
    "drain-idle": "the operator stops the jobs on the servers",
    "factory-password": "the operator has changed it on the switches",
    "nic-unknown": "the operator configures these NICs",
    "outside-drained": "the operator has agreed the time with the users of the external connection",
    "rdma-bond": "the operator knows that both ports are on one card, or that no RDMA uses the bond",
    "release-between": "the operator has loaded the files on a switch of that release",
    "pair-short": "less capacity than planned while a link is broken",
    "plain-reference": "the text may be intended",
    "ports-left-up": "the operator has agreed the time with the users of the servers",
    "spraying-unproven": "the operator has measured that NICs take packets in any order",
    "security-clocks": "the site has one clock, which has a reserve of its own",
    "security-in-band": "a filter that fabricgen does not write closes the switches in band",
    "security-login": "the operator ends idle sessions by other means",
    "security-logs": "the operator collects logs by other means",
    "security-mac-limit": "the operator trusts the servers",
    "security-sessions": "nobody but switches can send packets into the fabric",
    "security-snmp": "the collector takes nothing else",
    "security-storm-control": "the operator trusts the servers",
    "subnet-alone": "the operator has agreed the time with the users of the subnet",
    "seeds-not-configurable": "the operator has measured the spread of traffic on the switches",
    "watchdog-rounded": "the time is longer or shorter by one step",
    "unequal-members": "traffic is spread less evenly while a link is broken",
}
"""Codes of warnings, which stop nothing → a typical reason to waive; a waiver silences the warning."""

NEVER: Mapping[str, str] = {
    "backend-open": "a backend must not have external connectivity",
    "planes-joined": "planes that are connected fail together",
    "leaf-cut-off": "servers of a leaf without a path to the others are lost, not slow",
    "buffer-cycle": "buffers that wait in a circle (PFC deadlock) stop the whole fabric",
    "valley-path": "a path down and up again can cause a PFC deadlock",
    "tenant-overlap": "tenants would reach each other",
    "accept-own": "an external peer would attract packets for servers of the fabric",
    "name-twice": "other tools reject one name for two things",
    "address-twice": "one address on two ports breaks both",
    "asn-twice": "one AS number on two leaves drops each other's routes",
    "vni-twice": "one VNI for two networks joins them",
    "port-twice": "one port cannot take two cables",
    "nic-port-twice": "one port cannot take two cables",
    "nic-cage-twice": "one cage cannot hold two transceivers",
    "platform-cannot": "the switch would reject the lines, or ignore them",
    "platform-limit": "the switch would reject the lines, or ignore them",
    "ttl-differs": "the sessions of the link would be down",
    "password-differs": "the sessions of the link would be down",
    "marking-differs": "a packet that is lossless on one switch is dropped on the next",
}
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


def _suggestion(code: str) -> str:
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
                why=NEVER.get(
                    waiver.code,
                    "only problems that cost capacity or convenience can be waived, and this one breaks something",
                ),
                fix=f"remove this entry, and fix the problem {waiver.code}{_suggestion(waiver.code)}",
            )
        elif (waiver.code, waiver.where) in seen:
            yield Problem(
                code="waiver-twice",
                what=f"{waiver.code} is waived twice{f' at {waiver.where}' if waiver.where else ''}",
                where=("waivers", position),
                why=f"waivers[{seen[waiver.code, waiver.where]}] already waives it",
                fix="remove one of the two, and keep the better reason",
            )
        seen.setdefault((waiver.code, waiver.where), position)
