"""Share of its uplinks that a switch has while others are down: by the plan, and by the findings of verify.

A share is of the bandwidth of all planned uplinks, whatever their state. No traffic is counted on a link that is
drained or absent, that leads to a drained switch, or that a finding calls broken. Leaves, border leaves and, below
superspines, spines count, except drained ones and leaves without servers.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

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
"""The switch's state is unknown. A lower one is judged by the switches above; an upper one counts as down."""
OUT = frozenset(("in-maintenance", "daemon-dead", "bgp-not-running"))
"""The switch forwards nothing, or may stop soon."""
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
"""The link of the finding's port carries no traffic, or not all address families."""

WHOLE = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFaults:
    """Findings of verify, by names.

    silent  switches whose state is unknown; out: switches that forward nothing
    ports  either end of broken links
    pairs  a switch and a remote one, between which no link is left
    """

    silent: frozenset[str] = frozenset()
    out: frozenset[str] = frozenset()
    ports: frozenset[PortKey] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()


NO_FAULTS = KnownFaults()


def faults_of(findings: Iterable[Finding]) -> KnownFaults:
    """What findings mean for uplinks. A session between loopbacks has no port and does not affect them."""
    all_findings = tuple(findings)
    broken = [finding for finding in all_findings if finding.code in BROKEN]
    return KnownFaults(
        silent=frozenset(finding.device for finding in all_findings if finding.code in MUTE),
        out=frozenset(finding.device for finding in all_findings if finding.code in OUT),
        ports=frozenset(PortKey(finding.device, finding.port) for finding in broken if finding.port),
        # Without a port and of no single family: all sessions with that system, see judge_sessions.
        pairs=frozenset(
            (finding.device, finding.far.system) for finding in broken if not (finding.port or finding.family)
        ),
    )


class _Uplinks(NamedTuple):
    """Uplinks of one switch, in Gb/s.

    gbps     bandwidth to each switch above, of links that are active at both ends
    whole    of all planned links; carried: of those that carry traffic at present
    """

    gbps: Mapping[Place, int]
    whole: int
    carried: int

    def share(self, gbps: int) -> Fraction:
        """Share of the planned bandwidth."""
        return Fraction(gbps, self.whole) if self.whole else WHOLE


class UplinkCapacity:
    """Uplinks of one fabric. Each value is computed once per switch."""

    def __init__(self, fabric: FabricPlan, faults: KnownFaults = NO_FAULTS) -> None:
        self.fabric = fabric
        self._faults = faults
        states = fabric.exceptions.devices
        self._drained = _placed(fabric, (name for name, state in states.items() if state != ACTIVE))
        self._out = self._drained | _placed(fabric, faults.silent | faults.out)
        self._uplinks: dict[Place, _Uplinks] = {}
        self._lowers: dict[Place, tuple[Place, ...]] = {}
        self._counts: dict[Place, bool] = {}

    def counts(self, lower: Place) -> bool:
        """Whether the uplinks of this switch must carry traffic."""
        if lower not in self._counts:
            self._counts[lower] = lower not in self._drained and self._is_used(lower)
        return self._counts[lower]

    def _is_used(self, lower: Place) -> bool:
        if lower.tier is Tier.LEAF:
            has_uplinks = self.fabric.shape.spines > 0
            return has_uplinks and any(host.present for host in host_ports(self.fabric, lower))
        return lower.tier is Tier.BORDER or (lower.tier is Tier.SPINE and self.fabric.shape.cores > 0)

    def in_service(self, lower: Place) -> bool:
        """Whether a leaf or border leaf can take over: not drained, and with working uplinks, if it has any."""
        return lower not in self._drained and self.share(lower) > 0

    def lowers(self, upper: Place) -> tuple[Place, ...]:
        """Switches that count and have uplinks to this one."""
        if upper.tier not in (Tier.SPINE, Tier.SUPERSPINE):
            return ()
        if upper not in self._lowers:
            cabled = dict.fromkeys(link.lower for link in downlinks(self.fabric, upper))
            self._lowers[upper] = tuple(lower for lower in cabled if self.counts(lower))
        return self._lowers[upper]

    def drained_above(self, lower: Place) -> tuple[Place, ...]:
        """Switches above this one that the plan has drained."""
        return tuple(upper for upper in self._up(lower).gbps if upper in self._drained)

    def every(self) -> Iterator[Place]:
        """Switches that count."""
        return (place for place in places(self.fabric) if self.counts(place))

    def loses(self, lower: Place, upper: Place) -> int:
        """What a switch loses when the one above it is down, in Gb/s; 0 if that one carries no traffic already."""
        return 0 if upper in self._out else self._up(lower).gbps.get(upper, 0)

    def share(self, lower: Place, away: Collection[Place] = ()) -> Fraction:
        """Share of a switch's uplinks that carries traffic while these switches, each named once, are down."""
        lost = sum(self.loses(lower, upper) for upper in away)
        return self._up(lower).share(self._up(lower).carried - lost)

    def floor(self, lower: Place, asked: Fraction | None) -> Fraction:
        """Share that a switch must keep. Without `asked`: all but one of the S switches above it, (S-1)/S.

        States of single ports lower the default: one drained link forbids no push. A drained switch does not lower it.
        """
        if asked is not None:
            return asked
        gbps = self._up(lower).gbps.values()
        return self._up(lower).share(sum(gbps) - max(gbps, default=0))

    def least(self, away: Collection[Place] = ()) -> Fraction:
        """Minimum share of any switch that counts while these are down; 1 where none counts."""
        touched = {lower for upper in away for lower in self.lowers(upper)}
        return min((self._least, *(self.share(lower, away) for lower in touched)))

    @cached_property
    def _least(self) -> Fraction:
        """Minimum share of any switch that counts, at present."""
        states = self.fabric.exceptions
        # Without faults and exceptions every share is 1: a large fabric need not be walked.
        is_plain = self._faults == NO_FAULTS and not (states.devices or states.ports)
        return WHOLE if is_plain else min(map(self.share, self.every()), default=WHOLE)

    def _up(self, lower: Place) -> _Uplinks:
        if lower not in self._uplinks:
            gbps_to, whole = Counter[Place](), 0
            for link in uplinks(self.fabric, lower):
                gbps = link.lower_port.speed_gbps
                whole += gbps
                works = link_state(self.fabric, link) == ACTIVE and not self._is_broken(link)
                gbps_to[link.upper] += gbps if works else 0
            carried = sum(gbps for upper, gbps in gbps_to.items() if upper not in self._out)
            self._uplinks[lower] = _Uplinks(gbps_to, whole, carried)
        return self._uplinks[lower]

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
    plan: Plan, leaving: Collection[str], findings: Iterable[Finding], idle: frozenset[str] = frozenset()
) -> Mapping[str, Fraction]:
    """Names of switches that lose uplinks when `leaving` are down → share of their planned uplinks that is up then.

    leaving   switches that are about to go down; they are not in the result. Without any: all switches
    findings  of verify, at present
    idle      those of `leaving` that are drained already: their loss changes nothing
    """
    faults = faults_of(findings)
    faults = replace(faults, out=faults.out | idle)
    shares: dict[str, Fraction] = {}
    for fabric in plan.fabrics.values():
        capacity = UplinkCapacity(fabric, faults)
        away = _placed(fabric, leaving)
        lowers = _losing(capacity, away) if leaving else capacity.every()
        shares |= {name_of(fabric, lower): capacity.share(lower, away) for lower in lowers if lower not in away}
    return dict(sorted(shares.items(), key=lambda item: natural(item[0])))


def below(
    plan: Plan, shares: Mapping[str, Fraction], floor: Fraction | None, findings: Iterable[Finding] = ()
) -> tuple[Problem, ...]:
    """The problem of the switches whose live share is less than the floor; for None see `UplinkCapacity.floor`.

    findings  of verify: what is broken at the worst of these switches is named
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
    found_places = (place_of(fabric, name) for name in names)
    return frozenset(place for place in found_places if place is not None)


def _broken(name: str, findings: Iterable[Finding]) -> str:
    """What is broken at a switch, ports before sessions, in a few words; empty where nothing is."""
    related = [
        finding for finding in findings if finding.code in BROKEN and name in (finding.device, finding.far.system)
    ]
    related.sort(key=lambda finding: (finding.check != "interfaces", finding.device != name))
    places = {(finding.device, finding.port) for finding in related}  # a port and the sessions over it count as one
    others_text = f", and {len(places) - 1} more" if len(places) > 1 else ""
    return f": {related[0].device}: {related[0].subject} {related[0].problem}{others_text}" if related else ""


def _short(short: Mapping[str, tuple[Fraction, Fraction]], findings: Iterable[Finding]) -> Problem:
    worst = min(short, key=lambda name: (short[name][0], natural(name)))
    share, floor = short[worst]
    others = f", and {len(short) - 1} more less than their floor" if len(short) > 1 else ""
    remedy = "fix what fabricgen verify finds on its links, then repeat the command"
    return Problem(
        code="push-floor-live",
        what=f"{worst} would keep {share} of its uplinks{others}{_broken(worst, findings)}",
        why=f"the floor is {floor} of their bandwidth; links that are broken, drained or absent, or go to switches "
        f"that do not answer, count as lost",
        fix=f"{remedy}; or write --floor {share}" if share else remedy,
    )
