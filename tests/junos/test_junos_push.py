"""`fabricgen push` on Junos, from the command line to NETCONF: NAPALM's driver and PyEZ as they are, over doubles.

No real Junos was at hand, which is why a push to it is unproven.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.push import run as push_run
from fabricgen.push.act.work import RunSettings
from tests.doubles.junos_netconf import Tree
from tests.junos.pushed import ENVIRONMENT, HASH, INTENT, LEAVES, PASSWORD, RAW, SPINES, Fabric, fabric, trees

FAST = partial(RunSettings, watch=0.0, converge=0.5, quiet=1.0, polls=2, interval=0.05)
"""Times of a run, so that nothing waits for what doubles do at once."""
COMMIT = ("--commit", "--i-have-tested-this")
Push = Callable[..., Result]
Commit = Callable[[Tree, str, int | None], None]


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
    with fabric(tmp_path / "site") as found:
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


def test_where_all_run_what_the_intent_says_there_is_nothing_to_push(site: Fabric, push: Push) -> None:
    result = push()
    assert (result.exit_code, result.output) == (0, "nothing to push: 5 switches match the intent\n")
    assert all(one.holder is None for one in site.switches.values())


def test_the_other_verbs_read_it_too(site: Fabric, tmp_path: Path, intent: Path) -> None:
    """Verify finds nothing until a line is away; the difference to what is live names it, too."""
    words = (str(intent), "-i", str(tmp_path / "site"))
    result = CliRunner().invoke(main, ["verify", *words, "--retry", "0"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    del site.switches["fe-leaf-000"].active["protocols"]["bgp"]["precision-timers"]
    result = CliRunner().invoke(main, ["verify", *words, "--retry", "0"], catch_exceptions=False)
    assert result.exit_code == 4, result.output
    assert "precision-timers" in result.output
    result = CliRunner().invoke(main, ["diff", str(intent), "--against", "live", *words[1:]], catch_exceptions=False)
    assert "precision-timers" in result.output
    assert PASSWORD not in result.output


@pytest.mark.long
def test_a_spine_is_drained_changed_and_brought_back(site: Fabric, push: Push, intent: Path) -> None:
    old, new = trees(INTENT), trees(RAW)
    seen: list[tuple[str, bool]] = []
    for name in SPINES:
        switch = site.switches[name]
        commit = switch.commit

        def look(tree: Tree, log: str, minutes: int | None, name: str = name, plain: Commit = commit) -> None:
            plain(tree, log, minutes)
            seen.append((name, site.drained(name)))

        switch.commit = look  # type: ignore[method-assign]
    intent.write_text(RAW)
    result = push(*COMMIT)
    assert result.exit_code == 0, result.output
    assert {name: one.active for name, one in site.switches.items()} == new
    assert seen == [(name, at < 2) for name in (SPINES[2], *SPINES[:2]) for at in range(3)]
    for leaf in LEAVES:
        assert new[leaf] == old[leaf]
        assert not [call for call in site.switches[leaf].asked if call.startswith("commit-configuration")]
    for spine in SPINES:
        one = site.switches[spine]
        assert [call for call in one.asked if "action=set" in call]
        assert (one.deadline, one.holder) == (None, None)


def test_a_peer_that_has_not_heard_stops_the_drain(site: Fabric, push: Push, intent: Path) -> None:
    old = trees(INTENT)
    site.deaf.add("fe-leaf-001")
    intent.write_text(RAW)
    result = push(*COMMIT)
    assert result.exit_code != 0
    assert re.search(r"fe-leaf-001 has no route of \S+ with the drain community", result.output), result.output
    assert {name: one.active for name, one in site.switches.items()} == old


def test_it_is_unproven_and_says_so(site: Fabric, push: Push, intent: Path) -> None:
    intent.write_text(RAW)
    result = push("--commit")
    assert result.exit_code != 0
    assert "push to Juniper Junos was tested on simulated switches only" in result.output
    assert not [call for one in site.switches.values() for call in one.asked if call.startswith("commit")]


def test_a_change_that_breaks_sessions_goes_back(site: Fabric, push: Push, intent: Path) -> None:
    old, canary = trees(INTENT), site.switches["fe-spine-02"]
    commit = canary.commit

    def cut(tree: Tree, log: str, minutes: int | None) -> None:
        commit(tree, log, minutes)
        if " change " in log:
            site.cut.add("fe-spine-02")

    canary.commit = cut  # type: ignore[method-assign]
    intent.write_text(RAW)
    result = push(*COMMIT)
    assert result.exit_code == 4, result.output
    link = "sessions with fe-spine-02 (cabled to fe-spine-02 et-0/0/0) are all down"
    assert f"1. fix fe-leaf-000: {link}, with 1 consequence" in result.output
    assert {name: one.active for name, one in site.switches.items()} == old
