"""Next hops of one route against those that were planned: interfaces, addresses behind them, shares of the traffic."""

from collections.abc import Iterable, Mapping
from itertools import product

from fabricgen.state.state import SVI, Hop, Interface
from fabricgen.verify.expect.model import ExpectedRoute
from fabricgen.verify.judge.ledger import listed

Svis = Mapping[int, frozenset[str]]
"""VLAN → names of its svi."""
LINK_LOCAL = ("fe8", "fe9", "fea", "feb", "169.254.")
"""How such addresses begin (RFC 4291 section 2.5.6, RFC 3927); FRR writes the latter for sessions without addresses."""


def svis(interfaces: Iterable[Interface] | None) -> Svis | None:
    """Those of a switch; None where its interfaces were not read."""
    if interfaces is None:
        return None
    found: dict[int, frozenset[str]] = {}
    for one in interfaces:
        if one.kind == SVI:
            found[one.vlan_id] = found.get(one.vlan_id, frozenset()) | {one.name}
    return found


def number_of(hops: Iterable[Hop]) -> int:
    """Next hops, each once whatever its weight."""
    return len({(hop.address, hop.interface) for hop in hops})


def hops_text(hops: Iterable[Hop]) -> str:
    """The first few, for people."""
    return listed(sorted({_text(hop) for hop in hops}), "no next hop")


def weights(hops: Iterable[Hop]) -> str:
    """Shares of the traffic where they are not equal, else empty."""
    shares = {hop.weight for hop in hops}
    return listed(f"{hop.weight} over {_text(hop)}" for hop in sorted(hops, key=_share)) if len(shares) > 1 else ""


def _share(hop: Hop) -> tuple[int, str, str]:
    """The largest first."""
    return -hop.weight, hop.interface, hop.address


def _text(hop: Hop) -> str:
    return f"{hop.address} {hop.interface}".strip()


def differing(one: ExpectedRoute, hops: tuple[Hop, ...], names: Svis | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Next hops that lack, and those too many; nothing where none were planned."""
    if one.vlan_id:
        return _unconnected(one.vlan_id, hops, names)
    if not one.interfaces:
        return _set_apart(one, {hop.address for hop in hops}) if one.addresses else ((), ())
    lacking, extra = _set_apart(one, {hop.interface for hop in hops})
    return lacking, (*extra, *_strangers(one, hops))


def _unconnected(vlan_id: int, hops: tuple[Hop, ...], names: Svis | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A subnet of a VLAN must be connected, and by its svi where it is known which that is."""
    own = {hop.interface for hop in hops} if names is None else names.get(vlan_id, frozenset())
    extra = tuple(sorted(_text(hop) for hop in hops if hop.address or hop.interface not in own))
    return (() if len(extra) < len(hops) or not hops else (f"vlan {vlan_id}",)), extra


def _set_apart(one: ExpectedRoute, has: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    wanted = set(one.interfaces or one.addresses)
    some = 0 < one.width < len(wanted)
    return () if some else tuple(sorted(wanted - has)), tuple(sorted(has - wanted))


def _strangers(one: ExpectedRoute, hops: tuple[Hop, ...]) -> tuple[str, ...]:
    """Next hops over a planned interface at an address that is not planned behind it."""
    if not one.addresses:
        return ()
    alike = len(one.interfaces) == len(one.addresses)
    pairs = set(zip(one.interfaces, one.addresses, strict=True) if alike else product(one.interfaces, one.addresses))
    return tuple(
        sorted(
            f"{hop.address or 'no address'} on {hop.interface}"
            for hop in hops
            if hop.interface in one.interfaces
            and (hop.interface, hop.address) not in pairs
            and ((hop.interface, "") in pairs or not hop.address.startswith(LINK_LOCAL))
        )
    )
