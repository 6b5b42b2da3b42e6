"""`prove-platform` on real FRR in a lab: every claim is tried, and whatever happens the switch is as it was."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from fabricgen.lab.operate.run import run
from fabricgen.prove.bundle import open_bundle, replayed
from tests.lab.pushing import Pushing, pushing
from tests.lab.sites import available, fabricgen
from tests.lab.test_drain_live import SPINES, Site, site

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

NAME = SPINES[0]
SECONDS, LIMIT = 900, 20
UNTRIED = {"secrets", "confirm", "replace"}


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    with pushing(site, tmp_path) as found:
        yield found


@pytest.fixture
def hasty(lab: Pushing) -> Path:
    """An inventory of the lab whose switches do not wait long for a client that is gone."""
    folder = lab.folder / "hasty"
    shutil.copytree(lab.inventory, folder)
    hosts = yaml.safe_load((folder / "hosts.yaml").read_text())
    for row in hosts.values():
        row["connection_options"]["napalm"]["extras"]["optional_args"]["commit_seconds"] = LIMIT
    (folder / "hosts.yaml").write_text(yaml.safe_dump(hosts))
    return folder


def words(lab: Pushing, inventory: Path, *more: object) -> list[str]:
    return fabricgen("prove-platform", lab.site.intent, "-i", inventory, "--device", NAME, "--hold", 12, *more)


def typed(lab: Pushing, inventory: Path, *more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words(lab, inventory, *more), capture_output=True, text=True, timeout=SECONDS, check=False, cwd=lab.folder
    )


def becomes(is_so: object, seconds: float) -> bool:
    last = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]
        if time.monotonic() > last:
            return False
        time.sleep(0.2)
    return True


def test_a_spine_goes_through_all_of_it_and_no_other_switch_is_changed(lab: Pushing, hasty: Path) -> None:
    before = lab.configs()
    port = next(row.name for row in lab.site.lab.devices if row.name == NAME)
    ports = [row.name for device in lab.site.lab.devices if device.name == port for row in device.interfaces.ethernet]
    peer = next(
        row.address for device in lab.site.lab.devices if device.name == NAME for row in device.routing.bgp.neighbors
    )
    out = lab.folder / "bundle.tar.gz"
    done = typed(lab, hasty, "--commit", "--port", ports[0], "--session", peer, "-o", out)
    assert done.returncode == 0, done.stdout + done.stderr
    assert lab.configs() == before
    bundle = open_bundle(out)
    rows = json.loads(json.dumps(bundle.manifest["claims"]))
    found = {row["trial"]: row["outcome"] for row in rows}
    assert {trial for trial, outcome in found.items() if outcome != "held"} == UNTRIED, done.stdout
    assert replayed(bundle) == ()


def test_a_proof_that_is_killed_leaves_a_commit_that_goes_back_and_a_word_that_the_next_one_reads(
    lab: Pushing, hasty: Path
) -> None:
    before = lab.configs()
    with subprocess.Popen(
        words(lab, hasty, "--commit", "-o", lab.folder / "never"), cwd=lab.folder, stdout=subprocess.DEVNULL
    ) as child:
        try:
            assert becomes(lambda: lab.waits(NAME), 120)
        finally:
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
    assert lab.has(NAME, "FABRICGEN-PROVE")[0]
    assert becomes(lambda: lab.configs() == before, 120)
    refused = typed(lab, hasty)
    assert (refused.returncode, "error[prove-busy]" in refused.stderr) == (1, True), refused.stderr
    assert "where it was killed, --take-over goes ahead" in refused.stderr
    shown = typed(lab, hasty, "--take-over", "--skip", "kill", "--skip", "kill-committing", "--commit")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert lab.configs() == before


def test_where_the_guard_is_killed_the_claim_does_not_hold_and_what_ran_is_put_back(lab: Pushing, hasty: Path) -> None:
    """What would put it back by itself is gone: the one thing that a timed commit rests on."""
    before = lab.configs()
    skip = [word for name in ("kill", "kill-committing", "whole", "drain", "revert") for word in ("--skip", name)]
    with subprocess.Popen(
        words(lab, hasty, "--commit", "-o", lab.folder / "lost", *skip),
        cwd=lab.folder,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert becomes(lambda: lab.waits(NAME), 120)
        guard = run(lab.site.folder, NAME, ["cat", "/run/napalm-frr/guard.pid"]).stdout.strip()
        assert run(lab.site.folder, NAME, ["kill", "-KILL", str(guard)]).returncode == 0
        said, _ = child.communicate(timeout=SECONDS)
    assert child.returncode == 4, said
    rows = open_bundle(lab.folder / "lost").manifest["claims"]
    found = {row["trial"]: row["outcome"] for row in json.loads(json.dumps(rows))}
    assert (found["timer"], found["restored"]) == ("did not hold", "held"), said
    assert lab.configs() == before
