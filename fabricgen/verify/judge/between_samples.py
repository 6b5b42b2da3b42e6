"""What happened between two samples of one switch, though both show it right: resets of sessions, flaps of ports."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_interface

from fabricgen.state.state import ETHERNET, LINKS, LinkCounters, Session, State
from fabricgen.verify.finding import NOWHERE, Finding, FindingEnd, Unchecked
from fabricgen.verify.judge.ledger import counted, listed

ESTABLISHED = "Established"
SLACK_SECONDS = 5.0
"""Between what a switch says of its time and when it was asked."""
NO_AGE = "since when its sessions stand, or how often they fell, is not said"


def between(
    device: str, before: State, after: State, seconds: float | None
) -> tuple[tuple[Finding, ...], tuple[Unchecked, ...]]:
    """What fell and stands again, and what cannot be told. seconds: between both samples; None where not known."""
    findings = (*_sessions(device, before, after, seconds), *_ports(device, before, after, seconds))
    unsaid = (Unchecked(device, check, f"since the earlier sample: {why}") for check, why in _unsaid(before, after))
    return findings, tuple(unsaid)


def _time(seconds: float | None) -> str:
    return "between both samples" if seconds is None else f"in {seconds:.0f} s"


def _sessions(device: str, before: State, after: State, seconds: float | None) -> Iterator[Finding]:
    rows = before.bgp.sessions if before.bgp is not None else ()
    had = {(row.vrf, row.peer): row for row in rows if row.state == ESTABLISHED}
    heard = _heard(after)
    for now in after.bgp.sessions if after.bgp is not None else ():
        was = had.get((now.vrf, now.peer))
        if was is None or now.state != ESTABLISHED or not is_reset(was, now, seconds):
            continue
        inside = f" in {now.vrf}" if now.vrf else ""
        port = _port_of(after, now)
        ago = f", established again for {now.up_seconds} s" if now.up_seconds >= 0 else ""
        yield Finding(
            device=device,
            check="sessions",
            code="session-reset",
            subject=f"session {now.peer}{inside}",
            problem="was reset since the earlier sample, and is up again",
            expected=f"no reset {_time(seconds)}",
            actual=f"it fell{ago}",
            family=6 if ":" in now.peer or now.peer == port else 4,
            port=port,
            far=heard.get(port, NOWHERE),
        )


def _heard(state: State) -> dict[str, FindingEnd]:
    """Port → the end that it hears."""
    return {row.port: FindingEnd(row.system, row.port_id) for row in state.lldp or ()}


def _port_of(state: State, session: Session) -> str:
    """Port whose network the peer of a session is in, or that it is named by; empty between loopbacks."""
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
    """Whether a session that is established in both samples fell between them, by whatever a switch says of it.

    Counts of falls that are fewer now began again with the daemon, and the session with them.
    """
    told = (
        was.ends >= 0 and now.ends >= 0 and was.ends != now.ends,
        was.since >= 0 and now.since >= 0 and abs(now.since - was.since) > SLACK_SECONDS,
        was.up_seconds >= 0 and 0 <= now.up_seconds < was.up_seconds,
        seconds is not None and 0 <= now.up_seconds < seconds - SLACK_SECONDS,
    )
    return any(told)


def _ports(device: str, before: State, after: State, seconds: float | None) -> Iterator[Finding]:
    up = _up(before) & _up(after)
    had, heard = _flaps(before), _heard(after)
    for port, flaps in sorted(_flaps(after).items()):
        was = had.get(port)
        if port in up and was is not None and flaps > was:
            yield Finding(
                device=device,
                check="interfaces",
                code="port-flapped",
                subject=f"port {port}",
                problem="went down and came up again since the earlier sample",
                expected=f"no change of its link {_time(seconds)}",
                actual=counted(flaps - was, "change"),
                port=port,
                far=heard.get(port, NOWHERE),
                heard=heard.get(port, NOWHERE),
            )


def _up(state: State) -> frozenset[str]:
    return frozenset(row.name for row in state.interfaces or () if row.kind == ETHERNET and row.oper_up)


def _flaps(state: State) -> dict[str, int]:
    rows: tuple[LinkCounters, ...] = state.links or ()
    return {row.port: row.flaps for row in rows if row.flaps is not None}


def _unsaid(before: State, after: State) -> Iterator[tuple[str, str]]:
    """Checks and reasons of what cannot be told."""
    if after.bgp is None or before.bgp is None:
        yield "sessions", "sessions were not read in both"
    else:
        up = [row for row in after.bgp.sessions if row.state == ESTABLISHED]
        if up and all(row.ends < 0 and row.since < 0 and row.up_seconds < 0 for row in up):
            yield "sessions", NO_AGE
    had, has = _flaps(before), _flaps(after)
    if not has:
        why = after.unread.get("links") or after.unread.get(LINKS["flaps"])
        yield "interfaces", f"changes of links are not counted here{f': {why}' if why else ''}"
    again = sorted(port for port in has if port in had and has[port] < had[port])
    if again:
        yield "interfaces", f"the count of changes of {counted(len(again), 'link')} began again: {listed(again)}"
