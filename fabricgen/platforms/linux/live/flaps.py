"""Flap counters of ports and sessions of a Linux switch with FRR, from its kernel and its bgpd."""

from collections.abc import Iterator

from fabricgen.platforms.base.live.proof import Flaps
from fabricgen.platforms.base.live.reader import JSON, Outputs, ReadCommand
from fabricgen.platforms.linux.live.daemons import NEIGHBORS
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, inner, number, objects, word
from fabricgen.state.state import ESTABLISHED

LINKS = "ip -j -s -s link show"
"""With `-s` twice iproute2 6.1.0 shows `carrier_changes` of each device (ip/ipaddress.c, print_link_stats64)."""
READS = (ReadCommand("interfaces", LINKS, JSON), ReadCommand("bgp", NEIGHBORS, JSON))


def flaps(outputs: Outputs) -> Flaps:
    """Carrier changes of each device and drops of each established BGP session; empty if they cannot be read."""
    answers = CommandOutputs(outputs, {})
    try:
        return dict((*_carriers(answers), *_dropped(answers)))
    except (Misread, ValueError):
        return {}


def _carriers(answers: CommandOutputs) -> Iterator[tuple[str, int]]:
    for row in answers.rows(LINKS):
        counts = inner(inner(row, "stats64"), "tx")
        if "carrier_changes" in counts:
            yield f"carrier {word(row, 'ifname')}", number(counts, "carrier_changes")


def _dropped(answers: CommandOutputs) -> Iterator[tuple[str, int]]:
    if answers.silent(NEIGHBORS):
        return
    for vrf, instance in objects(answers.table(NEIGHBORS)):
        for peer, row in objects(instance):
            if word(row, "bgpState") == ESTABLISHED:
                yield f"session {vrf} {peer}", number(row, "connectionsDropped", 0)
