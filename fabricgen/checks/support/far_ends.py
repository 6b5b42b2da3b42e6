"""Features that work only where others have them: the far end of a link, the other leaf of a server, every switch."""

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
"""Roles that links join, the lower one first."""


def far_ends(plan: Plan) -> Iterator[Problem]:
    """What works only where the far end has it, the other leaf of a server, or every switch of the fabric, all have.

    Judged over roles, and over each set of settings and each operating system that overrides give: systems, models and
    overrides that are mixed. Both ends' MTU, FEC, BFD and marking are for the check of switches. What NICs must accept
    is for the check of modes.

    Source: `scope` of the capability row, and the source of that row.
    """
    for name, fabric in plan.fabrics.items():
        every = [party for party in parties(plan, name) if _is_there(fabric, party)]
        told: set[str] = set()
        for party in every:
            for feature in party.features:
                found = _one_sided(fabric, party, feature, every)
                if found is not None and feature not in told:
                    told.add(feature)
                    yield found


def _one_sided(fabric: FabricPlan, party: Party, feature: str, every: list[Party]) -> Problem | None:
    platform = PLATFORMS.get(party.system)
    row = platform.can(feature) if platform is not None else None
    if platform is None or row is None or row.scope is FeatureScope.SWITCH:
        return None
    for other in every:
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
    """What the other side is without; empty where it has all that it takes."""
    if row.alike and other.system != party.system:
        title = PLATFORMS[other.system].title if other.system in PLATFORMS else other.system
        return f"{'run' if _are_many(other) else 'runs'} {title}"
    lack = "lack it" if _are_many(other) else "lacks it"
    return "" if feature in other.features else lack


def _way_out(party: Party, feature: str, other: Party) -> tuple[IntentPath, str]:
    """Where to change the intent, and what to type: the switch that is on its own, or the fabric."""
    asked = party.features[feature]
    off = without(asked)
    if party.variant is not None:
        return asked, off
    if other.variant is not None:
        if not off:
            return other.variant.placed(asked), "remove this override"
        block = ".".join(str(part) for part in asked[:-1])
        whole = off.replace("write ", f"write {block}.", 1) if off.startswith("write ") else f"{off} in {block}"
        return other.variant.placed(asked), f"remove this override, or {whole}"
    return asked, off


def _are_many(party: Party) -> bool:
    return party.variant is not None and len(party.variant.devices) > 1


def _who(party: Party) -> str:
    if party.variant is None:
        return f"{party.fabric} {party.role}"
    first, *more = party.variant.devices
    return f"{first} and {len(more)} more" if more else first


def _is_there(fabric: FabricPlan, party: Party) -> bool:
    """Whether any switch has the settings of a party: overrides may have taken all of a role."""
    if party.variant is not None or not (fabric.exceptions.settings or fabric.exceptions.systems):
        return True
    own = fabric.exceptions.settings
    return any(place.tier.value == party.role and name_of(fabric, place) not in own for place in present_places(fabric))


def meets(fabric: FabricPlan, scope: FeatureScope, party: Party, other: Party) -> bool:
    """Whether what one party has concerns the other."""
    if other is party:
        return False
    if scope is FeatureScope.LINK:
        return (party.role, other.role) in ADJACENT or (other.role, party.role) in ADJACENT
    if scope is FeatureScope.PAIR:
        return party.role == other.role and _share_servers(fabric, party, other)
    return True


def _share_servers(fabric: FabricPlan, party: Party, other: Party) -> bool:
    """Whether a leaf of the one has a mate among the others. One of the two has settings of its own."""
    own, far = (party, other) if party.variant is not None else (other, party)
    if own.variant is None:
        return False
    names = set(far.variant.devices) if far.variant is not None else None
    for name in own.variant.devices:
        place = place_of(fabric, name)
        for mate in _mates(fabric, place) if place is not None else ():
            found = name_of(fabric, mate)
            if found in names if names is not None else found not in fabric.exceptions.settings:
                return True
    return False


def _mates(fabric: FabricPlan, place: Place) -> Iterator[Place]:
    if place.tier is Tier.LEAF:
        count = group_of(fabric, place.group).indexes
        yield from (place._replace(index=index) for index in range(count) if index != place.index)
