"""The double of configuration sessions: what it takes, what it refuses, and how it shows a timer."""

import json
import time
from http.client import HTTPConnection
from typing import Any

import pytest

from tests.doubles.eapi_sessions import switch
from tests.doubles.eos_sessions import COULD_NOT_RUN, NEW, OLD, Switch
from tests.doubles.eos_tree import grown, printed

TEXT = (
    "hostname leaf\ninterface Ethernet1\n   description a\n   no switchport\nrouter bgp 65001\n   router-id 10.0.0.1\n"
)


def ask(box: Switch, *commands: str, style: str = "json") -> Any:  # noqa: ANN401 - of JSON
    """What it answers."""
    connection = HTTPConnection("127.0.0.1", box.port, timeout=10)
    params = {"version": 1, "cmds": ["enable", *commands], "format": style}
    body = {"jsonrpc": "2.0", "method": "runCmds", "params": params, "id": "1"}
    connection.request("POST", "/command-api", json.dumps(body))
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def test_a_text_is_the_same_again() -> None:
    assert grown(printed(grown(TEXT))) == grown(TEXT)
    assert printed(grown(TEXT)).count("\n   ") == 3
    with pytest.raises(ValueError, match="frobnicate"):
        grown("interface Ethernet1\nfrobnicate\n")


def test_an_error_says_which_command_and_keeps_those_before() -> None:
    with switch(TEXT) as box:
        error = ask(box, "configure session s", "interface Ethernet1", "frobnicate", "no switchport")["error"]
        assert error["code"] == 1002
        assert error["message"] == "CLI command 4 of 5 'frobnicate' failed: invalid command"
        assert error["data"] == [{}, {}, {}, {"errors": ["Invalid input (at token 0: 'frobnicate')"]}]
        assert list(box.sessions) == ["s"]
        assert box.running == grown(TEXT)


@pytest.mark.parametrize("command", ["commit", "abort", "commit timer 00:01:00"])
def test_a_session_that_is_not_there_is_refused(command: str) -> None:
    with switch(TEXT) as box:
        assert ask(box, f"configure session none {command}")["error"]["code"] == COULD_NOT_RUN


@pytest.mark.parametrize("release", [OLD, NEW])
def test_a_timer_is_shown_as_its_release_does_and_runs_out(release: str) -> None:
    with switch(TEXT, release=release) as box:
        ask(box, "configure session s", "hostname other", "end")
        assert box.running == grown(TEXT)
        ask(box, "configure session s commit timer 00:00:01")
        shown = ask(box, "show configuration sessions detail")["result"][1]
        assert shown["sessions"]["s"]["state"] == ("committed" if release == NEW else "pendingCommitTimer")
        assert shown.get("commitTimerSessionName") == ("s" if release == NEW else None)
        ask(box, "configure session t", "hostname third", "end")
        assert "error" in ask(box, "configure session t commit timer 00:00:01")
        deadline = time.monotonic() + 20
        while "hostname other" in box.text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert list(ask(box, "show configuration sessions")["result"][1]["sessions"]) == ["t"]
