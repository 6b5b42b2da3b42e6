"""State of a running lab: for each switch the running daemons, the established sessions, and the ports that are up."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.lab.host.daemons import pid_file
from fabricgen.lab.host.inventory import LabSwitch, read_facts
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.vty import ask
from fabricgen.lab.operate.impair import READ, impaired

SECONDS = 15
"""Longest time for a switch to answer: vtysh waits for a daemon that hangs."""
SUMMARY = "show bgp summary json"
FAMILIES = ("ipv4Unicast", "ipv6Unicast", "l2VpnEvpn")
"""Families in `show bgp summary json`; each has its own peers."""


class SwitchStatus(NamedTuple):
    """One switch, with expected numbers. `impaired`: port → impairment of its cable by `lab impair`, as text."""

    name: str
    daemons: int
    daemons_expected: int
    sessions: int
    sessions_expected: int
    links: int
    links_expected: int
    impaired: Mapping[str, str] = MappingProxyType({})

    @property
    def counted(self) -> tuple[tuple[int, int], ...]:
        """Actual and expected number of daemons, sessions and links."""
        return (
            (self.daemons, self.daemons_expected),
            (self.sessions, self.sessions_expected),
            (self.links, self.links_expected),
        )

    @property
    def fine(self) -> bool:
        """Whether all numbers are as expected."""
        return all(actual == expected for actual, expected in self.counted)


class LabSummary(NamedTuple):
    """Established sessions of the default VRF, counted per address family, and the prefixes received on them."""

    established: int
    prefixes: int


def summary(shell: LabShell, place: LabPlace, name: str) -> LabSummary:
    """BGP summary of a switch; zeros where it does not answer."""
    space = place.space(name)
    try:
        answer = ask(space.mount, "bgpd", SUMMARY, SECONDS)
    except TimeoutError:
        return LabSummary(0, 0)
    return read_summary(
        shell.run(space.enter("vtysh", "-c", SUMMARY), seconds=SECONDS).stdout if answer is None else answer
    )


def read_summary(text: str) -> LabSummary:
    """Parse `show bgp summary json`; zeros for any other text."""
    try:
        data = json.loads(text)
    except ValueError:
        return LabSummary(0, 0)
    families = [data[name] for name in FAMILIES if isinstance(data, dict) and name in data]
    peers = [peer for family in families for peer in family.get("peers", {}).values()]
    up = [peer for peer in peers if peer.get("state") == "Established"]
    return LabSummary(len(up), sum(peer.get("pfxRcd", 0) for peer in up))


SCRIPT = """
for f in {files}; do
  p=$(cat "$f" 2>/dev/null) || continue
  s=$(cut -d' ' -f3 "/proc/$p/stat" 2>/dev/null) && [ "$s" != Z ] && echo "alive $f"
done
ip -br link
{impaired}
"""
"""A killed daemon is a zombie (state Z, proc(5)) until the init process of the host reaps it."""


def status(place: LabPlace) -> tuple[SwitchStatus, ...]:
    """Every switch of a running lab; empty where none is running."""
    shell = LabShell(place.id)
    return tuple(_switch(shell, place, name, expected) for name, expected in sorted(read_facts(place.folder).items()))


def _switch(shell: LabShell, place: LabPlace, name: str, expected: LabSwitch) -> SwitchStatus:
    script = SCRIPT.format(files=" ".join(pid_file(name) for name in expected.daemons), impaired=READ)
    output = shell.run(place.space(name).enter("sh", "-c", script), seconds=SECONDS).stdout
    return SwitchStatus(
        name=name,
        daemons=len(re.findall(r"^alive ", output, re.MULTILINE)),
        daemons_expected=len(expected.daemons),
        sessions=summary(shell, place, name).established,
        sessions_expected=expected.sessions,
        links=len(set(expected.ports).intersection(re.findall(r"^(\S+?)(?:@\S+)? +UP ", output, re.MULTILINE))),
        links_expected=len(expected.ports),
        impaired=impaired(output),
    )
