"""Router ids of fabrics without IPv4: numbers of 32 bits from a range, unique in the site."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network

from fabricgen.base.addresses import ipv4
from fabricgen.checks.numbers.pools import renumber_command
from fabricgen.errors import Problem
from fabricgen.intent.fabric import router_ids_of
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import Segment


def router_id_range(plan: Plan) -> Iterator[Problem]:
    """The range of router ids has one for each planned switch of the fabrics without IPv4 that share it.

    `addresses_unique` compares the runs with each other, and with the addresses of the site. A fabric that had IPv4
    keeps its former loopbacks as router ids, wherever they are.
    """
    for name, fabric in plan.intent.fabrics.items():
        written = router_ids_of(fabric.addressing)
        ends = _ends(segment for segment in plan.lock.segments if segment.fabric == name)
        if written is None or ends is None:
            continue
        first, last = ends
        start = int(written.network_address)
        if first < start or first >= start + written.num_addresses:
            length = min(written.prefixlen, 32 - (first ^ last).bit_length())
            former = IPv4Network((first, length), strict=False)
            yield Problem(
                code="router-ids-moved",
                what=f"router ids of {name} in the lock are outside {written}",
                where=("fabrics", name, "addressing", "router_ids"),
                why=f"existing switches keep their router ids, from {ipv4(first)} up: another one resets all sessions "
                "of a switch (RFC 4271 section 4.2)",
                fix=f"write router_ids: {former}, or run {renumber_command(name)}",
            )
        elif last >= start + written.num_addresses:
            need = last + 1 - start
            yield Problem(
                code="router-ids-exhausted",
                what=f"{written} has too few router ids for {name}",
                where=("fabrics", name, "addressing", "router_ids"),
                why=f"its planned switches, with those of other fabrics in the range, need {need}, and it has "
                f"{written.num_addresses}",
                fix=f"write router_ids: {_larger(written, last)}",
            )


def former_router_ids(segments: Iterable[Segment]) -> IPv4Network | None:
    """Return the smallest range around the router ids of lines; None without any."""
    ends = _ends(segments)
    if ends is None:
        return None
    first, last = ends
    return IPv4Network((first, 32 - (first ^ last).bit_length()), strict=False)


def _ends(segments: Iterable[Segment]) -> tuple[int, int] | None:
    """Return the first and the last router id of lines; None without any."""
    runs = [(run.start, run.block(s.box.size())) for s in segments if (run := s.router_ids) is not None]
    return (min(start for start, _ in runs), max(end for _, end in runs) - 1) if runs else None


def _larger(written: IPv4Network, last: int) -> IPv4Network:
    """Return the smallest prefix around a range that has the last number, too."""
    wider = written
    while last > int(wider.broadcast_address):
        wider = wider.supernet()
    return wider
