"""Basic trials: the switch is read, and harmless lines are loaded, committed on a timer, and reverted."""

from fabricgen.platforms.base.live.proof import MARK, Trial
from fabricgen.platforms.base.live.run_marks import armed_words
from fabricgen.prove.bench import ProofBench, UntouchedState
from fabricgen.push.switch.redact import hidden_in
from fabricgen.push.switch.switch import SwitchError
from fabricgen.verify.collect.redact_config import is_hash

EARLY_SECONDS = 2.0
"""Seconds by which a timer may end early: it may count whole seconds, from the beginning of the commit."""


def read(bench: ProofBench) -> None:
    """Read the switch, and check that no commit is armed."""
    marks = bench.act(lambda switch: switch.run_marks())
    if marks.armed is not None:
        raise SwitchError("locked", armed_words(marks.armed))
    bench.first = bench.reading()
    with bench.timed("read"):
        state = bench.read_all("first")
    unread = {part: reason for part, reason in state.unread.items() if part not in bench.subject.reader.unseen}
    text = "; ".join(f"{part}: {reason}" for part, reason in sorted(unread.items()))
    bench.measure(Trial.READ, not unread, text or "all parts were read")
    secrets(bench)


def secrets(bench: ProofBench) -> None:
    """Check that secrets do not appear in what is shown."""
    hidden = [word for word in hidden_in(bench.first.running) if len(word) > 3]
    if not hidden:
        bench.untried("its configuration holds no secret", Trial.SECRETS)
        return
    shown = bench.act(lambda switch: switch.running())
    leaks = sum(word in shown for word in hidden)
    kinds = {"hashed" if is_hash(word) else "clear" for word in hidden}
    text = f"secret words of its configuration: {len(hidden)}; in the output: {leaks}"
    bench.measure(Trial.SECRETS, leaks == 0, text, None, *kinds)


def load(bench: ProofBench) -> None:
    """Compare the test lines, then a wrong one; neither must change anything."""
    with bench.timed("compare"):
        difference = bench.act(lambda switch: switch.compare(bench.test_lines()))
    bench.texts["difference"] = difference
    is_same = bench.same()
    is_shown = MARK in difference
    text = (
        f"{len(difference.splitlines())} lines of difference; the running configuration is "
        f"{'the same' if is_same else 'ANOTHER'}"
    )
    bench.measure(Trial.COMPARE, is_shown and is_same, text)
    if bench.subject.table.probe.wrong:
        refused = ""
        try:
            bench.act(lambda switch: switch.compare(bench.lines(bench.subject.table.probe.wrong)))
        except SwitchError as error:
            refused = f"{error.kind}: {error.reason}"
        bench.measure(Trial.REFUSE, refused.startswith("refused") and bench.same(), refused or "it was accepted")


def timer(bench: ProofBench) -> None:
    """Commit on the timer, observe the commit from all sides, and let the timer end it."""
    hold = bench.hold
    before = bench.links()
    token = bench.committed(bench.test_lines(), "left alone")
    started = bench.now()
    after = bench.links()
    difference = bench.act(lambda switch: switch.compare(bench.test_lines()))
    has_lines = MARK in bench.running()
    text = "nothing differs" if not difference else f"still different: {difference}"
    bench.measure(Trial.EMPTY, not difference and has_lines, text if has_lines else "the lines are missing")
    _unsaved(bench)
    _second(bench, token)
    hitless(bench, before, after)
    bench.read_all("waiting")
    is_reverted = bench.wait_unarmed(hold + bench.settings.slack)
    late = bench.now() - started - hold
    is_same = bench.same()
    timer_text = f"reverted {abs(late):.1f} s {'after' if late >= 0 else 'before'} its {hold} s were over"
    text = timer_text if is_reverted else f"still armed {late:.0f} s after its {hold} s were over"
    text += "" if is_same else "; its running configuration is NOT the original one"
    is_early = late < -bench.commit_seconds - EARLY_SECONDS
    bench.measure(Trial.TIMER, is_reverted and is_same and not is_early, text, max(0.0, late))
    bench.read_all("reverted")


def _unsaved(bench: ProofBench) -> None:
    if bench.first.startup is None:
        bench.untried("its startup configuration cannot be read", Trial.UNSAVED)
        return
    is_same = bench.startup() == bench.first.startup
    bench.measure(Trial.UNSAVED, is_same, "it is the same" if is_same else "it has changed")


def _second(bench: ProofBench, token: str) -> None:
    """Check the commit over a second connection."""
    armed = bench.act_other(lambda switch: switch.run_marks()).armed
    shows = set[str]()
    if armed is not None:
        shows |= {"token"} if armed.token == token else set()
        shows |= {"seconds"} if armed.seconds is not None else set()
        shows |= {"who"} if armed.who else set()
    try:
        bench.act_other(lambda switch: switch.load(bench.test_lines(), bench.message("of another")))
    except SwitchError as error:
        shows |= {"refused"} if error.kind == "locked" else set()
    text = armed_words(armed) if armed is not None else "nothing was seen"
    bench.measure(Trial.SECOND, armed is not None and "refused" in shows, text, None, *shows)


def hitless(bench: ProofBench, before: UntouchedState, after: UntouchedState) -> None:
    """Compare ports and sessions before and after."""
    lost = sorted((before.ports | before.sessions) - (after.ports | after.sessions))
    flapped = sorted(name for name, count in before.flaps.items() if after.flaps.get(name, count) != count)
    counted = f"{len(before.flaps)} flap counters" if before.flaps else "it has no known flap counter"
    text = f"{len(before.ports)} ports, {len(before.sessions)} sessions, {counted}"
    if lost or flapped:
        text += f"; went down: {', '.join((*lost, *flapped))}"
    if not before.ports and not before.sessions:
        bench.untried("no port is up and no session is established", Trial.HITLESS)
        return
    bench.measure(Trial.HITLESS, not lost and not flapped, text, 0.0 if not lost and not flapped else None)


def revert(bench: ProofBench) -> None:
    """Commit on the timer, and end the commit."""
    token = bench.committed(bench.test_lines(), "to be ended")
    started = bench.now()
    bench.reverted(token, "at once")
    seconds = bench.now() - started
    armed = bench.act(lambda switch: switch.run_marks()).armed
    is_same = bench.same()
    text = f"reverted in {seconds:.1f} s" if armed is None else armed_words(armed)
    bench.measure(
        Trial.REVERT,
        armed is None and is_same,
        text + ("" if is_same else "; NOT to its original configuration"),
        seconds,
    )
