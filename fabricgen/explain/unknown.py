"""The problem for unknown words: why, and the nearest name that may be meant."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.explain.address import read_address
from fabricgen.explain.code import code_words
from fabricgen.explain.device import named_seat
from fabricgen.explain.inverse import Seat, fabric_of, seat_name
from fabricgen.explain.known import KnownSite
from fabricgen.explain.nearest import begun, nearest_words, such_as
from fabricgen.explain.parse import Question
from fabricgen.explain.peer import peer_names
from fabricgen.explain.server import named_slot
from fabricgen.explain.sockets import names_of
from fabricgen.explain.tenant import tenants_of
from fabricgen.intent.fabric import router_ids_of

_LAST_NUMBER = re.compile(r"[0-9]{1,9}(?=\]?$)")
ALIKE = 0.65
"""Minimum similarity of a code to the typed word for the code to be offered."""
MOST_SHOWN = 60
"""Limit on the characters that a message repeats of the typed word."""


def unknown(known: KnownSite, asked: Question) -> Problem:
    """The problem of words that have no meaning here."""
    text = asked.text[:MOST_SHOWN]
    device, slash, port = text.partition("/")
    if slash and read_address(asked.text) is None:
        problem = _unknown_port(known, device, port)
        if problem is not None:
            return problem
    if read_address(asked.text) is not None:
        return _unknown_address(known, text)
    if text.isascii() and text.isdigit():
        return _unknown_number(known, asked.kind, text)
    ranges = tuple(_ranges(known, text))
    if ranges:
        guess = next((each.guess for each in ranges if each.guess), "")
        why = "; ".join(each.why for each in ranges)
        fix = f"did you mean {guess}?" if guess else f"use a planned name, e.g. {ranges[-1].first}"
    else:
        why, fix = (
            "no switch, server, tenant, network, external peer, fabric or check has this name",
            _nearest(known, device),
        )
    what = (
        f"nothing in this site is named {text}"
        if not asked.kind
        else f"{text} is not a known {asked.kind} of this site"
    )
    return Problem(code="unknown-name", what=what, why=why, fix=fix)


def _nearest(known: KnownSite, text: str) -> str:
    """The nearest word; if none is near, an example of each kind."""
    # With hundreds of codes, one always resembles a word a little; only a very similar one is worth a guess.
    suggestion = (nearest_words(text, code_words(), ALIKE) if "-" in text else "") or nearest_words(
        text, _candidates(known, text), 0.7
    )
    return suggestion or such_as(_kinds(known))


def _kinds(known: KnownSite) -> Iterator[str]:
    """The first name of each kind of thing."""
    segments, groups = known.plan.lock.segments, known.plan.intent.servers
    yield from (seat_name(known.plan, Seat(segment, 0)) for segment in segments[:1])
    yield from (f"{name}[0]" for name in tuple(groups)[:1])
    yield from tuple(known.plan.fabrics)[:1]
    yield from (tenant.name for _, tenant in tuple(tenants_of(known))[:1])
    yield from tuple(peer_names(known))[:1]


def _unknown_port(known: KnownSite, device: str, port: str) -> Problem | None:
    seat, slot = named_seat(known, device), named_slot(known, device)
    fabric = fabric_of(known.plan, seat.segment) if seat is not None else None
    if seat is not None and fabric is not None:
        languages = names_of(fabric, seat.place)
        why = f"the plan uses {len(languages[0])} ports of {device}, named as its operating system names them"
    elif slot is not None:
        shapes = (group for each in known.plan.fabrics.values() for group in each.shape.groups)
        languages = (frozenset(nic.name for group in shapes if group.name == slot.group for nic in group.nics.ports),)
        why = "NIC ports have the names in the server's hardware file"
    else:
        return None
    fix = next(
        filter(None, (begun(port, names) or nearest_words(port, names) for names in languages)), such_as(languages[0])
    )
    return Problem(code="unknown-port", what=f"{device} has no port {port} in this plan", why=why, fix=fix)


def _unknown_address(known: KnownSite, text: str) -> Problem:
    fabrics = known.plan.fabrics.values()
    pools = [
        str(pool) for each in fabrics for pool in (each.fabric.addressing.ipv4, each.fabric.addressing.ipv6) if pool
    ]
    pools += [f"router ids {ids}" for each in fabrics if (ids := router_ids_of(each.fabric.addressing)) is not None]
    subnets = [str(subnet) for _, tenant in tenants_of(known) for net in tenant.networks for subnet in net.subnets]
    return Problem(
        code="address-outside",
        what=f"{text} is outside all pools and subnets of this site",
        why=f"fabrics have {', '.join(pools)}; management {known.plan.intent.management.oob}",
        fix=f"use an address of these, or of a tenant: {', '.join(sorted(set(subnets))[:8]) or 'there is none'}",
    )


def _unknown_number(known: KnownSite, kind: str, text: str) -> Problem:
    ranges = [f"{f.name} {f.fabric.asns.first}-{f.fabric.asns.last}" for f in known.plan.fabrics.values()]
    vnis = sorted({n for _, t in tenants_of(known) for n in (t.vni, *(net.vni for net in t.networks))})
    vlans = sorted({net.vlan_id for _, t in tenants_of(known) for net in t.networks})
    numbers = {
        "asn": ("AS number", f"AS numbers: {', '.join(ranges)}"),
        "vni": ("VNI", f"VNIs: {_some(vnis)}"),
        "vlan": ("VLAN", f"VLANs: {_some(vlans)}"),
    }
    asked_numbers = [numbers[kind]] if kind in numbers else list(numbers.values())
    return Problem(
        code="unknown-number",
        what=f"no {' or '.join(noun for noun, _ in asked_numbers)} {text} on this site",
        why="; ".join(known_numbers for _, known_numbers in asked_numbers),
        fix="use one of these numbers",
    )


def _some(numbers: list[int]) -> str:
    more = len(numbers) - 12
    return (", ".join(map(str, numbers[:12])) or "none") + (f" and {more} more" if more > 0 else "")


class _Planned(NamedTuple):
    """Planned names with numbers: as text, the first of them, and the one with the typed number; empty for none."""

    why: str
    first: str
    guess: str = ""


def _ranges(known: KnownSite, text: str) -> Iterator[_Planned]:
    """The ranges of planned names that differ from a word only in their number."""
    stem, match = _LAST_NUMBER.sub("", text), _LAST_NUMBER.search(text)
    number_typed = int(match[0]) if match is not None else -1
    for segment in known.plan.lock.segments if stem != text else ():
        first, last = (seat_name(known.plan, Seat(segment, number)) for number in (0, segment.box.size() - 1))
        if _LAST_NUMBER.sub("", first) == stem:
            n = number_typed - segment.first
            guess = seat_name(known.plan, Seat(segment, n)) if 0 <= n < segment.box.size() else ""
            yield _Planned(f"{first} to {last} are planned", first, guess)
    for name, group in known.plan.intent.servers.items() if stem != text else ():
        last_slot = group.planned_slots - 1
        if stem in (f"{name}[]", f"{name}-"):
            yield _Planned(f"{name}[0-{last_slot}] are planned", f"{name}[0]")


def _candidates(known: KnownSite, text: str) -> Iterator[str]:
    """Candidate words: switches and servers with the same number, or the last one of a tier or group."""
    match = _LAST_NUMBER.search(text)
    number = int(match[0]) if match is not None else 0
    for segment in known.plan.lock.segments:
        nearest = min(max(number - segment.first, 0), segment.box.size() - 1)
        yield seat_name(known.plan, Seat(segment, nearest))
    for name, group in known.plan.intent.servers.items():
        slot = min(number, group.planned_slots - 1)
        yield from (name, f"{name}[{slot}]", f"{name}-{slot:03d}")
    yield from known.plan.fabrics
    for name, fabric in known.plan.fabrics.items():
        yield f"plane:{name}/{min(number, fabric.shape.planes - 1)}"
    yield from peer_names(known)
    for _, tenant in tenants_of(known):
        yield tenant.name
        yield from (f"{tenant.name}/{network.name}" for network in tenant.networks)
