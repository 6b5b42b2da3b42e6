"""The lossless class of a backend to plain text: each number beside its profile, formula and source."""

from collections.abc import Iterator, Sequence

from fabricgen.policy.ecn import FORMULA, FORMULA_SOURCE
from fabricgen.summary.layout import UNSURE, entries, entry, metres, number, plural, ratio, table
from fabricgen.summary.page import EcnLine, HeadroomLine, LosslessLine, PoolLine, WatchdogLine


def lossless_text(line: LosslessLine) -> Iterator[str]:
    """Lines of one backend."""
    data = f"{line.roce_dscps[0]}-{line.roce_dscps[-1]}" if len(line.roce_dscps) > 1 else str(line.roce_dscps[0])
    yield from entry(
        "marking",
        f"{line.marking}: RoCE DSCP {line.data_dscp} (lossless: {data}) on priority {line.priority}, "
        f"CNP DSCP {line.cnp_dscp}; alpha {line.alpha}{UNSURE if line.marking_unsure else ''}",
    )
    yield from entries("", _apart(line, "marking", "alpha"))
    yield from entry("", f"source: {line.marking_source}")
    yield from entry("queues", "; ".join(line.queues))
    yield from entry("", f"source: {line.weights_source}")
    yield from entries("control", line.control)
    header = ("role", "speed", "Kmin B", "Kmax B", "Pmax", "queue limit B", "profile", "")
    yield from table("ECN", *_with_switches(header, [(_ecn(row), row.switches) for row in line.ecn]))
    yield from entries("", dict.fromkeys(f"source: {row.source}" for row in line.ecn))
    yield from entries("", dict.fromkeys(_pause(row) for row in line.ecn if row.pause is not None))
    yield from _headroom(line)
    yield from entries("watchdog", (*map(_watchdog, line.watchdogs), *line.watchdog_unproven))
    yield from entry("MTU", f"{line.mtu} between switches and to hosts, {line.host_mtu} on the hosts")
    yield from entries("", _apart(line, "mtu", "host_mtu"))


WORDS = {"mtu": "MTU", "host_mtu": "MTU of hosts"}


def _apart(line: LosslessLine, *whats: str) -> Iterator[str]:
    """Values of some switches, or of ports of them."""
    for row in line.apart:
        if row.what in whats:
            at = f"{plural(row.ports, 'port')} of " if row.ports else ""
            yield f"{WORDS.get(row.what, row.what)} {row.value} on {at}{row.switches}"


def _with_switches(
    header: tuple[str, ...], rows: Sequence[tuple[tuple[str, ...], str]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A table with a column of switches, where some row is not of all of its role."""
    if not any(switches for _, switches in rows):
        return header, [row for row, _ in rows]
    return (*header, "switches"), [(*row, switches) for row, switches in rows]


def _ecn(row: EcnLine) -> tuple[str, ...]:
    return (
        row.role,
        f"{row.speed_gbps}G",
        number(row.minimum) if row.minimum is not None else "none",
        number(row.maximum) if row.maximum is not None else "none",
        f"{row.percent} %" if row.percent is not None else "none",
        number(row.queue_limit) if row.queue_limit is not None else "unknown",
        # `published` takes the formula where the maker publishes nothing for the box.
        FORMULA if row.source.startswith(FORMULA_SOURCE) else row.profile,
        "unsure" if row.unsure else "",
    )


def _pause(row: EcnLine) -> str:
    """Limits that are fixed numbers, and no share of what is free."""
    return (
        f"a {row.role} ({row.model}) has no alpha: a port pauses its peer at {number(row.pause or 0)} octets, its "
        "equal part of the unreserved buffer, and a queue on its way out may grow to the whole of it"
    )


def _headroom(line: LosslessLine) -> Iterator[str]:
    header = ("role", "speed", "length", "ports", "octets per port", "as rendered", "basis", "")
    rows = [
        (
            (
                row.role,
                f"{row.speed_gbps}G",
                metres(row.length_m),
                number(row.ports),
                number(row.octets),
                _rendered(row),
                row.basis,
                "unsure" if row.unsure else "",
            ),
            row.switches,
        )
        for row in line.headroom
    ]
    yield from table("headroom", *_with_switches(header, rows))
    if any(row.by_switch for row in line.headroom):
        yield from entry("", "by switch: no file has the number, the switch computes it from the cable's length")
    yield from entries("", dict.fromkeys(f"source: {row.source}" for row in line.headroom))
    for pool in line.pools:
        if not pool.pool:
            yield from entry("", f"pool of {_whose(pool)}: its size is unknown, and nothing is checked")
            continue
        yield from entry("", f"{_pool(pool)}{_told(pool)}{UNSURE if pool.unsure else ''}")


def _pool(pool: PoolLine) -> str:
    """What the ports need, and of what."""
    if pool.private:
        return (
            f"buffer of {_whose(pool)}: its {number(pool.ports)} ports share no headroom pool, and keep "
            f"{number(pool.needed)} of {number(pool.pool)} octets"
        )
    return (
        f"pool of {_whose(pool)}: {number(pool.ports)} ports could need {number(pool.needed)} of "
        f"{number(pool.pool)} octets, {ratio(pool.ratio)}, allowed {ratio(pool.allowed)}"
    )


def _whose(pool: PoolLine) -> str:
    return f"{pool.switches or f'a {pool.role}'} ({pool.model})"


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
    of = f" ({row.switches})" if row.switches else ""
    return f"{row.system}{of}: {words}, {row.action}"
