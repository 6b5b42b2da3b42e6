"""The lossless class of a fabric as plain text: each number with its profile, formula and source."""

from collections.abc import Iterable, Iterator, Sequence

from fabricgen.policy.ecn import FORMULA, FORMULA_SOURCE, OF_SUPERSPINES, PUBLISHED
from fabricgen.summary.layout import UNSURE, entries, entry, metres, number, plural, ratio, table
from fabricgen.summary.page import EcnLine, HeadroomLine, LosslessLine, PoolLine, WatchdogLine


def lossless_text(line: LosslessLine) -> Iterator[str]:
    """Lines of one fabric."""
    yield from entry("marking", _marking(line))
    yield from entries("", _apart(line, "marking"))
    yield from entry("", f"source: {line.marking_source}")
    yield from entries("queues", ("; ".join(line.queues[index : index + 2]) for index in range(0, len(line.queues), 2)))
    yield from entry("", f"source: {line.weights_source}")
    yield from entries("control", line.control)
    header = ("role", "speed", "Kmin", "Kmax", "Pmax", "longest queue", "profile", "note")
    yield from table("ECN (bytes)", *_with_switches(header, [(_ecn(row, line.ecn), row.switches) for row in line.ecn]))
    yield from entries("", dict.fromkeys(map(_source, line.ecn)))
    if any(row.pause is None for row in line.ecn):
        limit = f"longest queue: computed; dynamic threshold (alpha) {line.alpha} x the free shared buffer"
        yield from entries("", (limit, *_apart(line, "alpha")))
    yield from entries("", dict.fromkeys(_pause(row) for row in line.ecn if row.pause is not None))
    yield from _headroom(line)
    yield from entries("watchdog", (*map(_watchdog, line.watchdogs), *line.watchdog_unproven))
    ports = f"{line.mtu} on switch ports (fabric and server ports)"
    if line.server_port_mtu != line.mtu:
        ports = f"{line.mtu} on fabric ports, {line.server_port_mtu} on server ports"
    yield from entry("MTU", f"{ports}, {line.host_mtu} on server NICs")
    yield from entries("", _apart(line, "mtu", "host_mtu"))


WORDS = {"mtu": "MTU", "host_mtu": "MTU of server NICs"}


def _apart(line: LosslessLine, *value_names: str) -> Iterator[str]:
    """Values of some switches, or of some of their ports."""
    for row in line.apart:
        if row.what in value_names:
            of_ports = f"{plural(row.ports, 'port')} of " if row.ports else ""
            yield f"{WORDS.get(row.what, row.what)} {row.value} on {of_ports}{row.switches}"


def _with_switches(
    header: tuple[str, ...], rows: Sequence[tuple[tuple[str, ...], str]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A table; with a column of switches if some row is not that of all switches of its role."""
    if not any(switches for _, switches in rows):
        return header, [row for row, _ in rows]
    return (*header, "switches"), [(*row, switches) for row, switches in rows]


def _marking(line: LosslessLine) -> str:
    data = f"{line.roce_dscps[0]}-{line.roce_dscps[-1]}" if len(line.roce_dscps) > 1 else str(line.roce_dscps[0])
    return (
        f"profile {line.marking}: RoCE DSCP {line.data_dscp} (DSCP {data} lossless), "
        f"PFC priority {line.priority}; CNP DSCP {line.cnp_dscp}{UNSURE if line.marking_unsure else ''}"
    )


def _role(row: EcnLine | HeadroomLine, rows: Iterable[EcnLine | HeadroomLine]) -> str:
    """The role of a row, with its model where the rows have several models of the role."""
    models = {other.model for other in rows if other.role == row.role}
    return row.role if len(models) == 1 else f"{row.role} {row.model}"


def _ecn(row: EcnLine, rows: Iterable[EcnLine]) -> tuple[str, ...]:
    return (
        _role(row, rows),
        f"{row.speed_gbps}G",
        number(row.minimum) if row.minimum is not None else "none",
        number(row.maximum) if row.maximum is not None else "none",
        f"{row.percent} %" if row.percent is not None else "none",
        number(row.queue_limit) if row.queue_limit is not None else "unknown",
        # With `published`, a switch for which the vendor publishes nothing gets the formula.
        FORMULA if row.source.startswith(FORMULA_SOURCE) else row.profile,
        "unsure" if row.unsure else "",
    )


def _pause(row: EcnLine) -> str:
    """The line about switches whose limits are fixed numbers instead of a share of the free buffer."""
    return (
        f"a {row.role} ({row.model}) has no alpha: a port pauses its peer at {number(row.pause or 0)} bytes, its "
        "equal share of the unreserved buffer, and an egress queue may grow to the whole of it"
    )


BASES = {
    "model-row": "model's table",
    "asic-row": "chip's table",
    "fit": "curve fit",
    "fit-raised": "curve fit, raised to a table",
}


def _headroom(line: LosslessLine) -> Iterator[str]:
    header = ("role", "speed", "length", "ports", "bytes per port", "configured", "basis", "note")
    rows = [
        (
            (
                _role(row, line.headroom),
                f"{row.speed_gbps}G",
                metres(row.length_m),
                number(row.ports),
                number(row.octets),
                _rendered(row),
                BASES.get(row.basis, row.basis),
                "unsure" if row.unsure else "",
            ),
            row.switches,
        )
        for row in line.headroom
    ]
    yield from table("headroom", *_with_switches(header, rows))
    if any(row.by_switch for row in line.headroom):
        yield from entry(
            "", "by switch: the configuration has the cable length, and the switch computes the bytes from it"
        )
    yield from entries("", dict.fromkeys(f"source: {row.source}" for row in line.headroom))
    for octets in dict.fromkeys(row.octets for row in line.headroom if row.basis.endswith("-row")):
        lengths = dict.fromkeys(metres(row.length_m) for row in line.headroom if row.octets == octets)
        if len(lengths) > 1:
            yield from entry("", f"the table has {number(octets)} bytes for {' and '.join(lengths)}")
    for pool in line.pools:
        if not pool.pool:
            yield from entry("", f"pool of {_whose(pool)}: its size is unknown, so it is not checked")
            continue
        yield from entry("", f"{_pool(pool)}{_pool_details(pool)}{UNSURE if pool.unsure else ''}")


def _pool(pool: PoolLine) -> str:
    """The headroom that the ports need, and the pool or buffer that it comes from."""
    if pool.private:
        return (
            f"buffer of {_whose(pool)}: {number(pool.pool)} bytes; there is no shared headroom pool, and "
            f"{plural(pool.ports, 'port')} take {number(pool.needed)} of them"
        )
    return (
        f"pool of {_whose(pool)}: {number(pool.pool)} bytes; if all {number(pool.ports)} ports pause, they need "
        f"{number(pool.needed)}: ratio {ratio(pool.ratio)}; allowed {ratio(pool.allowed)} ({pool.allowed_by})"
    )


def _whose(pool: PoolLine) -> str:
    return f"{pool.switches or f'a {pool.role}'} ({pool.model})"


def _rendered(row: HeadroomLine) -> str:
    """Octets as configured, or as the switch computes them."""
    octets = number(row.rendered) if row.rendered is not None else ""
    return f"{octets} by switch".strip() if row.by_switch else octets


def _pool_details(pool: PoolLine) -> str:
    """The configured pool, where it is not the planned number, and the resume offset."""
    size = (
        ""
        if pool.private or pool.rendered == pool.pool
        else "; configured: " + (number(pool.rendered) if pool.rendered else "none")
    )
    resume = f"; a paused peer resumes {number(pool.resume)} bytes below the limit" if pool.resume else ""
    return f"{size}{resume}"


def _watchdog(row: WatchdogLine) -> str:
    times = (("detection", row.detect_ms), ("restoration", row.restore_ms), ("polling", row.polling_ms))
    texts = ((name, f"{value} ms" if value is not None else "platform default") for name, value in times)
    words = ", ".join(f"{name} {value}" for name, value in texts)
    of_switches = f" ({row.switches})" if row.switches else ""
    return f"{row.system}{of_switches}: {words}, action {row.action}"


def _source(row: EcnLine) -> str:
    """The source of a row; what it says of superspines only in a row of theirs."""
    source = row.source if row.role == "superspine" else row.source.partition(OF_SUPERSPINES)[0]
    name, _, title = source.partition(": ")
    return (
        f"source of the {PUBLISHED} values ({name}): {title}"
        if row.profile == PUBLISHED and name != FORMULA
        else f"source: {source}"
    )
