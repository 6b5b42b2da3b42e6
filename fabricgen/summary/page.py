"""The page of a design review as a frozen value: counts, ratios, pools, lossless settings, power, growth."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import NamedTuple

from fabricgen.plan.growth import Growth
from fabricgen.plan.materials import Materials, Power


class GroupLine(NamedTuple):
    """One server group on one fabric.

    planned      slots of the planned scalable units; servers_planned: those that the intent plans, which may be fewer
    leaves_of    server group whose leaves they are on: this one, or the one that it shares them with; `leaves`: its own
    ports_idle   ports of a leaf without a server, as the intent's `uplinks` carry no more at the ratio
    ratio        downlink to uplink capacity of a leaf with all its servers
    """

    group: str
    servers: int
    planned: int
    servers_planned: int
    ports_idle: int
    gpus: int
    units: int
    units_planned: int
    slots_a_unit: int
    leaves_of: str
    leaf_model: str
    leaves: int
    nics: str
    leaf_down: str
    leaf_up: str
    ratio: float | None
    ratio_spine_lost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Switches and links of one fabric. Counts of switches include all planes and all pods that exist.

    planes, pods     of the fabric; pods_planned: for which numbers are reserved
    rails_per_plane  rails that share leaves and spines; planes_per_nic: into which each NIC is divided
    spines_a_pod     existing spines of one pod and plane; `spines_planned`: with those for which numbers are reserved
    cores_a_group    existing superspines of a core group; `cores_planned`: with those for which numbers are reserved
    core_links       links of a spine-superspine pair; 0 below three tiers
    spine_down, spine_up, spine_ratio  of a spine below superspines, in the pod with the most leaves: cabled ports, and
                     downlink to uplink capacity; spine_ratio_full: the ratio in a full pod, with as many of the
                     planned spines as its leaves need
    spine_uplinks_least  uplinks of a spine that its ratio needs, today and in a full pod; 0 below three tiers
    spine_uplinks_why    why it has more: asked for (`spine_uplinks`), so that superspines share them equally
                     (`shared`), or as the lock has them (`recorded`); empty if it does not
    uplinks_laid     of a leaf: ports and numbers of its uplinks, including those that come with more spines
    asked            ratios of the intent, leaf and spine, e.g. 3:1, or 1:1 x 7:1
    end_to_end       worst oversubscription from server to server over all tiers, if all existing units have all their
                     servers; end_to_end_full: if all planned pods are full, with the spines that they need
    bisection_tbps   per direction, from the servers of one half to those of the other, less the share of dead or absent
                     spines; None without spines
    away             dead or absent switches, by role; all other counts include them
    """

    tiers: int
    planes: int
    rails_per_plane: int
    planes_per_nic: int
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
    spine_ratio_full: float | None
    spine_uplinks_least: int
    spine_uplinks_why: str
    links_a_pair: int
    uplinks_a_leaf: int
    uplinks_laid: int
    uplink_gbps: int
    models: tuple[tuple[str, str, str], ...]
    asked: str
    end_to_end: float | None
    end_to_end_full: float | None
    bisection_tbps: float | None
    away: tuple[tuple[str, int], ...] = ()


class PoolUse(NamedTuple):
    """Use of one pool.

    allocated  numbers of existing switches; reserved: those of planned ones, too; capacity: of the whole pool
    used       share of the pool up to the end of the last allocated number, 0 to 1
    """

    pool: str
    region: str
    block: str
    allocated: int
    reserved: int
    capacity: int
    used: float


class RouteScale(NamedTuple):
    """Routes of one family that each switch has in addition to its own links, and the limits of the chips.

    limits  routes by chip; None if the hardware library has no number
    nics    routes to NICs of tenants on the fullest leaf of a shared backend
    hosts   routes to NICs that have one address behind two leaves
    """

    family: str
    aggregates: int
    loopbacks: int
    planned: int
    limits: tuple[tuple[str, int | None], ...]
    nics: int = 0
    hosts: int = 0


class EcnLine(NamedTuple):
    """ECN of one role and speed, octets; `minimum` is None where nothing is rendered, as no profile has the speed.

    minimum, maximum, percent  as configured, after the rounding of the operating system; planned_*: before it
    switches     those that have this, if not all of the role do; empty: all others
    queue_limit  how far a queue may grow: from the rendered file if it has the number, else from alpha
    pause        how full a port gets before it pauses its peer, if the rendered file has that number; else None
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
    """Headroom of the ports of one role that share speed and length, octets per port.

    ports      the most that one switch has
    octets     as planned
    rendered   as configured, or as the switch computes it by the vendor's published formula; None if that is not
               published
    by_switch  the switch computes it from the configured cable: no file has the number
    basis      model-row, asic-row, fit, fit-raised; override: the intent sets it for ports, or it follows from their
               MTU
    switches   those that have this, if not all of the role do; empty: all others
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
    """Headroom of all ports of a switch, as rendered, against its pool; of the fullest switch of the role.

    private   whether ports share no pool: then `pool` is the whole buffer, and each port's headroom is taken from it
    allowed   largest ratio without a problem; allowed_by: whose ratio it is, in words; empty without a shared pool
    rendered  the pool as configured; resume: how far a queue falls below its limit before the peer may send again.
              None: the platform default applies
    switches  those that have this pool, if not all of the role do; empty: all others
    """

    role: str
    model: str
    ports: int
    needed: int
    pool: int
    ratio: float | None
    allowed: float
    allowed_by: str
    private: bool
    rendered: int | None
    resume: int | None
    unsure: bool
    switches: str


class WatchdogLine(NamedTuple):
    """PFC watchdog as configured on switches of one operating system, milliseconds; None: the platform default applies.

    switches  those that have this, if not all with the operating system do; empty: all others
    """

    system: str
    detect_ms: int | None
    restore_ms: int | None
    polling_ms: int | None
    action: str
    switches: str = ""


class ApartLine(NamedTuple):
    """A value that overrides set on some switches, different from the one that the page prints for all others.

    what      marking, alpha, mtu, host_mtu
    ports     number of ports on each of the switches; 0: the whole switch
    switches  names of the switches
    """

    what: str
    value: str
    ports: int
    switches: str


class MacLimitLine(NamedTuple):
    """Limit of MAC addresses per server port on leaves of one operating system; 0: none, and `why`.

    `first`: a leaf's name.
    """

    system: str
    limit: int
    why: str
    leaves: int
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LosslessLine:
    """The lossless class of a fabric. `apart`: values that only some switches have."""

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
    server_port_mtu: int
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
    """Load-balancing mode and number of paths of a fabric, and what the leaf's chip supports.

    own_gap  platforms for which the flowlet gap is not rendered: the platform default applies
    seeds    tier and its hash seed; None where the seed is not rendered
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
    """One tenant on one frontend or shared backend. nics: those that it has in addition to whole servers."""

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
    """A limit and how much of it the plan uses. `used` above `limit` exceeds it. `then`: what growing past it takes."""

    fabric: str
    what: str
    used: float
    limit: float
    then: str

    @property
    def share(self) -> float:
        """Used part of the limit, 1 for all of it."""
        return self.used / self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPage:
    """One fabric. leaves_per_rail: 2 where a NIC has one address behind two leaves."""

    name: str
    kind: str
    design: str
    leaves_per_rail: int
    counts: Counts
    pools: tuple[PoolUse, ...]
    routes: tuple[RouteScale, ...]
    lossless: LosslessLine | None
    mac_limits: tuple[MacLimitLine, ...]
    load_balancing: LoadBalancingLine
    power: Power
    growth: Growth


class SecurityLine(NamedTuple):
    """Switches that deviate from the security profile in one way.

    code      of the warning, which a waiver silences
    what      the deviation
    switches  number of them; first: the name of one
    """

    code: str
    what: str
    switches: int
    first: str


class SecurityLines(NamedTuple):
    """The security profile of the site, empty if it has none, and what deviates from it."""

    profile: str
    deviations: tuple[SecurityLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole page.

    defaults   version of the defaults in force; defaults_newest: the newest of this release
    oob        the management prefix, which all fabrics share
    overrides  number of exceptions of the intent in force; waivers: number of accepted problems
    binds      limits, the most used first
    """

    site: str
    defaults: int
    defaults_newest: int
    fabrics: tuple[FabricPage, ...]
    security: SecurityLines
    oob: PoolUse
    tenants: tuple[TenantLine, ...]
    materials: Materials
    overrides: int
    waivers: int
    binds: tuple[Limit, ...]


def plain(value: object) -> object:
    """A value of this package, or of the plan, as plain JSON values; fields keep their names."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
