"""What a push to EOS says is what the switch runs, also where a killed run goes on and where hands are faster.

The doubles and the command line are those of test_push_eos.py.
"""

import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path
from threading import Event, Thread

import pytest

from fabricgen.push.journal.journal import open_journal, read_journal
from fabricgen.push.model import StageName, StepName, StepState
from fabricgen.render.folder import templates_folder
from tests.doubles import eos_sessions
from tests.doubles.eos_sessions import Cli, Session, Switch, Timer
from tests.doubles.eos_tree import copied
from tests.push.eos.test_push_eos import (
    CANARY,
    COMMIT,
    ONE,
    OnNote,
    Push,
    against,
    by_hand,
    intent,
    is_at,
    is_tls,
    killed,
    on_note,
    push,
    site,
)
from tests.push.eos_fabric import ECN, INTENT, LEAVES, RAW, Fabric, rendered, trees
from tests.some import LONG, some

__all__ = ["against", "intent", "is_tls", "on_note", "push", "site"]

Hook = Callable[[OnNote], None]


@pytest.fixture
def waits(site: Fabric, intent: Path, against: tuple[str, str]) -> Switch:
    """The canary, whose change waits for its confirmation; the run that made it was killed."""
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    box = site.switches[CANARY]
    assert box.timer is not None
    return box


def test_a_confirmation_of_a_resumed_run_whose_answer_is_lost_is_not_told_reverted(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], waits: Switch
) -> None:
    assert waits.timer is not None
    waits.hangs_up = f"configure session {waits.timer.name} commit"
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert site.running(CANARY) == trees(rendered(intent))[CANARY]
    assert waits.timer is None
    assert "REVERTED" not in result.output
    assert "nothing was left to revert" not in result.output
    assert "it does not run its previous configuration" in result.output


@LONG
def test_a_flash_that_fills_before_a_resumed_run_confirms_is_told_as_it_is(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], waits: Switch, on_note: Hook
) -> None:
    def fill(step: StepName, how: StepState, device: str, stage: str) -> None:
        waits.full = step is StepName.CONFIRM and how is StepState.BEGUN

    on_note(fill)
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert site.running(CANARY) == trees(rendered(intent))[CANARY]
    assert "REVERTED" not in result.output
    assert "has not saved it" in result.output


def test_a_resumed_run_looks_whether_what_ran_before_runs_again(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], waits: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def revert(switch: Switch) -> None:
        """End the timer, and put nothing back."""
        assert switch.timer is not None
        switch.sessions.pop(switch.timer.name, None)
        switch.timer = None

    site.cut.add(CANARY)
    monkeypatch.setattr(Switch, "revert", revert)
    result = push(*against, *ONE)
    assert result.exit_code in (4, 5), result.output
    assert site.running(CANARY) == trees(rendered(intent))[CANARY]
    assert "REVERTED" not in result.output
    assert "it does not run its previous configuration" in result.output


@LONG
def test_a_resumed_run_that_goes_back_says_so(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], waits: Switch
) -> None:
    site.cut.add(CANARY)
    result = push(*against, *ONE)
    assert result.exit_code in (4, 5), result.output
    assert "reverted: it runs its previous configuration" in result.output
    assert is_at(site, {CANARY: rendered_before(intent)}, (CANARY,))


def rendered_before(intent: Path) -> str:
    """Text of the canary before its change."""
    return rendered(intent.parent / "runs/intent.yaml")[CANARY]


@pytest.mark.parametrize("is_known", some([False, True]))
def test_what_was_kept_counts_behind_a_resumed_run_that_goes_back_only_where_it_counted_before(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], is_known: bool
) -> None:
    intent.write_text(ECN)
    assert push(*against, *ONE).exit_code == 0
    (intent.parent / "runs/intent.yaml").write_text(ECN)
    journal_path = intent.parent / "site/push.sqlite"
    with open_journal(journal_path) as journal:
        journal.is_sure(CANARY, sure=is_known)
    intent.write_text(INTENT)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    site.cut.add(CANARY)
    assert push(*against, *ONE).exit_code in (4, 5)
    with read_journal(journal_path) as reader:
        assert (reader.committed(CANARY) is not None) is is_known


def shut(site: Fabric, name: str, port: str) -> None:
    """Shut a port by hand."""
    box = site.switches[name]
    with box.lock:
        tree = copied(box.running)
        below = tree[f"interface {port}"]
        del below["no shutdown"]
        below["shutdown"] = {}
        box.running = tree


def once(on_note: Hook, moment: tuple[StepName, StepState, str], act: Callable[[], None]) -> list[str]:
    """Have something done at the first such line of the journal; a list that is filled then."""
    done: list[str] = []

    def acts(step: StepName, how: StepState, device: str, stage: str) -> None:
        if (step, how, stage) == moment and not done:
            done.append(device)
            act()

    on_note(acts)
    return done


@pytest.mark.parametrize("moment", [(StepName.LOAD, StepState.ENDED), (StepName.COMMIT, StepState.BEGUN)])
def test_a_port_that_is_shut_between_the_load_and_the_commit_stays_shut(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Hook, moment: tuple[StepName, StepState]
) -> None:
    name, port = LEAVES[0], "Ethernet1/1"
    done = once(on_note, (*moment, "change"), lambda: shut(site, name, port))
    intent.write_text(ECN)
    result = push("--devices", name, *against, *COMMIT)
    assert done == [name]
    assert result.exit_code == 5, result.output
    assert "shutdown" in site.running(name)[f"interface {port}"]
    assert "its running configuration has changed since the approval" in result.output
    assert "REVERTED" not in result.output
    box = site.switches[name]
    assert box.timer is None
    assert not any(one.state == "pending" for one in box.sessions.values())


def test_what_is_typed_between_the_load_and_the_commit_of_a_drain_stays_and_nothing_is_drained(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Hook
) -> None:
    once(on_note, (StepName.COMMIT, StepState.BEGUN, "drain"), lambda: shut(site, CANARY, "Ethernet1/1"))
    intent.write_text(RAW)
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert "shutdown" in site.running(CANARY)["interface Ethernet1/1"]
    assert not site.drained(CANARY)
    assert "its running configuration has changed since the approval" in result.output
    assert "since it was drained" not in result.output


@pytest.mark.parametrize("moment", [(StepName.COMPARE, StepState.ENDED), (StepName.CONFIRM, StepState.BEGUN)])
def test_what_is_typed_between_the_last_comparison_and_the_confirmation_is_by_hand_for_the_next_push(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Hook, moment: tuple[StepName, StepState]
) -> None:
    done = once(on_note, (*moment, "change"), lambda: by_hand(site, CANARY))
    intent.write_text(ECN)
    push(*against, *ONE)
    assert done == [CANARY]
    (intent.parent / "runs/intent.yaml").write_text(ECN)
    result = push(*ONE)
    assert result.exit_code == 1, result.output
    assert "error[push-by-hand]" in result.output
    assert "errdisable recovery cause stuck-queue" in result.output
    assert "errdisable recovery cause stuck-queue" in site.running(CANARY)


def test_a_confirmation_that_the_switch_only_says_it_took_is_no_end(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes back at once, and starts with what it runs."""
    commit = Cli.commit

    def silent(cli: Cli, name: str, clock: str | None = None) -> None:
        if cli._box.timer is not None and cli._box.timer.name == name:
            cli._leave()
        else:
            commit(cli, name, clock)

    acts = tuple((pattern, silent if act is commit else act) for pattern, act in eos_sessions.ACTS)
    monkeypatch.setattr(eos_sessions, "ACTS", acts)
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert "the commit still waited after it was confirmed" in result.output
    assert is_at(site, {CANARY: rendered_before(intent)}, (CANARY,))


def test_a_save_that_is_answered_with_an_error_is_no_save(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Cli.run

    def unsaved(cli: Cli, command: str, style: str) -> object:
        if command == "write memory":
            return {"output": "% Error copying system:/running-config to flash:/startup-config (No space left)\n"}
        return run(cli, command, style)

    monkeypatch.setattr(Cli, "run", unsaved)
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert "No space left" in result.output
    assert "has not saved it" in result.output
    assert "REVERTED" not in result.output


def test_a_commit_that_waits_at_the_end_is_no_success(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Hook
) -> None:
    """Whoever made it, and where."""
    box = site.switches[CANARY]

    def comes() -> None:
        box.sessions["theirs"] = Session(copied(box.running), box.done)
        box.timer = Timer("theirs", copied(box.startup), time.monotonic() + 600)

    once(on_note, (StepName.CHECK, StepState.ENDED, ""), comes)
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert box.timer is not None
    assert result.exit_code == 5, result.output
    assert (
        "all switches are pushed, but the configuration may revert: a commit (theirs) is waiting for confirmation"
        in result.output
    )
    assert ": Done" not in result.output


@pytest.mark.parametrize("how", some([StepState.BEGUN, StepState.ENDED]))
@LONG
def test_killed_on_its_way_back_it_is_not_tried_again_and_the_reason_is_told(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], how: StepState
) -> None:
    box, stop = site.switches[CANARY], Event()

    def cut() -> None:
        while box.timer is None and not stop.is_set():
            time.sleep(0.01)
        site.cut.add(CANARY)

    watch = Thread(target=cut)
    watch.start()
    intent.write_text(ECN)
    try:
        killed(intent, *against, *ONE, step=StepName.REVERT, how=how, stage="")
    finally:
        stop.set()
        watch.join()
    site.cut.clear()
    commits = sum(" commit timer " in one for one in site.asked(CANARY))
    result = push(*against, *ONE)
    assert result.exit_code == 4, result.output
    assert sum(" commit timer " in one for one in site.asked(CANARY)) == commits == 1
    assert is_at(site, {CANARY: rendered_before(intent)}, (CANARY,))
    assert "be-leaf-000: sessions with be-spine-01 are all down, with 1 consequence, and 3 more" in result.output
    assert ": Failed" in result.output
    assert "it had failed before it was killed" in result.output
    assert push(*against, *ONE).exit_code == 0  # a run of its own
    assert is_at(site, rendered(intent), (CANARY,))


def test_a_journal_whose_rows_were_taken_away_is_damaged(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], waits: Switch
) -> None:
    path = intent.parent / "site/push.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute("DELETE FROM events WHERE step = 'load'").rowcount
    before = site.asked(CANARY)
    result = push(*against, *ONE)
    assert result.exit_code == 1, result.output
    assert "error[journal-damaged]" in result.output
    assert f"run 1 has a commit of {CANARY}, and no load before it" in result.output
    assert site.asked(CANARY) == before
    assert waits.timer is not None


def given_up(push: Push, *words: str) -> str:
    """What is told before the run that takes the place of the one that is given up."""
    return push(*words, *ONE, "--abandon").output


def test_what_a_hand_typed_while_a_commit_waits_is_told_when_the_run_is_given_up(
    site: Fabric, push: Push, against: tuple[str, str], waits: Switch
) -> None:
    shut(site, CANARY, "Ethernet1/1")
    told = given_up(push, *against)
    assert f"{CANARY}: the commit of the abandoned run was rolled back; the previous configuration runs again" in told
    assert (
        f"{CANARY}: added manually while the commit waited, and undone with the revert: interface "
        "Ethernet1/1 / shutdown: add it again if you still want it"
    ) in told


@LONG
def test_where_the_intent_is_another_by_then_what_a_hand_typed_is_not_known(
    site: Fabric, push: Push, intent: Path, waits: Switch
) -> None:
    intent.write_text(RAW)
    shut(site, CANARY, "Ethernet1/1")
    told = given_up(push)
    assert f"{CANARY}: manual changes while its commit waited are unknown" in told


@LONG
def test_where_nobody_typed_nothing_is_said_of_hands_when_a_run_is_given_up(
    site: Fabric, push: Push, against: tuple[str, str], waits: Switch
) -> None:
    told = given_up(push, *against)
    assert "the previous configuration runs again" in told
    assert "manual changes" not in told
    assert "was killed" not in told  # it is at its end


@LONG
def test_a_timer_that_was_faster_than_the_giving_up_is_told(
    site: Fabric, push: Push, against: tuple[str, str], waits: Switch
) -> None:
    shut(site, CANARY, "Ethernet1/1")
    waits.revert()
    assert f"{CANARY}: manual changes while its commit waited are unknown: its commit is no longer waiting" in (
        given_up(push, *against)
    )


def test_a_giving_up_that_puts_nothing_back_does_not_say_so(
    site: Fabric, push: Push, against: tuple[str, str], waits: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def revert(switch: Switch) -> None:
        assert switch.timer is not None
        switch.sessions.pop(switch.timer.name, None)
        switch.timer = None

    monkeypatch.setattr(Switch, "revert", revert)
    told = given_up(push, *against)
    assert "the previous configuration runs again" not in told
    assert (
        f"{CANARY}: the commit of the abandoned run was rolled back; it does not run its previous configuration" in told
    )


@pytest.mark.long
@pytest.mark.parametrize("look", some(["start", "wave-1", "*"]))
def test_a_killed_run_whose_looks_are_gone_is_not_held_against_nothing(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], waits: Switch, look: str
) -> None:
    """Without them a session that is gone between two switches that were not changed would be nobody's."""
    for folder in (intent.parent / "site").glob(f"push.sqlite.*/{look}"):
        shutil.rmtree(folder)
    shut(site, "be-spine-00", "Ethernet1/1")
    result = push(*against, *ONE)
    assert result.exit_code in (4, 5), result.output
    assert "the state before the change is lost" in result.output
    assert ": Done" not in result.output
    assert waits.timer is None
    assert is_at(site, {CANARY: rendered_before(intent)}, (CANARY,))


@pytest.mark.parametrize("octets", some([b"\x1f\x8bno more", b"", b"none"]))
@LONG
def test_a_killed_run_with_a_damaged_look_goes_back(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], waits: Switch, octets: bytes
) -> None:
    """Files are not synced: a loss of power may leave a part of one."""
    for path in (intent.parent / "site").glob("push.sqlite.*/wave-1/*"):
        path.write_bytes(octets)
    result = push(*against, *ONE)
    assert result.exit_code == 4, result.output
    assert "error[collection-file]" in result.output
    assert waits.timer is None
    assert is_at(site, {CANARY: rendered_before(intent)}, (CANARY,))


def test_looks_that_can_not_be_kept_are_no_end_without_a_word(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Hook
) -> None:
    def taken() -> None:
        (folder,) = (path for path in (intent.parent / "site").glob("push.sqlite.*") if path.is_dir())
        shutil.rmtree(folder)
        folder.write_text("something else")

    once(on_note, (StepName.COMMIT, StepState.ENDED, "change"), taken)
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert result.exit_code == 4, result.output
    assert "error[collection-write]" in result.output
    assert is_at(site, {CANARY: rendered_before(intent)}, (CANARY,))


@pytest.mark.parametrize(
    ("moment", "suffix"),
    some(
        product(
            [(StepName.COMMIT, StepState.ENDED, "change"), (StepName.COMPARE, StepState.ENDED, "")],
            ["", "-wal", ".lock"],
        ),
        of=8,
    ),
)
def test_a_journal_that_is_taken_away_is_no_success(  # noqa: PLR0917
    site: Fabric,
    push: Push,
    intent: Path,
    against: tuple[str, str],
    on_note: Hook,
    moment: tuple[StepName, StepState, str],
    suffix: str,
) -> None:
    """What is written to a file that has no name any more is lost with the process."""
    path = intent.parent / f"site/push.sqlite{suffix}"
    done = once(on_note, moment, path.unlink)
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert done
    assert result.exit_code != 0, result.output
    assert "error[journal-write]" in result.output
    assert "it, its log or its lock was moved or removed while a push writes to it" in result.output
    assert ": Done" not in result.output
    assert site.switches[CANARY].timer is None
    if moment[2]:
        assert is_at(site, {CANARY: rendered_before(intent)}, (CANARY,))


def test_a_template_that_is_edited_while_a_push_runs_changes_nothing_of_it(
    site: Fabric, push: Push, tmp_path: Path, on_note: Hook
) -> None:
    """One that another includes, too: later waves get what was shown."""
    own = tmp_path / "own/eos"
    own.mkdir(parents=True)
    ours = (templates_folder() / "eos/ntp.j2").read_text()
    (own / "ntp.j2").write_text(f"{ours}{{% include 'eos/extra.j2' %}}\n")
    (own / "extra.j2").write_text("ip name-server 192.0.2.1\n")

    def edits() -> None:
        (own / "extra.j2").write_text("ip name-server 192.0.2.66\n")

    done = once(on_note, (StepName.COMMIT, StepState.ENDED, "change"), edits)
    result = push("--templates", str(tmp_path / "own"), "--devices", "be-spine-*", *COMMIT)
    assert done == [CANARY]
    assert result.exit_code == 0, result.output
    assert {line for name in (CANARY, "be-spine-00") for line in site.running(name) if "192.0.2." in line} == {
        "ip name-server 192.0.2.1"
    }


def test_a_leaf_is_marked_by_what_it_runs_and_not_by_what_somebody_says(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    """The mark is a whole configuration of its own, which no difference shows."""
    leaf, old = LEAVES[0], site.running(LEAVES[0])
    (intent.parent / "runs/intent.yaml").write_text(ECN)
    intent.write_text(f"{INTENT}overrides: {{{leaf}: {{state: drained}}}}\n")
    words = ("--devices", leaf, *COMMIT, "--accept-loss", leaf)
    result = push(*against, *words)
    assert result.exit_code == 5, result.output
    assert "it does not run the --against state" in result.output
    assert site.running(leaf) == old
    assert not any(" commit" in one for one in site.asked(leaf))
    (intent.parent / "runs/intent.yaml").write_text(INTENT)
    assert push(*against, *words).exit_code == 0
    assert is_at(site, rendered(intent), (leaf,))
