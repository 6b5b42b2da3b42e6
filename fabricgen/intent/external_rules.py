"""Rules across the keys of a tenant's sessions to the outside."""

from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_interface
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Frontend
from fabricgen.intent.model import Intent
from fabricgen.intent.tenants import External


class _Session(NamedTuple):
    """One entry of a tenant's `external`, with its path."""

    tenant: str
    external: External
    path: IntentPath


def _numbers(count: int) -> str:
    return "0" if count == 1 else "0 and 1" if count == 2 else f"0 to {count - 1}"


def _sessions(intent: Intent) -> Iterator[_Session]:
    for name, tenant in intent.tenants.items():
        for position, external in enumerate(tenant.external):
            yield _Session(name, external, ("tenants", name, "external", position))


def refused_range(network: IPv4Network | IPv6Network) -> str:
    """Return what makes a prefix unfit for hosts or links; empty for a usable one."""
    if network.prefixlen == 0 or network.network_address.is_unspecified:
        return "everything or nothing"
    kinds = ("multicast", "loopback", "link-local")
    return next((kind for kind in kinds if getattr(network, f"is_{kind.replace('-', '_')}")), "") or _class_e(network)


def _class_e(network: IPv4Network | IPv6Network) -> str:
    is_reserved = isinstance(network, IPv4Network) and network.network_address >= IPv4Address("240.0.0.0")
    return "reserved (RFC 1112 section 4)" if is_reserved else ""


def border_exists(intent: Intent) -> Iterator[Problem]:
    """A session is on a border leaf that exists; only one frontend has border leaves."""
    borders = {
        name: fabric.topology.border_leaves
        for name, fabric in intent.fabrics.items()
        if isinstance(fabric, Frontend) and fabric.topology.border_leaves
    }
    sessions = tuple(_sessions(intent))
    if len(borders) > 1 and sessions:
        names = " and ".join(sorted(borders))
        yield Problem(
            code="external-ambiguous",
            what=f"several frontends have border leaves: {names}",
            where=sessions[0].path,
            why="an external session does not name its frontend, so it would be configured on a border leaf of each",
            fix="give border_leaves to one frontend only",
        )
        return
    fronts = (name for name, fabric in intent.fabrics.items() if isinstance(fabric, Frontend))
    front, count = next(iter(borders.items()), (next(fronts, "NAME"), 0))
    missing = [session for session in sessions if session.external.border >= count]
    if missing:
        last = max(missing, key=lambda session: session.external.border)
        only = "only border leaf 0" if count == 1 else f"only border leaves {_numbers(count)}"
        others = f" (nor have {len(missing) - 1} more sessions theirs)" if len(missing) > 1 else ""
        yield Problem(
            code="border-missing",
            what=f"external peer {last.external.peer} of {last.tenant} is on border leaf {last.external.border}, and "
            f"{front} has {only if count else 'no border leaf'}{others}",
            where=(*last.path, "border"),
            why="an external session is configured on a border leaf of the frontend",
            fix=f"write fabrics.{front}.topology.border_leaves: {last.external.border + 1}"
            + (", or a lower `border`" if count else ""),
        )


def addresses_fit(intent: Intent) -> Iterator[Problem]:
    """A session has one unicast address per family, and each accepted prefix is of one of these families."""
    for session in _sessions(intent):
        addresses = session.external.addresses
        versions = [interface.address.version for interface in addresses]
        if len(set(versions)) < len(versions):
            yield Problem(
                code="family-twice",
                what=f"the session of {session.tenant} to {session.external.peer} has two IPv{versions[0]} addresses",
                where=(*session.path, "addresses", 1),
                why="a session has one address per family",
                fix="keep one, or write a second session",
            )
        for position, interface in enumerate(addresses):
            kind = refused_range(_link(interface.address, interface.length))
            if kind:
                yield Problem(
                    code="bad-range",
                    what=f"{interface.address} towards {session.external.peer} is {kind}",
                    where=(*session.path, "addresses", position),
                    why="both ends of the link need unicast addresses",
                    fix="write an address of a unicast link, e.g. "
                    + ("172.31.0.0/31" if interface.address.version == 4 else "fd00::/127"),
                )
        yield from _accepted(session, set(versions))


def _link(address: IPv4Address | IPv6Address, length: int) -> IPv4Network | IPv6Network:
    return ip_interface(f"{address}/{length}").network


def _accepted(session: _Session, versions: set[int]) -> Iterator[Problem]:
    for position, prefix in enumerate(session.external.accept):
        if prefix.version not in versions:
            yield Problem(
                code="accept-family",
                what=f"{session.tenant} accepts {prefix} from {session.external.peer} without an IPv{prefix.version} "
                "session",
                where=(*session.path, "accept", position),
                why="prefixes of a family are learned over a session of that family",
                fix=f"add an IPv{prefix.version} prefix to `addresses`, or remove {prefix} from `accept`",
            )


def links_differ(intent: Intent) -> Iterator[Problem]:
    """Two sessions share no subinterface, no policy names, and no link within one tenant."""
    first: dict[tuple[object, ...], _Session] = {}
    for session in _sessions(intent):
        for key, text, field in _claims(session):
            other = first.setdefault(key, session)
            if other is not session:
                yield Problem(
                    code="external-twice",
                    what=f"{_name(other)} and {_name(session)} use the same {text}",
                    where=(*session.path, field),
                    why="each session needs its own subinterface, link and policy names",
                    fix=f"write {'other' if field == 'addresses' else 'another'} {field}",
                )


def _claims(session: _Session) -> Iterator[tuple[tuple[object, ...], str, str]]:
    """Yield what a session must have for itself: key, its text, and the intent's key to change."""
    tenant, external = session.tenant, session.external
    yield (
        ("vlan", external.border, external.port, external.vlan),
        f"VLAN {external.vlan} on border leaf {external.border} port {external.port}",
        "vlan",
    )
    policy = f"{tenant}-{external.peer}".upper()
    yield ("policy", external.border, policy), f"policy name {policy} on border leaf {external.border}", "peer"
    for interface in external.addresses:
        link = _link(interface.address, interface.length)
        yield ("link", tenant, link), f"link {link}", "addresses"


def _name(session: _Session) -> str:
    return f"{session.tenant} to {session.external.peer}"


def outside_asns(intent: Intent) -> Iterator[Problem]:
    """The AS of a peer is not in a fabric's range: a switch drops routes with its own AS (RFC 4271 section 9.1.2)."""
    for session in _sessions(intent):
        for name, fabric in intent.fabrics.items():
            if isinstance(fabric, Frontend) and fabric.asns.first <= session.external.asn <= fabric.asns.last:
                yield Problem(
                    code="external-asn",
                    what=f"AS {session.external.asn} of {session.external.peer} is within the AS range of {name}",
                    where=(*session.path, "asn"),
                    why=f"{name} gives {fabric.asns.first}-{fabric.asns.last} to its own switches, and a switch drops "
                    "routes that carry its own AS (RFC 4271 section 9.1.2)",
                    fix="correct the AS number, or move the range of the fabric",
                )


def one_mtu_a_port(intent: Intent) -> Iterator[Problem]:
    """All sessions of a border port share its MTU, which is not above the fabric's."""
    fabric_mtu = max((fabric.mtu for fabric in intent.fabrics.values() if isinstance(fabric, Frontend)), default=0)
    first: dict[tuple[int, int], _Session] = {}
    for session in _sessions(intent):
        external = session.external
        other = first.setdefault((external.border, external.port), session)
        if external.mtu != other.external.mtu:
            yield Problem(
                code="external-mtu",
                what=f"port {external.port} of border {external.border} has two MTUs towards {external.peer}",
                where=(*session.path, "mtu"),
                why=f"{other.tenant} has {other.external.mtu}, {session.tenant} has {external.mtu}; a port has one MTU",
                fix=f"write mtu: {other.external.mtu} in both, or use another port",
            )
        elif external.mtu > fabric_mtu:
            yield Problem(
                code="external-mtu",
                what=f"MTU {external.mtu} towards {external.peer} is above the fabric MTU {fabric_mtu}",
                where=(*session.path, "mtu"),
                why=f"{external.peer} could send packets that the fabric drops",
                fix=f"write mtu: {fabric_mtu} or less",
            )


EXTERNAL_RULES: tuple[Callable[[Intent], Iterator[Problem]], ...] = (
    border_exists,
    addresses_fit,
    links_differ,
    outside_asns,
    one_mtu_a_port,
)
