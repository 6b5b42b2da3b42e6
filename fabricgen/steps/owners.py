"""Slots that hold a server, and their owners, according to the intent."""

from fabricgen.intent.backend_rules import claims
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import spans_text
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.tenants import server_spans


def slots_of(intent: Intent) -> frozenset[SlotKey]:
    """Slots in which the intent counts a server."""
    return frozenset(
        SlotKey(name, slot)
        for name, group in intent.servers.items()
        for span in group.slots
        for slot in range(span.first, span.last + 1)
    )


def owners_of(intent: Intent) -> dict[SlotKey, str]:
    """Tenant of each slot that has one, and of its single NICs, as text for comparison."""
    owner_of = {
        SlotKey(group, slot): name
        for name, tenant in intent.tenants.items()
        for group, spans in server_spans(tenant.servers).items()
        for span in spans
        for slot in range(span.first, span.last + 1)
    }
    for name, tenant in sorted(intent.tenants.items()):
        for claim in (claim for text in tenant.nics for claim in claims(text)):
            for slot in range(claim.slots.first, claim.slots.last + 1):
                key = SlotKey(claim.group, slot)
                owner_of[key] = f"{owner_of.get(key, '')} {name}/{spans_text((claim.rails,))}"
    return owner_of


def handed_over(before: Intent, after: Intent) -> tuple[SlotKey, ...]:
    """Slots with a server on both sides whose tenant changes, sorted."""
    old, new = owners_of(before), owners_of(after)
    both = slots_of(before) & slots_of(after)
    return tuple(sorted(key for key in both if old.get(key) != new.get(key)))
