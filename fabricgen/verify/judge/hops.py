"""Next hops of one route against the planned ones: interfaces, addresses behind them, traffic shares."""

from collections.abc import Iterable, Mapping
from itertools import product

from fabricgen.base.text import listed
from fabricgen.state.state import SVI, Hop, Interface
from fabricgen.verify.expect.model import ExpectedRoute

Svis = Mapping[int, frozenset[str]]
"""VLAN → names of its svi."""
LINK_LOCAL = ("fe8", "fe9", "fea", "feb", "169.254.")
"""Prefixes of such addresses (RFC 4291 section 2.5.6, RFC 3927); FRR uses the latter for sessions without addresses."""


def svis(interfaces: Iterable[Interface] | None) -> Svis | None:
    """Names of the svis of a switch by VLAN; None where its interfaces were not read."""
    if interfaces is None:
        return None
    names: dict[int, frozenset[str]] = {}
    for interface in interfaces:
        if interface.kind == SVI:
            names[interface.vlan_id] = names.get(interface.vlan_id, frozenset()) | {interface.name}
    return names


def number_of(hops: Iterable[Hop]) -> int:
    """Number of next hops, each counted once whatever its weight."""
    return len({(hop.address, hop.interface) for hop in hops})


def hops_text(hops: Iterable[Hop]) -> str:
    """The first few next hops, for people."""
    return listed(sorted({_text(hop) for hop in hops}), "no next hop")


def weights(hops: Iterable[Hop]) -> str:
    """Traffic shares if they are not equal, else empty."""
    shares = {hop.weight for hop in hops}
    return listed(f"{hop.weight} over {_text(hop)}" for hop in sorted(hops, key=_share)) if len(shares) > 1 else ""


def _share(hop: Hop) -> tuple[int, str, str]:
    """Sort key: the largest share first."""
    return -hop.weight, hop.interface, hop.address


def _text(hop: Hop) -> str:
    return f"{hop.address} {hop.interface}".strip()


def differing(
    route: ExpectedRoute, hops: tuple[Hop, ...], names: Svis | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Missing and unexpected next hops; both empty where none are planned."""
    if route.vlan_id:
        return _unconnected(route.vlan_id, hops, names)
    if not route.interfaces:
        return _set_apart(route, {hop.address for hop in hops}) if route.addresses else ((), ())
    lacking, extra = _set_apart(route, {hop.interface for hop in hops})
    return lacking, (*extra, *_unplanned(route, hops))


def _unconnected(vlan_id: int, hops: tuple[Hop, ...], names: Svis | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A subnet of a VLAN must be connected, and by its svi if its name is known."""
    svi_names = {hop.interface for hop in hops} if names is None else names.get(vlan_id, frozenset())
    extra = tuple(sorted(_text(hop) for hop in hops if hop.address or hop.interface not in svi_names))
    return (() if len(extra) < len(hops) or not hops else (f"vlan {vlan_id}",)), extra


def _set_apart(route: ExpectedRoute, actual: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    planned = set(route.interfaces or route.addresses)
    any_subset = 0 < route.width < len(planned)
    return () if any_subset else tuple(sorted(planned - actual)), tuple(sorted(actual - planned))


def _unplanned(route: ExpectedRoute, hops: tuple[Hop, ...]) -> tuple[str, ...]:
    """Next hops over a planned interface with an address that is not planned behind it."""
    if not route.addresses:
        return ()
    # Equal numbers belong together pair by pair; otherwise any combination is planned.
    alike = len(route.interfaces) == len(route.addresses)
    pairs = set(
        zip(route.interfaces, route.addresses, strict=True) if alike else product(route.interfaces, route.addresses)
    )
    return tuple(
        sorted(
            f"{hop.address or 'no address'} on {hop.interface}"
            for hop in hops
            if hop.interface in route.interfaces
            and (hop.interface, hop.address) not in pairs
            and ((hop.interface, "") in pairs or not hop.address.startswith(LINK_LOCAL))
        )
    )
