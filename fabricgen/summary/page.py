"""The page of a design review as a frozen value: counts, ratios, numbers used, lossless settings, watts, growth."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import NamedTuple

from fabricgen.plan.growth import Growth
from fabricgen.plan.materials import Materials, Power


class GroupLine(NamedTuple):
    """One server group on one fabric. `ratio` is capacity down to capacity up of a leaf with all its servers."""

    group: str
    servers: int
    planned: int
    gpus: int
    units: int
    units_planned: int
    slots_a_unit: int
    leaves: int
    nics: str
    leaf_down: str
    leaf_up: str
    ratio: float | None
    ratio_spine_lost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Switches and links of one fabric. Counts of switches are of all planes and pods that stand.

    planes, pods     of the fabric; pods_planned: with numbers
    spines_a_pod     of one pod and plane that stand, and `spines_planned` with numbers
    cores_a_group    superspines of a core group that stand, and `cores_planned` with numbers
    core_links       links of a spine-superspine pair; 0 below three tiers
    spine_down, spine_up, spine_ratio  of a spine under superspines: ports, and capacity down to capacity up
    uplinks_laid     of a leaf: ports and numbers of those that come with more spines included
    asked            ratios of the intent, leaf and spine, e.g. 3:1, or 1:1 x 7:1
    end_to_end       worst ratio from server to server over all tiers, their product, with all servers of the units
                     that stand
    bisection_tbps   one way, servers of one half to those of the other, less the share of spines that
                     are away; None without spines
    away             switches that are dead or absent, by role; they are in all other counts
    """

    tiers: int
    planes: int
    pods: int
    pods_planned: int
    groups: tuple[GroupLine, ...]
    borders: int
    spines: int
    spines_a_pod: int
    spines_planned: int
    superspines: int
    cores_a_group: int
    cores_planned: int
    core_links: int
    spine_down: str
    spine_up: str
    spine_ratio: float | None
    links_a_pair: int
    uplinks_a_leaf: int
    uplinks_laid: int
    uplink_gbps: int
    models: tuple[tuple[str, str, str], ...]
    asked: str
    end_to_end: float | None
    bisection_tbps: float | None
    away: tuple[tuple[str, int], ...] = ()


class PoolUse(NamedTuple):
    """Use of one pool.

    allocated  numbers of switches that exist; reserved: those of planned ones, too; capacity: of the whole pool
    used       share of the pool up to the end of the last number given, 0 to 1
    """

    pool: str
    region: str
    block: str
    allocated: int
    reserved: int
    capacity: int
    used: float


class RouteScale(NamedTuple):
    """Routes of one family that each switch holds besides its own links, and what the chips take.

    limits  routes by chip; None where the hardware library does not say
    nics    routes to NICs of tenants on the fullest leaf of a shared backend
    """

    family: str
    aggregates: int
    loopbacks: int
    planned: int
    limits: tuple[tuple[str, int | None], ...]
    nics: int = 0


class EcnLine(NamedTuple):
    """ECN of one role and speed, octets; `minimum` None where nothing is rendered, as no profile has the speed.

    minimum, maximum, percent  as the switch is told, after the rounding of its system; planned_*: before it
    switches     of those that have it, where it is not what all of the role have; empty: all others
    queue_limit  what a queue may grow to: of its file, where that has the number, else by alpha
    pause        what a port fills before it pauses its peer, where that is a number of the file; else None
    """

    role: str
    model: str
    speed_gbps: int
    minimum: int | None
    maximum: int | None
    percent: int | None
    planned_minimum: int | None
    planned_maximum: int | None
    queue_limit: int | None
    pause: int | None
    profile: str
    source: str
    unsure: bool
    switches: str


class HeadroomLine(NamedTuple):
    """Headroom of the ports of one role that share speed and length, octets a port.

    ports      most of one switch
    octets     as planned
    rendered   what the switch is told, or computes by its maker's published formula; None where that is not published
    by_switch  the switch computes it from what it is told of the cable: no file has the number
    basis      model-row, asic-row, fit, fit-raised; override: the intent gives it to ports, or follows from their MTU
    switches   of those that have it, where it is not what all of the role have; empty: all others
    """

    role: str
    model: str
    speed_gbps: int
    length_m: int
    ports: int
    octets: int
    rendered: int | None
    by_switch: bool
    basis: str
    source: str
    unsure: bool
    switches: str


class PoolLine(NamedTuple):
    """Headroom of all ports of a switch, as it is rendered, against its pool; of the fullest switch of the role.

    private   whether ports share no pool: then `pool` is the whole buffer, and each port takes its headroom off it
    rendered  the pool as the switch is told; resume: how far below its limit a queue falls before its peer may send.
              None where the system keeps its own
    switches  of those whose pool it is, where it is not that of all of the role; empty: all others
    """

    role: str
    model: str
    ports: int
    needed: int
    pool: int
    ratio: float | None
    allowed: float
    private: bool
    rendered: int | None
    resume: int | None
    unsure: bool
    switches: str


class WatchdogLine(NamedTuple):
    """PFC watchdog as switches of one system are told, milliseconds; None where the system keeps its own.

    switches  of those that are told so, where it is not what all of the system are told; empty: all others
    """

    system: str
    detect_ms: int | None
    restore_ms: int | None
    polling_ms: int | None
    action: str
    switches: str = ""


class ApartLine(NamedTuple):
    """A value that overrides give some switches, beside what the page says of all others.

    what      marking, alpha, mtu, host_mtu
    ports     how many ports of each of the switches; 0: the whole switch
    switches  which
    """

    what: str
    value: str
    ports: int
    switches: str


class MacLimitLine(NamedTuple):
    """MAC addresses that leaves of one system learn of a server port; 0: any number, and `why`. `first`: its name."""

    system: str
    limit: int
    why: str
    leaves: int
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LosslessLine:
    """The lossless class of a backend. `apart`: values that are not those of all switches."""

    marking: str
    marking_source: str
    marking_unsure: bool
    priority: int
    data_dscp: int
    roce_dscps: tuple[int, ...]
    cnp_dscp: int
    queues: tuple[str, ...]
    control: tuple[str, ...]
    weights_source: str
    alpha: str
    mtu: int
    host_mtu: int
    apart: tuple[ApartLine, ...]
    ecn_profile: str
    ecn: tuple[EcnLine, ...]
    headroom: tuple[HeadroomLine, ...]
    pools: tuple[PoolLine, ...]
    watchdog: str
    watchdog_unproven: tuple[str, ...]
    watchdogs: tuple[WatchdogLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadBalancingLine:
    """How a fabric spreads flows, over how many paths, and what the leaf's chip can do.

    own_gap  platforms that cannot be told the gap between flowlets and keep their own
    seeds    tier and seed of its hash; None where its system cannot be told one
    """

    mode: str
    flowlet_gap_us: int
    own_gap: tuple[str, ...]
    paths: int
    widths: tuple[tuple[str, int | None], ...]
    chips: tuple[tuple[str, tuple[str, ...]], ...]
    seeds: tuple[tuple[str, int | None], ...]


class NetworkLine(NamedTuple):
    """One bridged network."""

    name: str
    vlan_id: int
    vni: int
    subnets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantLine:
    """One tenant on one frontend or shared backend. nics: those that it has besides whole servers."""

    fabric: str
    name: str
    vrf_id: int
    vni: int
    servers: tuple[str, ...]
    networks: tuple[NetworkLine, ...]
    reaches: tuple[str, ...]
    external: tuple[str, ...]
    nics: tuple[str, ...] = ()


class Limit(NamedTuple):
    """A limit and how near the plan is to it. `used` above `limit` is a limit that the plan passes."""

    fabric: str
    what: str
    used: float
    limit: float
    then: str

    @property
    def share(self) -> float:
        """Used part of the limit."""
        return self.used / self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPage:
    """One fabric."""

    name: str
    kind: str
    design: str
    counts: Counts
    pools: tuple[PoolUse, ...]
    routes: tuple[RouteScale, ...]
    lossless: LosslessLine | None
    mac_limits: tuple[MacLimitLine, ...]
    load_balancing: LoadBalancingLine
    power: Power
    growth: Growth


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole page.

    defaults   version of the defaults in force, and defaults_newest that of this release
    oob        the management prefix, which all fabrics share
    overrides  how many exceptions of the intent are in force, and waivers: accepted problems
    binds      the nearest limit first
    """

    site: str
    defaults: int
    defaults_newest: int
    fabrics: tuple[FabricPage, ...]
    oob: PoolUse
    tenants: tuple[TenantLine, ...]
    materials: Materials
    overrides: int
    waivers: int
    binds: tuple[Limit, ...]


def plain(value: object) -> object:
    """Value of this package, or of the plan, as what JSON knows; fields keep their names."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
