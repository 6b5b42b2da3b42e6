"""A commit after which a switch lets nobody in any more, on doubles of five systems: it is not confirmed.

Where the driver has a session, that goes on and takes the commit back at once. An HTTP API asks for the login at each
request: there the timer takes it back.
"""

import time
from inspect import getclosurevars
from pathlib import Path
from typing import Any
from unittest.mock import patch

import paramiko
import pytest

from fabricgen.push.act import new_login
from fabricgen.push.journal.journal import Journal, read_journal
from fabricgen.push.model import RunOutcome, StepName, StepState
from fabricgen.push.report.model import report
from fabricgen.push.report.text import text
from tests.doubles import eapi_sessions, sonic_ssh, ssh_server
from tests.push.kills import Switch, once
from tests.push.live.test_kills_doubles import WORLDS, World, lines, no_traffic, told

__all__ = ("no_traffic",)


def no_account(world: World, stack: pytest.MonkeyPatch) -> None:
    """New logins are refused from now on."""
    match world.driver:
        case "sonic" | "cumulus":
            server = sonic_ssh._Shell if world.driver == "sonic" else ssh_server._Session
            stack.setattr(server, "check_auth_password", lambda *_: paramiko.AUTH_FAILED)
        case "junos":
            getclosurevars(world.runs).nonlocals["found"].password = "another"  # noqa: S105 - of a double
        case "srlinux":
            world.runs.__self__.refuses = True  # type: ignore[attr-defined]
        case _:
            answered = eapi_sessions.answered
            stack.setattr(
                eapi_sessions, "answered", lambda box, login, who, body: answered(box, "another:login", who, body)
            )


@pytest.mark.parametrize("name", WORLDS)
def test_a_commit_that_removes_its_own_login_is_not_confirmed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_login, "AGAIN_SECONDS", 0.05)
    note = Journal.note
    with WORLDS[name](tmp_path / "world") as world, pytest.MonkeyPatch.context() as stack:
        before = lines(world.runs())

        def noting(journal: Journal, run: int, step: StepName, how: StepState, **more: Any) -> None:  # noqa: ANN401
            note(journal, run, step, how, **more)
            if (step, how) == (StepName.COMMIT, StepState.ENDED):
                no_account(world, stack)

        switch = Switch(folder=tmp_path, site=world.site, state=tmp_path, driver=world.driver)
        with patch.object(Journal, "note", noting):
            assert once(switch, world.wanted) is RunOutcome.FAILED
        with read_journal(switch.journal) as journal:
            record = journal.last()
        assert record is not None
        shown = " ".join("\n".join(text(report(record))).split())
        assert "since this commit no new login is possible" in shown
        assert "keep push in management.users, with the role network-admin and its password or key" in shown
        has_session = name in ("sonic", "cumulus", "junos")
        assert told(switch) == ("back" if has_session else "open")
        last = time.monotonic() + 40
        while lines(world.runs()) != before and not has_session and time.monotonic() < last:
            time.sleep(0.1)
        assert lines(world.runs()) == before
        assert lines(world.starts()) == before
