"""Wait for a lab to converge: every session, then every address that its servers make known."""

import time
from collections.abc import Callable, Iterable

from fabricgen.lab.host.inventory import expected_sessions
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.shell import LabShell, each
from fabricgen.lab.model.lab import Lab, LabServer
from fabricgen.lab.operate.status import LabSummary, summary

POLL_SECONDS = 0.3
"""Between two looks at the sessions, or as long as a look took: looks slow down what is waited for."""
SETTLE_SECONDS = 1
"""Between two looks at the prefixes."""


def converge(
    lab: Lab, place: LabPlace, shell: LabShell, seconds: float, step: Callable[[], None]
) -> dict[str, tuple[int, int]]:
    """Wait until every session of every switch stands; those that lack some when the time is over.

    step  called for each switch, once, when it has all of its sessions

    One that had them is looked at again with all the others at the end: they may be gone by then.
    """
    wanted = {device.name: expected_sessions(device) for device in lab.devices}
    seen = dict.fromkeys(wanted, 0)
    told: set[str] = set()
    deadline = time.monotonic() + seconds

    def look(name: str) -> None:
        seen[name] = summary(shell, place, name).established
        if seen[name] >= wanted[name] and name not in told:
            told.add(name)
            step()

    left = list(wanted)
    while True:
        asked, begun = left, time.monotonic()
        each(look, asked, lambda: None)
        left = [name for name in asked if seen[name] < wanted[name]]
        over = time.monotonic() > deadline
        if len(asked) == len(wanted) and (over or not left):
            return {name: (seen[name], wanted[name]) for name in left}
        if over or not left:
            left = list(wanted)
        else:
            time.sleep(max(POLL_SECONDS, time.monotonic() - begun))


def settle(lab: Lab, place: LabPlace, shell: LabShell, seconds: float) -> dict[str, tuple[int, int]]:
    """Let servers make themselves known, and wait until no switch learns or loses prefixes any more.

    Two looks in a row must show the same. Switches that lack sessions in the last of them: established and expected.
    """
    announce(lab.servers, place, shell)
    deadline = time.monotonic() + seconds
    wanted = {device.name: expected_sessions(device) for device in lab.devices}
    before: dict[str, LabSummary] = {}
    while True:
        found: dict[str, LabSummary] = {}

        def look(name: str, found: dict[str, LabSummary] = found) -> None:
            found[name] = summary(shell, place, name)

        each(look, wanted, lambda: None)
        if found == before or time.monotonic() > deadline:
            seen = {name: found[name].established for name in wanted}
            return {name: (seen[name], wanted[name]) for name in wanted if seen[name] < wanted[name]}
        before = found
        time.sleep(SETTLE_SECONDS)


def announce(servers: Iterable[LabServer], place: LabPlace, shell: LabShell) -> None:
    """Let each server speak to its gateways once: nobody has a route to the address of a silent host."""

    def speak(server: LabServer) -> None:
        gateways = [g for nic in server.nics for g in (nic.gateway4, nic.gateway6) if g and nic.vlan_id]
        if gateways and any(nic.ipv4 or nic.ipv6 for nic in server.nics if nic.vlan_id):
            words = [f"ping -n -q -c 1 -W 1 {gateway} >/dev/null 2>&1 &" for gateway in dict.fromkeys(gateways)]
            shell.run(place.space(server.name).enter("sh", "-c", f"{' '.join(words)} wait"))

    each(speak, servers, lambda: None)
