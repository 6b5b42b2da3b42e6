"""Known sequence: switches get another release of their operating system, a round of them at a time."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.base.text import listed
from fabricgen.errors import FabricError, IntentPath, Problem
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import FabricPlan, chassis_of, group_of, name_of, places, state_of
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.wiring import groups_on, slots_with_servers, unit_slots
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.release import release_key
from fabricgen.platforms.installs import INSTALLS
from fabricgen.resolve.links import ABSENT, ACTIVE, DRAINED
from fabricgen.steps.capacity import Ways, ways
from fabricgen.steps.model import Base, Draft, Intents, KnownSequence
from fabricgen.steps.selectors import GONE, exceptions_of, slot_selectors, stated

EMPTY = "Wait until the jobs on these servers have ended, and start no others; then apply this state."
OUT = "Apply this state. {}Traffic moves away from {}."
QUIET = "The counters of their ports no longer increase."
INSTALL = "Install {} on {} (in {}): {}. When they are back, apply this state: it has the lines of that release."
OVER = (
    "The maker installs {} over {} and later in this way, and {} runs {}: upgrade to {} first, in a plan of its own. "
)
RUNS = "Each of them shows the new release, its sessions are established, and nothing else differs."
BACK = "Apply this state: they carry traffic again."
CARRIES = "Their sessions carry routes without the community of graceful shutdown."
STAY = " The intent keeps drained: {}."
ORDER = (Tier.SUPERSPINE, Tier.SPINE, Tier.BORDER, Tier.LEAF)
"""Switches that nobody's server is attached to come first."""
NAMED = 4
"""Switches of a round that a text names."""


class _Round(NamedTuple):
    """Switches that get the release together.

    release  as in `os:`
    before   the oldest release that one of them runs, without the system
    slots    servers that lose a rail meanwhile
    """

    switches: tuple[str, ...]
    release: str
    before: str
    slots: tuple[SlotKey, ...]


def upgrade(intents: Intents, where: IntentPath, floors: Mapping[str, Fraction]) -> KnownSequence:
    """Drain a round of switches, install, give them the configuration of the release, and bring them back.

    Spines of one index of all pods are a round, or more where the floor allows it; superspines are as many as it
    allows; all leaves of one index of pairs are a round. Leaves whose servers have no other leaf are a round by unit,
    once the unit has no job. The first switch of a tier gets the release alone.

    Raises FabricError where a switch would get another operating system, where none changes, and where a round would
    leave too few superspines.
    """
    rounds: list[_Round] = []
    for name, fabric in intents.before.plan.fabrics.items():
        of_pods = tuple(ways(fabric))
        own = tuple(_rounds(intents, name, floors[name], of_pods))
        for one in own:
            _check_superspines(name, of_pods, one, floors[name], where)
        rounds += own
    if not rounds:
        raise FabricError([_nothing(where)])
    drafts = tuple(_drafts(intents, rounds))
    count = sum(len(one.switches) for one in rounds)
    releases = ", ".join(dict.fromkeys(one.release for one in rounds))
    who = "1 switch gets" if count == 1 else f"{count} switches get"
    last = drafts[-1]._replace(base=Base.AFTER, overrides={}, releases={})
    return KnownSequence(
        kind="upgrade",
        title=f"{who} {releases}, in {len(rounds)} round{'s' * (len(rounds) != 1)}",
        where=where,
        drafts=(*drafts[:-1], last),
        way="upgrade fewer switches at once",
    )


def _rounds(intents: Intents, name: str, floor: Fraction, of_pods: tuple[Ways, ...]) -> Iterator[_Round]:
    old, new = (side.plan.fabrics[name] for side in intents)
    changed = [place for place in places(old) if _changes(old, new, place)]
    idle = Counter((one.plane, one.pod) for one in places(old) if one.tier is Tier.SPINE and not _is_active(old, one))
    out: dict[tuple[Tier, int], int] = {}
    for (plane, _), number in idle.items():
        out[Tier.SPINE, plane] = max(out.get((Tier.SPINE, plane), 0), number)
    for way in of_pods:
        key = Tier.SUPERSPINE, way.plane
        out[key] = max(out.get(key, 0), way.total - len(way.serving))
    by_round = grouped((_key(old, place, floor, out), place) for place in sorted(changed, key=_order))
    tried: set[tuple[Tier, str]] = set()
    for members in by_round.values():
        first = members[0]
        release, is_alone = chassis_of(new, first).system, _is_alone(old, first)
        slots = _slots(old, members) if is_alone else ()
        is_canary = not is_alone and (first.tier, release) not in tried
        tried.add((first.tier, release))
        for part in (members[:1], members[1:]) if is_canary else (members,):
            if part:
                before = min((chassis_of(old, place).system.partition("-")[2] for place in part), key=release_key)
                yield _Round(tuple(name_of(old, place) for place in part), release, before, slots)


def _order(place: Place) -> tuple[object, ...]:
    return ORDER.index(place.tier), place.plane, place.index, place.pod, place.su, place.rail


def _changes(old: FabricPlan, new: FabricPlan, place: Place) -> bool:
    """Return whether a switch that is there gets another release. Raises FabricError for another system."""
    before, after = chassis_of(old, place).system, chassis_of(new, place).system
    if before.partition("-")[0] != after.partition("-")[0]:
        raise FabricError([_other_system(old.name, name_of(old, place), before, after)])
    return before != after and state_of(old, place) not in GONE


def _key(fabric: FabricPlan, place: Place, floor: Fraction, out: Mapping[tuple[Tier, int], int]) -> tuple[object, ...]:
    """Return what the switches of one round have in common.

    out  tier and plane → its spines or superspines that carry nothing of some pod before
    """
    shape = fabric.shape
    if place.tier in UPPER:
        total = shape.spines * (shape.cores if place.tier is Tier.SUPERSPINE else 1)
        at_once = max(int(total * (1 - floor)) - out.get((place.tier, place.plane), 0), 1)
        number = place.index * shape.spines + place.su if place.tier is Tier.SUPERSPINE else place.index
        return place.tier, place.plane, number // at_once
    if _is_alone(fabric, place):
        return place.tier, place.plane, place.pod, place.su
    return place.tier, place.plane, place.index


def _check_superspines(fabric: str, of_pods: tuple[Ways, ...], one: _Round, floor: Fraction, where: IntentPath) -> None:
    """Raise FabricError if a round drains superspines and leaves a pod fewer of them than the floor allows.

    The floor of rails does not count them: a leaf keeps its uplinks.
    """
    for way in of_pods:
        left = way.serving.difference(one.switches)
        if left != way.serving and Fraction(len(left), way.total) < floor:
            raise FabricError([_few(fabric, one, (len(left), way.total), floor, where)])


def _is_active(fabric: FabricPlan, place: Place) -> bool:
    return state_of(fabric, place) == ACTIVE


def _is_alone(fabric: FabricPlan, place: Place) -> bool:
    """Return whether servers of a leaf have no other leaf on its rail."""
    if place.tier in UPPER or place.tier is Tier.BORDER:
        return False
    return group_of(fabric, place.group).indexes == 1


def _slots(fabric: FabricPlan, leaves: Iterable[Place]) -> tuple[SlotKey, ...]:
    """Return the slots of these leaves' units that hold a server."""
    found: dict[SlotKey, None] = {}
    for leaf in leaves:
        for group in groups_on(fabric, leaf):
            slots = slots_with_servers(fabric, group, unit_slots(group, leaf))
            found |= {SlotKey(group.name, slot): None for slot in sorted(slots)}
    return tuple(found)


def _drafts(intents: Intents, rounds: list[_Round]) -> Iterator[Draft]:
    """Every state as an overlay of the old intent: each has the releases of all rounds before."""
    releases: dict[str, str] = {}
    states = exceptions_of(intents.before.plan).devices
    for one in rounds:
        stays = [switch for switch in one.switches if states.get(switch) == DRAINED]
        is_out = len(stays) == len(one.switches)
        empty = slot_selectors(intents.before.plan, one.slots)
        names, (system, _, version) = listed(one.switches, most=NAMED), one.release.partition("-")
        if empty:
            yield Draft(Base.BEFORE, DRAINED, stated(empty, DRAINED), EMPTY, "No job runs on them.", None, releases)
        out = {**stated(one.switches, DRAINED), **stated(empty, ABSENT)}
        alone = "The ports of these servers are shut down. " if empty else ""
        if not is_out or empty:
            yield Draft(Base.BEFORE, DRAINED, out, OUT.format(alone, names), QUIET, None, releases, one.switches)
        releases = releases | dict.fromkeys(one.switches, one.release)
        install = INSTALLS[system]
        commands = "; ".join(f"`{command}`" for command in install.commands)
        oldest = install.over(version, one.before)
        first = (
            OVER.format(version, oldest, "one of them" if one.switches[1:] else "it", one.before, oldest)
            if oldest
            else ""
        )
        todo = first + INSTALL.format(one.release, names, install.where, commands)
        yield Draft(Base.BEFORE, "installed", out, todo, RUNS, None, releases, one.switches)
        if not is_out or empty:
            back = BACK + (STAY.format(listed(stays, most=NAMED)) if stays else "")
            yield Draft(Base.BEFORE, "active", {}, back, CARRIES, None, releases, one.switches)


def _few(fabric: str, one: _Round, left: tuple[int, int], floor: Fraction, where: IntentPath) -> Problem:
    share = Fraction(*left)
    return Problem(
        code="steps-floor",
        what=f"the upgrade of {listed(one.switches, most=NAMED)} leaves {left[0]} of {left[1]} superspines of {fabric}",
        where=where,
        why=f"the floor is {floor}, and others are drained, dead or absent, or there are too few",
        fix=f"write --floor {share}, or bring others back first" if share else "bring others back first",
    )


def _nothing(where: IntentPath) -> Problem:
    return Problem(
        code="steps-nothing",
        what="no switch gets another release",
        where=where,
        why="those that would are absent or dead, or overrides give them another `os`",
        fix="use --against with the state before the change",
    )


def _other_system(fabric: str, switch: str, before: str, after: str) -> Problem:
    title = PLATFORMS[after.partition("-")[0]].title
    return Problem(
        code="steps-system",
        what=f"{switch} of {fabric} runs {before} and would run {after}",
        where=("fabrics", fabric),
        why=f"an upgrade keeps the operating system; {title} is another one, with other names of ports",
        fix="replace the switch in a change of its own, and review it with fabricgen diff",
    )
