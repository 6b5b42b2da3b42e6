"""Parts of a plan that a lab does not exercise, with reasons, as far as the plan alone shows."""

from collections.abc import Iterable, Iterator

from fabricgen.base.grouping import grouped
from fabricgen.device.device import Device
from fabricgen.lab.model.lab import LabServer, Skipped
from fabricgen.lab.model.queues import NOT_EXERCISED
from fabricgen.lab.model.routing_text import RELEASE, is_own
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.frr.platform import FRR
from fabricgen.platforms.lab_routings import LAB_ROUTINGS
from fabricgen.resolve.needs import needs, roles

VIRTUAL_LINKS = Skipped("speed, lanes, FEC and length of cables", "all links", "links are virtual")


def skipped(plan: Plan, devices: Iterable[Device], servers: Iterable[LabServer]) -> Iterator[Skipped]:
    """Rows to print: other platforms' text first, then features, then properties that virtual links lack.

    plan     as written, not as the lab runs it
    devices  switches of the lab
    """
    yield from _texts(plan)
    yield from _features(plan)
    lossless = (device for device in devices if device.qos and any(p.lossless_priorities for p in device.qos.profiles))
    where = ", ".join(dict.fromkeys(f"{device.fabric} {device.role}" for device in lossless))
    if where:
        yield Skipped("lossless queues", where, NOT_EXERCISED)
    yield from outside_peers(plan, "lab")
    relaying = [t.name for tenants in plan.tenants.values() for t in tenants if any(n.relays for n in t.networks)]
    if relaying:
        yield Skipped("dhcp-relay", ", ".join(dict.fromkeys(relaying)), "servers have fixed addresses in the lab")
    yield Skipped("management network and its services", "all switches", "a lab has no management network")
    yield VIRTUAL_LINKS
    for server in servers:
        yield from without_address(server)


def _texts(plan: Plan) -> Iterator[Skipped]:
    roles_by_system: dict[str, list[str]] = {}
    for fabric in plan.fabrics.values():
        for role in roles(fabric):
            name, _, version = role.system.partition("-")
            if name != FRR.name or not FRR.releases[0].covers(version):
                roles_by_system.setdefault(role.system, []).append(f"{fabric.name} {role.name}")
    for system, where in roles_by_system.items():
        name, _, version = system.partition("-")
        title = PLATFORMS[name].title if name in PLATFORMS else name
        if is_own(system):
            text = LAB_ROUTINGS[name].made_of
            reason = f"FRR {RELEASE} of this host, which is none, runs its routing alone: {text}"
            limits = "interfaces, addresses and VRFs are set as of FRR on Linux; queues and services are not run"
            yield Skipped(f"{title} {version} itself", ", ".join(where), f"{reason}; {limits}")
            continue
        reason = f"the lab runs {FRR.title} {RELEASE} with the same names, addresses, AS numbers and sessions"
        yield Skipped(f"text of {title} {version}", ", ".join(where), reason)


def _features(plan: Plan) -> Iterator[Skipped]:
    """Features that the lab's operating system refuses, or has no row for."""
    needs_by_feature = grouped((need.feature, need) for need in needs(plan))
    for feature, feature_needs in needs_by_feature.items():
        capability = FRR.can(feature, RELEASE)
        if capability is None or capability.refusal:
            where = ", ".join(dict.fromkeys(f"{need.fabric} {need.role}" for need in feature_needs))
            reason = capability.refusal if capability else f"{FRR.title} has no row for it in its capability table"
            yield Skipped(feature, where, reason)


def outside_peers(plan: Plan, where: str) -> Iterator[Skipped]:
    """BGP peers outside the site. where: "lab" or "topology"."""
    peers = {row.peer: None for tenants in plan.tenants.values() for tenant in tenants for row in tenant.external}
    if peers:
        yield Skipped("external-bgp", ", ".join(peers), f"what is outside the site is not in the {where}")


def paired(plan: Plan, why: str) -> Iterator[Skipped]:
    """Fabrics whose servers speak BGP, where the servers of an export do not. why: what follows."""
    names = [name for name, fabric in plan.fabrics.items() if has_leaf_pairs(fabric)]
    if names:
        yield Skipped("BGP of servers", ", ".join(names), why)


def without_address(server: LabServer) -> Iterator[Skipped]:
    """NICs of a server that get no address."""
    for nic in server.nics:
        if (nic.gateway4 and not nic.ipv4) or (nic.gateway6 and not nic.ipv6):
            yield Skipped("host address", f"{server.name} {nic.name}", "the tenant's subnet has none left")
