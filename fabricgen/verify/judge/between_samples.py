"""Events between two samples of one switch, although both show it as planned: session resets, port flaps."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_interface

from fabricgen.base.text import counted, listed
from fabricgen.state.state import ESTABLISHED, ETHERNET, LINKS, LinkCounters, Session, State
from fabricgen.verify.finding import NOWHERE, Finding, FindingEnd, Unchecked

SLACK_SECONDS = 5.0
"""Tolerance between the time that a switch reports and the time when it was read."""
NO_AGE = "the switch does not show the uptime or the resets of its sessions"


def between(
    device: str, before: State, after: State, seconds: float | None
) -> tuple[tuple[Finding, ...], tuple[Unchecked, ...]]:
    """What failed and recovered, and what is unknown. seconds: between both samples; None where unknown."""
    findings = (*_sessions(device, before, after, seconds), *_ports(device, before, after, seconds))
    unchecked = (
        Unchecked(device, check, f"since the earlier sample: {reason}") for check, reason in _unknown(before, after)
    )
    return findings, tuple(unchecked)


def _time(seconds: float | None) -> str:
    return "between both samples" if seconds is None else f"in {seconds:.0f} s"


def _sessions(device: str, before: State, after: State, seconds: float | None) -> Iterator[Finding]:
    rows = before.bgp.sessions if before.bgp is not None else ()
    established = {(row.vrf, row.peer): row for row in rows if row.state == ESTABLISHED}
    heard_ends = _heard(after)
    for session in after.bgp.sessions if after.bgp is not None else ():
        before_session = established.get((session.vrf, session.peer))
        if before_session is None or session.state != ESTABLISHED or not is_reset(before_session, session, seconds):
            continue
        inside = f" in {session.vrf}" if session.vrf else ""
        port = _port_of(after, session)
        ago = f", established again for {session.up_seconds} s" if session.up_seconds >= 0 else ""
        yield Finding(
            device=device,
            check="sessions",
            code="session-reset",
            subject=f"session {session.peer}{inside}",
            problem="was reset since the earlier sample, and is up again",
            expected=f"no reset {_time(seconds)}",
            actual=f"it fell{ago}",
            family=6 if ":" in session.peer or session.peer == port else 4,
            port=port,
            far=heard_ends.get(port, NOWHERE),
        )


def _heard(state: State) -> dict[str, FindingEnd]:
    """Port → the far end that LLDP reports."""
    return {row.port: FindingEnd(row.system, row.port_id) for row in state.lldp or ()}


def _port_of(state: State, session: Session) -> str:
    """Port whose network contains the peer of a session, or that names it; empty between loopbacks."""
    ports = [row for row in state.interfaces or () if row.kind == ETHERNET and row.vrf == session.vrf]
    for row in ports:
        if session.peer == row.name or any(_is_in(session.peer, text) for text in row.addresses):
            return row.name
    return ""


def _is_in(peer: str, text: str) -> bool:
    try:
        return ip_address(peer) in ip_interface(text).network
    except ValueError:  # a session that is named by its port
        return False


def is_reset(was: Session, now: Session, seconds: float | None) -> bool:
    """Whether a session that is established in both samples failed between them, by any counter of the switch.

    A lower count of resets means that the daemon restarted, and the session with it.
    """
    signs_of_reset = (
        was.ends >= 0 and now.ends >= 0 and was.ends != now.ends,
        was.since >= 0 and now.since >= 0 and abs(now.since - was.since) > SLACK_SECONDS,
        was.up_seconds >= 0 and 0 <= now.up_seconds < was.up_seconds,
        seconds is not None and 0 <= now.up_seconds < seconds - SLACK_SECONDS,
    )
    return any(signs_of_reset)


def _ports(device: str, before: State, after: State, seconds: float | None) -> Iterator[Finding]:
    up = _up(before) & _up(after)
    flaps_before, heard_ends = _flaps(before), _heard(after)
    for port, flaps in sorted(_flaps(after).items()):
        earlier = flaps_before.get(port)
        if port in up and earlier is not None and flaps > earlier:
            yield Finding(
                device=device,
                check="interfaces",
                code="port-flapped",
                subject=f"port {port}",
                problem="went down and came up again since the earlier sample",
                expected=f"no change of its link {_time(seconds)}",
                actual=counted(flaps - earlier, "change"),
                port=port,
                far=heard_ends.get(port, NOWHERE),
                heard=heard_ends.get(port, NOWHERE),
            )


def _up(state: State) -> frozenset[str]:
    return frozenset(row.name for row in state.interfaces or () if row.kind == ETHERNET and row.oper_up)


def _flaps(state: State) -> dict[str, int]:
    rows: tuple[LinkCounters, ...] = state.links or ()
    return {row.port: row.flaps for row in rows if row.flaps is not None}


def _unknown(before: State, after: State) -> Iterator[tuple[str, str]]:
    """Checks and reasons of what is unknown."""
    if after.bgp is None or before.bgp is None:
        yield "sessions", "sessions were not read in both"
    else:
        up = [row for row in after.bgp.sessions if row.state == ESTABLISHED]
        if up and all(row.ends < 0 and row.since < 0 and row.up_seconds < 0 for row in up):
            yield "sessions", NO_AGE
    old, new = _flaps(before), _flaps(after)
    if not new:
        reason = after.unread.get("links") or after.unread.get(LINKS["flaps"])
        yield "interfaces", f"link changes are not counted here{f': {reason}' if reason else ''}"
    restarted = sorted(port for port in new if port in old and new[port] < old[port])
    if restarted:
        yield (
            "interfaces",
            f"the link change counter of {counted(len(restarted), 'link')} was reset: {listed(restarted)}",
        )
