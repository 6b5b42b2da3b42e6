"""BFD sessions of one switch."""

from fabricgen.state.state import BfdSession, BgpState
from fabricgen.verify.expect.model import Expected, ExpectedSession
from fabricgen.verify.finding import NOWHERE
from fabricgen.verify.judge.ledger import Ledger, about_session
from fabricgen.verify.judge.sessions import ports_of


def judge_bfd(ledger: Ledger, expected: Expected, state: tuple[BfdSession, ...], bgp: BgpState | None) -> None:
    """Judge each planned BFD session, and those that are not planned."""
    unplanned = {(row.vrf, row.peer): row for row in state}
    planned = {(row.vrf, row.peer): row for row in expected.sessions}
    ports = ports_of(expected)
    dead = ledger.causes.get("bfd", "")
    sessions = {(row.vrf, row.peer) for row in bgp.sessions} if bgp else set(planned)
    for row in expected.bfd:
        key = (row.vrf, row.peer)
        session = unplanned.pop(key, None)
        if session is not None and session.up:
            ledger.right("bfd")
            continue
        port = ports.get(row.peer, "")
        no_session = "" if key in sessions else "its BGP session is not configured"
        session_of = planned.get(key, ExpectedSession(row.vrf, row.peer, 0, (), NOWHERE))
        add = about_session(ledger, session_of, port)
        details = {"expected": "BFD up", "explained": ledger.causes.get(port, "") or dead or no_session}
        if session is None:
            add(code="bfd-missing", problem="has no BFD session", actual="no BFD session", **details)
        else:
            add(code="bfd-down", problem="is down in BFD", actual="BFD down", **details)
    dead_ends = {key for key, row in planned.items() if row.dead}
    for key in sorted(unplanned.keys() - dead_ends):
        _unexpected_bfd(ledger, unplanned[key])


def _unexpected_bfd(ledger: Ledger, session: BfdSession) -> None:
    ledger.add(
        code="bfd-unexpected",
        subject=f"session {session.peer}",
        problem="has a BFD session that is not in the plan",
        expected="no BFD session",
        actual="BFD up" if session.up else "BFD down",
    )
