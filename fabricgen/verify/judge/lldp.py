"""Cables of one switch: whom each port hears."""

from collections.abc import Iterable, Sequence
from functools import partial

from fabricgen.state.state import Adjacency
from fabricgen.verify.expect.model import ExpectedAdjacency
from fabricgen.verify.finding import Finding, FindingEnd
from fabricgen.verify.judge.ledger import Ledger, counted, listed, port_subject


def judge_lldp(
    book: Ledger, expected: Sequence[ExpectedAdjacency], state: Iterable[Adjacency], management: str
) -> None:
    """Every port of the plan, then what is heard on ports where nobody should be."""
    heard: dict[str, list[Adjacency]] = {}
    for adjacency in state:
        heard.setdefault(adjacency.port, []).append(adjacency)
    planned = {one.port for one in expected}
    deaf = [one for one in expected if one.required and one.port not in heard and one.port not in book.causes]
    if not heard and len(deaf) > 1:
        book.wrong(_silent(book, deaf))
        return
    for one in expected:
        _judge(book, one, heard.get(one.port, []))
    unasked = {one.port for one in expected if not (one.required or one.dead)}
    # A server need not speak LLDP; a port that is down has a finding of its own.
    ports = [one.port for one in expected if one.port in unasked - {*heard, *book.causes}]
    if ports:
        which = f"{counted(len(ports), 'server port')} ({listed(ports)})"
        word = "their cables are" if len(ports) > 1 else "its cable is"
        book.skip("lldp", f"nobody is heard on {which}: {word} not verified")
    for port, found in sorted(heard.items()):
        if port not in planned and port != management:
            book.wrong(_unexpected(book, port, found[0]))


def _unexpected(book: Ledger, port: str, found: Adjacency) -> Finding:
    return Finding(
        device=book.device,
        check="lldp",
        code="lldp-unexpected-peer",
        subject=port_subject(port, ""),
        problem="has a cable that the plan does not have",
        expected="no neighbor",
        actual=str(FindingEnd(found.system, found.port_id)),
        port=port,
        heard=FindingEnd(found.system, found.port_id),
    )


def _silent(book: Ledger, deaf: Sequence[ExpectedAdjacency]) -> Finding:
    """One finding where nothing at all is heard over ports that are up: that is no fault of every cable."""
    return Finding(
        device=book.device,
        check="lldp",
        code="lldp-silent",
        subject="LLDP",
        problem="has no neighbor on any port",
        expected=f"neighbors on {len(deaf)} ports that are up",
        actual="no neighbor",
    )


def _judge(book: Ledger, one: ExpectedAdjacency, heard: list[Adjacency]) -> None:
    far = FindingEnd(one.system, one.port_id)
    subject, wanted = port_subject(one.port, one.about), str(far)
    make = partial(Finding, device=book.device, check="lldp", subject=subject, expected=wanted, port=one.port, far=far)
    if not heard:
        if one.required:
            explained = book.causes.get(one.port, "")
            book.wrong(
                make(code="lldp-missing", problem="has no LLDP neighbor", actual="no neighbor", explained=explained)
            )
            book.blame(one.port, f"port {one.port} has no LLDP neighbor")
        return
    if any(_is_peer(one, found) for found in heard):
        book.right("lldp")
        return
    found = next((each for each in heard if is_system(each.system, one.system)), heard[0])
    end = FindingEnd(found.system, found.port_id)
    book.blame(one.port, f"port {one.port} is cabled to {end}")
    if is_system(found.system, one.system):
        book.wrong(make(code="lldp-wrong-port", problem="is cabled to another port", actual=str(end), heard=end))
    else:
        book.wrong(make(code="lldp-wrong-peer", problem="is cabled to another system", actual=str(end), heard=end))


def is_system(heard: str, wanted: str) -> bool:
    """Whether a name is the plan's, with or without a domain (IEEE 802.1AB sends either)."""
    return heard.lower() == wanted.lower() or heard.lower().startswith(f"{wanted.lower()}.")


def _is_peer(one: ExpectedAdjacency, found: Adjacency) -> bool:
    if not one.required and not found.system:
        return True  # a server that does not give its name is not known to be another
    if not is_system(found.system, one.system):
        return False
    if not one.port_id or found.port_id == one.port_id:
        return True
    return not one.required and found.port_id not in one.known
