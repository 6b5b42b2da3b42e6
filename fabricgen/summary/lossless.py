"""The lossless class of a fabric: every number as configured on the switches, with its profile, formula and source."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fabricgen.checks.lossless.lossless_switches import HeadroomUse, LosslessSwitch, boxes, room_of
from fabricgen.device.qos import HeadroomProfile, Qos
from fabricgen.hardware.model import Asic, SwitchModel
from fabricgen.intent.fabric import EcnThresholds, is_lossless
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.lossless import RenderedHeadroom
from fabricgen.policy.headroom import OVERCOMMIT
from fabricgen.policy.scheduling import WEIGHTS, QueueRow
from fabricgen.resolve.context import make_site
from fabricgen.resolve.control import own_packets
from fabricgen.resolve.lossless import Lossless
from fabricgen.resolve.profiles import server_port_mtu
from fabricgen.summary.page import ApartLine, EcnLine, HeadroomLine, LosslessLine, PoolLine, WatchdogLine
from fabricgen.summary.switch_classes import RenderedValues, named, rendered_values

WATCHDOG = "pfc-watchdog"


def lossless_line(plan: Plan, fabric: FabricPlan) -> LosslessLine | None:
    """Lossless settings of a fabric; None where it has no lossless class."""
    if not is_lossless(fabric.fabric):
        return None
    site = make_site(plan, fabric.name)
    samples = tuple(rendered_values(site, fabric))
    common = next((sample for sample in samples if not sample.is_own), samples[0])
    marking = common.lossless.marking
    values_of = {value_name: tuple(_values_of(samples, value_name)) for value_name in VALUES}
    return LosslessLine(
        marking=marking.name,
        marking_source=marking.source,
        marking_unsure=marking.unsure,
        priority=marking.priority,
        data_dscp=marking.data_dscp,
        roce_dscps=marking.roce_dscps,
        cnp_dscp=marking.cnp_dscp,
        queues=tuple(_queues(samples)),
        control=tuple(_control(samples)),
        weights_source=WEIGHTS.source,
        alpha=str(_rule(values_of["alpha"])),
        mtu=int(_rule(values_of["mtu"])),
        server_port_mtu=server_port_mtu(common.lossless.fabric),
        host_mtu=int(_rule(values_of["host_mtu"])),
        apart=tuple(_apart(values_of, samples)),
        ecn_profile=_profile(common.lossless),
        ecn=_ecn_lines(samples),
        headroom=_headroom_lines(samples),
        pools=_pool_lines(plan, fabric.name, samples),
        watchdog=_watchdog_text(common.qos),
        watchdog_unproven=tuple(_unproven(samples)),
        watchdogs=tuple(_watchdog_lines(samples)),
    )


def _profile(lossless: Lossless) -> str:
    chosen = lossless.fabric.roce.ecn
    return "the intent" if isinstance(chosen, EcnThresholds) else chosen


VALUES: Mapping[str, Callable[[Lossless], str | int]] = {
    "marking": lambda lossless: lossless.fabric.roce.marking,
    "alpha": lambda lossless: lossless.fabric.roce.alpha,
    "mtu": lambda lossless: lossless.fabric.mtu,
    "host_mtu": lambda lossless: lossless.fabric.roce.host_mtu,
}
"""Values that the page prints once per fabric, and again for switches that have another value."""
OF_LEAVES = ("host_mtu",)
"""Values of NICs: only leaves have NICs."""

ValueOfSwitches = tuple[str | int, str]
"""A value, and the names of the switches that have it; empty where it is the value of all others."""


def _values_of(samples: Sequence[RenderedValues], value_name: str) -> Iterator[ValueOfSwitches]:
    """Each value: first that of switches without overrides, or, if all have overrides, that of the most switches."""
    relevant = [sample for sample in samples if value_name not in OF_LEAVES or sample.role == Tier.LEAF.value]
    rows = named(((VALUES[value_name](sample.lossless), sample) for sample in relevant), relevant, lambda _: "")
    ordered = sorted(rows, key=lambda row: (bool(row[2]), -sum(sample.switch_count for sample in row[1])))
    yield from ((value, switches) for value, _, switches in ordered)


def _rule(values: Sequence[ValueOfSwitches]) -> str | int:
    return values[0][0]


def _apart(
    values_of: Mapping[str, Sequence[ValueOfSwitches]], samples: Sequence[RenderedValues]
) -> Iterator[ApartLine]:
    """Values of some switches, then the MTU of some ports."""
    for value_name, (_, *others) in values_of.items():
        yield from (ApartLine(value_name, str(value), 0, switches) for value, switches in others)
    ports = ((row, sample) for sample in samples for row in Counter(mtu for _, mtu, _ in sample.ports if mtu).items())
    for (mtu, count), _, switches in named(ports, samples, lambda _: ""):
        yield ApartLine("mtu", str(mtu), count, switches or "each switch")


def _watchdog_lines(samples: Sequence[RenderedValues]) -> Iterator[WatchdogLine]:
    rows = ((WatchdogLine(sample.lossless.system, *sample.rendered.watchdog), sample) for sample in samples)
    lines = [
        row._replace(switches=switches)
        for row, _, switches in named(rows, samples, lambda sample: sample.lossless.system)
    ]
    yield from sorted(lines, key=lambda row: bool(row.switches))


def _queues(samples: Sequence[RenderedValues]) -> Iterator[str]:
    """Queues from the highest down; by operating system, and by switch, where their queues differ."""
    rows = (
        (tuple(_queue_text(row) for row in reversed(sample.lossless.queues(sample.system))), sample)
        for sample in samples
    )
    grouped = list(named(rows, samples, lambda sample: sample.system))
    for texts, members, switches in grouped:
        systems = ", ".join(dict.fromkeys(sample.system for sample in members))
        suffix = f" on {switches or systems}" if len(grouped) > 1 else ""
        yield from (f"{text}{suffix}" for text in texts)


def _control(samples: Sequence[RenderedValues]) -> Iterator[str]:
    """How each operating system sends its own packets, BGP and BFD."""
    for text, _, switches in named(
        ((_own_packets(sample), sample) for sample in samples), samples, lambda sample: sample.system
    ):
        yield f"{text} (of {switches})" if switches else text


def _own_packets(sample: RenderedValues) -> str:
    bfd = sample.lossless.fabric.bgp.bfd
    queue = own_packets(sample.system, sample.lossless.marking, bfd=bfd)
    return f"{'BGP and BFD' if bfd else 'BGP'} of {sample.system} {'are' if bfd else 'is'} sent {queue}"


def _queue_text(row: QueueRow) -> str:
    weight = "strict" if row.strict else f"{row.weight_percent} % of the rest"
    cap = f", at most {row.cap_percent} % of the port" if row.cap_percent < 100 else ""
    return f"{row.queue} {row.traffic}: {weight}{cap}"


def _unproven(samples: Iterable[RenderedValues]) -> Iterator[str]:
    """Why the watchdog of an operating system in the fabric may have no effect."""
    for system in dict.fromkeys(sample.system.partition("-")[0] for sample in samples):
        platform = PLATFORMS.get(system)
        support = platform.can(WATCHDOG) if platform is not None else None
        if platform is not None and support is not None and support.unproven:
            yield f"unproven on {platform.title}: {support.unproven}"


def _watchdog_text(qos: Qos) -> str:
    times = qos.watchdog
    return (
        f"detection {times.detect_ms} ms, restoration {times.restore_ms} ms, polling {times.polling_ms} ms, "
        f"action {times.action}"
    )


def _role(sample: RenderedValues) -> str:
    return sample.role


def _ecn_about(line: EcnLine) -> tuple[str, int]:
    return line.model, line.speed_gbps


def _headroom_about(line: HeadroomLine) -> tuple[str | int, ...]:
    return line.model, line.speed_gbps, line.length_m


def _ecn_lines(samples: Sequence[RenderedValues]) -> tuple[EcnLine, ...]:
    rows = ((_ecn_line(sample, profile.speed_gbps), sample) for sample in samples for profile in sample.qos.profiles)
    lines = [row._replace(switches=switches) for row, _, switches in named(rows, samples, _role, _ecn_about)]
    return tuple(sorted(lines, key=lambda row: (row.role, row.model, row.speed_gbps, row.switches)))


def _ecn_line(sample: RenderedValues, speed_gbps: int) -> EcnLine:
    planned, printed = sample.planned[speed_gbps], sample.rendered.ecn_at(speed_gbps)
    return EcnLine(
        sample.role,
        sample.lossless.switch.model,
        speed_gbps,
        minimum=printed.minimum_octets if printed else None,
        maximum=printed.maximum_octets if printed else None,
        percent=printed.probability_percent if printed else None,
        planned_minimum=planned.minimum_octets if planned else None,
        planned_maximum=planned.maximum_octets if planned else None,
        queue_limit=sample.rendered.queue_limit_octets or sample.lossless.queue_limit,
        pause=sample.rendered.pause_octets,
        profile=_profile(sample.lossless),
        source=planned.source if planned else "the profile has no row for this speed",
        unsure=planned.unsure if planned else False,
        switches="",
    )


def _headroom_lines(samples: Sequence[RenderedValues]) -> tuple[HeadroomLine, ...]:
    ports: dict[HeadroomLine, int] = {}
    rows = []
    for sample in samples:
        for row, printed in zip(sample.qos.headroom, sample.rendered.headroom, strict=True):
            line = _headroom_line(sample, row, printed)
            ports[line] = max(row.ports, ports.get(line, 0))
            rows.append((line, sample))
    lines = [
        line._replace(ports=ports[line], switches=switches)
        for line, _, switches in named(rows, samples, _role, _headroom_about)
    ]
    return tuple(sorted(lines, key=_headroom_order))


def _headroom_order(line: HeadroomLine) -> tuple[str | int, ...]:
    return line.role, line.model, line.speed_gbps, line.length_m, line.switches, line.octets, line.rendered or 0


def _headroom_line(sample: RenderedValues, row: HeadroomProfile, printed: RenderedHeadroom) -> HeadroomLine:
    switch, asic = sample.lossless.switch, sample.lossless.asic
    source = source_title(row.source, switch, asic)
    return HeadroomLine(
        sample.role,
        switch.model,
        row.speed_gbps,
        row.length_m,
        ports=0,
        octets=row.octets,
        rendered=printed.octets,
        by_switch=printed.by_switch,
        basis=row.basis,
        source=f"{source}; {printed.source}" if printed.source else source,
        unsure=row.basis.startswith("fit") or doubted("headroom", switch, asic),
        switches="",
    )


def source_title(key: str, switch: SwitchModel, asic: Asic) -> str:
    """Title of a source of a hardware file by its key; the key itself if neither file has it."""
    source = switch.sources.get(key) or asic.sources.get(key)
    return source.title if source else key


def doubted(fact: str, *files: SwitchModel | Asic) -> bool:
    """Whether one of the files marks a fact, or a part of it, as unsure."""
    return any(path.partition(".")[0] == fact for file in files for path in file.unsure)


def _pool_lines(plan: Plan, name: str, samples: Sequence[RenderedValues]) -> tuple[PoolLine, ...]:
    """Each kind of switch with all of its planned ports, or as built if that needs more headroom.

    The numbers are those that the checks compare (`room_of`). Switches with another pool have a line of their own.
    """
    planned_boxes = {(box.role, box.lossless.switch.model): box for box in boxes(plan) if box.name == name}
    lines: dict[tuple[str, str], list[PoolLine]] = {key: [] for key in planned_boxes}
    fullest: dict[PoolLine, PoolLine] = {}
    pools = []
    for sample in samples:
        box = planned_boxes.get((sample.role, sample.lossless.switch.model))
        if box is not None:
            line = _built_pool(box, sample)
            pool = line._replace(ports=0, needed=0, ratio=None, allowed=0)
            fullest[pool] = max(fullest.get(pool, line), line, key=lambda each: each.needed)
            pools.append((pool, sample))
    for pool, _, switches in named(pools, samples, _role, lambda line: line.model):
        lines[pool.role, pool.model].append(fullest[pool]._replace(switches=switches))
    for key, box in planned_boxes.items():
        if not lines[key]:
            lines[key].append(_pool_line(box, room_of(box)))
    return tuple(line for candidates in lines.values() for line in sorted(candidates, key=lambda line: line.switches))


def _built_pool(planned: LosslessSwitch, sample: RenderedValues) -> PoolLine:
    """Headroom of one switch, with its planned ports or as built, whichever needs more."""
    box = planned._replace(chassis=sample.chassis, lossless=sample.lossless) if sample.is_own else planned
    candidates = (_pool_line(box, use) for use in (room_of(box), room_of(box, sample.qos)))
    line = max(candidates, key=lambda line: line.needed)
    return line._replace(rendered=sample.rendered.pool_octets, resume=sample.rendered.resume_octets)


def _pool_line(box: LosslessSwitch, use: HeadroomUse | None) -> PoolLine:
    """Headroom that a kind of switch needs and has; a size of 0 if no source gives it."""
    switch, asic = box.lossless.switch, box.lossless.asic
    fact = "buffer_octets" if use is not None and use.private else "headroom_pool_octets"
    return PoolLine(
        role=box.role,
        model=switch.model,
        ports=use.ports if use else sum(box.links.values()),
        needed=use.needed if use else 0,
        pool=use.size if use else 0,
        ratio=use.budget.ratio if use else None,
        allowed=use.allowed if use else OVERCOMMIT,
        allowed_by=_allowed_by(box, use),
        private=use.private if use else False,
        rendered=None,
        resume=None,
        unsure=doubted(fact, switch, asic),
        switches="",
    )


def _allowed_by(box: LosslessSwitch, use: HeadroomUse | None) -> str:
    if use is None or use.private:
        return ""
    if box.lossless.fabric.roce.headroom_overcommit is not None:
        return "`headroom_overcommit` of the intent"
    return "fabricgen's default" if use.allowed == OVERCOMMIT else "the vendor's own overcommitment"
