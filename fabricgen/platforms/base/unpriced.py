"""Costs of a platform for which none was measured or found in a source: every kind is unknown."""

from collections.abc import Mapping

from fabricgen.changes.kinds.catalogue import KINDS
from fabricgen.platforms.base.cost import Cost, Risk


def unpriced(title: str) -> Mapping[str, Cost]:
    """A row for every kind of change; a review counts each as traffic loss."""
    return {
        kind.name: Cost(
            kind.name,
            added=Risk.UNKNOWN,
            changed=Risk.UNKNOWN,
            removed=Risk.UNKNOWN,
            source="",
            unsure=f"the cost of changes on {title} was not measured and is undocumented",
        )
        for kind in KINDS
    }
