"""The lossless class of a backend to plain text: each number beside its profile, formula and source."""

from collections.abc import Iterator

from fabricgen.policy.ecn import FORMULA, FORMULA_SOURCE
from fabricgen.summary.layout import UNSURE, entries, entry, metres, number, ratio, table
from fabricgen.summary.page import EcnLine, HeadroomLine, LosslessLine, PoolLine, WatchdogLine


def lossless_text(line: LosslessLine) -> Iterator[str]:
    """Lines of one backend."""
    yield from entry("marking", _marking(line))
    yield from entry("", f"source: {line.marking_source}")
    yield from entry("queues", "; ".join(line.queues))
    yield from entry("", f"source: {line.weights_source}")
    yield from entries("control", line.control)
    header = ("role", "speed", "Kmin B", "Kmax B", "Pmax", "queue limit B", "profile", "")
    yield from table("ECN", header, [_ecn(row, line.ecn_profile) for row in line.ecn])
    yield from entries("", dict.fromkeys(f"source: {row.source}" for row in line.ecn))
    yield from entries("", dict.fromkeys(_pause(row) for row in line.ecn if row.pause is not None))
    yield from _headroom(line)
    yield from entries("watchdog", (*map(_watchdog, line.watchdogs), *line.watchdog_unproven))
    yield from entry("MTU", f"{line.mtu} between switches and to hosts, {line.host_mtu} on the hosts")


def _marking(line: LosslessLine) -> str:
    data = f"{line.roce_dscps[0]}-{line.roce_dscps[-1]}" if len(line.roce_dscps) > 1 else str(line.roce_dscps[0])
    return (
        f"{line.marking}: RoCE DSCP {line.data_dscp} (lossless: {data}) on priority {line.priority}, "
        f"CNP DSCP {line.cnp_dscp}; alpha {line.alpha}{UNSURE if line.marking_unsure else ''}"
    )


def _ecn(row: EcnLine, profile: str) -> tuple[str, ...]:
    return (
        row.role,
        f"{row.speed_gbps}G",
        number(row.minimum) if row.minimum is not None else "none",
        number(row.maximum) if row.maximum is not None else "none",
        f"{row.percent} %" if row.percent is not None else "none",
        number(row.queue_limit) if row.queue_limit is not None else "unknown",
        # `published` takes the formula where the maker publishes nothing for the box.
        FORMULA if row.source.startswith(FORMULA_SOURCE) else profile,
        "unsure" if row.unsure else "",
    )


def _pause(row: EcnLine) -> str:
    """Limits that are fixed numbers, and no share of what is free."""
    return (
        f"a {row.role} ({row.model}) has no alpha: a port pauses its peer at {number(row.pause or 0)} octets, its "
        "equal part of the unreserved buffer, and a queue on its way out may grow to the whole of it"
    )


def _headroom(line: LosslessLine) -> Iterator[str]:
    header = ("role", "speed", "length", "ports", "octets a port", "as rendered", "basis", "")
    rows = [
        (
            row.role,
            f"{row.speed_gbps}G",
            metres(row.length_m),
            number(row.ports),
            number(row.octets),
            _rendered(row),
            row.basis,
            "unsure" if row.unsure else "",
        )
        for row in line.headroom
    ]
    yield from table("headroom", header, rows)
    if any(row.by_switch for row in line.headroom):
        yield from entry("", "by switch: no file has the number, the switch computes it from the cable's length")
    yield from entries("", dict.fromkeys(f"source: {row.source}" for row in line.headroom))
    for pool in line.pools:
        if not pool.pool:
            yield from entry("", f"pool of a {pool.role} ({pool.model}): its size is unknown, and nothing is checked")
            continue
        yield from entry("", f"{_pool(pool)}{_told(pool)}{UNSURE if pool.unsure else ''}")


def _pool(pool: PoolLine) -> str:
    """What the ports need, and of what."""
    if pool.private:
        return (
            f"buffer of a {pool.role} ({pool.model}): its {number(pool.ports)} ports share no headroom pool, and keep "
            f"{number(pool.needed)} of {number(pool.pool)} octets"
        )
    return (
        f"pool of a {pool.role} ({pool.model}): {number(pool.ports)} ports could need {number(pool.needed)} of "
        f"{number(pool.pool)} octets, {ratio(pool.ratio)}, allowed {ratio(pool.allowed)}"
    )


def _rendered(row: HeadroomLine) -> str:
    """Octets as the switch is told, or as it computes them."""
    octets = number(row.rendered) if row.rendered is not None else ""
    return f"{octets} by switch".strip() if row.by_switch else octets


def _told(pool: PoolLine) -> str:
    """What the switch is told of the pool, where that is not the planned number."""
    size = (
        ""
        if pool.private or pool.rendered == pool.pool
        else "; rendered: " + (number(pool.rendered) if pool.rendered else "none")
    )
    resume = f"; a peer resumes {number(pool.resume)} octets below the limit" if pool.resume else ""
    return f"{size}{resume}"


def _watchdog(row: WatchdogLine) -> str:
    times = (("detect", row.detect_ms), ("restore", row.restore_ms), ("poll", row.polling_ms))
    told = ((name, f"{value} ms" if value is not None else "the system's own") for name, value in times)
    words = ", ".join(f"{name} {value}" for name, value in told)
    return f"{row.system}: {words}, {row.action}"
