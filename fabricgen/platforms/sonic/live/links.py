"""Link counters of SONiC's ports, from `portstat`, `show interfaces flap` and `pfcwd show stats`.

Source of the forms, all of sonic-utilities 691b1bbc and branch 202505: utilities_common/portstat.py, header_errors_only
and header_fec_only, and netstat.py, table_as_json; show/interfaces/__init__.py, flap, and tests/flap_test.py;
pfcwd/main.py, STATS_DESCRIPTION, and tests/pfcwd_input/pfcwd_test_vectors.py. Read 2026-11-23. portstat and pfcwd count
since they were cleared; `Never` is printed for a port that never changed its state.
"""

import re
from collections.abc import Callable, Mapping

from fabricgen.platforms.base.live.reader import Outputs
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, objects, word
from fabricgen.platforms.sonic.live.counters import NOT_COUNTED, whole
from fabricgen.state.counts import CounterSource, PortCounter, read_by
from fabricgen.state.state import LINKS, LinkCounters

ERRORS = "portstat -e -j"
FEC = "portstat -f -j"
FLAPS = "show interfaces flap"
STORMS = "pfcwd show stats"
READS = (
    (ERRORS, "sonic-utilities, utilities_common/portstat.py"),
    (FEC, "sonic-utilities, utilities_common/portstat.py"),
    (FLAPS, "sonic-utilities, tests/flap_test.py"),
    (STORMS, "sonic-utilities, tests/pfcwd_input/pfcwd_test_vectors.py"),
)

COUNTS: Mapping[PortCounter, CounterSource] = {
    PortCounter.DROPS: read_by("`queuestat -j`, `droppacket` of unicast queues (sonic-utilities, queuestat_input)"),
    PortCounter.WATCHDOG: read_by("`pfcwd show stats`, storms detected (sonic-utilities, pfcwd_test_vectors.py)"),
    PortCounter.CRC: read_by(
        "`portstat -e -j`, `RX_ERR`: SAI_PORT_STAT_IF_IN_ERRORS, which counts frames with a wrong check sequence "
        "together with other broken ones"
    ),
    PortCounter.FEC: read_by("`portstat -f -j`, `FEC_UNCORR`: SAI_PORT_STAT_IF_IN_FEC_NOT_CORRECTABLE_FRAMES"),
    PortCounter.FLAPS: read_by("`show interfaces flap`, `flap_count` of APPL_DB (sonic-utilities, tests/flap_test.py)"),
    PortCounter.PFC: read_by("`pfcstat` (sonic-utilities, tests/pfcstat_test.py)"),
    PortCounter.ECN: read_by("`wredstat -j` (sonic-utilities, tests/wred_queue_counter_test.py)"),
}

NEVER = "Never"
_FLAP = re.compile(r"(Ethernet\d+)\s+(\d+|Never)\s", re.ASCII)
_STORM = re.compile(r"\s*(Ethernet\d+):\d+\s+\S+\s+(\d+)/\d+\s", re.ASCII)


def link_counters(outputs: Outputs, unread: dict[str, str]) -> tuple[LinkCounters, ...]:
    """Return the counters of every port. Raises Misread if none could be read.

    unread  gets the reason for each counter that could not be read
    """
    command_outputs = CommandOutputs(outputs, {})
    readers: Mapping[str, Callable[[CommandOutputs], Mapping[str, int | None]]] = {
        "flaps": _flaps,
        "crc": lambda outputs_read: _column(outputs_read, ERRORS, "RX_ERR"),
        "fec": lambda outputs_read: _column(outputs_read, FEC, "FEC_UNCORR"),
    }
    counts: dict[str, Mapping[str, int | None]] = {}
    reasons: dict[str, str] = {}
    for name, read in readers.items():
        try:
            counts[name] = read(command_outputs)
        except (ValueError, RecursionError) as reason:  # of json and Misread
            reasons[name] = str(reason) or type(reason).__name__
    if not counts:
        raise Misread("; ".join(reasons.values()))
    try:
        storms: Mapping[str, int] | None = _storms(command_outputs)
    except Misread as reason:
        storms, reasons["watchdog"] = None, str(reason)
    unread |= {LINKS[name]: reason for name, reason in reasons.items()}
    ports = sorted({port for rows in counts.values() for port in rows})
    return tuple(
        LinkCounters(
            port=port,
            flaps=counts.get("flaps", {}).get(port),
            crc=counts.get("crc", {}).get(port),
            fec=counts.get("fec", {}).get(port),
            watchdog=None if storms is None else storms.get(port, 0),
        )
        for port in ports
    )


def _column(command_outputs: CommandOutputs, command: str, field: str) -> Mapping[str, int | None]:
    """Return one counter by port; None for a port that does not count it."""
    table = command_outputs.table(command)
    if not table:
        raise Misread(f"`{command}` shows no port")
    texts = {port: word(row, field) for port, row in objects(table)}
    return {port: None if text == NOT_COUNTED else whole(text, field) for port, text in texts.items()}


def _flaps(command_outputs: CommandOutputs) -> Mapping[str, int | None]:
    matches = (_FLAP.match(line) for line in command_outputs.text(FLAPS).splitlines())
    flaps: dict[str, int | None] = {match[1]: 0 if match[2] == NEVER else int(match[2]) for match in matches if match}
    if not flaps:
        raise Misread(f"`{FLAPS}` shows no port")
    return flaps


def _storms(command_outputs: CommandOutputs) -> Mapping[str, int]:
    """Return storms by port. A queue without storms since the counters were cleared is not printed."""
    text = command_outputs.text(STORMS)
    if "STORM DETECTED" not in text:
        raise Misread(f"`{STORMS}` shows no table")
    storms: dict[str, int] = {}
    for line in text.splitlines():
        match = _STORM.match(line)
        if match:
            storms[match[1]] = storms.get(match[1], 0) + int(match[2])
    return storms
