"""The lossless class of a backend: every number as the switches are given it, with its profile, formula and source."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.checks.boxes import Box, Room, boxes, room_of
from fabricgen.device.qos import Qos
from fabricgen.hardware.model import Asic, Switch
from fabricgen.intent.fabric import Backend, EcnThresholds
from fabricgen.plan.fabric import FabricPlan, chassis_of, present_places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.rendered import Rendered
from fabricgen.policy.ecn import Ecn
from fabricgen.policy.headroom import OVERCOMMIT
from fabricgen.policy.scheduling import WEIGHTS_BY_NAME, QueueRow
from fabricgen.resolve.context import Site, lossless_key, make_site
from fabricgen.resolve.control import own_packets
from fabricgen.resolve.device import rendered_lossless, resolve
from fabricgen.resolve.lossless import WEIGHTS, Lossless, fan_out_of, nic_vendor
from fabricgen.summary.page import EcnLine, HeadroomLine, LosslessLine, PoolLine, WatchdogLine

WATCHDOG = "pfc-watchdog"


class Seen(NamedTuple):
    """What one switch is given: the plan, and what its files say after the rounding of its system."""

    role: str
    system: str
    lossless: Lossless
    qos: Qos
    planned: dict[int, Ecn | None]
    rendered: Rendered


def lossless_line(plan: Plan, fabric: FabricPlan) -> LosslessLine | None:
    """Lossless settings of a fabric; None where it has no lossless class."""
    backend = fabric.fabric
    if not isinstance(backend, Backend) or backend.transport != "roce-lossless":
        return None
    site = make_site(plan, fabric.name)
    seen = tuple(_seen(site, fabric))
    first = seen[0].lossless
    marking = first.marking
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
        alpha=backend.roce.alpha,
        mtu=backend.mtu,
        host_mtu=backend.roce.host_mtu,
        ecn_profile="the intent" if isinstance(backend.roce.ecn, EcnThresholds) else backend.roce.ecn,
        ecn=_ecn_lines(seen),
        headroom=_headroom_lines(seen),
        pools=_pool_lines(plan, fabric.name, seen),
        watchdog=_watchdog_text(seen[0].qos),
        watchdog_unproven=tuple(_unproven(seen)),
        watchdogs=tuple(dict.fromkeys(_watchdog_line(one) for one in seen)),
    )


def _seen(site: Site, fabric: FabricPlan) -> Iterator[Seen]:
    """Switches to look at: one of each kind where all are alike, every one where a cable file tells them apart."""
    looked: set[tuple[Tier, str]] = set()
    alike = not fabric.exceptions.cables and not fabric.exceptions.ports
    for place in present_places(fabric):
        kind = (place.tier, place.group)
        if alike and kind in looked:
            continue
        looked.add(kind)
        seen = _look(site, place)
        if seen is not None:
            yield seen


def _look(site: Site, place: Place) -> Seen | None:
    chassis = chassis_of(site.fabric, place)
    found = site.lossless.get(lossless_key(chassis))
    qos = resolve(site, place).qos
    if found is None or qos is None:
        return None
    role, fan_out = place.tier.value, fan_out_of(site.fabric, place.tier.value, chassis)
    vendor = nic_vendor(site.fabric)
    planned = {row.speed_gbps: found.ecn(row.speed_gbps, role, vendor, fan_out) for row in qos.profiles}
    return Seen(role, chassis.system, found, qos, planned, rendered_lossless(chassis, qos, found.fabric.mtu))


def _watchdog_line(seen: Seen) -> WatchdogLine:
    times = seen.rendered.watchdog
    return WatchdogLine(seen.lossless.system, *times)


def _queues(seen: Iterable[Seen]) -> Iterator[str]:
    """Queues from the highest down; by system where switches differ in them."""
    told: dict[tuple[str, ...], list[str]] = {}
    for one in seen:
        rows = tuple(_queue_text(row) for row in reversed(one.lossless.queues(one.system)))
        told.setdefault(rows, []).append(one.system)
    for rows, systems in told.items():
        of = f" on {', '.join(dict.fromkeys(systems))}" if len(told) > 1 else ""
        yield from (f"{row}{of}" for row in rows)


def _control(seen: Iterable[Seen]) -> Iterator[str]:
    """How each system's own packets, BGP and BFD, leave the switch."""
    for one in {one.system: one for one in seen}.values():
        bfd = one.lossless.fabric.bgp.bfd
        said = own_packets(one.system, one.lossless.marking, bfd=bfd)
        yield f"{'BGP and BFD' if bfd else 'BGP'} of {one.system} leave{'' if bfd else 's'} {said}"


def _queue_text(row: QueueRow) -> str:
    weight = "strict" if row.strict else f"{row.weight_percent} %"
    cap = f", at most {row.cap_percent} %" if row.cap_percent < 100 else ""
    return f"{row.queue} {row.traffic} {weight}{cap}"


def _unproven(seen: Iterable[Seen]) -> Iterator[str]:
    """Why the watchdog of a system that stands here may do nothing."""
    for system in dict.fromkeys(one.system.partition("-")[0] for one in seen):
        platform = PLATFORMS.get(system)
        found = platform.can(WATCHDOG) if platform is not None else None
        if platform is not None and found is not None and found.unproven:
            yield f"unproven on {platform.title}: {found.unproven}"


def _watchdog_text(qos: Qos) -> str:
    times = qos.watchdog
    return f"detect {times.detect_ms} ms, restore {times.restore_ms} ms, poll {times.polling_ms} ms, {times.action}"


def _ecn_lines(seen: Iterable[Seen]) -> tuple[EcnLine, ...]:
    lines: dict[tuple[str, str, int], EcnLine] = {}
    for one in seen:
        for profile in one.qos.profiles:
            key = (one.role, one.lossless.switch.model, profile.speed_gbps)
            found, told = one.planned[profile.speed_gbps], one.rendered.ecn_at(profile.speed_gbps)
            lines[key] = EcnLine(
                *key,
                minimum=told.minimum_octets if told else None,
                maximum=told.maximum_octets if told else None,
                percent=told.probability_percent if told else None,
                planned_minimum=found.minimum_octets if found else None,
                planned_maximum=found.maximum_octets if found else None,
                queue_limit=one.rendered.queue_limit_octets or one.lossless.queue_limit,
                pause=one.rendered.pause_octets,
                source=found.source if found else "the profile has no row for this speed",
                unsure=found.unsure if found else False,
            )
    return tuple(line for _, line in sorted(lines.items()))


def _headroom_lines(seen: Iterable[Seen]) -> tuple[HeadroomLine, ...]:
    lines: dict[tuple[str, str, int, int], HeadroomLine] = {}
    for one in seen:
        for row, told in zip(one.qos.headroom, one.rendered.headroom, strict=True):
            key = (one.role, one.lossless.switch.model, row.speed_gbps, row.length_m)
            before = lines.get(key)
            most = [octets for octets in (told.octets, before.rendered if before else None) if octets is not None]
            source = source_title(row.source, one.lossless.switch, one.lossless.asic)
            lines[key] = HeadroomLine(
                *key,
                ports=max(row.ports, before.ports if before else 0),
                octets=row.octets,
                rendered=max(most, default=None),
                by_switch=told.by_switch,
                basis=row.basis,
                source=f"{source}; {told.source}" if told.source else source,
                unsure=row.basis.startswith("fit") or doubted("headroom", one.lossless.switch, one.lossless.asic),
            )
    return tuple(line for _, line in sorted(lines.items()))


def source_title(key: str, switch: Switch, asic: Asic) -> str:
    """Title of a source of a hardware file by its key; the key itself where neither file has it."""
    found = switch.sources.get(key) or asic.sources.get(key)
    return found.title if found else key


def doubted(fact: str, *files: Switch | Asic) -> bool:
    """Whether one of the files marks a fact, or a part of it, as unsure."""
    return any(path.partition(".")[0] == fact for file in files for path in file.unsure)


def _pool_lines(plan: Plan, name: str, seen: Iterable[Seen]) -> tuple[PoolLine, ...]:
    """Each kind of switch with all of its planned ports, or as one is built where that asks for more.

    The numbers are those that the checks compare (`room_of`).
    """
    own = {(box.role, box.lossless.switch.model): box for box in boxes(plan) if box.name == name}
    lines = {key: _pool_line(box, room_of(box)) for key, box in own.items()}
    for one in seen:
        key = (one.role, one.lossless.switch.model)
        if key not in own:
            continue
        built = _pool_line(own[key], room_of(own[key], one.qos))
        line = max(lines[key], built, key=lambda found: found.needed)
        lines[key] = line._replace(rendered=one.rendered.pool_octets, resume=one.rendered.resume_octets)
    return tuple(lines.values())


def _pool_line(box: Box, room: Room | None) -> PoolLine:
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
    )
