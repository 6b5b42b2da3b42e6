"""Findings: subject, problem, expected, actual. And what could not be judged, which is never a pass."""

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from fabricgen.finding_codes.catalogue import LIVE_CHECKS

CHECKS = tuple(check.name for check in LIVE_CHECKS)
"""In the order of the report: lower layers come first."""
BEYOND = ("pings", "paths")
"""Checks that are about no single switch, and run in a lab."""


class FindingEnd(NamedTuple):
    """One end of a cable or of a session. `system` empty: it reported no name; `port` empty: no single one."""

    system: str
    port: str

    def __str__(self) -> str:
        return f"{self.system or 'unnamed'} {self.port}".rstrip()


NOWHERE = FindingEnd("", "")
NO_LINE = "no such line"
"""The actual value where a configuration lacks a line."""
Key = tuple[str, str, str]
"""Device, code and subject of a finding."""


class Finding(NamedTuple):
    """One deviation from the plan: first in words for people, then as values; only the values are parsed again.

    code       kebab-case and unique to the problem, e.g. lldp-wrong-peer
    subject    what it is about, e.g. "port swp3 (rail 2 plane 0)"
    problem    in words, e.g. "is cabled to another port"
    explained  the likely cause, where other findings show it; for another switch, its identity; else empty
    port       the switch's own port or subinterface
    far        planned end of the cable or session; of missing routes, the switch that should announce them
    heard      the end that LLDP reported there instead
    family     IP version of a session: 4 or 6; 0: all sessions with a system
    prefix     of a missing route
    between    addresses of a ping, from and to
    about      far systems whose sessions and routes depend on the differing lines of a configuration; those behind the
               ports over which routes do not leave
    cause      device, code and subject of the finding that this one follows from; None: it is a cause
    lines      that a section of the configuration lacks, the first few; all that differ in a file; keys of missing EVPN
               routes, addresses that an interface lacks; the first prefixes of routes that are missing or shifted;
               VTEPs not flooded to
    """

    device: str
    check: str
    code: str
    subject: str
    problem: str
    expected: str
    actual: str
    explained: str = ""
    port: str = ""
    far: FindingEnd = NOWHERE
    heard: FindingEnd = NOWHERE
    family: int = 0
    prefix: str = ""
    lines: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    cause: Key | None = None


class Details(TypedDict, total=False):
    """Fields of a finding that not every one has."""

    explained: str
    port: str
    far: FindingEnd
    heard: FindingEnd
    family: int
    prefix: str
    lines: tuple[str, ...]
    about: tuple[str, ...]
    cause: Key | None


class Unchecked(NamedTuple):
    """A check that could not be judged on a switch, and why."""

    device: str
    check: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchVerdict:
    """The verdict on one switch. `passed`: check → number of comparisons that passed."""

    device: str
    passed: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...]
