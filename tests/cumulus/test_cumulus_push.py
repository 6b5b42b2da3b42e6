"""`fabricgen push` on Cumulus Linux, from the command line to the switch: our driver, over SSH.

Behind it stand doubles of NVUE (tests/cumulus/push_fabric.py): no switch was at hand, so a push to one is unproven.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.push import run as push_run
from fabricgen.push.act.work import RunSettings
from fabricgen.push.journal.journal import Journal
from fabricgen.push.model import StepName, StepState
from tests.cumulus.push_fabric import (
    ENVIRONMENT,
    HASH,
    INTENT,
    LEAVES,
    NAMES,
    PASSWORD,
    RAW,
    Fabric,
    fabric,
    rendered,
)
from tests.doubles.cumulus_nvue import paths

FAST = partial(RunSettings, watch=0.0, converge=0.5, quiet=1.5, polls=2, interval=0.2)
"""Times of a run, so that nothing waits for what doubles do at once."""
COMMIT = ("--commit", "--i-have-tested-this")
CANARY = "be-spine-01"
LEAF = ("system", "message", "pre-login", "in-change")
Push = Callable[..., Result]
OnNote = Callable[[StepName, StepState, str, str], None]


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """The intent that the switches run."""
    path = tmp_path / "intent.yaml"
    path.write_text(INTENT)
    return path


@pytest.fixture
def site(tmp_path: Path, intent: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fabric]:
    """The fabric, running what the intent says."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(push_run, "RunSettings", FAST)
    with fabric(tmp_path / "site", rendered(intent)) as found:
        yield found


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


def is_at(site: Fabric, texts: dict[str, str]) -> bool:
    """Whether all switches run and start with these texts, and nothing waits on any."""
    return all(
        site.applied(name) == set(paths(texts[name])) == set(paths(site.switches[name].startup))
        and site.switches[name].waiting() is None
        and site.switches[name].pending is None
        for name in NAMES
    )


def test_where_all_run_what_the_intent_says_there_is_nothing_to_push(site: Fabric, push: Push) -> None:
    result = push()
    assert (result.exit_code, result.output) == (
        0,
        f"nothing to push: {len(NAMES)} switches match the intent\n",
    )
    assert not any(site.asked(name) for name in NAMES)
    assert all(site.switches[name].pending is None for name in NAMES)


def test_a_spine_is_drained_before_what_may_lose_packets(
    site: Fabric, push: Push, intent: Path, on_note: Callable[[OnNote], None]
) -> None:
    seen: list[tuple[str, str]] = []

    def look(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step in (StepName.COMMIT, StepName.CONFIRM) and how is StepState.ENDED:
            words = ["drained"] if site.drained(device) else []
            words += ["changed"] if LEAF in site.applied(device) else []
            words += ["waits"] if site.switches[device].waiting() is not None else []
            seen.append((f"{device} {stage} {step}", " ".join(words)))

    on_note(look)
    old = rendered(intent)
    intent.write_text(RAW)
    untested = push("--commit")
    assert untested.exit_code != 0
    assert "i-have-tested-this" in untested.output
    result = push("--devices", CANARY, *COMMIT)
    assert result.exit_code == 0, result.output
    assert seen == [
        (f"{CANARY} {stage} {step}", words)
        for stage, step, words in (
            ("drain", "commit", "drained waits"),
            ("drain", "confirm", "drained"),
            ("change", "commit", "drained changed waits"),
            ("change", "confirm", "drained changed"),
            ("undrain", "commit", "changed waits"),
            ("undrain", "confirm", "changed"),
        )
    ]
    assert is_at(site, old | {CANARY: rendered(intent)[CANARY]})
    for leaf in LEAVES:
        assert not site.asked(leaf)
        assert any("community 65535:0" in one for one in site.switches[leaf].asked)
    # 240 s, and as long as the drain may take: 1.5 s here; in whole minutes.
    applied = [one for one in site.asked(CANARY) if "--confirm " in one]
    assert [one.split()[5] for one in applied] == ["5", "4", "4"]


def test_a_change_that_breaks_sessions_goes_back_and_nothing_beyond_it_changes(
    site: Fabric, push: Push, intent: Path, on_note: Callable[[OnNote], None]
) -> None:
    old = rendered(intent)

    def cut(step: StepName, how: StepState, device: str, stage: str) -> None:
        if step is StepName.CHECK and how is StepState.BEGUN and stage == "change":
            site.cut.add(LEAVES[1])

    on_note(cut)
    intent.write_text(RAW)
    result = push(*COMMIT)
    assert result.exit_code != 0, result.output
    assert "are all down" in result.output, result.output
    assert is_at(site, old)
    assert not site.asked("be-spine-00")
    answers = [one.split()[4] for one in site.asked(CANARY) if "--confirm-" in one]
    assert answers == ["--confirm-yes", "--confirm-no"]  # drained; changed, and back; then in service again for good
    assert "--confirm" not in site.asked(CANARY)[-2]


def test_a_foreign_commit_that_waits_is_left_alone(site: Fabric, push: Push, intent: Path) -> None:
    box = site.switches[CANARY]
    words = ["nv", "config", "apply", "--assume-yes", "--confirm", "9", "-m", "by hand"]
    box.run(["sh", "-c", 'nv config "$0"', "patch"], "- set:\n    system: {timezone: Etc/UTC}\n")
    box.run(words, "")
    asked = len(site.asked(CANARY))
    intent.write_text(RAW)
    result = push("--devices", CANARY, *COMMIT)
    assert result.exit_code != 0
    assert "wait" in result.output
    assert len(site.asked(CANARY)) == asked
    waits = box.waiting()
    assert waits is not None
    assert waits.message == "by hand"
