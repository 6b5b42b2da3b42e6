"""`fabricgen push` and `verify` on SR Linux, from the command line to doubles of its JSON-RPC server, over TLS."""

import re
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
from tests.srlinux.push_fabric import ENVIRONMENT, HASH, INTENT, LEAVES, PASSWORD, RAW, Fabric, fabric, planned

FAST = partial(RunSettings, watch=0.0, converge=0.5, quiet=3.0, polls=2, interval=0.05)
"""Times of a run, so that nothing waits for what doubles do at once."""
CANARY = "be-spine-01"
ONE = ("--devices", CANARY, "--commit", "--i-have-tested-this")


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """The intent that the switches run."""
    path = tmp_path / "intent.yaml"
    path.write_text(INTENT)
    return path


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fabric]:
    """The fabric, running what the intent says."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(push_run, "RunSettings", FAST)
    with fabric(tmp_path / "site", planned(INTENT)) as found:
        yield found


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, intent: Path) -> Run:
    """Run a verb. No secret is in what it tells or keeps."""

    def call(verb: str, *words: str) -> Result:
        given = [verb, str(intent), "-i", str(tmp_path / "site"), *words]
        result = CliRunner().invoke(main, given, catch_exceptions=False)
        kept = b"".join(path.read_bytes() for path in (tmp_path / "site").rglob("push.sqlite*") if path.is_file())
        for secret in (HASH, PASSWORD, "$aes1$c4n4rykey"):
            assert secret not in result.output
            assert secret.encode() not in kept
        return result

    return call


def test_a_fabric_in_order_is_verified_and_has_nothing_to_push(site: Fabric, run: Run) -> None:
    verified = run("verify")
    assert verified.exit_code == 0, verified.output
    pushed = run("push")
    assert (pushed.exit_code, pushed.output) == (0, "nothing to push: 6 switches match the intent\n")
    assert not any(site.changes(name) for name in site.switches)


@pytest.mark.long
def test_a_spine_is_drained_changed_and_brought_back(
    site: Fabric, run: Run, intent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []
    note = Journal.note

    def noting(self: Journal, run: int, step: StepName, how: StepState, **more: object) -> None:
        note(self, run, step, how, **more)  # type: ignore[arg-type]
        if step in (StepName.COMMIT, StepName.QUIET, StepName.CONFIRM) and how is StepState.ENDED:
            box = site.switches[CANARY]
            words = ["drained"] if site.drained(CANARY) else []
            words += ["changed"] if "keep out" in str(box.runs()) else []
            words += ["waits"] if box.timer is not None else []
            seen.append((f"{more['stage']} {step}", " ".join(words)))

    monkeypatch.setattr(Journal, "note", noting)
    intent.write_text(RAW)
    result = run("push", *ONE)
    assert result.exit_code == 0, result.output
    assert seen == [
        ("drain commit", "drained waits"), ("drain quiet", "drained waits"), ("drain confirm", "drained"),
        ("change commit", "drained changed waits"), ("change confirm", "drained changed"),
        ("undrain commit", "changed waits"), ("undrain confirm", "changed"),
    ]  # fmt: skip
    box = site.switches[CANARY]
    assert box.runs() == box.startup == planned(RAW)[CANARY][0]
    assert not any(site.changes(leaf) for leaf in LEAVES)
    assert run("push", "--devices", CANARY).output == "nothing to push: 1 switch matches the intent\n"


def test_a_peer_that_has_not_heard_stops_the_drain(
    site: Fabric, run: Run, intent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push_run, "RunSettings", partial(FAST, quiet=0.5))
    site.deaf.add("be-leaf-002")
    intent.write_text(RAW)
    result = run("push", *ONE)
    assert result.exit_code != 0
    assert re.search(r"be-leaf-002 has no route of \S+ with the drain community", result.output), result.output
    box = site.switches[CANARY]
    assert box.runs() == box.startup == planned(INTENT)[CANARY][0]
    assert box.timer is None


def test_a_wrong_password_is_said_and_nothing_is_asked(
    site: Fabric, run: Run, intent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intent.write_text(RAW)
    monkeypatch.setenv("SRL_PASSWORD", "another-one-9")
    result = run("push", *ONE)
    assert result.exit_code == 5
    assert "(login)" in result.output
    assert "another-one-9" not in result.output
    assert all(not box.asked for box in site.switches.values())
