"""Share of its uplinks that a switch has while others are away: by the plan, and by what verify has found.

A share is of the bandwidth of all planned uplinks, whatever their state. Nothing is carried by a link that is drained
or absent, by one to a drained switch, nor by one that a finding calls broken. Leaves, border leaves and, below
superspines, spines count; but for those that are drained, and leaves for which no server stands.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from fabricgen.base.text import natural
from fabricgen.errors import Problem
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, name_of, place_of, places, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlinks, host_ports, uplinks
from fabricgen.resolve.links import ACTIVE, link_state
from fabricgen.verify.finding import Finding

MUTE = frozenset(("host-missing", "unreachable", "no-answer", "not-collected", "another-switch"))
"""Nothing is known of the switch. Of a lower one the switches above it tell; one above counts as away."""
OUT = frozenset(("in-maintenance", "daemon-dead", "bgp-not-running"))
"""The switch forwards nothing, or not for long."""
BROKEN = frozenset(
    (
        "interface-missing",
        "interface-shut",
        "interface-down",
        "interface-fault",
        "interface-wrong-vrf",
        "session-down",
        "session-missing",
        "session-wrong-as",
        "session-family-missing",
    )
)
"""The link of the finding's port carries nothing, or not all families."""

WHOLE = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFaults:
    """What verify has found, by names.

    mute   switches of which nothing is known; out: that forward nothing
    ports  either end of links that are broken
    pairs  a switch and a far one, between which no link is left
    """

    mute: frozenset[str] = frozenset()
    out: frozenset[str] = frozenset()
    ports: frozenset[PortKey] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()


NO_FAULTS = KnownFaults()


def faults_of(findings: Iterable[Finding]) -> KnownFaults:
    """What findings mean for uplinks. A session between loopbacks has no port and means nothing for them."""
    found = tuple(findings)
    broken = [one for one in found if one.code in BROKEN]
    return KnownFaults(
        mute=frozenset(one.device for one in found if one.code in MUTE),
        out=frozenset(one.device for one in found if one.code in OUT),
        ports=frozenset(PortKey(one.device, one.port) for one in broken if one.port),
        # Without a port and of no single family: all sessions with that system, see judge_sessions.
        pairs=frozenset((one.device, one.far.system) for one in broken if not (one.port or one.family)),
    )


class UplinkCapacity:
    """Uplinks of one fabric. What is asked of a switch is looked up once."""

    def __init__(self, fabric: FabricPlan, faults: KnownFaults = NO_FAULTS) -> None:
        self.fabric = fabric
        self._faults = faults
        states = fabric.exceptions.devices
        self._drained = _placed(fabric, (name for name, state in states.items() if state != ACTIVE))
        self._out = self._drained | _placed(fabric, faults.mute | faults.out)
        self._links: dict[Place, dict[Place, int]] = {}
        self._lowers: dict[Place, tuple[Place, ...]] = {}
        self._whole: dict[Place, int] = {}
        self._carried: dict[Place, int] = {}
        self._counts: dict[Place, bool] = {}
        self._rest: Fraction | None = None

    def counts(self, lower: Place) -> bool:
        """Whether the uplinks of this switch are to carry something."""
        found = self._counts.get(lower)
        if found is None:
            found = self._counts[lower] = lower not in self._drained and self._is_used(lower)
        return found

    def _is_used(self, lower: Place) -> bool:
        if lower.tier is Tier.LEAF:
            has_uplinks = self.fabric.shape.spines > 0
            return has_uplinks and any(host.present for host in host_ports(self.fabric, lower))
        return lower.tier is Tier.BORDER or (lower.tier is Tier.SPINE and self.fabric.shape.cores > 0)

    def in_service(self, lower: Place) -> bool:
        """Whether a leaf or border leaf can take over: not drained, and with uplinks, where there are any."""
        return lower not in self._drained and self.share(lower) > 0

    def lowers(self, upper: Place) -> tuple[Place, ...]:
        """Switches that count and have uplinks to this one."""
        if upper.tier not in (Tier.SPINE, Tier.SUPERSPINE):
            return ()
        found = self._lowers.get(upper)
        if found is None:
            cabled = dict.fromkeys(link.lower for link in downlinks(self.fabric, upper))
            found = self._lowers[upper] = tuple(lower for lower in cabled if self.counts(lower))
        return found

    def drained_above(self, lower: Place) -> tuple[Place, ...]:
        """Switches above this one that the plan has drained."""
        return tuple(upper for upper in self._up(lower) if upper in self._drained)

    def every(self) -> Iterator[Place]:
        """Switches that count."""
        return (place for place in places(self.fabric) if self.counts(place))

    def loses(self, lower: Place, upper: Place) -> int:
        """What a switch loses with the one above it, in Gb/s; nothing with one that carries nothing."""
        return 0 if upper in self._out else self._up(lower).get(upper, 0)

    def share(self, lower: Place, away: Collection[Place] = ()) -> Fraction:
        """Share of a switch's uplinks that carries traffic while these switches, each named once, are away."""
        links = self._up(lower)
        kept = self._carried[lower] - sum(links.get(upper, 0) for upper in away if upper not in self._out)
        return Fraction(kept, self._whole[lower]) if self._whole[lower] else WHOLE

    def floor(self, lower: Place, asked: Fraction | None) -> Fraction:
        """Share that a switch keeps. Where none is asked for, all but one of the switches above it: (S-1)/S of S.

        States of single ports lower the default: one link that is drained forbids no push. A drained switch does not.
        """
        if asked is not None:
            return asked
        links = self._up(lower)
        most = max(links.values(), default=0)
        return Fraction(sum(links.values()) - most, self._whole[lower]) if self._whole[lower] else WHOLE

    def least(self, away: Collection[Place] = ()) -> Fraction:
        """Least share of any switch that counts while these are away; 1 where none counts."""
        if self._rest is None:
            states = self.fabric.exceptions
            is_plain = self._faults == NO_FAULTS and not (states.devices or states.ports)
            self._rest = WHOLE if is_plain else min(map(self.share, self.every()), default=WHOLE)
        touched = {lower for upper in away for lower in self.lowers(upper)}
        return min((self._rest, *(self.share(lower, away) for lower in touched)))

    def _up(self, lower: Place) -> dict[Place, int]:
        """Bandwidth to each switch above, of links that are active at both ends, in Gb/s."""
        found = self._links.get(lower)
        if found is None:
            found, whole = {}, 0
            for link in uplinks(self.fabric, lower):
                gbps = link.lower_port.speed_gbps
                whole += gbps
                works = link_state(self.fabric, link) == ACTIVE and not self._is_broken(link)
                found[link.upper] = found.get(link.upper, 0) + (gbps if works else 0)
            self._links[lower], self._whole[lower] = found, whole
            self._carried[lower] = sum(gbps for upper, gbps in found.items() if upper not in self._out)
        return found

    def _is_broken(self, link: Uplink) -> bool:
        faults = self._faults
        if faults == NO_FAULTS:
            return False
        lower, upper = (name_of(self.fabric, place) for place in (link.lower, link.upper))
        near = PortKey(lower, port_text(self.fabric, link.lower, link.lower_port))
        far = PortKey(upper, port_text(self.fabric, link.upper, link.upper_port))
        return (
            lower in faults.out
            or not faults.ports.isdisjoint((near, far))
            or not faults.pairs.isdisjoint(((lower, upper), (upper, lower)))
        )


def live_shares(
    plan: Plan, gone: Collection[str], findings: Iterable[Finding], idle: frozenset[str] = frozenset()
) -> Mapping[str, Fraction]:
    """Names of switches that lose uplinks with those `gone` → share of their planned uplinks that is up then.

    gone      switches that are about to be away; of none of them itself is anything said. Without any: all switches
    findings  of verify, of now
    idle      of those that are about to be away the ones that run drained: nothing is lost with them
    """
    faults = faults_of(findings)
    faults = replace(faults, out=faults.out | idle)
    found: dict[str, Fraction] = {}
    for fabric in plan.fabrics.values():
        capacity = UplinkCapacity(fabric, faults)
        away = _placed(fabric, gone)
        lowers = _losing(capacity, away) if gone else capacity.every()
        found |= {name_of(fabric, lower): capacity.share(lower, away) for lower in lowers if lower not in away}
    return dict(sorted(found.items(), key=lambda item: natural(item[0])))


def below(
    plan: Plan, shares: Mapping[str, Fraction], floor: Fraction | None, findings: Iterable[Finding] = ()
) -> tuple[Problem, ...]:
    """Problem of the switches whose live share is less than the floor; see `Capacity.floor` for that of None.

    findings  of verify: what is broken at the worst of them is named
    """
    short: dict[str, tuple[Fraction, Fraction]] = {}
    for fabric in plan.fabrics.values():
        capacity = UplinkCapacity(fabric)
        for name, share in shares.items():
            place = place_of(fabric, name)
            if place is not None and share < (least := capacity.floor(place, floor)):
                short[name] = share, least
    return (_short(short, findings),) if short else ()


def _losing(capacity: UplinkCapacity, away: Collection[Place]) -> Iterator[Place]:
    pairs = ((lower, upper) for upper in sorted(away) for lower in capacity.lowers(upper))
    return iter(dict.fromkeys(lower for lower, upper in pairs if capacity.loses(lower, upper)))


def _placed(fabric: FabricPlan, names: Iterable[str]) -> frozenset[Place]:
    found = (place_of(fabric, name) for name in names)
    return frozenset(place for place in found if place is not None)


def _broken(name: str, findings: Iterable[Finding]) -> str:
    """What is broken at a switch, ports before sessions, in a few words; empty where nothing is."""
    mine = [one for one in findings if one.code in BROKEN and name in (one.device, one.far.system)]
    mine.sort(key=lambda one: (one.check != "interfaces", one.device != name))
    places = {(one.device, one.port) for one in mine}  # a port and the sessions over it are one
    more = f", and {len(places) - 1} more" if len(places) > 1 else ""
    return f": {mine[0].device}: {mine[0].subject} {mine[0].problem}{more}" if mine else ""


def _short(short: Mapping[str, tuple[Fraction, Fraction]], findings: Iterable[Finding]) -> Problem:
    worst = min(short, key=lambda name: (short[name][0], natural(name)))
    share, floor = short[worst]
    others = f", and {len(short) - 1} more less than their floor" if len(short) > 1 else ""
    mend = "mend what fabricgen verify finds of its links, then type the same again"
    return Problem(
        code="push-floor-live",
        what=f"{worst} would keep {share} of its uplinks{others}{_broken(worst, findings)}",
        why=f"the floor is {floor} of their bandwidth; links that verify finds broken, drained and absent ones, and "
        "those to switches that do not answer count as lost",
        fix=f"{mend}; or write --floor {share}" if share else mend,
    )
