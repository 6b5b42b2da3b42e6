"""BFD sessions of one switch."""

from fabricgen.state.state import BfdSession, BgpState
from fabricgen.verify.expect.model import Expected, ExpectedSession
from fabricgen.verify.finding import NOWHERE, Finding
from fabricgen.verify.judge.ledger import Ledger, about_session
from fabricgen.verify.judge.sessions import ports_of


def judge_bfd(book: Ledger, expected: Expected, state: tuple[BfdSession, ...], bgp: BgpState | None) -> None:
    """Each planned session, and those that nobody planned."""
    found = {(one.vrf, one.peer): one for one in state}
    planned = {(one.vrf, one.peer): one for one in expected.sessions}
    ports = ports_of(expected)
    dead = book.causes.get("bfd", "")
    sessions = {(one.vrf, one.peer) for one in bgp.sessions} if bgp else set(planned)
    for one in expected.bfd:
        key = (one.vrf, one.peer)
        session = found.pop(key, None)
        if session is not None and session.up:
            book.right("bfd")
            continue
        port = ports.get(one.peer, "")
        lone = "" if key in sessions else "its BGP session is not configured"
        watched = planned.get(key, ExpectedSession(one.vrf, one.peer, 0, (), NOWHERE))
        make = about_session(book.device, "bfd", watched, port)
        told = {"expected": "BFD up", "explained": book.causes.get(port, "") or dead or lone}
        if session is None:
            book.wrong(make(code="bfd-missing", problem="has no BFD session", actual="no BFD session", **told))
        else:
            book.wrong(make(code="bfd-down", problem="is down in BFD", actual="BFD down", **told))
    dead_ends = {key for key, one in planned.items() if one.dead}
    for key in sorted(found.keys() - dead_ends):
        book.wrong(_unexpected_bfd(book, found[key]))


def _unexpected_bfd(book: Ledger, found: BfdSession) -> Finding:
    return Finding(
        device=book.device,
        check="bfd",
        code="bfd-unexpected",
        subject=f"session {found.peer}",
        problem="has a BFD session that is not in the plan",
        expected="no BFD session",
        actual="BFD up" if found.up else "BFD down",
    )
