"""Wait for a lab to converge: first for every session, then for the addresses that its servers announce."""

import time
from collections.abc import Callable, Iterable

from fabricgen.lab.host.inventory import expected_sessions
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.shell import LabShell, each
from fabricgen.lab.model.lab import Lab, LabServer
from fabricgen.lab.operate.status import LabSummary, summary

POLL_SECONDS = 0.3
"""Pause between two polls of the sessions; longer if a poll takes longer, as polls slow down convergence."""
SETTLE_SECONDS = 1
"""Pause between two polls of the prefixes."""


def converge(
    lab: Lab, place: LabPlace, shell: LabShell, seconds: float, step: Callable[[], None]
) -> dict[str, tuple[int, int]]:
    """Wait until every session of every switch is established; return the switches that lack some at the timeout.

    step  called once for each switch, when it has all of its sessions

    At the end all switches are polled again, as sessions may have been lost since.
    """
    expected = {device.name: expected_sessions(device) for device in lab.devices}
    established = dict.fromkeys(expected, 0)
    reported: set[str] = set()
    deadline = time.monotonic() + seconds

    def read_sessions(name: str) -> None:
        established[name] = summary(shell, place, name).established
        if established[name] >= expected[name] and name not in reported:
            reported.add(name)
            step()

    pending = list(expected)
    while True:
        polled, poll_start = pending, time.monotonic()
        each(read_sessions, polled, lambda: None)
        pending = [name for name in polled if established[name] < expected[name]]
        timed_out = time.monotonic() > deadline
        if len(polled) == len(expected) and (timed_out or not pending):
            return {name: (established[name], expected[name]) for name in pending}
        if timed_out or not pending:
            pending = list(expected)
        else:
            time.sleep(max(POLL_SECONDS, time.monotonic() - poll_start))


def settle(lab: Lab, place: LabPlace, shell: LabShell, seconds: float) -> dict[str, tuple[int, int]]:
    """Let servers announce themselves, and wait until no switch learns or loses prefixes any more.

    Two polls in a row must be equal. Returns the switches that then lack sessions: established and expected.
    """
    announce(lab.servers, place, shell)
    deadline = time.monotonic() + seconds
    expected = {device.name: expected_sessions(device) for device in lab.devices}
    previous: dict[str, LabSummary] = {}
    while True:
        summaries: dict[str, LabSummary] = {}

        def read_summary(name: str, summaries: dict[str, LabSummary] = summaries) -> None:
            summaries[name] = summary(shell, place, name)

        each(read_summary, expected, lambda: None)
        if summaries == previous or time.monotonic() > deadline:
            actual = {name: summaries[name].established for name in expected}
            return {name: (actual[name], expected[name]) for name in expected if actual[name] < expected[name]}
        previous = summaries
        time.sleep(SETTLE_SECONDS)


def announce(servers: Iterable[LabServer], place: LabPlace, shell: LabShell) -> None:
    """Let each server ping its gateways once: switches have no route to the address of a silent host."""

    def speak(server: LabServer) -> None:
        gateways = [ip for nic in server.nics for ip in (nic.gateway4, nic.gateway6) if ip and nic.vlan_id]
        if gateways and any(nic.ipv4 or nic.ipv6 for nic in server.nics if nic.vlan_id):
            pings = [f"ping -n -q -c 1 -W 1 {address} >/dev/null 2>&1 &" for address in dict.fromkeys(gateways)]
            shell.run(place.space(server.name).enter("sh", "-c", f"{' '.join(pings)} wait"))

    each(speak, servers, lambda: None)
