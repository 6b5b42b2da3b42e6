"""What was shown, or begun, at one inventory and with some proofs is done at no other one, and with no others."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.push.journal.journal import read_journal
from fabricgen.push.model import StageName, StepName, StepState
from tests.push.eos.test_push_eos import (  # noqa: F401
    CANARY,
    ONE,
    against,
    intent,
    is_tls,
    killed,
    push,
    site,
)
from tests.push.eos_fabric import ECN, RAW, Fabric, fabric, rendered, trees
from tests.some import LONG, some

Push = Callable[..., Result]


@pytest.fixture
def journal(tmp_path: Path) -> tuple[str, str]:
    """Words that name a journal which two inventories share."""
    return "--journal", str(tmp_path / "shared.sqlite")


@pytest.fixture
def prod(site: Fabric, intent: Path, tmp_path: Path) -> Iterator[Fabric]:  # noqa: F811
    """Switches of the same names, at another inventory, which run the same."""
    with fabric(tmp_path / "prod", rendered(intent), is_tls=False) as found:
        yield found


@pytest.fixture
def push_there(prod: Fabric, intent: Path, tmp_path: Path) -> Push:  # noqa: F811
    """Run the verb at the other inventory."""

    def call(*words: str) -> Result:
        given = ["push", str(intent), "-i", str(tmp_path / "prod"), *words]
        return CliRunner().invoke(main, given, catch_exceptions=False)

    return call


def approval_of(shown: Result) -> str:
    """The approval that a dry run prints."""
    assert shown.exit_code == 3, shown.output
    found = re.search(r"approval (\w{16})", shown.output)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("words", [(), pytest.param(("--abandon",), marks=LONG)], ids=["goes on", "abandoned"])
def test_a_killed_run_goes_on_at_no_other_inventory(  # noqa: PLR0917
    site: Fabric,  # noqa: F811
    prod: Fabric,
    push: Push,  # noqa: F811
    push_there: Push,
    intent: Path,  # noqa: F811
    against: tuple[str, str],  # noqa: F811
    journal: tuple[str, str],
    words: tuple[str, ...],
    tmp_path: Path,
) -> None:
    old = trees(rendered(intent))
    intent.write_text(ECN)
    killed(intent, *against, *journal, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    refused = push_there(*against, *journal, *ONE, *words)
    assert (refused.exit_code, "error[push-unfinished]" in refused.output) == (1, True), refused.output
    assert f"use -i {tmp_path / 'site'} to resume or --abandon it" in refused.output
    assert {name: prod.running(name) for name in old} == old
    with read_journal(tmp_path / "shared.sqlite") as read:
        assert read.unfinished() is not None
    assert push(*against, *journal, *ONE).exit_code == 0


def test_a_link_to_the_inventory_is_the_same_inventory(
    site: Fabric,  # noqa: F811
    intent: Path,  # noqa: F811
    against: tuple[str, str],  # noqa: F811
    tmp_path: Path,
) -> None:
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    (tmp_path / "link").symlink_to(tmp_path / "site")
    given = ["push", str(intent), "-i", str(tmp_path / "link"), *against, *ONE]
    done = CliRunner().invoke(main, given, catch_exceptions=False)
    assert done.exit_code == 0, done.output


def test_an_approval_of_one_inventory_is_none_of_another(  # noqa: PLR0917
    site: Fabric,  # noqa: F811
    prod: Fabric,
    push: Push,  # noqa: F811
    push_there: Push,
    intent: Path,  # noqa: F811
    against: tuple[str, str],  # noqa: F811
    journal: tuple[str, str],
    tmp_path: Path,
) -> None:
    old = prod.running(CANARY)
    intent.write_text(ECN)
    approval = approval_of(push(*against, *journal, "--devices", CANARY))
    with (tmp_path / "prod/defaults.yaml").open("a") as file:
        file.write("data: {approval: {hours: 1}}\n")
    refused = push_there(*against, *journal, *ONE, "--approval", approval)
    assert (refused.exit_code, "error[approval-waves]" in refused.output) == (1, True), refused.output
    assert "one of these is different: the inventory" in refused.output
    assert prod.running(CANARY) == old


@pytest.mark.parametrize("words", [("--quiet-below", "999999999"), ("--floor", "0"), ("--soak", "0")])
def test_an_approval_is_of_the_proofs_that_were_shown(
    site: Fabric,  # noqa: F811
    push: Push,  # noqa: F811
    intent: Path,  # noqa: F811
    words: tuple[str, ...],
) -> None:
    old = site.running(CANARY)
    intent.write_text(RAW)
    approval = approval_of(push("--devices", CANARY))
    refused = push(*ONE, "--approval", approval, *words)
    assert (refused.exit_code, "error[approval-waves]" in refused.output) == (1, True), refused.output
    assert words[0] in refused.output
    assert site.running(CANARY) == old


@pytest.mark.parametrize("word", some(["--floor=0", "--soak=0", "--quiet-below=999999999"]))
def test_a_killed_run_goes_on_with_the_proofs_that_it_began_with(
    site: Fabric,  # noqa: F811
    push: Push,  # noqa: F811
    intent: Path,  # noqa: F811
    against: tuple[str, str],  # noqa: F811
    word: str,
) -> None:
    intent.write_text(ECN)
    killed(intent, *against, *ONE, step=StepName.COMMIT, how=StepState.ENDED, stage=StageName.CHANGE)
    waits = site.switches[CANARY].timer
    assert waits is not None
    refused = push(*against, *ONE, word)
    assert (refused.exit_code, "error[push-unfinished]" in refused.output) == (1, True), refused.output
    assert word.partition("=")[0] in refused.output
    assert site.switches[CANARY].timer is waits
    assert push(*against, *ONE).exit_code == 0
