"""Two scenarios of one site to what the way from one to the other moves, changes and costs."""

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
    """Servers, or NICs of them, and whose they are; nobody's: an empty tenant."""

    range: Range
    tenant: str


class TenantMove(NamedTuple):
    """What goes from one tenant to another, as an intent writes it; `before` or `after` is empty for nobody."""

    what: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """As people read it."""
        return f"{self.what} {self.before or 'nobody'} -> {self.after or 'nobody'}"


class Transition(NamedTuple):
    """The way from one scenario to another.

    switches  that change, of `standing`; risk: the worst of what changes on them; gpus: behind what has that risk
    moves     by group and slot
    """

    before: str
    after: str
    switches: tuple[str, ...]
    standing: int
    risk: Risk
    gpus: int
    moves: tuple[TenantMove, ...]

    @property
    def words(self) -> str:
        """As people read it."""
        if not self.switches:
            return "no switch changes"
        reached = f", {self.gpus} GPUs behind" if self.gpus else ""
        listed = named(list(self.switches))
        return f"{len(self.switches)} of {self.standing} switches, {self.risk.words}{reached}: {listed}"

    @property
    def plain(self) -> dict[str, object]:
        """As JSON."""
        moves = [move._asdict() for move in self.moves]
        return self._asdict() | {"switches": list(self.switches), "risk": self.risk.words, "moves": moves}


def transition(before: tuple[str, Plan], after: tuple[str, Plan], options: Options) -> Transition:
    """Compare two scenarios, each a name and its plan. Switches are resolved two at a time, and none is kept."""
    (old_name, old), (new_name, new) = before, after
    found = compare(SiteState(name=old_name, plan=old), SiteState(name=new_name, plan=new), options)
    changed = {name for one in found.meaning for name in one.devices}
    changed |= {name for text in found.text for name in text.devices}
    return Transition(
        before=old_name,
        after=new_name,
        switches=tuple(sorted(changed)),
        standing=found.after,
        risk=found.risk,
        gpus=found.reached.gpus,
        moves=tuple(sorted({*moves(old.intent, new.intent)})),
    )


def moves(before: Intent, after: Intent) -> Iterator[TenantMove]:
    """Whole servers that change hands, then single NICs; a NIC that nobody has by itself is its server's owner's."""
    old, new = list(_servers(before)), list(_servers(after))
    yield from _moves(old, new)
    yield from _moves(
        [*(nics_before := list(_nics(before))), *_behind(old, nics_before, list(_nics(after)))],
        [*(nics_after := list(_nics(after))), *_behind(new, nics_after, nics_before)],
    )


def _moves(old: list[OwnedServers], new: list[OwnedServers]) -> Iterator[TenantMove]:
    for one in old:
        for other in new:
            shared = common(one.range, other.range)
            if shared is not None and one.tenant != other.tenant:
                yield TenantMove(shared.text, one.tenant, other.tenant)
        yield from (TenantMove(left.text, one.tenant, "") for left in _rest(one.range, new))
    for other in new:
        yield from (TenantMove(left.text, "", other.tenant) for left in _rest(other.range, old))


def _rest(one: Range, taken: Iterable[OwnedServers]) -> list[Range]:
    left = [one]
    for each in taken:
        left = [part for piece in left for part in without(piece, each.range)]
    return left


def _behind(
    servers: Iterable[OwnedServers], own: list[OwnedServers], elsewhere: list[OwnedServers]
) -> Iterator[OwnedServers]:
    """NICs that are single on the other side, and here belong to whoever has their server."""
    for each in elsewhere:
        for left in _rest(each.range, own):
            yield from (
                OwnedServers(found, one.tenant) for one in servers if (found := common(one.range, left)) is not None
            )


def _servers(intent: Intent) -> Iterator[OwnedServers]:
    return (OwnedServers(parse_range(text), name) for name, body in intent.tenants.items() for text in body.servers)


def _nics(intent: Intent) -> Iterator[OwnedServers]:
    return (OwnedServers(parse_range(text), name) for name, body in intent.tenants.items() for text in body.nics)
