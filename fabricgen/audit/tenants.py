"""Routes of tenants as EVPN has them: which of all that leaves announce each VLAN and each VRF takes.

A leaf announces of a VLAN a route of type 3, to which others flood, and routes of type 2 with addresses of servers; of
a VRF a route of type 5 for each prefix (RFC 7432, RFC 9135, RFC 9136). One of type 2 has the targets of the VLAN and of
the VRF of its gateway. Whether a leaf gets them, `reach` says. What it does with them is said here, by import targets
and import policies. Routes with the same targets are taken alike, and instances that import alike take the same: each
of these classes is judged once, so that every leaf of a large fabric is.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from ipaddress import ip_network
from itertools import product
from typing import NamedTuple

from fabricgen.audit.ends import DEFAULT_ROUTES
from fabricgen.audit.routes import DEFAULT_PREFERENCE, Propagation, Route, applied, contains
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.views import At, InstanceView, SessionView, SwitchView, covers, network_of
from fabricgen.audit.violations import Violation
from fabricgen.base.text import listed
from fabricgen.readback.addresses import family_of
from fabricgen.readback.policy import ANY_TARGET, HOST, Policy, PrefixRange, Term, of_family

Targets = frozenset[str]
NO_TARGETS = Targets()
NOT_APART = "the two tenants are not apart"
OTHER_WAY = "its packets to the outside leave by the other tenant"
NO_IMPORT = "routes are missing in it"


class Here(NamedTuple):
    """A VRF or VLAN on a switch."""

    switch: SwitchView
    row: InstanceView

    @property
    def text(self) -> str:
        """Its kind and name."""
        return f"{self.row.kind} {self.row.name}"


class _Prefix(NamedTuple):
    """A route of a VRF: of type 5, or of type 2 with the address of a server."""

    prefix: str
    communities: frozenset[str] = frozenset()


DEFAULTS = {_Prefix(prefix) for prefix in DEFAULT_ROUTES}
"""Default routes, which a tenant may have at any time."""


class _Importer(NamedTuple):
    """What decides which routes an instance takes. may: tenants that the plan lets in; must: those that are here."""

    imports: Targets
    policy: Policy | None = None
    filters_own: bool = True
    may: frozenset[str] = frozenset()
    must: frozenset[str] = frozenset()


class _Tenant(NamedTuple):
    """VRFs of one name, or VLANs, on all leaves.

    exporters  targets → who exports them
    importers  what is alike in importing → who imports so
    routes     targets → routes of a VRF that have them
    connected  subnets of a VRF
    """

    exporters: dict[Targets, list[Here]]
    importers: dict[_Importer, list[Here]]
    routes: dict[Targets, set[_Prefix]]
    connected: set[str]


def tenant_routes(site: SiteView) -> Iterator[Violation]:
    """Each VLAN and VRF takes the routes of its own, those of tenants that it may import, and no others."""
    exits = frozenset((row.switch, row.vrf) for row in site.outside)
    for fabric, switches in site.fabrics.items():
        vlans, vrfs = _vlans(switches), _vrfs(site, fabric, switches, exits)
        yield from _bridged(vlans)
        arriving = _arriving(site, fabric, switches, vrfs)
        for name, tenant in vrfs.items():
            yield from _not_imported(tenant)
            for importer, takers in tenant.importers.items():
                faults = [*_own(importer, tenant, arriving)]
                for other in (other for other in vrfs if other != name):
                    faults += _of_other(importer, other, vrfs[other], arriving)
                yield from (_violation(here, *fault) for here in takers for fault in faults)
        for switch in switches:
            yield from _not_announced(switch, vrfs, exits)
            yield from _default_routes(switch, vrfs, exits)
            yield from _hidden(switch, vrfs, site.leaks)


def _violation(here: Here, setting: str, what: str, why: str) -> Violation:
    at = here.row.lines.get(setting, here.row.at)
    return Violation("tenant-routes", here.switch.name, at, f"{here.text}: {what}", why)


def _tenant(rows: dict[str, _Tenant], here: Here, importer: _Importer) -> _Tenant:
    """The entry of an instance, with what it exports and imports added."""
    tenant = rows.setdefault(here.row.name, _Tenant({}, {}, {}, set()))
    tenant.exporters.setdefault(here.row.exports, []).append(here)
    tenant.importers.setdefault(importer, []).append(here)
    return tenant


def _vlans(switches: Iterable[SwitchView]) -> dict[str, _Tenant]:
    """VLANs by name. Their routes are those of type 2, whose addresses do not matter."""
    found: dict[str, _Tenant] = {}
    for switch in switches:
        of_vlan = _gateway_targets(switch)
        for row in switch.vlans:
            tenant = _tenant(found, Here(switch, row), _Importer(row.imports))
            tenant.routes.setdefault(row.exports | of_vlan.get(row.name, NO_TARGETS), set())
    return found


def _gateway_targets(switch: SwitchView) -> dict[str, Targets]:
    """VLAN → targets of the VRF of its gateway."""
    exports = {row.name: row.exports for row in switch.vrfs}
    return {gateway.vlan: exports.get(gateway.vrf, NO_TARGETS) for gateway in switch.gateways}


Exits = frozenset[tuple[str, str]]
"""Switches and VRFs with a session with the outside by the intent."""


def _vrfs(site: SiteView, fabric: str, switches: list[SwitchView], exits: Exits) -> dict[str, _Tenant]:
    """VRFs by name, with all routes that leaves announce of them."""
    found: dict[str, _Tenant] = {}
    policies = {row.import_policy for switch in switches for row in switch.vrfs}
    wide = {prefix: None for policy in policies for prefix in _first_prefixes(policy)}
    names = {row.name for switch in switches for row in switch.vrfs if row.vni or row.exports}
    for switch in switches:
        rows = [row for row in switch.vrfs if row.name in names]
        exports = {row.name: row.exports for row in rows}
        for row in rows:
            may = site.leaks.get((fabric, row.name), frozenset())
            # A system that leaks inside the switch has another tenant's routes only where it has the tenant's VRF, too.
            importer = _Importer(row.imports, row.import_policy, row.filters_own, may, may.intersection(exports))
            _tenant(found, Here(switch, row), importer).routes.setdefault(row.exports, set())
        for vrf, prefix, _ in _subnets(switch, exits):
            if vrf in exports:
                found[vrf].connected.add(prefix)
        for vrf, more, route in _announced(switch, wide):
            if vrf in exports:
                found[vrf].routes.setdefault(exports[vrf] | more, set()).add(route)
    return found


def _announced(switch: SwitchView, wide: Iterable[str]) -> Iterator[tuple[str, Targets, _Prefix]]:
    """VRF, targets beside those of the VRF, and route: of networks, of the outside, of servers behind a gateway."""
    for vrf, prefix in switch.networks:
        yield vrf, NO_TARGETS, _Prefix(prefix)
    for session in switch.sessions:
        if session.vrf and session.enabled:
            yield from ((session.vrf, NO_TARGETS, route) for route in _accepted(session, wide))
    vlans = {row.name: row.exports for row in switch.vlans}
    for gateway in switch.gateways:
        for address in gateway.addresses:
            yield gateway.vrf, vlans.get(gateway.vlan, NO_TARGETS), _Prefix(_host(address))


def _host(address: str) -> str:
    """The last address of a subnet but one, in place of any server."""
    network = ip_network(network_of(address))
    return f"{network[max(network.num_addresses - 2, 0)]}/{network.max_prefixlen}"


def _accepted(session: SessionView, wide: Iterable[str]) -> Iterator[_Prefix]:
    """Prefixes that a session takes from the outside, some in place of all. wide: of them those that may be leaked."""
    for family in session.families:
        policy = session.policies_in.get(family)
        prefixes = {**dict.fromkeys((*DEFAULT_ROUTES, *wide)), **dict.fromkeys(_first_prefixes(policy))}
        for prefix in prefixes:
            passed = applied(policy, BLANK, prefix, 1) if family_of(prefix) == family else None
            if passed is not None:
                yield _Prefix(prefix, passed.communities)


BLANK = Route(DEFAULT_PREFERENCE, (), frozenset(), 0, "", (), "")


def _first_prefixes(policy: Policy | None) -> Iterator[str]:
    """The first prefix of each range that a policy permits."""
    for term in policy.terms if policy is not None else ():
        for row in (*(term.prefixes_ipv4 or ()), *(term.prefixes_ipv6 or ())) if term.permit else ():
            yield f"{row.prefix.partition('/')[0]}/{row.shortest}"


def _arriving(site: SiteView, fabric: str, switches: list[SwitchView], vrfs: Mapping[str, _Tenant]) -> frozenset[str]:
    """Communities that policies on the way add to EVPN routes; worked out only if an import policy matches some."""
    policies = {importer.policy for tenant in vrfs.values() for importer in tenant.importers}
    if not any(term.communities for policy in policies if policy is not None for term in policy.terms):
        return frozenset()
    leaves = [switch for switch in switches if switch.vtep]
    best = Propagation(site, fabric, "evpn").learned(leaves[0].name, leaves[0].tunnel_prefix).best if leaves else {}
    return next((best[leaf.name][0].communities for leaf in leaves[1:] if best.get(leaf.name)), frozenset())


def _bridged(vlans: Mapping[str, _Tenant]) -> Iterator[Violation]:
    """Leaves with one VLAN flood to each other, and no address of another VLAN appears in it."""
    owners: dict[str, set[str]] = {}
    for name, tenant in vlans.items():
        for target in frozenset[str]().union(*tenant.routes):
            owners.setdefault(target, set()).add(name)
    for name, tenant in vlans.items():
        yield from _not_imported(tenant)
        for importer, takers in tenant.importers.items():
            for other in sorted({owner for target in importer.imports for owner in owners.get(target, ())} - {name}):
                targets = (target for target in importer.imports if other in owners.get(target, ()))
                what = f"imports {listed(sorted(targets))} of VLAN {other}"
                for here in takers:
                    yield _violation(here, "imports", what, "addresses of the other network appear in it")


def _not_imported(tenant: _Tenant) -> Iterator[Violation]:
    """Leaves that do not take what others export for one VRF or VLAN.

    At fault is who exports something else than most, if the other one imports what most do; else who imports.
    """
    by_imports: dict[Targets, list[Here]] = {}
    for importer, takers in tenant.importers.items():
        by_imports.setdefault(importer.imports, []).extend(takers)
    usual_exports, usual_imports = (
        max(rows, key=lambda targets: len(rows[targets])) for rows in (tenant.exporters, by_imports)
    )
    for (targets, senders), (imports, takers) in product(tenant.exporters.items(), by_imports.items()):
        if targets & imports or {here.switch.name for here in (*senders, *takers)} == {senders[0].switch.name}:
            continue
        if targets != usual_exports and imports == usual_imports:
            what = f"exports {listed(sorted(targets), 'nothing')}, which other leaves do not import"
            yield from (_violation(here, "exports", what, NO_IMPORT) for here in senders)
        else:
            what = f"does not import {listed(sorted(targets))}, which other leaves export for it"
            yield from (_violation(here, "imports", what, NO_IMPORT) for here in takers)


Fault = tuple[str, str, str]
"""Setting, what is wrong, and what follows."""


def _own(importer: _Importer, tenant: _Tenant, arriving: frozenset[str]) -> Iterator[Fault]:
    """Routes of its own tenant that a VRF imports and its policy denies."""
    for targets, routes in tenant.routes.items() if importer.filters_own else ():
        lost = routes - _passing(importer, targets, routes, arriving)
        if lost and importer.imports & targets:
            yield "import-policy", f"does not let {_named(lost)} in", NO_IMPORT


def _of_other(importer: _Importer, other: str, tenant: _Tenant, arriving: frozenset[str]) -> Iterator[Fault]:
    """What is wrong in what a VRF takes of another tenant: of one that it may import the subnets, of others nothing."""
    for targets, routes in tenant.routes.items():
        matched = importer.imports & targets
        passing = _passing(importer, targets, routes | DEFAULTS, arriving)
        lost = {row for row in routes if row.prefix in tenant.connected} - passing
        if other not in importer.may and (matched or passing):
            what = listed(sorted(matched)) if matched else _named(passing)
            yield "imports", f"imports {what} of tenant {other}", NOT_APART
        elif other in importer.must and not matched and targets in tenant.exporters:
            yield "imports", f"does not import {listed(sorted(targets))}, of tenant {other}", NO_IMPORT
        elif other in importer.must and matched and lost:
            yield "import-policy", f"does not let {_named(lost)} of tenant {other} in", NO_IMPORT
        if other in importer.may:
            yield from _leaked(other, tenant, passing)


def _leaked(other: str, tenant: _Tenant, passing: set[_Prefix]) -> Iterator[Fault]:
    """Routes of a tenant that come in beside its subnets and servers."""
    within = frozenset(PrefixRange(prefix, 0, HOST["ipv6"]) for prefix in tenant.connected)
    leaked = {row for row in passing if not contains(within, row.prefix)}
    for prefix in sorted(row.prefix for row in leaked & DEFAULTS):
        yield "import-policy", f"lets the default route {prefix} of tenant {other} in", OTHER_WAY
    others = {row for row in leaked if row.prefix not in DEFAULT_ROUTES}
    if others:
        yield "import-policy", f"lets {_named(others)} of tenant {other} in", NOT_APART


def _named(rows: Iterable[_Prefix]) -> str:
    return listed(sorted({row.prefix for row in rows}))


def _passing(importer: _Importer, targets: Targets, routes: set[_Prefix], arriving: frozenset[str]) -> set[_Prefix]:
    """Which of the routes with some targets an instance takes."""
    matched, policy = importer.imports & targets, importer.policy
    if policy is None:
        return routes if matched else set()
    # Without a target that is imported, only a term that takes routes of every tenant does.
    terms = policy.terms if matched else tuple(term for term in policy.terms if term.route_targets == ANY_TARGET)
    by_family = _by_family(terms)
    return {
        row
        for row in (routes if terms else ())
        if applied(
            by_family[family_of(row.prefix)],
            BLANK._replace(communities=row.communities | arriving),
            row.prefix,
            1,
            targets | ANY_TARGET,
        )
    }


@cache
def _by_family(terms: tuple[Term, ...]) -> dict[str, Policy]:
    return {family: of_family(Policy(terms), family) for family in HOST}


def _subnets(switch: SwitchView, exits: Exits) -> Iterator[tuple[str, str, At]]:
    """VRF and subnet of each gateway and port of a tenant, without the links to the outside; and where it is."""
    for gateway in switch.gateways:
        yield from ((gateway.vrf, network_of(address), gateway.at) for address in gateway.addresses)
    for port in switch.ports.values():
        if port.vrf and port.enabled and (switch.name, port.vrf) not in exits:
            yield from ((port.vrf, network_of(address), port.at) for address in port.addresses)


def _not_announced(switch: SwitchView, vrfs: Mapping[str, _Tenant], exits: Exits) -> Iterator[Violation]:
    """Subnets of tenants that other leaves get no route to."""
    for vrf, prefix, at in _subnets(switch, exits):
        if vrf in vrfs and (vrf, prefix) not in switch.networks:
            what = f"VRF {vrf}: {prefix} is not announced"
            yield Violation("tenant-routes", switch.name, at, what, "leaves without this subnet do not reach it")


def _default_routes(switch: SwitchView, vrfs: Mapping[str, _Tenant], exits: Exits) -> Iterator[Violation]:
    """Default routes of tenants where the intent has no session with the outside."""
    ways = {key: at for key, (_, at) in switch.statics.items()} | dict(switch.networks)
    for (vrf, prefix), at in ways.items():
        if prefix in DEFAULT_ROUTES and vrf in vrfs and (switch.name, vrf) not in exits:
            what = f"VRF {vrf}: the default route {prefix} begins here, and the intent has no way out here"
            yield Violation("tenant-routes", switch.name, at, what, "packets to the outside are lost")


def _hidden(
    switch: SwitchView, vrfs: Mapping[str, _Tenant], leaks: Mapping[tuple[str, str], frozenset[str]]
) -> Iterator[Violation]:
    """Static routes in a subnet that a VRF takes: a switch prefers them to routes of EVPN."""
    for (vrf, prefix), (next_hop, at) in switch.statics.items():
        names = {vrf, *leaks.get((switch.fabric, vrf), ())} if vrf in vrfs else set()
        subnets = {subnet for name in names & vrfs.keys() for subnet in vrfs[name].connected if covers(subnet, prefix)}
        if subnets:
            what = f"VRF {vrf}: {prefix}, in {listed(sorted(subnets))}, leads to {next_hop} by a static route"
            yield Violation("tenant-routes", switch.name, at, what, "it hides routes of other leaves")
