"""Published ECN profiles, or a formula from the bandwidth-delay product → marking thresholds of one queue.

Public thresholds for 400G differ by a factor of sixteen. So `published` takes those that the vendor publishes for its
own switch, role and speed, and the formula where there are none; a profile or thresholds can be named instead.
`Ecn.source` says which was used.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from fabricgen.policy import sources

PUBLISHED = "published"
FORMULA = "formula"
KILO = 1000  # octets in a published KB: the smaller reading, so that a threshold is never above the published one
FORMULA_FLOOR_OCTETS = 150_000  # the smallest published threshold that is not tuned to a chip
ROUND_TRIP_US = {1: 8, 2: 8, 3: 12}  # tiers → base round trip in microseconds, expert knowledge
KMIN_PERCENT_OF_BDP = 35  # expert knowledge
KMAX_KMIN = 4  # Kmax is at most this many Kmin
FORMULA_PERCENT = 20
OF_SUPERSPINES = "; superspines have the values of spines"  # what a source says of them
NVIDIA_PERCENT = 100  # NVIDIA's own default for its NICs, sources.CUMULUS_ROCE
FORMULA_SOURCE = (
    "formula: Kmin max(150 kB, 0.35 BDP), on a box of many ports below what PFC leaves; Kmax min(4 Kmin, half the "
    "queue limit); overridable"
)
PERCENT_OF_PFC_LIMIT = 90  # of the Kmin at which PFC would come first: room for the rounding of every system
MTUS_BELOW_KMIN = 4  # a queue of a few frames is no congestion


class EcnRow(NamedTuple):
    """Thresholds as published. `speed_gbps` 0 and `role` "" stand for any; `fill-percent` is of the queue limit."""

    speed_gbps: int
    role: str
    minimum: int
    maximum: int
    probability_percent: int
    unit: Literal["octets", "fill-percent"] = "octets"


class EcnProfile(NamedTuple):
    """A named table. A speed without a row has no thresholds: none are invented."""

    name: str
    rows: tuple[EcnRow, ...]
    source: str
    unsure: bool = False


class Ecn(NamedTuple):
    """Thresholds of one queue in octets: marking starts at the minimum, reaches the probability at the maximum.

    `unsure` is true where they are expert knowledge instead of a published table.
    """

    minimum_octets: int
    maximum_octets: int
    probability_percent: int
    source: str
    unsure: bool = False


# Left out: a published pair of 2,000 and 10,000 segments at 200G; no source gives the octets of a segment.
ECN_PROFILES = (
    EcnProfile(
        name="nvidia",
        # Spectrum-4 hardware shows 159,744: it rounds up to its own step.
        rows=(EcnRow(0, "", 150_000, 1_500_000, 100),),
        source=sources.CUMULUS_ROCE,
    ),
    EcnProfile(
        name="cisco-100",
        rows=(EcnRow(100, "", 150 * KILO, 3_000 * KILO, 7),),
        source=sources.CISCO_ND,
    ),
    EcnProfile(
        # A template AI_Fabric_QOS_800G exists, too; no public text has its thresholds.
        name="cisco-400",
        rows=(EcnRow(400, "", 950 * KILO, 3_000 * KILO, 7),),
        source=sources.CISCO_ND,
    ),
    EcnProfile(
        name="arista-guide",
        rows=tuple(
            EcnRow(speed, role, minimum * KILO, maximum * KILO, 100)
            for speed in (100, 200, 400)
            for role, minimum, maximum in (("leaf", 256, 512), ("spine", 512, 768), ("superspine", 512, 768))
        ),
        source=f"{sources.ARISTA_GUIDE}{OF_SUPERSPINES}",
    ),
    EcnProfile(
        name="azure-th5",
        # The family's 512 × 100G table (166,912 and 282,624) is left out: it is for lossy, trimmed classes.
        rows=(EcnRow(400, "", 131_072, 262_144, 5),),
        source=sources.BUFFERS_7060X6,
    ),
    EcnProfile(
        name="azure-generic",
        rows=(EcnRow(0, "", 1_048_576, 2_097_152, 5),),
        source=sources.COMMUNITY_QOS,
    ),
    EcnProfile(
        name="amd-dell",
        rows=(EcnRow(400, "", 2_048 * KILO, 12_480 * KILO, 15),),
        source=sources.AMD_GUIDE,
    ),
    EcnProfile(
        name="juniper-th5",
        # Bound to every port by the wildcard et-*, whatever its speed.
        rows=(EcnRow(0, "", 55, 90, 100, "fill-percent"),),
        source=f"{sources.JUNIPER_JVD}; that the fill is of the dynamic queue limit is assumed",
        unsure=True,
    ),
    EcnProfile(
        name="juniper-th4",
        rows=(EcnRow(0, "", 20, 60, 100, "fill-percent"),),
        source=f"{sources.JUNIPER_APSTRA}; that the fill is of the dynamic queue limit is assumed",
        unsure=True,
    ),
)

ECN_PROFILE_BY_NAME = {profile.name: profile for profile in ECN_PROFILES}


def base_bdp_octets(speed_gbps: int, tiers: int) -> int:
    """Return the octets in flight at `speed_gbps` over the base round trip of 1 to 3 tiers. Raises KeyError above."""
    return speed_gbps * 125 * ROUND_TRIP_US[tiers]


class Marked(NamedTuple):
    """A queue that marks: the ports that have it, and its share of the buffer.

    role                leaf, spine or superspine
    tiers               tiers of the fabric
    queue_limit_octets  depth that one queue may reach (`buffers.queue_limit_octets`); None where the buffer is unknown
    pfc_limit_octets    the Kmin at which PFC would act first (`kmin_limit_octets`): it falls as more ports share the
                        buffer. None where the buffer is unknown
    """

    speed_gbps: int
    role: str
    tiers: int
    nic_vendor: str
    queue_limit_octets: int | None
    pfc_limit_octets: int | None = None


def published_or_formula(profiles: Sequence[str], queue: Marked) -> Ecn:
    """Return the thresholds of the first profile that has a row for the queue; the formula's where none has.

    profiles  those that the vendor of switch and system publishes for it; `Ecn.source` says which have no row
    """
    for name in profiles:
        thresholds = thresholds_of(name, queue)
        if thresholds is not None:
            return thresholds
    formula = formula_thresholds(queue)
    return formula._replace(source=f"{formula.source}; {_unpublished(tuple(profiles), queue.speed_gbps)}")


def _unpublished(profiles: tuple[str, ...], speed_gbps: int) -> str:
    """Return why the formula replaces published thresholds."""
    if not profiles:
        return "no thresholds published by the vendor are known for this switch and operating system"
    have = "has" if len(profiles) == 1 else "have"
    return f"no published row for {speed_gbps}G is known: {', '.join(profiles)} {have} none"


def formula_thresholds(queue: Marked) -> Ecn:
    """Return the formula's thresholds. A small queue limit can make Kmax at most Kmin: `ecn_faults` reports that."""
    minimum = max(FORMULA_FLOOR_OCTETS, base_bdp_octets(queue.speed_gbps, queue.tiers) * KMIN_PERCENT_OF_BDP // 100)
    pfc_limit_octets, queue_limit_octets = queue.pfc_limit_octets, queue.queue_limit_octets
    if pfc_limit_octets is not None and minimum >= pfc_limit_octets:
        minimum = max(pfc_limit_octets * PERCENT_OF_PFC_LIMIT // 100 // KILO, 1) * KILO
    maximum = KMAX_KMIN * minimum
    return Ecn(
        minimum_octets=minimum,
        maximum_octets=min(maximum, queue_limit_octets // 2) if queue_limit_octets is not None else maximum,
        probability_percent=NVIDIA_PERCENT if queue.nic_vendor == "nvidia" else FORMULA_PERCENT,
        source=FORMULA_SOURCE,
        unsure=True,
    )


def thresholds_of(profile: str, queue: Marked) -> Ecn | None:
    """Return the thresholds of a queue, or None where the profile has no row for its speed and role.

    `profile` is "formula" or a name of ECN_PROFILES; another raises KeyError. Where the buffer is unknown, the formula
    ignores the queue limit, and a row in percent of it gives None.
    """
    if profile == FORMULA:
        return formula_thresholds(queue)
    published = ECN_PROFILE_BY_NAME[profile]
    for row in published.rows:
        if row.speed_gbps in (0, queue.speed_gbps) and row.role in ("", queue.role):
            if queue.queue_limit_octets is None and row.unit == "fill-percent":
                return None
            return _row_thresholds(row, published, queue.queue_limit_octets or 0)
    return None


def _row_thresholds(row: EcnRow, profile: EcnProfile, queue_limit_octets: int) -> Ecn:
    minimum, maximum = row.minimum, row.maximum
    if row.unit == "fill-percent":
        minimum, maximum = minimum * queue_limit_octets // 100, maximum * queue_limit_octets // 100
    return Ecn(
        minimum_octets=minimum,
        maximum_octets=maximum,
        probability_percent=row.probability_percent,
        source=f"{profile.name}: {profile.source}",
        unsure=profile.unsure,
    )


def ecn_faults(ecn: Ecn, *, queue_limit_octets: int | None, mtu: int) -> tuple[str, ...]:
    """Return why thresholds cannot work, with the numbers compared; empty when they can.

    queue_limit_octets  None where the buffer is unknown: the rules that compare with it are skipped
    """
    low, high = ecn.minimum_octets, ecn.maximum_octets
    fits = queue_limit_octets is None or high < queue_limit_octets
    rules = (
        (low < high, f"Kmin {low} is not below Kmax {high}, in octets"),
        (fits, f"Kmax {high} is not below the queue limit {queue_limit_octets}, in octets"),
        (low >= MTUS_BELOW_KMIN * mtu, f"Kmin {low} is below {MTUS_BELOW_KMIN} frames of {mtu}, in octets"),
        (1 <= ecn.probability_percent <= 100, f"probability {ecn.probability_percent} % is outside 1-100"),
    )
    return tuple(reason for holds, reason in rules if not holds)


def kmin_limit_octets(*, shared_octets: int, alpha: Fraction, fan_out: int) -> Fraction:
    """Return the Kmin from which PFC acts first: alpha·B' / (F·(1 + alpha)); Kmin must be below it (DCQCN paper).

    The worst case is one ingress that feeds `fan_out` egress queues, each just below Kmin. `shared_octets` is
    the buffer without headroom and reserves; one lossless class is assumed.
    """
    return alpha * shared_octets / (fan_out * (1 + alpha))


def ecn_before_pfc_faults(ecn: Ecn, *, shared_octets: int, alpha: Fraction, fan_out: int) -> tuple[str, ...]:
    """Return why the switch would pause before it marks; empty when marking comes first."""
    limit = kmin_limit_octets(shared_octets=shared_octets, alpha=alpha, fan_out=fan_out)
    if ecn.minimum_octets < limit:
        return ()
    return (
        f"in the worst case packets that arrive on one port wait in the queues of {fan_out} others: PFC then pauses "
        f"that port once each of these queues holds {int(limit):,} bytes (alpha {alpha}, {shared_octets:,} bytes of "
        f"shared buffer), before ECN marking starts at {ecn.minimum_octets:,} bytes (Kmin)",
    )
