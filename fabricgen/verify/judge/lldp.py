"""Cables of one switch: the LLDP neighbor of each port."""

from collections.abc import Iterable, Sequence
from functools import partial

from fabricgen.base.grouping import grouped
from fabricgen.base.text import counted, listed
from fabricgen.state.state import Adjacency
from fabricgen.verify.expect.model import ExpectedAdjacency
from fabricgen.verify.finding import FindingEnd
from fabricgen.verify.judge.ledger import Ledger, port_subject


def judge_lldp(
    ledger: Ledger, expected: Sequence[ExpectedAdjacency], state: Iterable[Adjacency], management: str
) -> None:
    """Judge every port of the plan, then neighbors on ports that should have none."""
    heard = grouped((adjacency.port, adjacency) for adjacency in state)
    planned = {row.port for row in expected}
    silent_rows = [row for row in expected if row.required and row.port not in heard and row.port not in ledger.causes]
    if not heard and len(silent_rows) > 1:
        _silent(ledger, silent_rows)
        return
    for row in expected:
        _judge(ledger, row, heard.get(row.port, []))
    unasked = {row.port for row in expected if not (row.required or row.dead)}
    # A server need not send LLDP; a port that is down has its own finding.
    ports = [row.port for row in expected if row.port in unasked - {*heard, *ledger.causes}]
    if ports:
        ports_text = f"{counted(len(ports), 'server port')} ({listed(ports)})"
        word = "their cables are" if len(ports) > 1 else "its cable is"
        ledger.skip("lldp", f"no LLDP neighbor on {ports_text}: {word} not verified")
    for port, neighbors in sorted(heard.items()):
        if port not in planned and port != management:
            _unexpected(ledger, port, neighbors[0])


def _unexpected(ledger: Ledger, port: str, neighbor: Adjacency) -> None:
    ledger.add(
        code="lldp-unexpected-peer",
        subject=port_subject(port, ""),
        problem="has a cable that is not in the plan",
        expected="no neighbor",
        actual=str(FindingEnd(neighbor.system, neighbor.port_id)),
        port=port,
        heard=FindingEnd(neighbor.system, neighbor.port_id),
    )


def _silent(ledger: Ledger, rows: Sequence[ExpectedAdjacency]) -> None:
    """One finding if no port that is up has a neighbor: then the cables are not the cause."""
    ledger.add(
        code="lldp-silent",
        subject="LLDP",
        problem="has no neighbor on any port",
        expected=f"neighbors on {len(rows)} ports that are up",
        actual="no neighbor",
    )


def _judge(ledger: Ledger, row: ExpectedAdjacency, heard: list[Adjacency]) -> None:
    far = FindingEnd(row.system, row.port_id)
    subject, expected = port_subject(row.port, row.about), str(far)
    add = partial(ledger.add, subject=subject, expected=expected, port=row.port, far=far)
    if not heard:
        if row.required:
            explained = ledger.causes.get(row.port, "")
            add(code="lldp-missing", problem="has no LLDP neighbor", actual="no neighbor", explained=explained)
            ledger.blame(row.port, f"port {row.port} has no LLDP neighbor")
        return
    if any(_is_peer(row, neighbor) for neighbor in heard):
        ledger.right("lldp")
        return
    neighbor = next((candidate for candidate in heard if is_system(candidate.system, row.system)), heard[0])
    end = FindingEnd(neighbor.system, neighbor.port_id)
    ledger.blame(row.port, f"port {row.port} is cabled to {end}")
    if is_system(neighbor.system, row.system):
        add(code="lldp-wrong-port", problem="is cabled to another port", actual=str(end), heard=end)
    else:
        add(code="lldp-wrong-peer", problem="is cabled to another system", actual=str(end), heard=end)


def is_system(heard: str, wanted: str) -> bool:
    """Whether a name is the planned one, with or without a domain (IEEE 802.1AB sends either)."""
    return heard.lower() == wanted.lower() or heard.lower().startswith(f"{wanted.lower()}.")


def _is_peer(row: ExpectedAdjacency, neighbor: Adjacency) -> bool:
    if not row.required and not neighbor.system:
        return True  # a server that does not report its name is not known to be another one
    if not is_system(neighbor.system, row.system):
        return False
    if not row.port_id or neighbor.port_id == row.port_id:
        return True
    return not row.required and neighbor.port_id not in row.known
