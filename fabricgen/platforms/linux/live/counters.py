"""Link counters of a Linux switch's ports, from the kernel.

Source: `ip -j -d -s -s link show` of iproute2 6.1.0, seen with Linux 6.1 on 2026-11-23: `carrier_changes` is among the
transmit counters (ip/ipaddress.c prints IFLA_CARRIER_CHANGES there) and counts both ways (net/sched/sch_generic.c,
netif_carrier_on and netif_carrier_off); `crc_errors` is the driver's count of frames with a wrong check sequence
(kernel, Documentation/networking/statistics.rst). A device that the kernel creates itself, such as a veth, has no
frames that could be broken: its 0 is no count.
"""

from collections.abc import Iterator

from fabricgen.platforms.linux.live.decode import CommandOutputs, inner, number, word
from fabricgen.state.counts import CounterSource, PortCounter, not_read, read_by
from fabricgen.state.state import LinkCounters

COUNTED = "ip -j -d -s -s link show"
UNKNOWN = -1
PORTS = ("", "veth")
"""Kinds of devices that are ports: "" for hardware, veth for a lab."""

FLAPS = read_by("`ip -s -s link show`, `carrier_changes` of iproute2 6.1.0, seen; both ways are counted")
COUNTS: dict[PortCounter, CounterSource] = {
    PortCounter.DROPS: not_read(
        "Linux counts drops per queueing discipline, and fabricgen configures none; there is no counter per class"
    ),
    PortCounter.WATCHDOG: not_read("Linux has no PFC watchdog"),
    PortCounter.CRC: read_by(
        "`ip -s -s link show`, `crc_errors` (statistics.rst), of ports of hardware; a veth has none"
    ),
    PortCounter.FEC: not_read("only some port drivers have it (`ethtool -I --show-fec`), so it is not read"),
    PortCounter.FLAPS: FLAPS,
    PortCounter.PFC: not_read("Linux has no common counter of pause frames per priority for all port drivers"),
    PortCounter.ECN: not_read("Linux counts marks per queueing discipline, and fabricgen configures none"),
}


def link_counters(answers: CommandOutputs) -> tuple[LinkCounters, ...]:
    """Counters of every port of the switch's own namespace, by name."""
    return tuple(sorted(_ports(answers), key=lambda counters: counters.port))


def _ports(answers: CommandOutputs) -> Iterator[LinkCounters]:
    for row in answers.rows(COUNTED):
        kind = word(inner(row, "linkinfo"), "info_kind", "")
        if kind in PORTS and word(row, "link_type", "") == "ether":
            counted = inner(row, "stats64")
            flaps = number(inner(counted, "tx"), "carrier_changes", UNKNOWN)
            crc = UNKNOWN if kind else number(inner(counted, "rx"), "crc_errors", UNKNOWN)
            yield LinkCounters(word(row, "ifname"), flaps=_known(flaps), crc=_known(crc))


def _known(count: int) -> int | None:
    return count if count > UNKNOWN else None
