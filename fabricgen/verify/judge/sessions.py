"""BGP sessions of one switch."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial

from fabricgen.base.grouping import grouped
from fabricgen.base.text import counted, listed
from fabricgen.state.state import ESTABLISHED, EVPN, BgpState, Session
from fabricgen.verify.expect.model import Expected, ExpectedSession
from fabricgen.verify.expect.speakers import far_address
from fabricgen.verify.finding import FindingEnd
from fabricgen.verify.judge.ledger import Ledger, about_session

SPEAKER = "bgp"
"""Key of causes that concern the whole BGP process."""

Peer = tuple[str, str]
"""VRF and address."""


def ports_of(expected: Expected) -> dict[str, str]:
    """Peer of a session over a link → port: the peer's address or, on an unnumbered link, the port name."""
    present = [row for row in expected.interfaces if row.up is not False]
    names = {row.name for row in present}
    port_of = {far_address(address): row.name for row in present for address in row.addresses}
    port_of |= {row.peer: row.peer for row in expected.sessions if row.peer in names}
    return {peer: name for peer, name in port_of.items() if peer}


def judge_sessions(ledger: Ledger, expected: Expected, bgp: BgpState) -> None:
    """Judge the BGP process, each planned session, and unplanned ones. Sessions declared dead are not required."""
    alive = [row for row in expected.sessions if not row.dead]
    if not bgp.sessions and alive:
        _not_running(ledger, expected)
        return
    process_fault = _speaker(ledger, expected, bgp)
    by_peer = {(row.vrf, row.peer): row for row in bgp.sessions}
    causes = _Why(ledger, ports_of(expected), process_fault, _unreached(alive, by_peer))
    down = [row for row in alive if not _session(ledger, row, by_peer.get((row.vrf, row.peer)), causes)]
    _down(ledger, alive, down, by_peer, causes)
    planned = {(row.vrf, row.peer) for row in expected.sessions}
    for key, session in sorted(by_peer.items()):
        if key not in planned:
            _unexpected(ledger, session)


def blame_sessions(ledger: Ledger, expected: Expected, bgp: BgpState) -> None:
    """Record what follows from sessions that are not up: routes over their ports, and the whole overlay."""
    if not bgp.sessions:
        for name in (*ports_of(expected).values(), EVPN, SPEAKER):
            ledger.blame(name, "BGP has no session")
        return
    up = {(session.vrf, session.peer) for session in bgp.sessions if session.state == ESTABLISHED}
    ports = ports_of(expected)
    alive = [session for session in expected.sessions if not session.dead]
    lost = _unreached(alive, {(session.vrf, session.peer): session for session in bgp.sessions})
    for session in alive:
        if (session.vrf, session.peer) not in up and session.peer in ports:
            whole = f"no session with {session.far.system} is established"
            link = f"the session with {session.far} is not established"
            ledger.blame(ports[session.peer], whole if session.far.system in lost else link)
    overlay = [(session.vrf, session.peer) for session in alive if EVPN in session.families]
    if overlay and not up.intersection(overlay):
        ledger.blame(EVPN, "no EVPN session is established")


def _not_running(ledger: Ledger, expected: Expected) -> None:
    ledger.add(
        code="bgp-not-running",
        subject="BGP",
        problem="has no session at all",
        expected=f"AS {expected.asn} with {counted(len(expected.sessions), 'session')}",
        actual="none",
        explained=ledger.causes.get(SPEAKER, ""),
    )


def _speaker(ledger: Ledger, expected: Expected, bgp: BgpState) -> str:
    """Judge the BGP process itself. Return a fault that explains all of its sessions; else empty."""
    add = partial(ledger.add, subject="BGP")
    if expected.router_id and bgp.router_id and bgp.router_id != expected.router_id:
        planned, actual = expected.router_id, bgp.router_id
        add(code="bgp-wrong-router-id", problem="has another router id", expected=planned, actual=actual)
    elif expected.router_id and bgp.router_id:
        ledger.right("sessions")
    if expected.asn and bgp.asn and bgp.asn != expected.asn:
        planned, actual = f"AS {expected.asn}", f"AS {bgp.asn}"
        add(code="bgp-wrong-asn", problem="has another local AS", expected=planned, actual=actual)
        return f"BGP here is {actual}"
    if expected.asn and bgp.asn:
        ledger.right("sessions")
    return ""


def _unreached(expected: Iterable[ExpectedSession], by_peer: Mapping[Peer, Session]) -> frozenset[str]:
    """Far systems to which sessions over links are planned and none is established."""
    up: dict[str, bool] = {}
    for planned in expected:
        if planned.far.port:
            session = by_peer.get((planned.vrf, planned.peer))
            is_up = session is not None and session.state == ESTABLISHED
            up[planned.far.system] = up.get(planned.far.system, False) or is_up
    return frozenset(system for system, is_up in up.items() if not is_up)


class _Why:
    """Why a session may be down, the likeliest cause first."""

    def __init__(self, ledger: Ledger, ports: Mapping[str, str], own: str, unreached: frozenset[str]) -> None:
        self._book, self._ports, self._own, self._unreached = ledger, ports, own, unreached

    def port(self, session: ExpectedSession) -> str:
        """Port that a session runs over; empty between loopbacks and to outside peers."""
        return self._ports.get(session.peer, "")

    def of(self, session: ExpectedSession) -> str:
        far, port = session.far, self.port(session)
        if self._book.causes.get(port):
            return self._book.causes[port]
        if self._own:
            return self._own
        if not far.port and not session.vrf and far.system in self._unreached:
            return f"no session over a link to {far.system} is established"
        return ""


def _session(ledger: Ledger, planned: ExpectedSession, session: Session | None, causes: _Why) -> bool:
    """Judge one session. Return False for one that is configured as planned and down, which has no finding yet."""
    add = about_session(ledger, planned, causes.port(planned))
    expected_text = f"{ESTABLISHED} with AS {planned.remote_as}"
    if session is None:
        # A session that discovers its peer may be shown only once it has discovered one.
        explained = causes.of(planned) if causes.port(planned) == planned.peer else ""
        add(
            code="session-missing",
            problem="is not configured",
            expected=expected_text,
            actual="no neighbor",
            explained=explained,
        )
    elif session.remote_as != planned.remote_as:
        actual = f"{session.state} with AS {session.remote_as}"
        add(code="session-wrong-as", problem="is set to another AS", expected=expected_text, actual=actual)
    elif session.state != ESTABLISHED:
        return False
    else:
        _families(ledger, planned, session, add)
    return True


def _down(
    ledger: Ledger,
    expected: Iterable[ExpectedSession],
    down: list[ExpectedSession],
    by_peer: Mapping[Peer, Session],
    causes: _Why,
) -> None:
    """Findings of sessions that are down: one if no session with a system is up, else one for each."""
    planned: Counter[str] = Counter(row.far.system for row in expected if not row.vrf)
    systems = grouped((row.far.system if not row.vrf else f"{row.vrf} {row.peer}", row) for row in down)
    for system, sessions in systems.items():
        if 1 < len(sessions) == planned[system]:
            _all_down(ledger, system, sessions, causes)
            continue
        for row in sessions:
            session = by_peer[row.vrf, row.peer]
            add = about_session(ledger, row, causes.port(row))
            add(
                code="session-down",
                problem="is not established",
                expected=f"{ESTABLISHED} with AS {row.remote_as}",
                actual=f"{session.state} with AS {session.remote_as}",
                explained=causes.of(row),
            )


def _all_down(ledger: Ledger, system: str, sessions: list[ExpectedSession], session_causes: _Why) -> None:
    causes = [session_causes.of(session) for session in sessions if session_causes.port(session)]
    links = {(session_causes.port(session), session.far) for session in sessions if session_causes.port(session)}
    port, far = links.pop() if len(links) == 1 else ("", FindingEnd(system, ""))
    ledger.add(
        code="session-down",
        subject=f"sessions with {system}",
        problem="are all down",
        expected=f"{len(sessions)} {ESTABLISHED} with AS {sessions[0].remote_as}",
        actual=listed(session.peer for session in sessions),
        explained=listed(dict.fromkeys(causes), "") if all(causes) else "",
        port=port,
        far=far,
    )


def _families(ledger: Ledger, planned: ExpectedSession, session: Session, add: partial[None]) -> None:
    carried, expected = {family.name for family in session.families}, set(planned.families)
    if carried == expected:
        ledger.right("sessions")
        return
    details = {"expected": listed(sorted(expected)), "actual": listed(sorted(carried))}
    if expected - carried:
        problem = f"does not carry {listed(sorted(expected - carried))}"
        add(code="session-family-missing", problem=problem, **details)
    else:
        problem = f"also carries {listed(sorted(carried - expected))}"
        add(code="session-family-unexpected", problem=problem, **details)


def _unexpected(ledger: Ledger, session: Session) -> None:
    inside = f" in {session.vrf}" if session.vrf else ""
    ledger.add(
        code="session-unexpected",
        subject=f"session {session.peer}{inside}",
        problem="is not in the plan",
        expected="no neighbor",
        actual=f"{session.state} with AS {session.remote_as}",
    )
