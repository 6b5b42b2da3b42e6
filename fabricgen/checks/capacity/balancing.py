"""Load balancing over equal paths, compared with the abilities of chips and NICs."""

from collections.abc import Callable, Iterator, Mapping

from fabricgen.checks.cabling.cabling import chassis_by_role
from fabricgen.errors import Problem
from fabricgen.intent.fabric import Fabric, is_unnumbered, model_key, overlay_of
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.policy.load_balancing import (
    CHIP_MODES,
    DLB_GROUPS,
    GLOBAL_LEAVES,
    ecmp_faults,
    group_faults,
    mode_faults,
)
from fabricgen.policy.nics import NIC_VENDOR_BY_NAME, QUEUE_PAIRS
from fabricgen.policy.sources import ADAPTIVE_NICS
from fabricgen.resolve.needs import roles
from fabricgen.resolve.routing import maximum_paths
from fabricgen.resolve.variants import sprays, variants
from fabricgen.topologies.nics import leaves_a_rail


def modes(plan: Plan) -> Iterator[Problem]:
    """Chips, NICs and the fabric's design fit the mode: per-packet spraying has NICs that accept reordering.

    Source: `load_balancing` of the chip's hardware file, `reorder` of the NIC group; of the design: docs/platforms.md.
    """
    for name, fabric in plan.fabrics.items():
        mode = fabric.fabric.load_balancing
        if mode in RULES:
            yield from _fitting(name, fabric)
        if mode == "cluster":
            continue
        roles_by_fault: dict[str, list[str]] = {}
        for role, chassis in chassis_by_role(fabric):
            for why in mode_faults(mode, supported=chassis.asic.load_balancing, nic_reorder=True):
                roles_by_fault.setdefault(why, []).append(role)
        for why, fault_roles in roles_by_fault.items():
            yield _no_mode(name, mode, f"{why} ({', '.join(dict.fromkeys(fault_roles))})", "write load_balancing: ecmp")
        yield from _without_consent(plan, fabric)
    for name, fabric in plan.fabrics.items():
        yield from _leafless(name, fabric)


def _leafless(name: str, fabric: FabricPlan) -> Iterator[Problem]:
    """Yield overrides that set mode cluster only on switches without hosts."""
    for variant in variants(fabric):
        mode = variant.settings.fabric.load_balancing
        if mode == "cluster" != fabric.fabric.load_balancing and Tier.LEAF not in variant.tiers:
            why, fix = "only a leaf places flows, and the override names none", "name leaves, or the whole fabric"
            where = variant.placed(("fabrics", name, "load_balancing"))
            yield _no_mode(name, mode, why, fix)._replace(where=where)


def _no_mode(name: str, mode: str, why: str, fix: str) -> Problem:
    return Problem(
        code="balancing-mode",
        what=f"{name} cannot use load_balancing: {mode}",
        where=("fabrics", name, "load_balancing"),
        why=why,
        fix=fix,
    )


def _without_consent(plan: Plan, fabric: FabricPlan) -> Iterator[Problem]:
    """Yield a problem for each kind of NIC that requires packets in order, by its server's model."""
    mode = fabric.fabric.load_balancing
    groups_by_nic: dict[tuple[str, str, str], list[str]] = {}
    for group in fabric.shape.groups:
        for why in mode_faults(mode, supported=(mode,), nic_reorder=group.nics.reorder):
            nics = (plan.intent.servers[group.name].model, fabric.fabric.connects[group.name])
            groups_by_nic.setdefault((*nics, why), []).append(group.name)
    for (model, nic, why), groups in groups_by_nic.items():
        yield _no_mode(
            fabric.name,
            mode,
            f"{why}, and the NICs of {', '.join(groups)} ({nic} of {model}) are not known to accept them",
            f"write load_balancing: ecmp; or, if the vendor says that these NICs accept packets out of order, write "
            f"reorder: true under nics.{nic} in your own hardware file for {model} (`export hosts` then configures "
            "NVIDIA NICs for it)",
        )


def _fitting(name: str, fabric: FabricPlan) -> Iterator[Problem]:
    """Yield the first reason why a mode does not fit the fabric."""
    mode = fabric.fabric.load_balancing
    why = next((why for holds, why in RULES[mode](fabric, fabric.fabric) if not holds), "")
    if why:
        rest = CHIP_MODES.get(mode, "ecmp")
        able = all(supports(role.system.partition("-")[0], rest) for role in roles(fabric))
        yield _no_mode(name, mode, why, f"write load_balancing: {rest if able else 'ecmp'}")


Rules = Iterator[tuple[bool, str]]


def _cluster(fabric: FabricPlan, body: Fabric) -> Rules:
    """In mode cluster a leaf places the IPv4 flows that it routes between its hosts and its uplinks."""
    yield overlay_of(body) is None, "it places routed flows; whether it places flows inside a tunnel is undocumented"
    yield body.addressing.hosts == "ipv4", "it places IPv4 flows, and the hosts have IPv6"
    yield (
        not is_unnumbered(body.addressing),
        "whether it places IPv4 flows on links without IPv4 addresses is undocumented",
    )


def _queue_pair(fabric: FabricPlan, body: Fabric) -> Rules:
    """The queue pair is read at a fixed place behind the first UDP header of an IPv4 packet."""
    yield overlay_of(body) is None, "it reads the queue pair behind the first UDP header, which is the tunnel's here"
    yield body.addressing.hosts == "ipv4", "it reads the queue pair of IPv4 packets, and the hosts have IPv6"


def _global(fabric: FabricPlan, body: Fabric) -> Rules:
    """A leaf knows the load of the link from each spine to each other leaf. Source: policy.sources.GLOBAL."""
    shape, leaves = fabric.shape, _leaves_planned(fabric)
    yield overlay_of(body) is None, "it is not supported for routes of an overlay or of a routing instance"
    yield shape.spines > 0 and not shape.cores, "it is documented for leaves and spines alone, without superspines"
    yield (
        shape.links <= 1,
        f"it takes one link per leaf-spine pair, and here are {shape.links}; with topology.spines.now: "
        f"{shape.spines * shape.links} there is one",
    )
    yield leaves <= GLOBAL_LEAVES, f"it takes {GLOBAL_LEAVES} leaves, and {leaves} are planned"
    yield leaves_a_rail(body.topology) == 1, "it is not supported with servers that are connected to two leaves"
    yield not is_unnumbered(body.addressing), "whether it works on links without addresses is undocumented"


RULES: Mapping[str, Callable[[FabricPlan, Fabric], Rules]] = {
    "cluster": _cluster,
    "ecmp-queue-pair": _queue_pair,
    "dlb-global": _global,
}
"""Mode that only some fabrics can have → what must hold, each with the reason."""


def ecmp_width(plan: Plan) -> Iterator[Problem]:
    """A group of the chip holds all equal paths, and BGP installs them: uplinks, or links of a pair to a switch below.

    Source: `ecmp_width` of the chip's hardware file; unknown widths are not compared.
    """
    for name, fabric in plan.fabrics.items():
        lost: list[tuple[int, int]] = []
        for role, chassis in chassis_by_role(fabric):
            # Equal paths of a switch: all its uplinks for what lies above, the links of a pair for what lies below.
            below = {"spine": fabric.shape.links, "superspine": fabric.shape.core_links}
            paths = max(len(chassis.uplinks), below.get(role, 0))
            installed = maximum_paths(fabric, TIERS.get(role, Tier.LEAF))
            lost += [(paths, installed)] if installed < paths else []
            for why in ecmp_faults(paths, chassis.asic.ecmp_width):
                yield Problem(
                    code="ecmp-width",
                    what=f"{chassis.switch.model} cannot use all {paths} equal paths of a {role} of {name}",
                    where=("fabrics", name, *model_key(fabric.fabric, role, chassis.switch.model)),
                    why=why,
                    fix="plan for fewer and faster uplinks, or choose a model with a wider chip",
                )
        if lost:
            widest, installed = max(lost)
            yield Problem(
                code="maximum-paths",
                what=f"switches of {name} would install {installed} of {widest} equal paths",
                where=("fabrics", name, "topology"),
                why=f"the widest set of equal paths has {widest}",
                fix="this is a bug in fabricgen; report it with your intent",
            )


TIERS = {"spine": Tier.SPINE, "superspine": Tier.SUPERSPINE}
"""Key of the intent → tier; all other keys are leaves."""


def dynamic_groups(plan: Plan) -> Iterator[Problem]:
    """Dynamic balancing has a group for every set of next hops: one per switch below with several links, and one up.

    Counted once for both families, as they share next hops; that a chip has 128 groups is expert knowledge.
    """
    for name, fabric in plan.fabrics.items():
        if not fabric.fabric.load_balancing.startswith("dlb-"):
            continue
        for role, groups, most in _groups(fabric):
            for why in group_faults(groups, DLB_GROUPS):
                yield Problem(
                    code="dynamic-groups",
                    what=f"{role} of {name} have more groups than {fabric.fabric.load_balancing} can balance",
                    where=("fabrics", name, "load_balancing"),
                    why=why,
                    fix=f"write topology.{role}.planned: {most} (one link per pair), or load_balancing: ecmp",
                )


def seeds_not_configurable(plan: Plan) -> Iterator[Problem]:
    """Two tiers that hash one after the other have different seeds, or the operator knows that they do.

    A switch whose system has no setting for the seed uses a default; if two tiers had the same one, which no source
    says, the second would repeat the choice of the first and leave links idle. Switches that balance by load do not
    choose by a hash alone.

    Source: `hash-seed` of the capability tables.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.load_balancing not in HASHED:
            continue
        systems = {role.name: role.system.partition("-")[0] for role in roles(fabric)}
        for below, above in _hashing(fabric):
            unable = [role for role in (below, above) if not supports(systems[role], "hash-seed")]
            if unable:
                row = PLATFORMS[systems[unable[0]]].can("hash-seed")
                yield Problem(
                    code="seeds-not-configurable",
                    what=f"{below} and {above} of {name} may use the same hash seed",
                    where=("fabrics", name, "load_balancing"),
                    why=f"{PLATFORMS[systems[unable[0]]].title} has no command for the hash seed: "
                    f"{row.refusal if row else ''}; with "
                    f"equal seeds a {above} repeats the choice of a {below}, and some of its links stay idle",
                    fix="check the counters of parallel links under load, and waive seeds-not-configurable with what "
                    "they show; or write load_balancing: dlb-flowlet where the switches can",
                )


SOCKETS = ("NCCL_SOCKET_NTHREADS", 4)
"""Threads with a socket each per connection, as the NCCL user guide has them for networks of 100G."""
HASHED = ("ecmp", "ecmp-queue-pair", "cluster")
"""Modes in which at least one tier chooses by a hash alone."""


def _hashing(fabric: FabricPlan) -> Iterator[tuple[str, str]]:
    """Yield pairs of tiers that hash in sequence: on the way up to superspines, and down over the links of a pair."""
    shape = fabric.shape
    if shape.spines and (shape.links > 1 or shape.cores):
        yield "leaf", "spine"
    if shape.cores and shape.core_links > 1:
        yield "spine", "superspine"


def few_flows(plan: Plan) -> Iterator[Problem]:
    """A hash spreads flows, and RoCE has few: each queue pair is one. More queue pairs per connection make more flows.

    NICs behind leaf pairs have no RoCE: there each socket is a flow.
    Source: NVIDIA/nccl, docs/userguide, performance and tuning: several queue pairs on RoCE; env: socket threads.
    """
    for name, fabric in plan.fabrics.items():
        mode, paths = fabric.fabric.load_balancing, fabric.shape.spines * fabric.shape.links
        # Queue pairs of a collective library are those of GPUs: storage has a connection for each client and target.
        if fabric.fabric.kind == "backend" and mode in ("ecmp", "ecmp-queue-pair") and fabric.shape.spines:
            has_roce = not has_leaf_pairs(fabric)
            setting, count = ("NCCL_IB_QPS_PER_CONNECTION", QUEUE_PAIRS[mode]) if has_roce else SOCKETS
            flows = "RoCE flows" if has_roce else "flows of sockets"
            yield Problem(
                code="few-flows",
                what=f"{name} spreads {flows} over {paths} paths by ECMP hash alone",
                where=("fabrics", name, "load_balancing"),
                why="a few large flows may share one path while others are idle; more "
                f"{'queue pairs' if has_roce else 'sockets'} per connection make more flows (NCCL user guide); that "
                f"{count} are enough is expert knowledge{_unproven(fabric, mode)}",
                fix=f"{_by_load(plan, name)}set {setting}={count} on the servers"
                f"{' (`export hosts` writes it)' if has_roce else ''} and waive few-flows",
            )


def _by_load(plan: Plan, name: str) -> str:
    """Return the start of a fix with the modes that the fabric can have, empty for none."""
    # Imported only for a fix, as it plans the fabric again in each mode.
    from fabricgen.checks.remedies.modes import working_modes  # noqa: PLC0415

    able = " or ".join(working_modes(plan, name))
    return f"write load_balancing: {able}; or " if able else ""


def _unproven(fabric: FabricPlan, mode: str) -> str:
    """Return why the mode may have no effect on systems of the fabric; empty where that is known."""
    systems = (PLATFORMS[name] for name in dict.fromkeys(role.system.partition("-")[0] for role in roles(fabric)))
    rows = ((platform.title, platform.can(mode)) for platform in systems)
    return "".join(f"; unproven on {title}: {row.unproven}" for title, row in rows if row is not None and row.unproven)


def spraying_unproven(plan: Plan) -> Iterator[Problem]:
    """NICs accept sprayed packets with switches for which their vendor has shown it; with others it is unproven.

    Source: a techpost of Juniper on spraying, which quotes forums.developer.nvidia.com 330488.
    """
    for name, fabric in plan.fabrics.items():
        if not sprays(fabric):
            continue
        leaves = {group.leaf.switch.vendor: group for group in fabric.shape.groups}
        known = {group.nics.vendor for group in fabric.shape.groups} & set(NIC_VENDOR_BY_NAME)
        for vendor in sorted(known):
            tested_vendor = NIC_VENDOR_BY_NAME[vendor].switches
            others = sorted(set(leaves) - {tested_vendor})
            if tested_vendor and others:
                yield Problem(
                    code="spraying-unproven",
                    what=f"{name} sprays packets to NICs of {vendor} by switches of {', '.join(others)}",
                    where=("fabrics", name, "load_balancing"),
                    why=f"both ends are configured for it, but {ADAPTIVE_NICS}",
                    fix="write load_balancing: ecmp; or waive spraying-unproven once a test over several paths has "
                    "lost no bandwidth",
                )


def unequal_members(plan: Plan) -> Iterator[Problem]:
    """Dynamic balancing uses the load of a switch's own ports, weights the number of links behind them.

    Source: Juniper's documentation of dynamic load balancing, which advises against members of unequal capacity.
    """
    for name, fabric in plan.fabrics.items():
        mode, loss = fabric.fabric.load_balancing, fabric.fabric.link_loss
        if mode.startswith("dlb-") and loss == "weighted" and fabric.shape.links > 1:
            yield Problem(
                code="unequal-members",
                what=f"{name} uses both {mode} and weighted paths",
                where=("fabrics", name, "link_loss"),
                why="a lightly loaded port is chosen although the next hop has lost links",
                fix="write link_loss: withdraw, or load_balancing: ecmp",
            )


def hashed_above(plan: Plan) -> Iterator[Problem]:
    """In mode cluster leaves place flows, but switches above them hash over the links of a pair.

    Source: CLI of `load-balance cluster` as aristanetworks/avd 6.4 documents it: it takes ports of hosts, which only
    leaves have.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.load_balancing == "cluster" and max(fabric.shape.links, fabric.shape.core_links) > 1:
            yield Problem(
                code="hashed-above",
                what=f"spines of {name} hash flows over {fabric.shape.links} parallel links to each leaf",
                where=("fabrics", name, "load_balancing"),
                why="leaves place flows on uplinks only; on the way down two flows may still share one of the "
                "parallel links",
                fix="plan for one link per leaf-spine pair, or waive hashed-above",
            )


def _groups(fabric: FabricPlan) -> Iterator[tuple[str, int, int]]:
    """Yield role, sets of next hops with several links, and the number of its switches that makes one link per pair."""
    shape = fabric.shape
    if shape.links > 1:
        yield "spines", _leaves_planned(fabric) + (shape.cores > 0), len(shape.groups[0].leaf.up)
    if shape.core_links > 1 and shape.spine is not None:
        yield "superspines", shape.pods, len(shape.spine.up)


def _leaves_planned(fabric: FabricPlan) -> int:
    """Return the most leaves of a pod and plane."""
    shape = fabric.shape
    return shape.borders + sum(-(-group.planned // shape.pods) * group.leaves_a_unit for group in shape.groups)
