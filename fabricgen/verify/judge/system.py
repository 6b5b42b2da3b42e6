"""What everything else of a switch stands on: programs that must run, and rules that go past the routing tables."""

import re
from collections.abc import Iterable, Sized

from fabricgen.state.state import EVPN, Daemon, PolicyRule
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.sessions import SPEAKER

DRIFT = "drift"
BLAMED = {"sessions": (SPEAKER, EVPN), "evpn": (EVPN,), "vnis": ("vnis",), "bfd": ("bfd",), "routes": ()}
"""What a program serves → what its death is remembered under."""


def judge_release(book: Ledger, wanted: str, version: str) -> None:
    """The release that runs, where both are known. An intent names its first numbers: 4.34 is 4.34.1F too.

    A branch without a number (SONiC's master) stands in no version that a switch says.
    """
    if not version or not re.search(r"\d", wanted):
        return
    if re.search(rf"(?<!\d)(?<!\d\.){re.escape(wanted)}(?!\d)", version):
        book.right("reachable")
        return
    book.wrong(
        Finding(
            device=book.device,
            check="reachable",
            code="release-other",
            subject="the operating system",
            problem="is not the release of the intent",
            expected=wanted,
            actual=version,
        )
    )


def judge_daemons(book: Ledger, expected: Expected, state: Iterable[Daemon]) -> None:
    """Each program that the plan needs. Its death is told once; what follows from it names it."""
    planned: dict[str, Sized] = {
        "sessions": expected.sessions,
        "bfd": expected.bfd,
        "routes": expected.routes,
        "vnis": expected.vnis,
        "evpn": expected.evpn,
    }
    for one in state:
        needed = [name for name in one.serves if planned[name]]
        if not needed:
            continue
        if one.running and not one.hangs:
            book.right("reachable")
            continue
        for under in (DRIFT, *(each for name in needed for each in BLAMED[name])):
            book.blame(under, f"{one.name} hangs" if one.hangs else f"{one.name} does not run")
        book.wrong(_hung(book, one, needed) if one.hangs else _dead(book, one, needed))


def _dead(book: Ledger, one: Daemon, needed: Iterable[str]) -> Finding:
    return Finding(
        device=book.device,
        check="reachable",
        code="daemon-dead",
        subject=f"daemon {one.name}",
        problem="does not run",
        expected=f"running, for {', '.join(needed)}",
        actual="it answers nothing",
    )


def _hung(book: Ledger, one: Daemon, needed: Iterable[str]) -> Finding:
    return Finding(
        device=book.device,
        check="reachable",
        code="daemon-hangs",
        subject=f"daemon {one.name}",
        problem="does not respond",
        expected=f"an answer, for {', '.join(needed)}",
        actual="it runs and answers nothing",
    )


def judge_rules(book: Ledger, state: Iterable[PolicyRule]) -> None:
    """No plan has any: what they match goes another way than the routes that are compared."""
    found = tuple(state)
    if not found:
        book.right("routes")
    for one in found:
        book.wrong(
            Finding(
                device=book.device,
                check="routes",
                code="rule-unexpected",
                subject=f"rule {one.priority} in {one.vrf}" if one.vrf else f"rule {one.priority}",
                problem="goes past the routing table",
                expected="no such rule",
                actual=one.text,
            )
        )
