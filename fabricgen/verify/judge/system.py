"""Basics of a switch: programs that must run, and policy rules that bypass the routing tables."""

from collections.abc import Iterable, Sized

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.release import runs
from fabricgen.state.state import EVPN, Daemon, PolicyRule
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.sessions import SPEAKER

DRIFT = "drift"
BLAMED = {"sessions": (SPEAKER, EVPN), "evpn": (EVPN,), "vnis": ("vnis",), "bfd": ("bfd",), "routes": ()}
"""What a program serves → keys of the causes that its death sets."""


def judge_release(ledger: Ledger, expected: Expected, version: str) -> None:
    """Judge the running release; not in a lab, which runs what its host has."""
    wanted, platform = expected.version, PLATFORMS.get(expected.system)
    is_wanted = runs(version, wanted, platform.versions if platform is not None else ())
    if is_wanted is None:
        if wanted:
            said = f"{version} does not say whether it is {wanted}"
            ledger.skip("reachable", said if version else f"it reports no release; the intent has {wanted}")
        return
    if is_wanted:
        ledger.right("reachable")
        return
    ledger.add(
        code="release-other",
        subject="the operating system",
        problem="is not the release of the intent",
        expected=wanted,
        actual=version,
    )


def judge_daemons(ledger: Ledger, expected: Expected, state: Iterable[Daemon]) -> None:
    """Judge each program that the plan needs. A dead one is reported once; findings that follow from it name it."""
    planned: dict[str, Sized] = {
        "sessions": expected.sessions,
        "bfd": expected.bfd,
        "routes": expected.routes,
        "vnis": expected.vnis,
        "evpn": expected.evpn,
    }
    for daemon in state:
        needed = [name for name in daemon.serves if planned[name]]
        if not needed:
            continue
        if daemon.running and not daemon.hangs:
            ledger.right("reachable")
            continue
        for cause_key in (DRIFT, *(key for name in needed for key in BLAMED[name])):
            ledger.blame(cause_key, f"{daemon.name} hangs" if daemon.hangs else f"{daemon.name} does not run")
        _faulty(ledger, daemon, needed)


def _faulty(ledger: Ledger, daemon: Daemon, needed: Iterable[str]) -> None:
    problem, expected, actual = (
        ("does not respond", "an answer", "it runs, but does not respond")
        if daemon.hangs
        else ("does not run", "running", "it answers nothing")
    )
    ledger.add(
        code="daemon-hangs" if daemon.hangs else "daemon-dead",
        subject=f"daemon {daemon.name}",
        problem=problem,
        expected=f"{expected}, for {', '.join(needed)}",
        actual=actual,
    )


def judge_rules(ledger: Ledger, state: Iterable[PolicyRule]) -> None:
    """Judge policy rules. No plan has any: packets they match bypass the routes that are compared."""
    rules = tuple(state)
    if not rules:
        ledger.right("routes")
    for rule in rules:
        ledger.add(
            code="rule-unexpected",
            subject=f"rule {rule.priority} in {rule.vrf}" if rule.vrf else f"rule {rule.priority}",
            problem="bypasses the routing table",
            expected="no such rule",
            actual=rule.text,
        )
