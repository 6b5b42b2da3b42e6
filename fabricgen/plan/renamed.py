"""Renames between two plans: names that changed between two intents, and the places with those names."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fabricgen.intent.model import Intent
from fabricgen.plan.place import Place
from fabricgen.plan.renames import Renamable


class Former(NamedTuple):
    """Names after → names before, of what was renamed in between; networks as "tenant/network"."""

    fabrics: Mapping[str, str]
    groups: Mapping[str, str]
    tenants: Mapping[str, str]
    networks: Mapping[str, str]

    def place(self, after: Place) -> Place:
        """Place of the switch before the rename."""
        # Most plans are compared without any rename, and this is called for every switch.
        if not self.fabrics and not self.groups:
            return after
        return after._replace(fabric=self.fabric(after.fabric), group=self.group(after.group))

    def fabric(self, after: str) -> str:
        """Name of a fabric before."""
        return self.fabrics.get(after, after)

    def group(self, after: str) -> str:
        """Name of a server group before."""
        return self.groups.get(after, after)

    def tenant(self, after: str) -> str:
        """Name of a tenant before."""
        return self.tenants.get(after, after)

    def network(self, after: str) -> str:
        """Name of a network before, with its tenant's."""
        tenant, _, network = self.networks.get(after, after).partition("/")
        return f"{self.tenant(tenant)}/{network}"


def former_names(before: Intent, after: Intent) -> Former:
    """Renames between two intents, according to `was`.

    The locks are not used: after a render they have the new name on both sides. A `was` of the older intent counts too,
    so a reverted rename is a rename and not a removal.
    """
    tenants = _former(before.tenants, after.tenants)
    renamed_networks = {}
    for name, tenant in sorted(after.tenants.items()):
        former = before.tenants.get(tenants.get(name, name))
        if former is not None:
            renamed = _former(former.networks, tenant.networks)
            renamed_networks.update({f"{name}/{new}": f"{name}/{old}" for new, old in renamed.items()})
    return Former(
        fabrics=_former(before.fabrics, after.fabrics),
        groups=_former(before.servers, after.servers),
        tenants=tenants,
        networks=renamed_networks,
    )


def _former(before: Mapping[str, Renamable], after: Mapping[str, Renamable]) -> dict[str, str]:
    """Name after → name before. Each must exist on its own side only; else both exist, and nothing was renamed."""
    pairs = [(name, thing.was) for name, thing in sorted(after.items())]
    pairs += [(thing.was, name) for name, thing in sorted(before.items()) if thing.was is not None]
    return {
        new: old
        for new, old in pairs
        if new is not None
        and old is not None
        and _is_only_here(old, before, after)
        and _is_only_here(new, after, before)
    }


def _is_only_here(name: str, here: Iterable[str], there: Iterable[str]) -> bool:
    return name in here and name not in there
