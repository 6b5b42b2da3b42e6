"""`fabricgen push` on EOS, from the command line to the switch: NAPALM's own driver, unmodified.

Whole changes, one with a drain, and a lost connection go over TLS as on a switch; what else is tested does not depend
on it.

Behind it stand doubles (tests/push/eos_fabric.py): no real EOS was at hand, which is why a push to it is unproven.
"""

import json
import os
import re
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.push import run as push_run
from fabricgen.push.act.work import RunSettings
from fabricgen.push.journal.journal import Journal, read_journal
from fabricgen.push.model import RunOutcome, StageName, StepName, StepState
from tests.doubles.eos_sessions import Session, Timer
from tests.doubles.eos_tree import copied, grown
from tests.forked import fabricgen
from tests.push.eos_fabric import (
    ECN,
    ENVIRONMENT,
    HASH,
    INTENT,
    LEAVES,
    NAMES,
    PASSWORD,
    RAW,
    SPINES,
    Fabric,
    fabric,
    rendered,
    trees,
)
from tests.some import some

FAST = partial(RunSettings, watch=0.0, converge=0.5, quiet=3.0, polls=2, interval=0.05)
"""Times of a run, so that nothing waits for what doubles do at once."""


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """The intent that the switches run."""
    path = tmp_path / "intent.yaml"
    path.write_text(INTENT)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/intent.yaml").write_text(INTENT)
    return path


@pytest.fixture
def against(intent: Path) -> tuple[str, str]:
    """Words that say what the switches run: then facts decide, and not lines."""
    return "--against", str(intent.parent / "runs/intent.yaml")


@pytest.fixture
def is_tls() -> bool:
    """Whether the switches speak TLS."""
    return False


TLS = pytest.mark.parametrize("is_tls", [True], ids=["tls"])


@pytest.fixture
def site(tmp_path: Path, intent: Path, monkeypatch: pytest.MonkeyPatch, *, is_tls: bool) -> Iterator[Fabric]:
    """The fabric, running what the intent says."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(push_run, "RunSettings", FAST)
    with fabric(tmp_path / "site", rendered(intent), is_tls=is_tls) as found:
        yield found


Push = Callable[..., Result]


@pytest.fixture
def push(tmp_path: Path, intent: Path) -> Push:
    """Run the verb. No secret is in what it tells or keeps."""

    def call(*words: str) -> Result:
        given = ["push", str(intent), "-i", str(tmp_path / "site"), *words]
        result = CliRunner().invoke(main, given, catch_exceptions=False)
        kept = b"".join(path.read_bytes() for path in (tmp_path / "site").rglob("push.sqlite*") if path.is_file())
        for secret in (HASH, PASSWORD):
            assert secret not in result.output
            assert secret.encode() not in kept
        return result

    return call


COMMIT = ("--commit", "--i-have-tested-this")


@TLS
def test_where_all_run_what_the_intent_says_there_is_nothing_to_push(site: Fabric, push: Push) -> None:
    result = push()
    assert (result.exit_code, result.output) == (0, "nothing to push: 6 switches match the intent\n")
    assert all(site.asked(name)[-1].endswith(" abort") for name in NAMES)
    assert all(not box.sessions for box in site.switches.values())


OnNote = Callable[[StepName, StepState, str, str], None]


@pytest.fixture
def on_note(monkeypatch: pytest.MonkeyPatch) -> Callable[[OnNote], None]:
    """Have something done after each line of the journal: step, how, device, stage."""
    note = Journal.note

    def hook(act: OnNote) -> None:
        def noting(self: Journal, run: int, step: StepName, how: StepState, **more: object) -> None:
            note(self, run, step, how, **more)  # type: ignore[arg-type]
            act(step, how, str(more.get("device", "")), str(more.get("stage", "")))

        monkeypatch.setattr(Journal, "note", noting)

    return hook


Seen = list[tuple[str, str]]


def is_at(site: Fabric, texts: dict[str, str], names: tuple[str, ...] = NAMES) -> bool:
    """Whether these switches run and start with these texts, and nothing waits on any."""
    wanted = trees(texts)
    boxes = {name: site.switches[name] for name in names}
    return all(
        site.running(name) == wanted[name] == box.startup and box.timer is None and not _open(box.sessions)
        for name, box in boxes.items()
    )


def _open(sessions: dict[str, Session]) -> list[str]:
    return [name for name, row in sessions.items() if row.state == "pending"]


def test_switches_of_another_release_are_not_changed(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    intent.write_text(ECN.replace("eos-4.33", "eos-4.34"))
    result = push(*against)
    assert result.exit_code == 1, result.output
    assert result.output.count("error[push-release]") == len(NAMES)
    assert "be-leaf-000 runs 4.33.1F, but its configuration is for 4.34" in result.output
    assert is_at(site, old)


def test_a_dry_run_shows_the_waves_and_changes_nothing(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    intent.write_text(ECN)
    result = push(*against)
    assert result.exit_code == 3, result.output
    waves = [line.split("  ")[:3] for line in result.output.splitlines() if line.startswith("wave ")]
    # Spines before leaves, the last of each alone first: all have the same servers behind them. Away together they
    # would leave no leaf the floor, half of two spines. Leaves of two rails a unit stand in for nobody.
    assert waves == [
        ["wave 1", "spine of backend", "be-spine-01"],
        ["wave 2", "spine of backend", "be-spine-00"],
        ["wave 3", "leaf of backend", "be-leaf-003"],
        ["wave 4", "leaf of backend", "be-leaf-000…001"],
        ["wave 5", "leaf of backend", "be-leaf-002"],
    ]
    assert "nothing was changed. To apply: " in result.output
    assert "drained first" not in result.output
    assert is_at(site, old)
    for name in NAMES:
        assert not [one for one in site.asked(name) if " commit" in one or one.startswith(("copy", "write"))]


@TLS
def test_a_change_is_committed_proven_confirmed_and_only_then_saved(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Callable[[OnNote], None]
) -> None:
    old, order, saved = trees(rendered(intent)), [], []

    def seen(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.COMMIT and how is StepState.ENDED:
            order.append(device)
            saved.append(site.switches[device].startup == old[device])
            assert site.switches[device].timer is not None
            assert site.running(device) != old[device]

    on_note(seen)
    intent.write_text(ECN)
    result = push(*against, *COMMIT)
    assert result.exit_code == 0, result.output
    assert is_at(site, rendered(intent))
    assert [order[0], order[1], order[2], order[5]] == ["be-spine-01", "be-spine-00", "be-leaf-003", "be-leaf-002"]
    assert sorted(order[3:5]) == ["be-leaf-000", "be-leaf-001"]
    assert saved == [True] * 6
    for name in NAMES:
        asked = site.asked(name)
        compared = {one.split()[2] for one in asked if one.endswith(" abort")}
        committed = [one for one in asked if compared.isdisjoint(one.split())]
        session = committed[-1 - 1].split()[2]
        # 240 s (push/act/work.py); NAPALM's commit_config and confirm_commit.
        assert committed == [
            f"configure session {session}", "copy startup-config flash:rollback-0",
            f"configure session {session} commit timer 00:04:00", f"configure session {session} commit", "write memory",
        ]  # fmt: skip
        # What runs is compared while the commit waits, and once more at the end.
        assert asked[asked.index(committed[2]) + 1].split()[2] in compared
        assert asked[-1].split()[2] in compared
        assert session.startswith("fabricgen-")
    again = push()
    assert again.exit_code == 0
    assert "nothing to push" in again.output


def test_a_forecast_goes_by_the_last_push_though_that_was_to_other_switches(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    del site
    intent.write_text(ECN)
    first = push(*against, *COMMIT, "--devices", "be-spine-01")
    assert first.exit_code == 0, first.output
    assert "(eos: 1 s per answer, 5 s per commit, assumed)" in first.output
    second = push(*against, "--devices", "be-spine-00")
    assert (second.exit_code, "as in run 1)" in second.output) == (3, True), second.output


def test_a_spine_is_drained_before_what_may_lose_packets(
    site: Fabric, push: Push, intent: Path, on_note: Callable[[OnNote], None]
) -> None:
    old = trees(rendered(intent))
    seen: Seen = []

    def look(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step in (StepName.COMMIT, StepName.QUIET, StepName.CONFIRM) and how is StepState.ENDED:
            words = ["drained"] if site.drained(device) else []
            words += ["changed"] if "errdisable recovery cause stuck-queue" in site.running(device) else []
            words += ["waits"] if site.switches[device].timer is not None else []
            seen.append((f"{device} {stage} {step}", " ".join(words)))

    on_note(look)
    intent.write_text(RAW)
    result = push(*COMMIT)
    assert result.exit_code == 0, result.output
    assert seen == [
        (f"{spine} {stage} {step}", words)
        for spine in reversed(SPINES)
        for stage, step, words in (
            ("drain", "commit", "drained waits"),
            ("drain", "quiet", "drained waits"),
            ("drain", "confirm", "drained"),
            ("change", "commit", "drained changed waits"),
            ("change", "confirm", "drained changed"),
            ("undrain", "commit", "changed waits"),
            ("undrain", "confirm", "changed"),
        )
    ]
    assert is_at(site, rendered(intent))
    assert trees(rendered(intent))["be-leaf-000"] == old["be-leaf-000"]
    for leaf in LEAVES:
        assert "show ip bgp community 65535:0" in site.switches[leaf].asked
        assert not [one for one in site.asked(leaf) if " commit" in one]
    for spine in SPINES:
        sent = site.switches[spine].asked
        timers = [one.split()[-1] for one in sent if " commit timer " in one]
        assert timers == ["00:04:03", "00:04:00", "00:04:00"]  # 240 s, and as long as the drain may take: 3 s here
        first = next(at for at, one in enumerate(sent) if " commit timer " in one)
        assert any("DRAINED-OUT out" in one for one in sent[:first])


CANARY = "be-spine-01"
LINK = INTENT + 'overrides:\n  "be-spine-01/Ethernet1/1": {state: drained}\n'
"""One link that is drained."""
ONE = ("--devices", CANARY, *COMMIT)


@pytest.mark.long
def test_one_link_is_drained_its_ports_are_waited_for_and_it_is_brought_back(
    site: Fabric, push: Push, intent: Path
) -> None:
    """The commonest job: a line of intent, and a command. Both ends change; none has to be drained for that."""
    old = rendered(intent)
    intent.write_text(LINK)
    shown = push("--json")
    assert shown.exit_code == 3, shown.output
    told = json.loads(shown.stdout)
    ends = {one["device"] for one in told["switches"]}
    assert len(ends) == 2
    assert CANARY in ends
    assert {one["need"] for one in told["switches"]} == {"plain"}
    result = push(*COMMIT)
    assert result.exit_code == 0, result.output
    assert "waits until no traffic is left on" in result.output
    assert is_at(site, rendered(intent))
    assert not site.drained(CANARY)
    intent.write_text(INTENT)
    assert push(*COMMIT).exit_code == 0
    assert is_at(site, old)


DRAINED = INTENT + 'overrides:\n  "be-spine-01": {state: drained}\n'


def break_link(site: Fabric) -> None:
    """Shut one port of a leaf towards the other spine."""
    box = site.switches["be-leaf-001"]
    with box.lock:
        tree = copied(box.running)
        end = next(one for one in site._links()["be-leaf-001"].values() if one.far == "be-spine-00")
        del tree[f"interface {end.port}"]["no shutdown"]
        tree[f"interface {end.port}"]["shutdown"] = {}
        box.running = tree


@pytest.mark.long
def test_a_broken_link_elsewhere_does_not_keep_a_drained_spine_out_of_service(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    """To bring it back takes no uplink away; a change of a spine that carries traffic is refused."""
    intent.write_text(DRAINED)
    assert push(*ONE).exit_code == 0
    assert site.drained(CANARY)
    break_link(site)
    intent.write_text(INTENT)
    result = push(*ONE)
    assert result.exit_code == 0, result.output
    assert not site.drained(CANARY)
    intent.write_text(ECN)
    refused = push(*against, *ONE)
    assert refused.exit_code != 0
    assert "push-floor-live]: be-leaf-001 would keep 1/4 of its uplinks" in refused.output


def test_one_link_whose_ports_stay_loud_is_said(site: Fabric, push: Push, intent: Path) -> None:
    """All is pushed and stands: only pulled the cable must not be."""
    site.loud.add(CANARY)
    intent.write_text(LINK)
    result = push(*COMMIT)
    assert result.exit_code != 0, result.output
    assert "1 of its ports still carry traffic, e.g. Ethernet1/1 with " in result.output
    assert is_at(site, rendered(intent))


@pytest.mark.long
def test_who_stops_the_last_wait_for_quiet_ports_is_told_not_to_pull_the_cable(
    site: Fabric, push: Push, intent: Path, on_note: Callable[[OnNote], None]
) -> None:
    """The same command finds nothing to push then, and waits for nothing: the report is the last to say it."""
    sent: list[str] = []  # a second one would end the program

    def stop(step: StepName, how: StepState, device: str, stage: str) -> None:
        del stage
        if (step, how) == (StepName.QUIET, StepState.BEGUN) and not sent:
            sent.append(device)
            os.kill(os.getpid(), signal.SIGINT)

    on_note(stop)
    site.loud.add(CANARY)
    intent.write_text(LINK)
    result = push(*COMMIT)
    assert result.exit_code == 130, result.output
    assert "all switches are changed; stopped by the operator before be-" in result.output
    assert "stopped by the operator before the next switch" not in result.output
    assert is_at(site, rendered(intent))


def test_a_peer_that_has_not_heard_stops_the_drain_and_is_named(site: Fabric, push: Push, intent: Path) -> None:
    old = rendered(intent)
    site.deaf.add("be-leaf-002")
    intent.write_text(RAW)
    result = push(*ONE)
    assert "be-leaf-002 has no route of" in result.output
    assert is_at(site, old)
    assert not any(
        "errdisable recovery cause stuck-queue" in one for one in site.switches[CANARY].asked if one.startswith("write")
    )
    assert result.exit_code != 0  # which: test_calm.py


def test_ports_that_stay_loud_stop_the_drain_and_are_named(site: Fabric, push: Push, intent: Path) -> None:
    old = rendered(intent)
    site.loud.add(CANARY)
    intent.write_text(RAW)
    result = push(*ONE)
    assert "8 of its ports still carry traffic, e.g. Ethernet" in result.output  # 4 leaves of 2 links each
    assert is_at(site, old)
    assert not site.drained(CANARY)
    assert result.exit_code != 0  # which: test_calm.py


def test_a_change_that_breaks_sessions_goes_back_and_nothing_beyond_it_changes(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Callable[[OnNote], None]
) -> None:
    old = rendered(intent)

    def cut(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.COMMIT and how is StepState.ENDED:
            site.cut.add(device)

    on_note(cut)
    intent.write_text(ECN)
    result = push(*against, *COMMIT)
    assert result.exit_code == 4, result.output
    lost = [f"be-leaf-00{at}: sessions with be-spine-01 are all down" for at in range(4)]
    assert [row for row in result.output.splitlines() if row.startswith("    new: ")] == [
        f"    new: {one}" for one in lost
    ]
    assert f"1. fix {lost[0]}, with 1 consequence" in result.output
    assert "4 new failures, with 4 consequences" in result.output
    assert not any(lost[0] in row for row in result.output.splitlines() if row.startswith("    pending: "))
    assert is_at(site, old)
    for name in NAMES:
        assert (not any(" commit" in one for one in site.asked(name))) is (name != CANARY)
    assert site.asked(CANARY)[-1].endswith(" abort")


def test_a_drained_switch_whose_change_breaks_sessions_goes_back_and_into_service(
    site: Fabric, push: Push, intent: Path, on_note: Callable[[OnNote], None]
) -> None:
    old, seen = rendered(intent), []

    def cut(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.CHECK and how is StepState.BEGUN:
            seen.append((device, stage, site.drained(device)))
            site.cut.add("be-leaf-003")

    on_note(cut)
    intent.write_text(RAW)
    result = push(*COMMIT)
    assert result.exit_code == 4, result.output
    assert seen == [(CANARY, "change", True)]
    assert "reverted: it runs its previous configuration" in result.output
    assert "undrained: it runs its previous configuration" in result.output
    assert not site.drained(CANARY)
    assert is_at(site, old)


def killed(
    intent: Path, *words: str, step: StepName, how: StepState, stage: str, sent: signal.Signals = signal.SIGKILL
) -> None:
    """Run the verb in a process of its own, which gets a signal right after that line of the journal, each time."""
    note, kept = Journal.note, (step, how, stage)

    def noting(self: Journal, run: int, step: StepName, how: StepState, **more: object) -> None:
        note(self, run, step, how, **more)  # type: ignore[arg-type]
        if (step, how, more.get("stage")) == kept:
            os.kill(os.getpid(), sent)

    given = ["push", intent, "-i", intent.parent / "site", *words]
    with patch.object(Journal, "note", noting), warnings.catch_warnings():
        # Later Pythons warn of threads; those here are the doubles', and the fork has no use for them.
        warnings.simplefilter("ignore", DeprecationWarning)
        result = fabricgen(given, 120)
    assert result.returncode == (-signal.SIGKILL if sent is signal.SIGKILL else 130), result.stderr


def test_killed_between_commit_and_confirm_the_next_call_confirms_by_the_sessions_name(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    box = site.switches[CANARY]
    timer = box.timer
    assert timer is not None
    before = len(site.asked(CANARY))
    result = push(*against, *ONE)
    assert result.exit_code == 0, result.output
    assert "run 1 of " in result.output
    asked = site.asked(CANARY)[before:]
    compared = {one.split()[2] for one in asked if one.endswith(" abort")}
    committed = [one for one in asked if compared.isdisjoint(one.split())]
    assert committed == [f"configure session {timer.name} commit", "write memory"]
    assert asked[0].split()[2] in compared  # before it is kept
    assert is_at(site, rendered(intent), (CANARY,))


def test_interrupted_it_ends_what_it_is_at_and_stops_before_the_next_switch(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    intent.write_text(ECN)
    killed(
        intent, *against, *COMMIT, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE, sent=signal.SIGINT
    )  # fmt: skip
    assert is_at(site, rendered(intent), (CANARY,))
    rest = tuple(name for name in NAMES if name != CANARY)
    assert is_at(site, old, rest)
    assert not any(" commit" in one for name in rest for one in site.asked(name))
    assert push(*against, "--devices", "be-spine-*", *COMMIT).exit_code == 0  # a run of its own: the first has ended
    assert is_at(site, rendered(intent), SPINES)


@pytest.mark.long
def test_killed_and_left_alone_the_switch_goes_back_and_the_next_call_pushes_again(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    box = site.switches[CANARY]
    assert box.timer is not None
    box.timer.until = time.monotonic()
    assert is_at(site, old)
    result = push(*against, *ONE)
    assert result.exit_code == 0, result.output
    assert is_at(site, rendered(intent), (CANARY,))


def test_killed_while_drained_it_goes_on_and_brings_the_switch_back(site: Fabric, push: Push, intent: Path) -> None:
    intent.write_text(RAW)
    killed(intent, *ONE, step=StepName.CONFIRM, how=StepState.ENDED, stage=StageName.DRAIN)
    assert site.drained(CANARY)
    result = push(*ONE)
    assert result.exit_code == 0, result.output
    assert is_at(site, rendered(intent), (CANARY,))
    assert not site.drained(CANARY)


def shut(site: Fabric, name: str) -> str:
    """Shut the first port of a switch by hand; the port."""
    box = site.switches[name]
    with box.lock:
        tree = copied(box.running)
        port = next(end.port for end in site._links()[name].values())
        del tree[f"interface {port}"]["no shutdown"]
        tree[f"interface {port}"]["shutdown"] = {}
        box.running = tree
    return port


@pytest.mark.parametrize("is_killed", some([True, False]))
def test_a_port_that_an_operator_shuts_while_a_commit_waits_is_told_when_it_is_undone(
    site: Fabric,
    push: Push,
    intent: Path,
    against: tuple[str, str],
    on_note: Callable[[OnNote], None],
    is_killed: bool,
) -> None:
    old, port = rendered(intent), list[str]()

    def shuts(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.COMMIT and how is StepState.ENDED:
            port.append(shut(site, device))

    intent.write_text(ECN)
    if is_killed:
        killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
        port.append(shut(site, CANARY))
    else:
        on_note(shuts)
    result = push(*against, *ONE)
    assert result.exit_code == 4, result.output
    assert is_at(site, old)
    line = f"interface {port[0]} / shutdown"
    assert (
        f"  1. {CANARY}: added manually while the commit waited, and undone with the revert: "
        f"{line}: add it again if you still want it\n"
    ) in result.stdout
    assert (
        f"{line}, typed manually on {CANARY} while its commit waited, is the likely "
        "cause: the interruption is longer than"
    ) in result.stdout
    shown = json.loads(push("--devices", CANARY, "--show", "--json").stdout)
    assert shown["by_hand"] == [{"device": CANARY, "typed": [line], "removed": [], "unknown": ""}]


def test_a_report_says_how_often_the_run_was_killed_and_typed_again(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    intent.write_text(RAW)
    killed(intent, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.DRAIN)
    assert "typed again" not in push(*ONE[:2], "--show").stdout
    killed(intent, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    result = push(*ONE)
    assert result.exit_code == 0, result.output
    assert re.search(r"\n  interrupted and resumed twice: \S+ \S+ UTC, \S+ \S+ UTC\n", result.stdout), result.stdout
    assert len(json.loads(push(*ONE[:2], "--show", "--json").stdout)["resumed"]) == 2


KILLS = [
    (StepName.COMMIT, StageName.DRAIN),
    (StepName.CONFIRM, StageName.DRAIN),
    (StepName.COMMIT, StageName.CHANGE),
    (StepName.CONFIRM, StageName.CHANGE),
]


@pytest.mark.parametrize(("step", "stage"), some(KILLS, of=4))
def test_killed_while_drained_and_then_failing_it_is_said_that_the_switch_stays_drained(
    site: Fabric, push: Push, intent: Path, on_note: Callable[[OnNote], None], step: StepName, stage: StageName
) -> None:
    """What it ran before, the killed process alone knew: either it is in service again, or an operator is told."""
    intent.write_text(RAW)
    killed(intent, *ONE, step=step, how=StepState.ENDED, stage=stage)
    assert site.drained(CANARY)

    def cut(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.CHECK and how is StepState.BEGUN:
            site.cut.add("be-leaf-003")

    on_note(cut)
    result = push(*ONE)
    assert result.exit_code in (4, 5), result.output
    assert site.drained(CANARY) is ("may still be drained" in result.output)
    assert ("undrained: it runs its previous configuration" in result.output) is not site.drained(CANARY)


LEAF_SECRET = ECN + (
    "raw:\n- {system: eos, fabric: backend, role: leaf, "
    'lines: ["tacacs-server host 10.0.0.7 vrf MGMT key 0 ${env:LEAF_KEY}"], references: ["${env:LEAF_KEY}"]}\n'
)
"""A secret that only leaves have."""


def test_a_run_goes_on_though_fewer_switches_are_named_than_when_it_was_killed(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAF_KEY", "c4n4ry-leaf")
    monkeypatch.setitem(ENVIRONMENT, "LEAF_KEY", "c4n4ry-leaf")
    intent.write_text(LEAF_SECRET)
    accepted = [word for name in LEAVES for word in ("--accept-loss", name)]
    killed(intent, *against, *COMMIT, *accepted, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    result = push(*against, *ONE)
    assert result.exit_code in (0, 1), result.output


def test_after_a_kill_another_intent_is_refused_and_abandoning_frees_the_way(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    intent.write_text(RAW)
    refused = push(*ONE)
    assert refused.exit_code == 1
    assert "push-unfinished" in refused.output
    assert site.switches[CANARY].timer is not None
    result = push(*ONE, "--abandon")
    assert result.exit_code == 0, result.output
    assert (
        f"{CANARY}: the commit of the abandoned run was rolled back; the previous configuration runs again"
        in result.output
    )
    assert site.switches[CANARY].timer is None
    assert is_at(site, rendered(intent), (CANARY,))


FROZEN = 'freeze: [{from: "2020-01-01T00:00Z", until: "2999-01-01T00:00Z", why: "the exam week"}]\n'


def test_a_freeze_that_began_behind_a_kill_keeps_no_switch_drained(
    site: Fabric, push: Push, intent: Path, tmp_path: Path
) -> None:
    """What the killed run was in the middle of is brought to its end, and nothing else begins."""
    old = rendered(intent)
    intent.write_text(RAW)
    killed(intent, *COMMIT, step=StepName.CONFIRM, how=StepState.ENDED, stage=StageName.DRAIN)
    assert site.drained(CANARY)
    (tmp_path / "site/push.yaml").write_text(FROZEN)
    result = push(*COMMIT)
    assert result.exit_code == 130, result.output
    assert "changes are frozen until 2999-01-01 00:00 +0000: the exam week" in result.output
    assert is_at(site, rendered(intent), (CANARY,))
    assert not site.drained(CANARY)
    assert is_at(site, old, tuple(name for name in NAMES if name != CANARY))
    refused = push(*COMMIT)
    assert (refused.exit_code, "push-frozen" in refused.output) == (1, True)


def test_in_a_freeze_a_killed_run_may_be_given_up_and_no_other_begins(
    site: Fabric, push: Push, intent: Path, tmp_path: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    (tmp_path / "site/push.yaml").write_text(FROZEN)
    result = push(*against, *ONE, "--abandon")
    assert (result.exit_code, "push-frozen" in result.output) == (1, True)
    assert site.switches[CANARY].timer is None
    assert is_at(site, old)


def test_a_killed_run_is_not_proven_with_less_than_it_began_with(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    monkeypatch.setattr(push_run, "no_way", lambda *_: "")
    refused = push(*against, *ONE, "--paths")
    assert refused.exit_code == 1
    assert "run 1 was interrupted, and was started without --paths" in refused.output
    assert site.switches[CANARY].timer is not None
    assert push(*against, *ONE).exit_code == 0


def test_packets_are_not_asked_for_where_none_can_be_sent(site: Fabric, push: Push, intent: Path) -> None:
    intent.write_text(ECN)
    for words in ((), COMMIT):
        refused = push(*words, "--paths")
        assert refused.exit_code == 1
        assert "error[push-paths]" in refused.output
        assert "probes can be sent in a lab on this host only" in refused.output
    assert not any(site.asked(name) for name in NAMES)


def test_an_open_session_of_somebody_else_is_named_and_nothing_changes(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    intent.write_text(ECN)
    site.switches[CANARY].sessions["by-hand"] = Session(copied(site.switches[CANARY].running))
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert "open sessions: by-hand" in result.output
    assert list(site.switches[CANARY].sessions) == ["by-hand"]
    assert trees(old) == {name: site.running(name) for name in NAMES}


def test_a_timed_commit_of_somebody_else_is_neither_confirmed_nor_ended(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    box = site.switches[CANARY]
    box.sessions["theirs"] = Session(copied(box.running), box.done)
    box.timer = Timer("theirs", copied(box.running), time.monotonic() + 600)
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert result.exit_code == 1
    assert f"push-locked]: on {CANARY} a commit (theirs) is waiting for confirmation" in result.output
    assert re.search(r"reverts to its previous configuration in (5\d\d|600) s", result.output), result.output
    assert box.timer is not None
    assert site.asked(CANARY) == []


def by_hand(site: Fabric, name: str) -> None:
    """Write a line into what a switch runs."""
    box = site.switches[name]
    with box.lock:
        tree = copied(box.running)
        tree["errdisable recovery cause stuck-queue"] = {}
        box.running = tree


def test_a_timed_commit_of_somebody_else_that_comes_while_it_runs_is_left_alone(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Callable[[OnNote], None]
) -> None:
    other = site.switches["be-spine-00"]

    def comes(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.DONE and device == CANARY:
            other.sessions["theirs"] = Session(copied(other.running), other.done)
            other.timer = Timer("theirs", copied(other.running), time.monotonic() + 600)

    on_note(comes)
    intent.write_text(ECN)
    result = push(*against, "--devices", "be-spine-*", *COMMIT)
    assert result.exit_code == 5, result.output
    assert "not of this run: a commit (theirs) is waiting for confirmation" in result.output
    assert other.timer is not None
    assert not any(" commit" in one for one in site.asked("be-spine-00"))


def test_an_approval_holds_while_nothing_moves_and_is_void_after(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    intent.write_text(ECN)
    shown = push(*against, "--devices", "be-spine-*")
    found = shown.output.partition("approval ")[2].strip()
    assert len(found) == 16
    other = push(*against, "--devices", "be-spine-*", "--floor", "0", *COMMIT, "--approval", found)
    assert other.exit_code == 1
    assert "error[approval-waves]" in other.output
    by_hand(site, "be-spine-00")
    void = push(*against, "--devices", "be-spine-*", *COMMIT, "--approval", found)
    assert void.exit_code == 1
    assert "approval-moved]: be-spine-00: has another running configuration than at the approval" in void.output
    assert not any(" commit" in one for name in NAMES for one in site.asked(name))
    site.switches["be-spine-00"].running = copied(site.switches["be-spine-00"].startup)
    result = push(*against, "--devices", "be-spine-*", *COMMIT, "--approval", found[:8])
    assert result.exit_code == 0, result.output
    assert is_at(site, rendered(intent), SPINES)


def test_a_hand_made_change_after_the_run_began_stops_it_before_that_switch(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Callable[[OnNote], None]
) -> None:
    def hand(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.DONE and device == CANARY:
            by_hand(site, "be-spine-00")

    on_note(hand)
    intent.write_text(ECN)
    result = push(*against, "--devices", "be-spine-*", *COMMIT)
    assert result.exit_code == 5, result.output
    assert "be-spine-00" in result.output
    assert "its running configuration has changed since the approval" in result.output
    assert is_at(site, rendered(intent), (CANARY,))
    assert not any(" commit" in one for one in site.asked("be-spine-00"))


@TLS
def test_a_wrong_password_is_said_and_the_switches_are_asked_nothing(
    site: Fabric, push: Push, intent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intent.write_text(ECN)
    monkeypatch.setenv("EOS_PASSWORD", "another-one-9")
    result = push(*COMMIT)
    assert result.exit_code == 5
    assert "6 of 6 switches cannot be pushed to; nothing was changed" in result.output
    assert result.output.count("(login)") == 6
    assert "another-one-9" not in result.output
    assert all(box.asked == [] for box in site.switches.values())


@TLS
def test_a_connection_lost_while_committing_is_taken_back(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    site.switches[CANARY].hangs_up = "commit timer"
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert is_at(site, old)
    assert push(*against, *ONE).exit_code == 0
    assert is_at(site, rendered(intent), (CANARY,))


def test_a_flash_that_is_full_refuses_the_commit_and_nothing_changes(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    old = rendered(intent)
    site.switches[CANARY].full = True
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert is_at(site, old)


def test_a_flash_that_fills_before_the_confirmation_is_told_as_it_is(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], on_note: Callable[[OnNote], None]
) -> None:
    """EOS has ended the timer by then: the switch runs the change, and starts with what it ran until somebody saves."""

    def fill(step: StepName, how: StepState, device: str, stage: str) -> None:
        site.switches[CANARY].full = step is StepName.CONFIRM and how is StepState.BEGUN

    on_note(fill)
    old = trees(rendered(intent))
    intent.write_text(ECN)
    result = push(*against, *ONE)
    assert result.exit_code == 5, result.output
    assert site.running(CANARY) == trees(rendered(intent))[CANARY]
    assert site.switches[CANARY].startup == old[CANARY]
    assert "nothing was left to revert" not in result.output
    assert "has not saved it" in result.output


def test_a_run_is_shown_again_and_written_down(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str], tmp_path: Path
) -> None:
    intent.write_text(ECN)
    files = [tmp_path / name for name in ("change.md", "change.json", "change.txt")]
    result = push(*against, *ONE, "--json", *(word for path in files for word in ("--report", str(path))))
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert json.loads(files[1].read_text()) == told
    assert CANARY in files[0].read_text()
    assert CANARY in files[2].read_text()
    shown = push("--show", "--json")
    assert (shown.exit_code, json.loads(shown.stdout)) == (0, told)
    with read_journal(tmp_path / "site/push.sqlite") as journal:
        record = journal.last()
        assert record is not None
        assert record.outcome is RunOutcome.DONE
    assert not list((tmp_path / "site").glob("push.sqlite.*[0-9a-f]"))


BLANK = f"""
username admin privilege 15 role network-admin secret sha512 {HASH}
hostname {CANARY}
vrf instance MGMT
interface Management1
   no shutdown
   vrf MGMT
   ip address 10.0.0.17/24
"""


def blank(site: Fabric) -> None:
    """Put a spine in place that was just taken out of its box: no session stands on it."""
    box = site.switches[CANARY]
    with box.lock:
        box.running, box.startup = grown(BLANK), grown(BLANK)


def test_a_spine_on_which_nothing_stands_is_brought_in(site: Fabric, push: Push, intent: Path) -> None:
    """One that was replaced has nothing to drain it with: by leave, as it does not say that no session stands."""
    blank(site)
    result = push(*ONE)
    assert result.exit_code == 5, result.output
    assert f"--accept-loss {CANARY}" in result.output.partition("cannot be drained")[2]
    result = push(*ONE, "--accept-loss", CANARY)
    assert result.exit_code == 0, result.output
    assert is_at(site, rendered(intent))


def test_counters_that_rise_by_a_hitless_change_take_it_back(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    """As EOS documents its counters. Packets that were dropped long ago take nothing back."""
    old, canary = rendered(intent), SPINES[1]
    intent.write_text(ECN)
    (intent.parent / "site/push.yaml").write_text("counters: {window: 1}\n")
    before = site.running(canary)

    def counts(name: str, port: str) -> dict[str, int]:
        del port
        changed = name == canary and site.switches[name].running != before
        return {"drops": 7, "fcs": 2, "stuck": 9 if changed else 0}

    site.counts = counts
    result = push(*against, *COMMIT)
    assert result.exit_code == 4, result.output
    assert f"counters rose during the wave: {canary} port Ethernet1/1: hits of the PFC watchdog " in result.output
    assert is_at(site, old)
    assert "not compared: FEC uncorrectable codewords of " in result.output


def test_what_an_operator_shut_is_not_enabled_again_by_a_push_that_does_not_name_it(
    site: Fabric, push: Push, intent: Path, against: tuple[str, str]
) -> None:
    name, only = LEAVES[0], ("--devices", LEAVES[0], "--accept-loss", LEAVES[0])
    intent.write_text(ECN)
    assert push(*only, *against, *COMMIT).exit_code == 0
    port = site.switches[name].running["interface Ethernet1/1"]
    del port["no shutdown"]
    port["shutdown"] = {}
    intent.write_text(INTENT)
    shown = push(*only, *against)
    line = f"{name}: interface Ethernet1/1 / shutdown"
    assert shown.exit_code == 3, shown.output
    told = re.search(
        rf"note: manual change: {line} \(added; id (\w+)\); --commit is refused unless you add --undo \1", shown.output
    )
    assert told is not None, shown.output
    assert shown.output.count("note: manual change") == 1  # what was there before, `no shutdown`, is no other line
    assert f"or repeat the dry run with --undo {told[1]}\n" in shown.output
    assert "To apply: " not in shown.output  # it would be refused
    refused = push(*only, *against, *COMMIT)
    assert refused.exit_code == 1, refused.output
    assert f"error[push-by-hand]: a line was shut down manually since the last push: {line}" in refused.output
    assert f"--undo {told[1]}" in refused.output
    assert "shutdown" in site.running(name)["interface Ethernet1/1"]
    named = push(*only, *against, "--undo", told[1])
    assert named.exit_code == 3, named.output
    assert f"undoes the manual change: {line}" in named.output
    assert "To apply: " in named.output
    typo = push(*only, *against, "--undo", f"{name}: interface Ethernet1/2 / shutdown")
    assert "push-undo-unknown" in typo.output
