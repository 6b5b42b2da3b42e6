"""Every check, in the order it runs: first the plan by arithmetic, then the resolved switches."""

from collections.abc import Callable, Iterable

from fabricgen.checks.cabling.breakouts import breakouts
from fabricgen.checks.cabling.cabling import (
    cable_ends,
    counts_cables,
    even_links,
    measures_cables,
    planes_disjoint,
    ports_once,
)
from fabricgen.checks.cabling.rails import rails
from fabricgen.checks.cabling.server_ports import nic_ports_once
from fabricgen.checks.capacity.balancing import (
    dynamic_groups,
    ecmp_width,
    few_flows,
    hashed_above,
    modes,
    seeds_not_configurable,
    spraying_unproven,
    unequal_members,
)
from fabricgen.checks.capacity.capacity import leaves_joined, missing_links, oversubscription
from fabricgen.checks.capacity.drains import drained_alone, lone_subnets
from fabricgen.checks.capacity.host_routes import host_routes
from fabricgen.checks.capacity.mac_limits import mac_limits_low
from fabricgen.checks.capacity.outside import ways_out, ways_out_in_service
from fabricgen.checks.capacity.pods import pods_joined
from fabricgen.checks.dimensions.link_loss import link_loss, nothing_to_lose, pairs_short
from fabricgen.checks.dimensions.media import media
from fabricgen.checks.dimensions.planes import nic_planes
from fabricgen.checks.dimensions.recorded_fit import recorded_fit
from fabricgen.checks.dimensions.spine_rows import spine_rows, superspine_rows
from fabricgen.checks.engine.check import Check
from fabricgen.checks.engine.coverage import NO_COVERAGE, Coverage, coverage_of, together
from fabricgen.checks.engine.waivers import CheckVerdict, FeatureUse, Waived, unused, verdict, waiver_places
from fabricgen.checks.lossless.buffers import buffers, headroom_pool, published_late, sizes_known, thresholds
from fabricgen.checks.lossless.marking import (
    control_rides,
    expressible,
    known_profiles,
    markings,
    nic_markings,
    unknown_nics,
)
from fabricgen.checks.lossless.os_managed_headroom import unproven
from fabricgen.checks.lossless.sharing import (
    bonded_rdma,
    lossless_exits,
    oversubscribed_lossless,
    switched_lossless,
)
from fabricgen.checks.lossless.watchdog import rounded_watchdog
from fabricgen.checks.numbers.asns import asn_ranges, asns_unique
from fabricgen.checks.numbers.lock_fit import rows_disjoint
from fabricgen.checks.numbers.names import name_length, names_unique
from fabricgen.checks.numbers.pools import addresses_unique, oob_services, oob_size, pool_sizes
from fabricgen.checks.numbers.prefixes import backend_private, prefixes_disjoint
from fabricgen.checks.numbers.router_ids import router_id_range
from fabricgen.checks.numbers.subnets import accepted_outside, servers_fit
from fabricgen.checks.numbers.tenants import (
    ids_left,
    outside_ports,
    relay_pools,
    subnets_apart,
    vlans_on_leaves,
    vnis_unique,
)
from fabricgen.checks.routing.leaf_pairs import equal_rails, host_asn, lossless_pairs
from fabricgen.checks.routing.mtu import external_mtu, families, host_mtu, switch_mtu, vxlan_mtu
from fabricgen.checks.routing.shared_backend import nic_rails, pairs_of_leaves, route_scale, tunnel_mtu
from fabricgen.checks.settings.access import factory_passwords, keyless_logins, lost_accounts
from fabricgen.checks.settings.ineffective_keys import idle_keys
from fabricgen.checks.settings.override_settings import in_force, of_variants, port_overrides
from fabricgen.checks.settings.overrides import drained_ports, ports_left_up, rails_left, spines_left
from fabricgen.checks.settings.raw import plain_references, raw_lines
from fabricgen.checks.settings.security import deviating, strict_demands
from fabricgen.checks.settings.session_guards import ttl_sent_only, ttl_unchecked
from fabricgen.checks.settings.telemetry import telemetry
from fabricgen.checks.support.capabilities import between_releases, capabilities, platforms
from fabricgen.checks.support.far_ends import far_ends
from fabricgen.checks.support.parts import device_parts, kinds_of
from fabricgen.checks.switches.watch import Watch, switches, watched
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.resolve.security import RULES

PLAN_CHECKS = (
    Check("platforms", ("unknown-platform", "unsupported-version", "platform-role"), platforms),
    Check("capabilities", ("platform-cannot",), capabilities),
    Check("far-ends", ("one-sided",), far_ends),
    Check("recorded-fit", ("lock-misfit",), recorded_fit),
    Check("rows-disjoint", ("rows-overlap",), rows_disjoint),
    Check("names-unique", ("name-twice",), names_unique),
    Check("name-length", ("name-too-long",), name_length),
    Check("families", ("vtep-family", "host-family"), families),
    Check("backend-private", ("public-addresses",), backend_private),
    Check("prefixes-disjoint", ("prefixes-overlap",), prefixes_disjoint),
    Check("pool-sizes", ("pool-exhausted", "outside-pool"), pool_sizes),
    Check("oob-size", ("oob-exhausted", "oob-moved"), oob_size),
    Check("oob-services", ("oob-gateway", "oob-server"), oob_services),
    Check("router-id-range", ("router-ids-moved", "router-ids-exhausted"), router_id_range),
    Check("addresses-unique", ("address-twice",), addresses_unique),
    Check("asn-ranges", ("asns-exhausted", "asns-moved"), asn_ranges),
    Check("asns-unique", ("asn-twice",), asns_unique),
    Check("nic-planes", ("nic-planes",), nic_planes),
    Check("even-links", ("uneven-links",), even_links),
    Check("spine-rows", ("spine-ports",), spine_rows),
    Check("superspine-rows", ("superspine-ports",), superspine_rows),
    Check("planes-disjoint", ("planes-joined",), planes_disjoint),
    Check("cable-ends", ("cable-ends",), cable_ends, must_stream=counts_cables),
    Check("ports-once", ("port-twice",), ports_once),
    Check("nic-ports-once", ("nic-port-twice", "nic-cage-twice"), nic_ports_once),
    Check("rails", ("rail-columns", "rail-leaf", "rail-pair"), rails),
    Check("breakouts", ("no-such-mode", "cage-in-two-modes", "logical-ports"), breakouts),
    Check("oversubscription", ("oversubscribed",), oversubscription),
    Check("waiver-places", ("waiver-place",), waiver_places),
    Check("spines-left", ("spines-drained",), spines_left),
    Check("pods-joined", ("pods-apart",), pods_joined),
    Check("rails-left", ("rail-lost",), rails_left),
    Check("ways-out", ("outside-lost",), ways_out),
    Check("drained-ports", ("drain-alone",), drained_ports),
    Check("leaves-joined", ("leaf-cut-off",), leaves_joined),
    Check("missing-links", ("links-missing",), missing_links),
    Check("ecmp-width", ("ecmp-width", "maximum-paths"), ecmp_width),
    Check("balancing-modes", ("balancing-mode",), modes),
    Check("dynamic-groups", ("dynamic-groups",), dynamic_groups),
    Check("link-loss", ("link-loss",), link_loss),
    Check("switch-mtu", ("switch-mtu",), switch_mtu),
    Check("external-mtu", ("external-mtu",), external_mtu),
    Check("host-mtu", ("host-mtu", "roce-mtu"), host_mtu),
    Check("vxlan-mtu", ("vxlan-mtu",), vxlan_mtu),
    Check("known-profiles", ("unknown-profile",), known_profiles),
    Check("markings", ("marking-plan", "lossless-classes"), markings),
    Check("expressible", ("cnp-with-control", "priority-not-class"), expressible),
    Check("nic-markings", ("nic-marking",), nic_markings),
    Check("sizes-known", ("headroom-unknown",), sizes_known),
    Check("headroom-pool", ("headroom-pool", "headroom-profiles"), headroom_pool),
    Check("thresholds", ("ecn-missing", "ecn-thresholds", "ecn-after-pfc"), thresholds),
    Check("buffers", ("buffer",), buffers),
    Check("subnets-apart", ("tenant-overlap",), subnets_apart),
    Check("servers-fit", ("subnet-short",), servers_fit),
    Check("accepted-outside", ("accept-own",), accepted_outside),
    Check("vnis-unique", ("vni-twice", "vni-range"), vnis_unique),
    Check("ids-left", ("ids-exhausted",), ids_left),
    Check("relay-pools", ("relay-pool", "relay-loopback"), relay_pools),
    Check("vlans-on-leaves", ("vlan-clash",), vlans_on_leaves),
    Check("nic-rails", ("nic-rail",), nic_rails),
    Check("pairs-of-leaves", ("tenancy-leaf-pairs",), pairs_of_leaves),
    Check("leaf-pairs", ("leaf-pairs-lossless",), lossless_pairs),
    Check("leaf-pair-rails", ("leaf-pairs-rails",), equal_rails),
    Check("host-asn", ("host-asn", "leaf-pairs-twice"), host_asn),
    Check("route-scale", ("route-scale",), route_scale),
    Check("host-routes", ("host-routes",), host_routes),
    Check("tunnel-mtu", ("tunnel-mtu",), tunnel_mtu),
    Check("telemetry", ("monitor-thresholds", "monitor-off", "nothing-marked"), telemetry),
    Check("raw-lines", ("raw-nowhere", "raw-syntax"), raw_lines),
    Check("outside-ports", ("outside-port", "port-two-peers"), outside_ports),
    Check("lost-accounts", ("no-account",), lost_accounts),
    Check("keyless-logins", ("no-key-account",), keyless_logins),
    Check("strict-demands", ("strict-sources", "strict-accounts", "strict-certificate"), strict_demands),
)
"""Checks by arithmetic over dimensions, segments and exceptions; a broken plan cannot make them raise."""

SWITCH_CHECKS = (
    Check("media", ("no-medium",), media, must_stream=measures_cables),
    Check("port-overrides", ("port-mtu", "fec-lanes", "headroom-low"), port_overrides),
    Check("device-parts", ("platform-part",), device_parts),
    Check(
        "switches",
        (
            "buffer-cycle",
            "valley-path",
            "backend-open",
            "tenants-meet",
            "backend-bridged",
            "nic-in-no-vrf",
            "planes-speak",
            "marking-differs",
            "lossless-bridged",
            "hash-seeds",
            "mtu-differs",
            "fec-differs",
            "bfd-differs",
            "ttl-differs",
            "password-differs",
            "gateway-mtu",
            "flowlet-gap",
            "cable-headroom",
            "platform-limit",
        ),
        switches,
        usual_coverage="streamed",
    ),
)
"""Checks over resolved switches, and over cables; only a plan without problems can be resolved."""

NOTES = (
    Check("pairs-short", ("pair-short",), pairs_short),
    Check("ttl-unchecked", ("ttl-unchecked",), ttl_unchecked),
    Check("ttl-sent-only", ("ttl-sent-only",), ttl_sent_only),
    Check("nothing-to-lose", ("link-loss-idle",), nothing_to_lose),
    Check("few-flows", ("few-flows",), few_flows),
    Check("spraying-unproven", ("spraying-unproven",), spraying_unproven),
    Check("seeds-not-configurable", ("seeds-not-configurable",), seeds_not_configurable),
    Check("unequal-members", ("unequal-members",), unequal_members),
    Check("hashed-above", ("hashed-above",), hashed_above),
    Check("idle-keys", ("idle-key",), idle_keys),
    Check("between-releases", ("release-between",), between_releases),
    Check("factory-passwords", ("factory-password",), factory_passwords),
    Check("unknown-nics", ("nic-unknown",), unknown_nics),
    Check("control-rides", ("control-with-cnp",), control_rides),
    Check("published-thresholds", ("ecn-after-pfc-published",), published_late),
    Check("rounded-watchdog", ("watchdog-rounded",), rounded_watchdog),
    Check("headroom-set-aside", ("headroom-unproven",), unproven),
    Check("oversubscribed-lossless", ("lossless-oversubscribed",), oversubscribed_lossless),
    Check("switched-lossless", ("lossless-switched",), switched_lossless),
    Check("lossless-exits", ("lossless-exits",), lossless_exits),
    Check("rdma-bonds", ("rdma-bond",), bonded_rdma),
    Check("plain-references", ("plain-reference",), plain_references),
    Check("lone-subnets", ("subnet-alone",), lone_subnets),
    Check("drained-alone", ("drain-idle",), drained_alone),
    Check("ports-left-up", ("ports-left-up",), ports_left_up),
    Check("ways-out-in-service", ("outside-drained",), ways_out_in_service),
    Check("mac-limits-low", ("mac-limit-low",), mac_limits_low),
    Check("security-profile", tuple(rule.code for rule in RULES), deviating),
)
"""Warnings about a plan without problems, which stop nothing. A waiver with its reason silences one."""

CHECKS = (*PLAN_CHECKS, *SWITCH_CHECKS)
"""For each code a test has a case that breaks its rule."""


def examine_values(plan: Plan) -> CheckVerdict:
    """Return all problems that show without a resolved switch."""
    first = _of_plan(plan)
    if first.problems:
        return first
    second = verdict(plan, (*media(plan), *port_overrides(plan)))
    return CheckVerdict(second.problems, (*first.waived, *second.waived))


def examine_plan(plan: Plan, cables: Callable[[Plan], Iterable[Problem]] = media) -> CheckVerdict:
    """Return all problems that show before all switches are resolved; `render` checks switches as it renders them.

    cables: those of cables without a medium; by default with fixes that were tried.
    """
    first = _of_plan(plan)
    # Switches of a broken plan cannot be resolved.
    if first.problems:
        return first
    kinds = kinds_of(plan)
    second = verdict(plan, (*cables(plan), *port_overrides(plan), *device_parts(plan, kinds)))
    effective = in_force(plan)
    noted = verdict(plan, (note for check in NOTES for note in check.run(effective)))
    return CheckVerdict(second.problems, (*first.waived, *second.waived, *noted.waived), noted.problems, kinds=kinds)


def _of_plan(plan: Plan) -> CheckVerdict:
    problems = tuple(problem for check in PLAN_CHECKS for problem in check.run(plan))
    return verdict(plan, (*problems, *of_variants(plan, PLAN_CHECKS, problems)))


ObserveSwitches = Callable[[Plan, tuple[FeatureUse, ...]], Watch]
"""Function that checks every switch of a plan, of which some are already resolved."""


def examine(plan: Plan, look: ObserveSwitches = watched) -> CheckVerdict:
    """Return the verdict of all checks; switches are checked only if the plan has no problems."""
    first = examine_plan(plan)
    if first.problems:
        return first
    return examined(plan, first.waived, look(plan, first.kinds))._replace(notes=first.notes, kinds=first.kinds)


def examined(plan: Plan, waived: Iterable[Waived], watch: Watch) -> CheckVerdict:
    """Return the whole verdict, from the problems waived in the plan and from what all switches show."""
    of_switches = verdict(plan, watch.problems())
    return CheckVerdict(
        of_switches.problems, (*waived, *of_switches.waived), coverage=coverage_of(plan, CHECKS, watch.switches)
    )


def run_plan_checks(plan: Plan) -> tuple[Problem, ...]:
    """Return the problems that show before all switches are resolved and that no waiver accepts."""
    return examine_plan(plan).problems


def run_checks(plan: Plan) -> tuple[Problem, ...]:
    """Return the problems that no waiver accepts; switches are checked only if the plan has no problems."""
    return examine(plan).problems


class Accepted:
    """Checks as above that also collect waived problems and warnings, to print them. observe: checks every switch."""

    def __init__(self, observe: ObserveSwitches = watched) -> None:
        self._observe = observe
        self._waived: dict[tuple[str, str], Waived] = {}
        self._notes: dict[tuple[str, str], Problem] = {}
        self._kinds: list[FeatureUse] = []
        self._sound: Plan | None = None
        self._coverage = NO_COVERAGE

    @property
    def coverage(self) -> Coverage:
        """How the rules were checked on the plans so far that passed, including their switches."""
        return self._coverage

    @property
    def kinds(self) -> tuple[FeatureUse, ...]:
        """One switch of each kind of the plans so far that had no problems of their own."""
        return tuple(self._kinds)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """Warnings so far, each once; and unused waivers, once a plan has passed, including its switches."""
        spare = unused(self._sound, self.waived) if self._sound is not None else ()
        return (*self._notes.values(), *spare)

    @property
    def waived(self) -> tuple[Waived, ...]:
        """The waived problems so far, each once."""
        return tuple(self._waived.values())

    def check(self, plan: Plan) -> tuple[Problem, ...]:
        """Return the problems as `run_checks` does."""
        return self._whole(plan, examine(plan, self._observe))

    def check_plan(self, plan: Plan) -> tuple[Problem, ...]:
        """Return the problems as `run_plan_checks` does."""
        return self._record(examine_plan(plan))

    def check_switches(self, plan: Plan, watch: Watch) -> tuple[Problem, ...]:
        """Return the remaining problems of all switches of a plan that passed `check_plan`."""
        return self._whole(plan, examined(plan, self.waived, watch))

    def _whole(self, plan: Plan, result: CheckVerdict) -> tuple[Problem, ...]:
        """Store a verdict that includes switches. All plans of one intent have the same waivers."""
        if not result.problems:
            self._sound = plan
        return self._record(result)

    def _record(self, result: CheckVerdict) -> tuple[Problem, ...]:
        for waived in result.waived:
            self._waived.setdefault((waived.problem.code, waived.problem.what), waived)
        for note in result.notes:
            self._notes.setdefault((note.code, note.what), note)
        self._coverage = together(self._coverage, result.coverage)
        self._kinds += result.kinds
        return result.problems
