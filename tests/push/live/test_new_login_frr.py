"""A push over SSH to live FRR, with a real sshd: after the commit the switch lets no new session in.

Once a firewall refuses new connections, once the key is no longer authorized. The session that is open does not notice
either, and takes the commit back.
"""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fabricgen.platforms.base.live.entry import local_address
from fabricgen.push.act import new_login
from fabricgen.push.journal.journal import Journal, read_journal
from fabricgen.push.model import RunOutcome, StepName, StepState
from fabricgen.push.report.model import report
from fabricgen.push.report.text import text
from fabricgen.push.switch.switch import Candidate
from tests.judges import frr as judge
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.napalm_frr.switches import ADDRESS, SOURCE, Server, inside
from tests.push import kills
from tests.push.boxed import at, fleet
from tests.push.kills import Switch, once

NETWORK = "network 10.77.0.0/24"
AFTER = Candidate(fabric.text("leaf1", (NETWORK,)), {})

Managed = tuple[Loaded, Server]


@pytest.fixture(scope="module")
def leaf() -> Iterator[Managed]:
    """One leaf, which this host manages over a cable."""
    if judge.available() is not None:
        pytest.skip(f"judge: {judge.available()}")
    with fabric.wired() as found, switches.managed(found["leaf1"]) as server:
        yield found["leaf1"], server


def site(folder: Path, leaf: Managed) -> Path:
    switch, server = leaf
    folder.mkdir()
    (folder / "hosts.yaml").write_text(f"leaf: {{hostname: {ADDRESS}, username: root, platform: frr}}\n")
    options = {
        "key_file": server.key,
        "known_hosts": server.known,
        "pathspace": switch.namespace,
        "state_dir": folder / "state",
    }
    words = ", ".join(f"{name}: {value}" for name, value in options.items())
    (folder / "defaults.yaml").write_text(
        f"connection_options: {{napalm: {{extras: {{timeout: 15, optional_args: {{{words}}}}}}}}}\n"
    )
    return folder


def firewall(leaf: Managed) -> None:
    """New connections are dropped; packets of one that is open pass."""
    rules = (
        "table inet lockout { chain input { type filter hook input priority 0; ct state established accept; "
        "tcp dport 22 drop; }; }"
    )
    subprocess.run(inside(leaf[0], "nft", rules), check=True, capture_output=True, timeout=60)


def no_key(leaf: Managed) -> None:
    """The key of the push is no longer listed."""
    leaf[1].authorized.write_text("")


@pytest.fixture
def open_again(leaf: Managed) -> Iterator[None]:
    keys = leaf[1].authorized.read_text()
    yield
    leaf[1].authorized.write_text(keys)
    subprocess.run(inside(leaf[0], "nft", "flush ruleset"), check=True, capture_output=True, timeout=60)


@pytest.mark.parametrize(
    ("shut", "fix"),
    [
        (firewall, f"if it is up, add {SOURCE} to management.access.ssh"),
        (no_key, "keep root in management.users, with the role network-admin and its password or key"),
    ],
)
@pytest.mark.usefixtures("open_again")
def test_a_commit_that_shuts_the_door_is_taken_back_over_the_open_session(
    leaf: Managed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shut: Callable[[Managed], None], fix: str
) -> None:
    monkeypatch.setattr(new_login, "AGAIN_SECONDS", 0.1)
    monkeypatch.setattr(kills, "HOLD_SECONDS", 60)
    switch = Switch(folder=tmp_path, site=site(tmp_path / "site", leaf), state=tmp_path)
    note = Journal.note

    def noting(journal: Journal, run: int, step: StepName, how: StepState, **more: Any) -> None:  # noqa: ANN401
        note(journal, run, step, how, **more)
        if (step, how) == (StepName.COMMIT, StepState.ENDED):
            shut(leaf)

    with patch.object(Journal, "note", noting):
        assert once(switch, AFTER) is RunOutcome.FAILED
    with read_journal(switch.journal) as journal:
        record = journal.last()
    assert record is not None
    shown = " ".join("\n".join(text(report(record))).split())
    assert f"since this commit no new login is possible from {SOURCE}" in shown
    assert fix in shown
    assert "reverted: it runs its previous configuration" in shown
    with switches.opened(leaf[0], tmp_path / "site" / "state") as driver:
        assert not driver.has_pending_commit()
        assert NETWORK not in driver.get_config("running")["running"]
        assert NETWORK not in driver.get_config("startup")["startup"]


def test_in_a_namespace_of_this_host_there_is_no_source(
    leaf: Managed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs the push may have come by SSH."""
    monkeypatch.setenv("SSH_CONNECTION", "203.0.113.9 50000 192.0.2.1 22")
    with switches.opened(leaf[0], tmp_path) as driver:
        assert driver.client_address() == ""


def test_where_the_door_stays_open_the_commit_is_kept(leaf: Managed, tmp_path: Path) -> None:
    switch = Switch(folder=tmp_path, site=site(tmp_path / "site", leaf), state=tmp_path)
    assert once(switch, AFTER) is RunOutcome.DONE
    with fleet(switch.site, "frr") as reach:
        entry = at(reach, lambda one: one.entry())
    assert entry == ("ssh", "root", SOURCE)
    assert local_address(ADDRESS) == SOURCE
