"""Two scenarios of one site to what the transition from one to the other moves, changes and costs."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.diff.difference import Options, compare
from fabricgen.diff.side import SiteState
from fabricgen.diff.words import named
from fabricgen.intent.model import Intent
from fabricgen.intent.slot_ranges import Range, common, parse_range, without
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Risk


class OwnedServers(NamedTuple):
    """Servers or NICs, and their tenant; empty if they belong to no tenant."""

    range: Range
    tenant: str


class TenantMove(NamedTuple):
    """Servers or NICs that change tenants, as an intent writes them; `before` or `after` is empty for no tenant."""

    what: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """The move as people read it."""
        return f"{self.what} {self.before or 'nobody'} -> {self.after or 'nobody'}"


class Transition(NamedTuple):
    """The transition from one scenario to another.

    switches  those that change, of `total`; risk: the highest of their changes; gpus: reached by changes of that
              risk
    moves     by group and slot
    """

    before: str
    after: str
    switches: tuple[str, ...]
    total: int
    risk: Risk
    gpus: int
    moves: tuple[TenantMove, ...]

    @property
    def words(self) -> str:
        """The transition as people read it."""
        if not self.switches:
            return "no switch changes"
        reached = f", {self.gpus} attached GPUs" if self.gpus else ""
        listed = named(list(self.switches))
        return f"{len(self.switches)} of {self.total} switches, {self.risk.words}{reached}: {listed}"

    @property
    def plain(self) -> dict[str, object]:
        """The transition as JSON."""
        moves = [move._asdict() for move in self.moves]
        return self._asdict() | {"switches": list(self.switches), "risk": self.risk.words, "moves": moves}


def transition(before: tuple[str, Plan], after: tuple[str, Plan], options: Options) -> Transition:
    """Compare two scenarios, each a name and its plan. Only the Devices of one switch are held at a time."""
    (old_name, old), (new_name, new) = before, after
    difference = compare(SiteState(name=old_name, plan=old), SiteState(name=new_name, plan=new), options)
    changed = {name for each_class in difference.meaning for name in each_class.devices}
    changed |= {name for text in difference.text for name in text.devices}
    return Transition(
        before=old_name,
        after=new_name,
        switches=tuple(sorted(changed)),
        total=difference.after,
        risk=difference.risk,
        gpus=difference.reached.gpus,
        moves=tuple(sorted({*moves(old.intent, new.intent)})),
    )


def moves(before: Intent, after: Intent) -> Iterator[TenantMove]:
    """Whole servers that change tenants, then single NICs.

    A NIC without a tenant of its own belongs to its server's.
    """
    old, new = list(_servers(before)), list(_servers(after))
    yield from _moves(old, new)
    yield from _moves(
        [*(nics_before := list(_nics(before))), *_nics_of_servers(old, nics_before, list(_nics(after)))],
        [*(nics_after := list(_nics(after))), *_nics_of_servers(new, nics_after, nics_before)],
    )


def _moves(old: list[OwnedServers], new: list[OwnedServers]) -> Iterator[TenantMove]:
    for old_owned in old:
        for new_owned in new:
            shared = common(old_owned.range, new_owned.range)
            if shared is not None and old_owned.tenant != new_owned.tenant:
                yield TenantMove(shared.text, old_owned.tenant, new_owned.tenant)
        yield from (TenantMove(remainder.text, old_owned.tenant, "") for remainder in _rest(old_owned.range, new))
    for new_owned in new:
        yield from (TenantMove(remainder.text, "", new_owned.tenant) for remainder in _rest(new_owned.range, old))


def _rest(owned_range: Range, others: Iterable[OwnedServers]) -> list[Range]:
    remainder = [owned_range]
    for other in others:
        remainder = [part for piece in remainder for part in without(piece, other.range)]
    return remainder


def _nics_of_servers(
    servers: Iterable[OwnedServers], own: list[OwnedServers], elsewhere: list[OwnedServers]
) -> Iterator[OwnedServers]:
    """NICs that are listed singly on the other side, and here belong to their server's tenant."""
    for single in elsewhere:
        for rest in _rest(single.range, own):
            yield from (
                OwnedServers(part, owned.tenant) for owned in servers if (part := common(owned.range, rest)) is not None
            )


def _servers(intent: Intent) -> Iterator[OwnedServers]:
    return (OwnedServers(parse_range(text), name) for name, body in intent.tenants.items() for text in body.servers)


def _nics(intent: Intent) -> Iterator[OwnedServers]:
    return (OwnedServers(parse_range(text), name) for name, body in intent.tenants.items() for text in body.nics)
