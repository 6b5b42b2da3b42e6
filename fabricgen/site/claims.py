"""What a site has for itself alone, as its intent and its lock say: compared with the other sites of a repository."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.checks.numbers.pools import renumber_command
from fabricgen.checks.numbers.router_ids import former_router_ids
from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Addressing, overlay_of
from fabricgen.intent.model import Intent
from fabricgen.intent.pools import Value
from fabricgen.plan.lock import Id, Lock
from fabricgen.plan.tenants import carried_by
from fabricgen.source.document import Document

HOSTNAMES, SUBNETS = "hostnames", "subnets"


class Claim(NamedTuple):
    """Numbers, or names, that one site has.

    kind   a kind of pools; or HOSTNAMES: all names of devices that begin alike; or SUBNETS: of a tenant that has
           external sessions
    owner  claims of a kind clash if their owners are equal, too: begin of a name and domain; tenant. Else empty
    title  what it is, for messages
    fix    what to do about a clash where no key has the value; empty where one has
    """

    kind: str
    value: Value
    title: str
    where: IntentPath
    owner: tuple[str, ...] = ()
    fix: str = ""


class RouteTarget(NamedTuple):
    """The number of a tenant or a network: its VNI, and the administrator in front of it. base: of the fabric."""

    admin: int
    vni: int
    base: int
    title: str
    where: IntentPath


class SiteClaims(NamedTuple):
    """A site as far as it is compared. document: its intent, for positions."""

    site: str
    document: Document
    claims: tuple[Claim, ...]
    targets: tuple[RouteTarget, ...]

    def spot(self, where: IntentPath) -> str:
        """A position of its intent as file:line:column."""
        at = self.document.place(where)
        return f"{at.file}:{at.line}:{at.column}"


def claims_of(intent: Intent, document: Document, lock: Lock) -> SiteClaims:
    """Return what a site has. Tenants and networks that have no number in its lock yet are left out."""
    claims = (*_claims(intent), *_former_router_ids(intent, lock))
    return SiteClaims(intent.site, document, claims, tuple(_targets(intent, lock.ids)))


def _claims(intent: Intent) -> Iterator[Claim]:
    domain = intent.management.domain or ""
    for name, fabric in intent.fabrics.items():
        path: IntentPath = ("fabrics", name)
        yield from _prefixes(name, fabric.addressing, (*path, "addressing"))
        yield Claim("asns", fabric.asns, f"AS numbers of {name}", (*path, "asns"))
        prefix = fabric.prefix or name
        yield Claim(HOSTNAMES, 0, prefix, (*path, "prefix"), (prefix, domain))
        evpn = overlay_of(fabric)
        if evpn is not None:
            yield Claim("admins", evpn.admin, f"administrator of route targets of {name}", (*path, "evpn", "admin"))
    yield Claim("ipv4", intent.management.oob, "the out-of-band prefix", ("management", "oob"))
    for name, tenant in intent.tenants.items():
        for network, body in tenant.networks.items() if tenant.external else ():
            for index, subnet in enumerate(body.subnets):
                where: IntentPath = ("tenants", name, "networks", network, "subnets", index)
                yield Claim(SUBNETS, subnet, f"network {name}/{network}", where, (name, str(subnet.version)))


def _prefixes(name: str, addressing: Addressing, path: IntentPath) -> Iterator[Claim]:
    """Yield the prefixes of a fabric, and the range of its router ids where the intent gives one."""
    if addressing.ipv4 is not None:
        yield Claim("ipv4", addressing.ipv4, f"the prefix of {name}", (*path, "ipv4"))
    if addressing.ipv6 is not None:
        yield Claim("ipv6", addressing.ipv6, f"the prefix of {name}", (*path, "ipv6"))
    if addressing.router_ids is not None:
        yield Claim("ipv4", addressing.router_ids, f"the router ids of {name}", (*path, "router_ids"))


def _former_router_ids(intent: Intent, lock: Lock) -> Iterator[Claim]:
    """Yield the router ids of fabrics that lost IPv4: the smallest prefix around their loopbacks in the lock."""
    for name, fabric in intent.fabrics.items():
        own = (segment for segment in lock.segments if segment.fabric == name and segment.loopback4 is not None)
        former = former_router_ids(segment.without_ipv4() for segment in own)
        if fabric.addressing.ipv4 is None and former is not None:
            fix = f"leave {former} to {intent.site} in the pools, or run {renumber_command(name)}"
            title = f"the router ids of {name}, its former loopbacks"
            yield Claim("ipv4", former, title, ("fabrics", name, "addressing"), fix=fix)


def _targets(intent: Intent, ids: tuple[Id, ...]) -> Iterator[RouteTarget]:
    for name, fabric in intent.fabrics.items():
        evpn = overlay_of(fabric)
        numbers = {(line.kind, line.name): line.id for line in ids if line.fabric == name}
        for key, tenant in carried_by(name, fabric, intent.tenants).items() if evpn is not None else ():
            path: IntentPath = ("tenants", key)
            rows = [("vrf", key, tenant.vni, f"tenant {key}", path)]
            rows += [
                ("network", f"{key}/{network}", body.vni, f"network {key}/{network}", (*path, "networks", network))
                for network, body in tenant.networks.items()
            ]
            for kind, full, vni, title, where in rows:
                number = numbers.get((kind, full))
                if evpn is not None and vni is not None:
                    yield RouteTarget(evpn.admin, vni, evpn.vni_base, f"{title} on {name}", (*where, "vni"))
                elif evpn is not None and number is not None:
                    base = ("fabrics", name, "evpn", "vni_base")
                    yield RouteTarget(evpn.admin, evpn.vni_base + number, evpn.vni_base, f"{title} on {name}", base)
