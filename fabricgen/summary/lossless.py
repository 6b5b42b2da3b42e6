"""The lossless class of a backend: every number as the switches are given it, with its profile, formula and source."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fabricgen.checks.lossless.lossless_switches import HeadroomUse, LosslessSwitch, boxes, room_of
from fabricgen.device.qos import HeadroomProfile, Qos
from fabricgen.hardware.model import Asic, SwitchModel
from fabricgen.intent.fabric import Backend, EcnThresholds
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.lossless import RenderedHeadroom
from fabricgen.policy.headroom import OVERCOMMIT
from fabricgen.policy.scheduling import WEIGHTS_BY_NAME, QueueRow
from fabricgen.resolve.context import make_site
from fabricgen.resolve.control import own_packets
from fabricgen.resolve.lossless import WEIGHTS, Lossless
from fabricgen.summary.page import ApartLine, EcnLine, HeadroomLine, LosslessLine, PoolLine, WatchdogLine
from fabricgen.summary.switch_classes import RenderedValues, looks, named

WATCHDOG = "pfc-watchdog"


def lossless_line(plan: Plan, fabric: FabricPlan) -> LosslessLine | None:
    """Lossless settings of a fabric; None where it has no lossless class."""
    backend = fabric.fabric
    if not isinstance(backend, Backend) or backend.transport != "roce-lossless":
        return None
    site = make_site(plan, fabric.name)
    seen = tuple(looks(site, fabric))
    rule = next((one for one in seen if not one.is_own), seen[0])
    marking = rule.lossless.marking
    told = {what: tuple(_told(seen, what)) for what in VALUES}
    return LosslessLine(
        marking=marking.name,
        marking_source=marking.source,
        marking_unsure=marking.unsure,
        priority=marking.priority,
        data_dscp=marking.data_dscp,
        roce_dscps=marking.roce_dscps,
        cnp_dscp=marking.cnp_dscp,
        queues=tuple(_queues(seen)),
        control=tuple(_control(seen)),
        weights_source=WEIGHTS_BY_NAME[WEIGHTS].source,
        alpha=str(_rule(told["alpha"])),
        mtu=int(_rule(told["mtu"])),
        host_mtu=int(_rule(told["host_mtu"])),
        apart=tuple(_apart(told, seen)),
        ecn_profile=_profile(rule.lossless),
        ecn=_ecn_lines(seen),
        headroom=_headroom_lines(seen),
        pools=_pool_lines(plan, fabric.name, seen),
        watchdog=_watchdog_text(rule.qos),
        watchdog_unproven=tuple(_unproven(seen)),
        watchdogs=tuple(_watchdog_lines(seen)),
    )


def _profile(lossless: Lossless) -> str:
    chosen = lossless.fabric.roce.ecn
    return "the intent" if isinstance(chosen, EcnThresholds) else chosen


VALUES: Mapping[str, Callable[[Lossless], str | int]] = {
    "marking": lambda own: own.fabric.roce.marking,
    "alpha": lambda own: own.fabric.roce.alpha,
    "mtu": lambda own: own.fabric.mtu,
    "host_mtu": lambda own: own.fabric.roce.host_mtu,
}
"""What the page says once of a fabric, and again of switches that have another value."""
OF_LEAVES = ("host_mtu",)
"""NICs hang at leaves alone."""

Told = tuple[str | int, str]
"""A value, and the switches that have it; none named where the others have."""


def _told(seen: Sequence[RenderedValues], what: str) -> Iterator[Told]:
    """Each value: first that of the switches that no row names, or, where overrides are of all, that of the most."""
    some = [one for one in seen if what not in OF_LEAVES or one.role == Tier.LEAF.value]
    rows = named(((VALUES[what](one.lossless), one) for one in some), some, lambda _: "")
    ordered = sorted(rows, key=lambda row: (bool(row[2]), -sum(one.standing for one in row[1])))
    yield from ((value, switches) for value, _, switches in ordered)


def _rule(told: Sequence[Told]) -> str | int:
    return told[0][0]


def _apart(told: Mapping[str, Sequence[Told]], seen: Sequence[RenderedValues]) -> Iterator[ApartLine]:
    """Values of some switches, then the MTU of some ports."""
    for what, (_, *others) in told.items():
        yield from (ApartLine(what, str(value), 0, switches) for value, switches in others)
    ports = ((row, one) for one in seen for row in Counter(mtu for _, mtu, _ in one.ports if mtu).items())
    for (mtu, count), _, switches in named(ports, seen, lambda _: ""):
        yield ApartLine("mtu", str(mtu), count, switches or "each switch")


def _watchdog_lines(seen: Sequence[RenderedValues]) -> Iterator[WatchdogLine]:
    rows = ((WatchdogLine(one.lossless.system, *one.rendered.watchdog), one) for one in seen)
    found = [row._replace(switches=switches) for row, _, switches in named(rows, seen, lambda one: one.lossless.system)]
    yield from sorted(found, key=lambda row: bool(row.switches))


def _queues(seen: Sequence[RenderedValues]) -> Iterator[str]:
    """Queues from the highest down; by system, and by switch, where they differ in them."""
    rows = ((tuple(_queue_text(row) for row in reversed(one.lossless.queues(one.system))), one) for one in seen)
    told = list(named(rows, seen, lambda one: one.system))
    for texts, members, switches in told:
        systems = ", ".join(dict.fromkeys(one.system for one in members))
        of = f" on {switches or systems}" if len(told) > 1 else ""
        yield from (f"{text}{of}" for text in texts)


def _control(seen: Sequence[RenderedValues]) -> Iterator[str]:
    """How each system's own packets, BGP and BFD, leave the switch."""
    for text, _, switches in named(((_own_packets(one), one) for one in seen), seen, lambda one: one.system):
        yield f"{text} (of {switches})" if switches else text


def _own_packets(one: RenderedValues) -> str:
    bfd = one.lossless.fabric.bgp.bfd
    said = own_packets(one.system, one.lossless.marking, bfd=bfd)
    return f"{'BGP and BFD' if bfd else 'BGP'} of {one.system} {'are' if bfd else 'is'} sent {said}"


def _queue_text(row: QueueRow) -> str:
    weight = "strict" if row.strict else f"{row.weight_percent} % of the rest"
    cap = f", at most {row.cap_percent} % of the port" if row.cap_percent < 100 else ""
    return f"{row.queue} {row.traffic}: {weight}{cap}"


def _unproven(seen: Iterable[RenderedValues]) -> Iterator[str]:
    """Why the watchdog of a system that stands here may do nothing."""
    for system in dict.fromkeys(one.system.partition("-")[0] for one in seen):
        platform = PLATFORMS.get(system)
        found = platform.can(WATCHDOG) if platform is not None else None
        if platform is not None and found is not None and found.unproven:
            yield f"unproven on {platform.title}: {found.unproven}"


def _watchdog_text(qos: Qos) -> str:
    times = qos.watchdog
    return (
        f"detection {times.detect_ms} ms, restoration {times.restore_ms} ms, polling {times.polling_ms} ms, "
        f"action {times.action}"
    )


def _role(one: RenderedValues) -> str:
    return one.role


def _ecn_about(line: EcnLine) -> tuple[str, int]:
    return line.model, line.speed_gbps


def _headroom_about(line: HeadroomLine) -> tuple[str | int, ...]:
    return line.model, line.speed_gbps, line.length_m


def _ecn_lines(seen: Sequence[RenderedValues]) -> tuple[EcnLine, ...]:
    rows = ((_ecn_line(one, profile.speed_gbps), one) for one in seen for profile in one.qos.profiles)
    lines = [row._replace(switches=switches) for row, _, switches in named(rows, seen, _role, _ecn_about)]
    return tuple(sorted(lines, key=lambda row: (row.role, row.model, row.speed_gbps, row.switches)))


def _ecn_line(one: RenderedValues, speed_gbps: int) -> EcnLine:
    found, told = one.planned[speed_gbps], one.rendered.ecn_at(speed_gbps)
    return EcnLine(
        one.role,
        one.lossless.switch.model,
        speed_gbps,
        minimum=told.minimum_octets if told else None,
        maximum=told.maximum_octets if told else None,
        percent=told.probability_percent if told else None,
        planned_minimum=found.minimum_octets if found else None,
        planned_maximum=found.maximum_octets if found else None,
        queue_limit=one.rendered.queue_limit_octets or one.lossless.queue_limit,
        pause=one.rendered.pause_octets,
        profile=_profile(one.lossless),
        source=found.source if found else "the profile has no row for this speed",
        unsure=found.unsure if found else False,
        switches="",
    )


def _headroom_lines(seen: Sequence[RenderedValues]) -> tuple[HeadroomLine, ...]:
    ports: dict[HeadroomLine, int] = {}
    rows = []
    for one in seen:
        for row, told in zip(one.qos.headroom, one.rendered.headroom, strict=True):
            line = _headroom_line(one, row, told)
            ports[line] = max(row.ports, ports.get(line, 0))
            rows.append((line, one))
    lines = [
        line._replace(ports=ports[line], switches=switches)
        for line, _, switches in named(rows, seen, _role, _headroom_about)
    ]
    return tuple(sorted(lines, key=_headroom_order))


def _headroom_order(line: HeadroomLine) -> tuple[str | int, ...]:
    return line.role, line.model, line.speed_gbps, line.length_m, line.switches, line.octets, line.rendered or 0


def _headroom_line(one: RenderedValues, row: HeadroomProfile, told: RenderedHeadroom) -> HeadroomLine:
    switch, asic = one.lossless.switch, one.lossless.asic
    source = source_title(row.source, switch, asic)
    return HeadroomLine(
        one.role,
        switch.model,
        row.speed_gbps,
        row.length_m,
        ports=0,
        octets=row.octets,
        rendered=told.octets,
        by_switch=told.by_switch,
        basis=row.basis,
        source=f"{source}; {told.source}" if told.source else source,
        unsure=row.basis.startswith("fit") or doubted("headroom", switch, asic),
        switches="",
    )


def source_title(key: str, switch: SwitchModel, asic: Asic) -> str:
    """Title of a source of a hardware file by its key; the key itself where neither file has it."""
    found = switch.sources.get(key) or asic.sources.get(key)
    return found.title if found else key


def doubted(fact: str, *files: SwitchModel | Asic) -> bool:
    """Whether one of the files marks a fact, or a part of it, as unsure."""
    return any(path.partition(".")[0] == fact for file in files for path in file.unsure)


def _pool_lines(plan: Plan, name: str, seen: Sequence[RenderedValues]) -> tuple[PoolLine, ...]:
    """Each kind of switch with all of its planned ports, or as one is built where that asks for more.

    The numbers are those that the checks compare (`room_of`). Switches with another pool have a line of their own.
    """
    own = {(box.role, box.lossless.switch.model): box for box in boxes(plan) if box.name == name}
    lines: dict[tuple[str, str], list[PoolLine]] = {key: [] for key in own}
    most: dict[PoolLine, PoolLine] = {}
    told = []
    for one in seen:
        box = own.get((one.role, one.lossless.switch.model))
        if box is not None:
            line = _built_pool(box, one)
            pool = line._replace(ports=0, needed=0, ratio=None, allowed=0)
            most[pool] = max(most.get(pool, line), line, key=lambda found: found.needed)
            told.append((pool, one))
    for pool, _, switches in named(told, seen, _role, lambda line: line.model):
        lines[pool.role, pool.model].append(most[pool]._replace(switches=switches))
    for key, box in own.items():
        if not lines[key]:
            lines[key].append(_pool_line(box, room_of(box)))
    return tuple(line for found in lines.values() for line in sorted(found, key=lambda line: line.switches))


def _built_pool(planned: LosslessSwitch, one: RenderedValues) -> PoolLine:
    """Headroom of one switch: with its planned ports or as it is built, what asks for more."""
    box = planned._replace(chassis=one.chassis, lossless=one.lossless) if one.is_own else planned
    found = (_pool_line(box, room) for room in (room_of(box), room_of(box, one.qos)))
    line = max(found, key=lambda line: line.needed)
    return line._replace(rendered=one.rendered.pool_octets, resume=one.rendered.resume_octets)


def _pool_line(box: LosslessSwitch, room: HeadroomUse | None) -> PoolLine:
    """Headroom of a kind of switch against what it has for that; a size of 0 where no source gives it."""
    switch, asic = box.lossless.switch, box.lossless.asic
    fact = "buffer_octets" if room is not None and room.private else "headroom_pool_octets"
    return PoolLine(
        role=box.role,
        model=switch.model,
        ports=room.ports if room else sum(box.links.values()),
        needed=room.needed if room else 0,
        pool=room.size if room else 0,
        ratio=room.budget.ratio if room else None,
        allowed=room.allowed if room else OVERCOMMIT,
        private=room.private if room else False,
        rendered=None,
        resume=None,
        unsure=doubted(fact, switch, asic),
        switches="",
    )
