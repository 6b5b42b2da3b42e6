"""Every check, in the order it runs: the plan by arithmetic first, then the switches as they will be told."""

from fabricgen.checks.asns import asn_ranges, asns_unique
from fabricgen.checks.balancing import dynamic_groups, ecmp_width, modes
from fabricgen.checks.breakouts import breakouts
from fabricgen.checks.cabling import cable_ends, even_links, nic_planes, planes_disjoint, ports_once
from fabricgen.checks.capabilities import capabilities, platforms
from fabricgen.checks.capacity import missing_links, oversubscription
from fabricgen.checks.check import Check
from fabricgen.checks.lock_fit import recorded_fit, rows_disjoint
from fabricgen.checks.lossless import buffers, headroom_pool, sizes_known, thresholds
from fabricgen.checks.marking import expressible, known_profiles, markings, nic_markings
from fabricgen.checks.mtu import families, host_mtu, switch_mtu, vxlan_mtu
from fabricgen.checks.names import name_length, names_unique
from fabricgen.checks.overrides import spines_left
from fabricgen.checks.pools import addresses_unique, oob_services, oob_size, pool_sizes
from fabricgen.checks.prefixes import backend_private, prefixes_disjoint
from fabricgen.checks.rails import rails
from fabricgen.checks.spine_rows import spine_rows
from fabricgen.checks.switches import switches
from fabricgen.checks.tenants import ids_left, outside_ports, relay_pools, subnets_apart, vlans_on_leaves, vnis_unique
from fabricgen.errors import Problem
from fabricgen.plan.cabling import unsupported_media
from fabricgen.plan.plan import Plan

PLAN_CHECKS = (
    Check("platforms", ("unknown-platform", "unsupported-version"), platforms),
    Check("capabilities", ("platform-cannot",), capabilities),
    Check("recorded-fit", ("lock-misfit",), recorded_fit),
    Check("rows-disjoint", ("rows-overlap",), rows_disjoint),
    Check("names-unique", ("name-twice",), names_unique),
    Check("name-length", ("name-too-long",), name_length),
    Check("families", ("vtep-family", "host-family"), families),
    Check("backend-private", ("public-addresses",), backend_private),
    Check("prefixes-disjoint", ("prefixes-overlap",), prefixes_disjoint),
    Check("pool-sizes", ("pool-exhausted", "outside-pool"), pool_sizes),
    Check("oob-size", ("oob-exhausted", "oob-moved"), oob_size),
    Check("oob-services", ("oob-gateway",), oob_services),
    Check("addresses-unique", ("address-twice",), addresses_unique),
    Check("asn-ranges", ("asns-exhausted", "asns-moved"), asn_ranges),
    Check("asns-unique", ("asn-twice",), asns_unique),
    Check("nic-planes", ("nic-planes",), nic_planes),
    Check("even-links", ("uneven-links",), even_links),
    Check("spine-rows", ("spine-ports",), spine_rows),
    Check("planes-disjoint", ("planes-joined",), planes_disjoint),
    Check("cable-ends", ("cable-ends",), cable_ends),
    Check("ports-once", ("port-twice",), ports_once),
    Check("rails", ("rail-columns", "rail-leaf"), rails),
    Check("breakouts", ("no-such-mode", "cage-in-two-modes", "logical-ports"), breakouts),
    Check("oversubscription", ("oversubscribed",), oversubscription),
    Check("spines-left", ("spines-drained",), spines_left),
    Check("missing-links", ("links-missing",), missing_links),
    Check("ecmp-width", ("ecmp-width", "maximum-paths"), ecmp_width),
    Check("balancing-modes", ("balancing-mode",), modes),
    Check("dynamic-groups", ("dynamic-groups",), dynamic_groups),
    Check("switch-mtu", ("switch-mtu",), switch_mtu),
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
    Check("vnis-unique", ("vni-twice", "vni-range"), vnis_unique),
    Check("ids-left", ("ids-exhausted",), ids_left),
    Check("relay-pools", ("relay-pool", "relay-loopback"), relay_pools),
    Check("vlans-on-leaves", ("vlan-clash",), vlans_on_leaves),
    Check("outside-ports", ("outside-port", "port-two-peers"), outside_ports),
)
"""By arithmetic over dimensions and segments; a broken plan can not make them fail."""

SWITCH_CHECKS = (
    Check("media", ("no-medium",), unsupported_media),
    Check(
        "switches",
        (
            "buffer-cycle",
            "valley-path",
            "backend-open",
            "marking-differs",
            "lossless-bridged",
            "hash-seeds",
            "mtu-differs",
            "gateway-mtu",
            "flowlet-gap",
            "cable-headroom",
        ),
        switches,
    ),
)
"""Over every switch, resolved one at a time; only a sound plan can be resolved."""

CHECKS = (*PLAN_CHECKS, *SWITCH_CHECKS)
"""Each is tripped by a case of the tests, code by code."""


def run_plan_checks(plan: Plan) -> tuple[Problem, ...]:
    """Every problem that shows before a switch is resolved; `render` looks at the switches as it renders them."""
    problems = tuple(problem for check in PLAN_CHECKS for problem in check.run(plan))
    return problems or tuple(unsupported_media(plan))


def run_checks(plan: Plan) -> tuple[Problem, ...]:
    """Every problem of a plan; switches are looked at once the plan by itself is sound."""
    problems = tuple(problem for check in PLAN_CHECKS for problem in check.run(plan))
    if problems:
        return problems
    return tuple(problem for check in SWITCH_CHECKS for problem in check.run(plan))
