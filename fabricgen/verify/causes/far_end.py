"""Two ends of one link or session: what the findings of the far end explain here."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_interface, ip_network
from typing import NamedTuple

from fabricgen.state.state import EVPN
from fabricgen.verify.collect.store import ABSENT
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict

DEAD = {"interface-down": "is down", "interface-shut": "is shut down", "interface-missing": "does not exist"}
SPEAKER = {"bgp-not-running": "has no BGP session at all", "bgp-wrong-asn": "has another local AS"}
SESSION = {"session-wrong-as": "is set to another AS", "session-missing": "has no such neighbor configured"}


SESSIONS = ("session-down", "session-family-missing", "bfd-down", "bfd-missing")
LEARNED = ("route-missing", "route-width", "route-next-hop", "route-weights", "evpn-missing", "evpn-next-hop")
"""Codes of state that sessions, and their policies, affect."""
UNTOLD = "{} does not announce it"
WHOLE = (*ABSENT, "another-switch")
"""Codes of `reachable` after which nothing of a switch is compared."""


class SessionEnd(NamedTuple):
    """A session as one end sees it: its own port (empty between loopbacks), the far end, and 4 or 6."""

    port: str
    far: FindingEnd
    family: int


@dataclass(slots=True)
class FarEnd:
    """What the findings of one switch mean for its neighbors.

    whole     why the whole switch is at fault, else empty
    speaker   why none of its sessions can be up, else empty
    dead      port → why it carries no traffic; shut: those that somebody has shut down or removed
    cables    port with a finding about its cable → planned far end
    deaf      ports that are up and have no LLDP neighbor
    sessions  session → why it cannot be up; lost: those that are down in BFD
    heard     whether its LLDP was judged
    lacking   words of rendered lines that it does not have
    missing   prefixes that it has no route to
    silent    why it may send no LLDP, else empty
    tunnels   what is wrong with a VNI, else empty
    overlay   what its EVPN configuration lacks, else empty
    withheld  prefix or key that it should announce and does not → why
    edited    differing parts of its configuration: far systems whose sessions they affect, and the text
    """

    whole: str = ""
    speaker: str = ""
    heard: bool = True
    lacking: set[str] = field(default_factory=set)
    dead: dict[str, str] = field(default_factory=dict)
    shut: dict[str, str] = field(default_factory=dict)
    cables: dict[str, FindingEnd] = field(default_factory=dict)
    deaf: set[str] = field(default_factory=set)
    sessions: dict[SessionEnd, str] = field(default_factory=dict)
    lost: set[SessionEnd] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    silent: str = ""
    tunnels: str = ""
    overlay: str = ""
    withheld: dict[str, str] = field(default_factory=dict)
    edited: list[tuple[tuple[str, ...], str]] = field(default_factory=list)


Ends = Mapping[str, FarEnd]
"""By switch; those that were not judged are missing."""


def ends_of(verdicts: Iterable[SwitchVerdict]) -> dict[str, FarEnd]:
    """The ends of all verdicts, by switch."""
    return {verdict.device: _far(verdict) for verdict in verdicts}


def _far(verdict: SwitchVerdict) -> FarEnd:
    far = FarEnd(heard=all(entry.check != "lldp" for entry in verdict.unchecked))
    for finding in verdict.findings:
        _whole(far, finding)
        _port(far, finding)
        end = SessionEnd(finding.port, finding.far, finding.family)
        if finding.code in SESSION:
            far.sessions[end] = f"{finding.device} {SESSION[finding.code]}"
        elif finding.code == "bfd-down":
            far.lost.add(end)
        _announced(far, finding)
        if finding.check == "drift" and finding.about:
            far.edited.append((finding.about, f"{finding.device}: {finding.subject} {finding.problem}"))
    return far


def _whole(far: FarEnd, finding: Finding) -> None:
    if finding.code in WHOLE:
        far.whole = f"{finding.device}: {finding.problem}"
    elif finding.code in ("daemon-dead", "daemon-hangs"):
        far.speaker = far.speaker or f"{finding.device}: {finding.subject} {finding.problem}"
    elif finding.code == "not-read" and finding.subject == "lldp":
        far.silent = f"{finding.device}: its LLDP {finding.problem}"
    elif finding.code == "lldp-silent":
        far.silent = f"{finding.device}: {finding.subject} {finding.problem}"
    elif finding.code in SPEAKER:
        far.speaker = far.speaker or f"{finding.device} {SPEAKER[finding.code]}"
    elif finding.code == "drift-missing":
        far.lacking |= {word for line in finding.lines for word in line.split()}
    elif finding.code == "route-missing" and finding.prefix:
        far.missing.append(finding.prefix)


def _port(far: FarEnd, finding: Finding) -> None:
    port = finding.port
    if finding.code in DEAD and port:
        far.dead[port] = f"{FindingEnd(finding.device, port)} {DEAD[finding.code]}"
        if finding.code != "interface-down":
            far.shut[port] = far.dead[port]
    elif finding.check == "lldp" and port:
        far.cables[port] = finding.far
        if finding.code == "lldp-missing" and not finding.explained:
            far.deaf.add(port)


def _announced(far: FarEnd, finding: Finding) -> None:
    """Record what others should have learned from here. A missing address takes the route of its subnet with it."""
    fault_text = f"{finding.device}: {finding.subject} {finding.problem}"
    if finding.code.startswith("vni-") and finding.code != "vni-unexpected":
        far.tunnels = far.tunnels or fault_text
    elif finding.check == "addresses":
        far.withheld |= {str(ip_interface(text).network): f"{fault_text}, {text}" for text in finding.lines}
    elif finding.code == "drift-missing" and EVPN in finding.subject.split() and finding.lines:
        far.overlay = f"{finding.device} lacks `{finding.lines[0].strip()}` in its configuration"
    elif finding.code == "evpn-missing" and finding.far.system == finding.device:
        for key in finding.lines:
            far.withheld.setdefault(key, UNTOLD.format(finding.device))


def explain_ends(finding: Finding, ends: Ends) -> str:
    """The cause, as far as another switch shows it; else empty."""
    explain_code = EXPLAINED.get(finding.code)
    return (explain_code(finding, ends) if explain_code else "") or _edited(finding, ends)


def _link(finding: Finding, ends: Ends) -> str:
    """Cause of a port that is down: somebody shut down the other one, or its switch is dead."""
    far = ends.get(finding.far.system)
    return (far.whole or far.shut.get(finding.far.port, "")) if far else ""


def _silence(finding: Finding, ends: Ends) -> str:
    """Cause of a port that is up and has no LLDP neighbor."""
    planned_end = finding.far
    far = ends.get(planned_end.system)
    if far is None:
        return ""
    if far.whole or planned_end.port in far.dead or far.silent:
        return far.whole or far.dead.get(planned_end.port, "") or far.silent
    if planned_end.port in far.deaf:
        return "neither end receives LLDP from the other"
    if far.heard and planned_end.port not in far.cables:
        return (
            f"{planned_end} receives LLDP from this end: the link works in one direction only, and nothing from there "
            f"arrives"
        )
    return ""


def _down(finding: Finding, ends: Ends) -> str:
    """Cause of a session that is not up, or that BFD has lost."""
    session = SessionEnd(finding.port, finding.far, finding.family)
    back = SessionEnd(session.far.port, FindingEnd(finding.device, session.port), session.family)
    far, near = ends.get(session.far.system), ends[finding.device]
    fault = _far_fault(far, back) if far else ""
    if fault or finding.code == "bfd-missing":
        return fault
    if far and session.far.port in far.deaf:
        return f"{session.far} receives no LLDP over this link" + (
            ": it works in one direction only" if near.heard else ""
        )
    if finding.code == "session-down":
        return "BFD is down" if session in near.lost else ""
    if far and back in far.lost:
        return "both ports are up, but packets are lost between them in at least one direction"
    return ""


def _far_fault(far: FarEnd, back: SessionEnd) -> str:
    """What the far end shows of a session or, with family 0, of any session with the same system."""
    fault = far.whole or far.speaker or far.dead.get(back.port, "")
    if fault or back.family:
        return fault or far.sessions.get(back, "")
    return next((text for end, text in far.sessions.items() if end.far.system == back.far.system), "")


def _origin(finding: Finding, ends: Ends) -> str:
    """Why another switch did not announce something; one that has lost a port may have lost the path here with it."""
    name = finding.far.system
    far = ends.get(name)
    if far is None or name == finding.device:
        return ""
    if finding.prefix in far.lacking:
        return f"{name} lacks it in its configuration"
    return far.whole or far.speaker or next(iter(far.dead.values()), "")


def _evpn(finding: Finding, ends: Ends) -> str:
    """Cause of missing EVPN routes: what keeps their origin, which may be this switch itself, from announcing them."""
    far = ends.get(finding.far.system)
    if far is None:
        return ""
    is_own = finding.far.system == finding.device
    fault = far.overlay if is_own else far.whole or far.speaker
    reasons = [far.withheld[key] for key in finding.lines if key in far.withheld]
    silence = UNTOLD.format(finding.far.system)
    below = next((text for text in reasons if text != silence), "") or far.tunnels
    return fault or below or (silence if reasons and not is_own else "")


def _flood(finding: Finding, ends: Ends) -> str:
    """Cause of a missing VTEP in a flood list: this end's VNI, or the route that the far one should have announced."""
    vtep = finding.subject.split()[1].rstrip(",")
    reasons = (far.tunnels or far.withheld[vtep] for far in ends.values() if vtep in far.withheld)
    return ends[finding.device].tunnels or next(reasons, "")


def _route(finding: Finding, ends: Ends) -> str:
    """Cause of a route that is missing or has unplanned next hops: the switch that does not announce it."""
    fault = _origin(finding, ends) if finding.code == "route-missing" else ""
    words = finding.subject.split()
    if fault or words[0] != "route":
        return fault
    return next((far.withheld[words[1]] for far in ends.values() if words[1] in far.withheld), "")


def _edited(finding: Finding, ends: Ends) -> str:
    """The differing configuration of an end, or of a neighbor, for findings without another cause."""
    device, name = finding.device, finding.far.system
    near_edits, far_edits = (ends[end].edited if end in ends else [] for end in (device, name))
    if finding.code in SESSIONS:
        return next((text for about, text in near_edits if name in about), "") or _about(device, far_edits)
    if finding.code not in LEARNED:
        return ""
    learned = next((text for _, text in (*near_edits, *far_edits)), "")
    return learned or next(filter(None, (_about(device, end.edited) for end in ends.values())), "")


def _about(name: str, edited: Iterable[tuple[tuple[str, ...], str]]) -> str:
    return next((text for about, text in edited if name in about), "")


def _ping(finding: Finding, ends: Ends) -> str:
    """Cause of a ping that does not pass: a switch without the route there or back."""
    for address in map(ip_address, reversed(finding.between)):
        for name, far in ends.items():
            for prefix in far.missing:
                if address in ip_network(prefix):
                    return f"{name} has no route {prefix}"
    return ""


EXPLAINED: Mapping[str, Callable[[Finding, Ends], str]] = {
    "interface-down": _link,
    "lldp-missing": _silence,
    "session-down": _down,
    "bfd-down": _down,
    "bfd-missing": _down,
    "route-missing": _route,
    "route-width": _route,
    "route-next-hop": _route,
    "evpn-missing": _evpn,
    "vtep-missing": _flood,
    "ping-lost": _ping,
    "ping-loss": _ping,
}
"""Code → function that looks for its cause on other switches."""
