"""BGP and BFD sessions of one switch."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial

from fabricgen.state.state import EVPN, BgpState, Session
from fabricgen.verify.expect.model import Expected, ExpectedSession
from fabricgen.verify.expect.speakers import other_end
from fabricgen.verify.finding import Finding, FindingEnd
from fabricgen.verify.judge.ledger import Ledger, about_session, counted, listed

ESTABLISHED = "Established"
SPEAKER = "bgp"
"""What the whole speaker is blamed under."""

Peer = tuple[str, str]
"""VRF and address."""


def ports_of(expected: Expected) -> dict[str, str]:
    """What a session over a link calls the far end → the port: its address, or where there is none the port itself."""
    standing = [one for one in expected.interfaces if one.up is not False]
    names = {one.name for one in standing}
    found = {other_end(address): one.name for one in standing for address in one.addresses}
    found |= {one.peer: one.peer for one in expected.sessions if one.peer in names}
    return {peer: name for peer, name in found.items() if peer}


def judge_sessions(book: Ledger, expected: Expected, bgp: BgpState) -> None:
    """The speaker, each planned session, and those that nobody planned. Of what is dead no session is asked."""
    alive = [one for one in expected.sessions if not one.dead]
    if not bgp.sessions and alive:
        book.wrong(_not_running(book, expected))
        return
    own = _speaker(book, expected, bgp)
    found = {(one.vrf, one.peer): one for one in bgp.sessions}
    why = _Why(book, ports_of(expected), own, _unreached(alive, found))
    down = [one for one in alive if not _stands(book, one, found.get((one.vrf, one.peer)), why)]
    _down(book, alive, down, found, why)
    planned = {(one.vrf, one.peer) for one in expected.sessions}
    for key, session in sorted(found.items()):
        if key not in planned:
            book.wrong(_unexpected(book, session))


def blame_sessions(book: Ledger, expected: Expected, bgp: BgpState) -> None:
    """Tell what follows from sessions that are not there: routes over their ports, and the whole overlay."""
    if not bgp.sessions:
        for name in (*ports_of(expected).values(), EVPN, SPEAKER):
            book.blame(name, "BGP has no session")
        return
    up = {(one.vrf, one.peer) for one in bgp.sessions if one.state == ESTABLISHED}
    ports = ports_of(expected)
    alive = [one for one in expected.sessions if not one.dead]
    lost = _unreached(alive, {(one.vrf, one.peer): one for one in bgp.sessions})
    for one in alive:
        if (one.vrf, one.peer) not in up and one.peer in ports:
            whole = f"no session with {one.far.system} is established"
            link = f"the session with {one.far} is not established"
            book.blame(ports[one.peer], whole if one.far.system in lost else link)
    overlay = [(one.vrf, one.peer) for one in alive if EVPN in one.families]
    if overlay and not up.intersection(overlay):
        book.blame(EVPN, "no EVPN session is established")


def _not_running(book: Ledger, expected: Expected) -> Finding:
    return Finding(
        device=book.device,
        check="sessions",
        code="bgp-not-running",
        subject="BGP",
        problem="has no session at all",
        expected=f"AS {expected.asn} with {counted(len(expected.sessions), 'session')}",
        actual="none",
        explained=book.causes.get(SPEAKER, ""),
    )


def _speaker(book: Ledger, expected: Expected, bgp: BgpState) -> str:
    """Judge the speaker itself; what it does wrong explains all of its sessions."""
    make = partial(Finding, device=book.device, check="sessions", subject="BGP")
    if expected.router_id and bgp.router_id and bgp.router_id != expected.router_id:
        wanted, has = expected.router_id, bgp.router_id
        book.wrong(make(code="bgp-wrong-router-id", problem="has another router id", expected=wanted, actual=has))
    elif expected.router_id and bgp.router_id:
        book.right("sessions")
    if expected.asn and bgp.asn and bgp.asn != expected.asn:
        wanted, has = f"AS {expected.asn}", f"AS {bgp.asn}"
        book.wrong(make(code="bgp-wrong-asn", problem="has another local AS", expected=wanted, actual=has))
        return f"BGP here is {has}"
    if expected.asn and bgp.asn:
        book.right("sessions")
    return ""


def _unreached(expected: Iterable[ExpectedSession], found: Mapping[Peer, Session]) -> frozenset[str]:
    """Far systems to which sessions over links are planned and none is established."""
    up: dict[str, bool] = {}
    for one in expected:
        if one.far.port:
            session = found.get((one.vrf, one.peer))
            is_up = session is not None and session.state == ESTABLISHED
            up[one.far.system] = up.get(one.far.system, False) or is_up
    return frozenset(system for system, is_up in up.items() if not is_up)


class _Why:
    """Why a session may be down, the likeliest first."""

    def __init__(self, book: Ledger, ports: Mapping[str, str], own: str, unreached: frozenset[str]) -> None:
        self._book, self._ports, self._own, self._unreached = book, ports, own, unreached

    def port(self, one: ExpectedSession) -> str:
        """Port that a session runs over; empty between loopbacks and outside."""
        return self._ports.get(one.peer, "")

    def of(self, one: ExpectedSession) -> str:
        far, port = one.far, self.port(one)
        if self._book.causes.get(port):
            return self._book.causes[port]
        if self._own:
            return self._own
        if not far.port and not one.vrf and far.system in self._unreached:
            return f"no session over a link to {far.system} is established"
        return ""


def _stands(book: Ledger, one: ExpectedSession, found: Session | None, why: _Why) -> bool:
    """Judge one session, but for one that is set up as planned and down."""
    make = about_session(book.device, "sessions", one, why.port(one))
    wanted = f"{ESTABLISHED} with AS {one.remote_as}"
    if found is None:
        # A session that finds the far end by itself may be shown only once it has found one.
        explained = why.of(one) if why.port(one) == one.peer else ""
        book.wrong(
            make(
                code="session-missing",
                problem="is not configured",
                expected=wanted,
                actual="no neighbor",
                explained=explained,
            )
        )
    elif found.remote_as != one.remote_as:
        has = f"{found.state} with AS {found.remote_as}"
        book.wrong(make(code="session-wrong-as", problem="is set to another AS", expected=wanted, actual=has))
    elif found.state != ESTABLISHED:
        return False
    else:
        _families(book, one, found, make)
    return True


def _down(
    book: Ledger,
    expected: Iterable[ExpectedSession],
    down: list[ExpectedSession],
    found: Mapping[Peer, Session],
    why: _Why,
) -> None:
    """Sessions that are down: one finding where no session with a system stands, else one each."""
    planned: Counter[str] = Counter(one.far.system for one in expected if not one.vrf)
    systems: dict[str, list[ExpectedSession]] = {}
    for one in down:
        systems.setdefault(one.far.system if not one.vrf else f"{one.vrf} {one.peer}", []).append(one)
    for system, sessions in systems.items():
        if 1 < len(sessions) == planned[system]:
            book.wrong(_all_down(book, system, sessions, why))
            continue
        for one in sessions:
            session = found[one.vrf, one.peer]
            make = about_session(book.device, "sessions", one, why.port(one))
            book.wrong(
                make(
                    code="session-down",
                    problem="is not established",
                    expected=f"{ESTABLISHED} with AS {one.remote_as}",
                    actual=f"{session.state} with AS {session.remote_as}",
                    explained=why.of(one),
                )
            )


def _all_down(book: Ledger, system: str, sessions: list[ExpectedSession], why: _Why) -> Finding:
    causes = [why.of(one) for one in sessions if why.port(one)]
    links = {(why.port(one), one.far) for one in sessions if why.port(one)}
    port, far = links.pop() if len(links) == 1 else ("", FindingEnd(system, ""))
    return Finding(
        device=book.device,
        check="sessions",
        code="session-down",
        subject=f"sessions with {system}",
        problem="are all down",
        expected=f"{len(sessions)} {ESTABLISHED} with AS {sessions[0].remote_as}",
        actual=listed(one.peer for one in sessions),
        explained=listed(dict.fromkeys(causes), "") if all(causes) else "",
        port=port,
        far=far,
    )


def _families(book: Ledger, one: ExpectedSession, found: Session, make: partial[Finding]) -> None:
    has, wanted = {family.name for family in found.families}, set(one.families)
    if has == wanted:
        book.right("sessions")
        return
    told = {"expected": listed(sorted(wanted)), "actual": listed(sorted(has))}
    if wanted - has:
        problem = f"does not carry {listed(sorted(wanted - has))}"
        book.wrong(make(code="session-family-missing", problem=problem, **told))
    else:
        problem = f"also carries {listed(sorted(has - wanted))}"
        book.wrong(make(code="session-family-unexpected", problem=problem, **told))


def _unexpected(book: Ledger, found: Session) -> Finding:
    inside = f" in {found.vrf}" if found.vrf else ""
    return Finding(
        device=book.device,
        check="sessions",
        code="session-unexpected",
        subject=f"session {found.peer}{inside}",
        problem="is not in the plan",
        expected="no neighbor",
        actual=f"{found.state} with AS {found.remote_as}",
    )
