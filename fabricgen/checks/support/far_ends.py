"""Features that need support on other switches, too: the far end of a link, the other leaf of a server, all."""

from collections.abc import Iterator

from fabricgen.checks.support.capabilities import without
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of, present_places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Capability, FeatureScope
from fabricgen.resolve.needs import Party, parties

ADJACENT = frozenset((("leaf", "spine"), ("border-leaf", "spine"), ("spine", "superspine")))
"""Roles that links connect, the lower one first."""


def far_ends(plan: Plan) -> Iterator[Problem]:
    """Features that the far end, a server's other leaf or every switch of the fabric must also have are on all of them.

    Compared are roles, and each set of settings and each operating system from overrides. MTU, FEC, BFD and marking of
    both ends are compared by the check of switches, and what NICs must accept by the check of modes.

    Source: `scope` of the capability row, and the source of that row.
    """
    for name, fabric in plan.fabrics.items():
        present = [party for party in parties(plan, name) if _has_switches(fabric, party)]
        reported: set[str] = set()
        for party in present:
            for feature in party.features:
                problem = _one_sided(fabric, party, feature, present)
                if problem is not None and feature not in reported:
                    reported.add(feature)
                    yield problem


def _one_sided(fabric: FabricPlan, party: Party, feature: str, others: list[Party]) -> Problem | None:
    platform = PLATFORMS.get(party.system)
    row = platform.can(feature, party.version) if platform is not None else None
    if platform is None or row is None or row.scope is FeatureScope.SWITCH:
        return None
    for other in others:
        lack = _lack(row, party, feature, other) if meets(fabric, row.scope, party, other) else ""
        if lack:
            where, fix = _way_out(party, feature, other)
            return Problem(
                code="one-sided",
                what=f"{platform.title} has {feature} on {_who(party)}, and {_who(other)} {lack}",
                where=where,
                why=f"{row.alike or row.limit} ({row.source})",
                fix=fix,
            )
    return None


def _lack(row: Capability, party: Party, feature: str, other: Party) -> str:
    """Return what the other side lacks; empty where it lacks nothing."""
    if row.alike and other.system != party.system:
        title = PLATFORMS[other.system].title if other.system in PLATFORMS else other.system
        return f"{'run' if _are_many(other) else 'runs'} {title}"
    lack = "lack it" if _are_many(other) else "lacks it"
    return "" if feature in other.features else lack


def _way_out(party: Party, feature: str, other: Party) -> tuple[IntentPath, str]:
    """Return the path in the intent to change, and the fix: the switches that differ, or the fabric."""
    path = party.features[feature]
    off = without(path)
    if party.variant is not None:
        return path, off
    if other.variant is not None:
        if not off:
            return other.variant.placed(path), "remove this override"
        block = ".".join(str(part) for part in path[:-1])
        whole = off.replace("write ", f"write {block}.", 1) if off.startswith("write ") else f"{off} in {block}"
        return other.variant.placed(path), f"remove this override, or {whole}"
    return path, off


def _are_many(party: Party) -> bool:
    return party.variant is not None and len(party.variant.devices) > 1


def _who(party: Party) -> str:
    if party.variant is None:
        return f"{party.fabric} {party.role}"
    first, *more = party.variant.devices
    return f"{first} and {len(more)} more" if more else first


def _has_switches(fabric: FabricPlan, party: Party) -> bool:
    """Return whether any switch has the settings of a party: overrides may have replaced all of a role."""
    if party.variant is not None or not (fabric.exceptions.settings or fabric.exceptions.systems):
        return True
    with_settings = fabric.exceptions.settings
    return any(
        place.tier.value == party.role and name_of(fabric, place) not in with_settings
        for place in present_places(fabric)
    )


def meets(fabric: FabricPlan, scope: FeatureScope, party: Party, other: Party) -> bool:
    """Return whether a feature of one party concerns the other."""
    if other is party:
        return False
    if scope is FeatureScope.LINK:
        return (party.role, other.role) in ADJACENT or (other.role, party.role) in ADJACENT
    if scope is FeatureScope.PAIR:
        return party.role == other.role and _share_servers(fabric, party, other)
    return True


def _share_servers(fabric: FabricPlan, party: Party, other: Party) -> bool:
    """Return whether a leaf of one party shares servers with a leaf of the other. One of them has its own settings."""
    single, rest = (party, other) if party.variant is not None else (other, party)
    if single.variant is None:
        return False
    names = set(rest.variant.devices) if rest.variant is not None else None
    for name in single.variant.devices:
        place = place_of(fabric, name)
        for mate in _mates(fabric, place) if place is not None else ():
            mate_name = name_of(fabric, mate)
            if mate_name in names if names is not None else mate_name not in fabric.exceptions.settings:
                return True
    return False


def _mates(fabric: FabricPlan, place: Place) -> Iterator[Place]:
    if place.tier is Tier.LEAF:
        count = group_of(fabric, place.group).indexes
        yield from (place._replace(index=index) for index in range(count) if index != place.index)
