"""The lossless class of a backend to plain text: each number beside its profile, formula and source."""

from collections.abc import Iterator

from fabricgen.summary.layout import UNSURE, entries, entry, metres, number, ratio, table
from fabricgen.summary.page import EcnLine, LosslessLine


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
    yield from _headroom(line)
    yield from entries("watchdog", (line.watchdog, *line.watchdog_unproven))
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
        profile,
        "unsure" if row.unsure else "",
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
            number(row.rendered),
            row.basis,
            "unsure" if row.unsure else "",
        )
        for row in line.headroom
    ]
    yield from table("headroom", header, rows)
    yield from entries("", dict.fromkeys(f"source: {row.source}" for row in line.headroom))
    for pool in line.pools:
        yield from entry(
            "",
            f"pool of a {pool.role} ({pool.model}): {number(pool.ports)} ports could need {number(pool.needed)} of "
            f"{number(pool.pool)} octets, {ratio(pool.ratio)}, allowed {ratio(pool.allowed)}"
            f"{UNSURE if pool.unsure else ''}",
        )
