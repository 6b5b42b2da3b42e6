"""Subnets of tenants: an address for every server, and none that an outside peer may announce."""

from collections.abc import Iterator

from fabricgen.base.addresses import Network, longest_prefix, unusable
from fabricgen.checks.numbers.tenants import Subnet, in_vrf, vrfs
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.plan import Plan


def servers_fit(plan: Plan) -> Iterator[Problem]:
    """A subnet has an address for each server of its tenant, not counting those that no server can have.

    A server has one address in each network of its tenant, for all of its ports there. All slots of the tenant count,
    with or without a server. Unusable are the gateway, which is the first address, the network address and, in IPv4,
    the broadcast address (RFC 1122 section 3.2.1.3, RFC 4291 section 2.6.1).
    """
    demands: dict[IntentPath, tuple[str, Network, int]] = {}
    for tenants in plan.tenants.values():
        for tenant in tenants:
            servers = sum(span.size for spans in tenant.servers.values() for span in spans)
            for network in tenant.networks:
                for index, subnet in enumerate(network.subnets):
                    where: IntentPath = ("tenants", tenant.name, "networks", network.name, "subnets", index)
                    largest = max(servers, demands[where][2]) if where in demands else servers
                    demands[where] = (f"{network.name} of {tenant.name}", subnet, largest)
    for where, (title, subnet, servers) in demands.items():
        taken = unusable(subnet)
        if servers > subnet.num_addresses - taken:
            yield _short(title, subnet, servers, where)


def _short(title: str, subnet: Network, servers: int, where: IntentPath) -> Problem:
    taken = unusable(subnet)
    return Problem(
        code="subnet-short",
        what=f"{title}: {subnet} has too few addresses for its servers",
        where=where,
        why=f"{servers} servers need one address each besides the gateway, and it has {subnet.num_addresses - taken}",
        fix=f"write a prefix of /{longest_prefix(subnet, servers)} (a shorter prefix is a larger subnet), or waive "
        "subnet-short if not every server uses the network",
    )


def accepted_outside(plan: Plan) -> Iterator[Problem]:
    """No outside peer may announce a subnet that the VRF has from inside, nor a part of one.

    These are its own subnets and relays, and those that it reaches. A wider prefix is allowed, such as a default route:
    the longest match keeps the subnet's own route in use (RFC 1812 section 5.2.4.3).
    """
    for name, tenants in plan.tenants.items():
        if plan.fabrics[name].shape.border is None:
            continue
        for tenant, seen in vrfs(tenants):
            inside = tuple(in_vrf(seen)) if tenant.external else ()
            for position, external in enumerate(tenant.external):
                for index, prefix in enumerate(external.accept):
                    subnet = _around(prefix, inside)
                    if subnet is not None:
                        path: IntentPath = ("tenants", tenant.name, "external", position, "accept", index)
                        yield _own((tenant.name, external.peer), prefix, subnet, path, len(external.accept) > 1)


def _around(prefix: Network, inside: tuple[Subnet, ...]) -> Subnet | None:
    first, last = int(prefix.network_address), int(prefix.broadcast_address)
    holding = (
        subnet for subnet in inside if subnet.version == prefix.version and subnet.start <= first and last <= subnet.end
    )
    return next(holding, None)


def _own(session: tuple[str, str], prefix: Network, subnet: Subnet, where: IntentPath, has_more: bool) -> Problem:
    tenant, peer = session
    default = "0.0.0.0/0" if prefix.version == 4 else '"::/0"'
    lies = "is" if prefix == subnet.prefix else f"lies in {subnet.prefix},"
    return Problem(
        code="accept-own",
        what=f"{tenant} accepts {prefix} from {peer}, which {lies} {subnet.title}",
        where=where,
        why="the border leaf would route traffic for internal addresses out of the fabric",
        fix=f"remove {prefix} from `accept`, or write another prefix"
        if has_more
        else f"write another prefix, e.g. {default}",
    )
