"""What drivers raise, and what is told of it: the kind that it is of, and no secret."""

import json

import pytest
from napalm.base import exceptions as napalm
from pyeapi import eapilib

from fabricgen.platforms.base.live.commit_operations import CommitOperationError
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS
from fabricgen.push.switch.errors import kind_of
from fabricgen.push.switch.redact import hidden_in, reason, shown
from fabricgen.verify.collect.redact_outputs import redacted

OPENING = [
    ("frr", napalm.ConnectAuthError("leaf: login refused for user push"), "login"),
    ("frr", napalm.ConnectionException("leaf: its host key is not the one in known_hosts"), "host-key"),
    ("frr", napalm.ConnectionException("leaf: no SSH connection: Server 'x' not found in known_hosts"), "host-key"),
    ("frr", napalm.ConnectTimeoutError("leaf: no connection within 5 s"), "unreachable"),
    ("frr", napalm.ConnectionException("leaf: no SSH connection: refused"), "unreachable"),
    ("eos", eapilib.ConnectionError("https", "Unauthorized. Whatever it says"), "login"),
    ("eos", napalm.CommandErrorException("{'x': 'Unable to execute … Unable to authenticate user: Bad'}"), "login"),
    ("nxos", OSError("[SSL] certificate verify failed"), "host-key"),
    ("eos", eapilib.ConnectionError("https", "Socket error during eAPI connection: refused"), "unreachable"),
    ("eos", eapilib.ConnectionError("https", "Socket error: [SSL] certificate verify failed"), "host-key"),
    ("eos", napalm.UnsupportedVersion("4.20"), "unable"),
    ("eos", ValueError("what nobody knows"), "unreachable"),
    ("nxos", napalm.ConnectionException("Cannot connect to leaf"), "unreachable"),
]  # fmt: skip

OPEN = [
    ("frr", napalm.LockError("leaf: another commit runs"), "locked"),
    ("frr", napalm.CommitError("leaf: a commit lies there that nobody ended, as its guard is gone"), "locked"),
    ("frr", napalm.CommitError("leaf: the startup file could not be written, so what ran was put back"), "unsaved"),
    ("frr", napalm.CommitError("the folder /x cannot be written; is its disk full? ()"), "unsaved"),
    ("frr", napalm.CommitError("leaf: is its disk full? (); what ran before could not be put back whole"), "lost"),
    ("frr", napalm.CommitError("leaf: x; the switch is out of reach, and puts back"), "lost"),
    ("frr", napalm.CommitError("leaf: FRR did not come to 'x'; what ran before was put back"), "refused"),
    ("frr", napalm.CommitConfirmException("leaf: no commit waits for confirmation"), "gone"),
    ("frr", napalm.ReplaceConfigException("leaf: line 3"), "refused"),
    ("frr", napalm.CommandTimeoutException("leaf: no answer within 5 s"), "lost"),
    ("frr", napalm.ConnectionException("leaf: connection lost"), "lost"),
    ("eos", napalm.SessionLockedException("Session is already in use"), "locked"),
    ("eos", napalm.CommitError("Pending commit confirm already in process!"), "locked"),
    ("eos", napalm.CommitError("No pending commit-confirm found!"), "gone"),
    ("eos", eapilib.CommandError(1000, "command 2 'copy startup-config flash:rollback-0' failed: x"), "unsaved"),
    ("eos", eapilib.CommandError(1000, "CLI command 3 of 3 'write memory' failed: could not run command"), "unsaved"),
    ("eos", eapilib.CommandError(1002, "CLI command 4 of 9 'x' failed: invalid command"), "refused"),
    ("eos", NotImplementedError("Commit message not implemented for this platform"), "unable"),
    ("nxos", napalm.ReplaceConfigException("Rollback file 'rollback_config.txt' does not exist on device."), "gone"),
    ("nxos", napalm.CommandErrorException("Unable to save running-config to startup-config!"), "unsaved"),
    ("nxos", ConnectionResetError("reset"), "lost"),
    ("junos", napalm.CommitConfirmException("For Junos devices revert_in must be a multiple of 60"), "unable"),
    ("junos", CommitOperationError("gone", "no commit waits"), "gone"),
    ("junos", ValueError("what nobody knows"), "lost"),
]  # fmt: skip


@pytest.mark.parametrize(("driver", "error", "kind"), OPENING, ids=str)
def test_while_a_switch_is_opened(driver: str, error: Exception, kind: str) -> None:
    assert kind_of(error, COMMIT_OPERATIONS[driver].patterns, "lost", opening=True) == kind


@pytest.mark.parametrize(("driver", "error", "kind"), OPEN, ids=str)
def test_while_a_switch_is_open(driver: str, error: Exception, kind: str) -> None:
    assert kind_of(error, COMMIT_OPERATIONS[driver].patterns, "lost", opening=False) == kind


def test_a_reason_is_one_short_line_without_secrets() -> None:
    said = "CLI command 3 of 9 'username x secret 0 hunter2' failed\n with c4n4ry and pw and spw " + "x" * 400
    found = reason(ValueError(said), ["c4n4ry", "pw", ""])
    assert "\n" not in found
    assert len(found) < 320
    assert not {"hunter2", "c4n4ry"} & set(found.replace("'", " ").split())
    assert " spw " in found
    assert " pw " not in found
    assert reason(ValueError(), []) == "ValueError"


TREE = {
    "SNMP_COMMUNITY": {"c4n4ry-key": {"TYPE": "RO"}},
    "NTP_KEY": {"1": {"value": 'c4n4ry-"value', "type": "md5"}},
    "tls": {"server-profile": [{"name": "fabric", "key": "c4n4ry-line\nc4n4ry-more"}]},
    "raw": "router bgp 65001\n neighbor 10.0.0.1 password c4n4ry-raw\n",
}
"""Secrets that only what stands around them tells."""
HELD = [
    (json.dumps(TREE), {"c4n4ry-key", 'c4n4ry-"value', 'c4n4ry-\\"value', "c4n4ry-line\nc4n4ry-more", "c4n4ry-raw"}),
    ("snmp-server:\n  readonly-community:\n    c4n4ry:\n      access: {}\n", {"c4n4ry"}),
    ("snmp {\n    community c4n4ry {\n        authorization read-only;\n    }\n}\n", {"c4n4ry"}),
]


@pytest.mark.parametrize(("text", "secrets"), HELD, ids=["json", "yaml", "braces"])
def test_secrets_that_their_place_tells_are_found(text: str, secrets: set[str]) -> None:
    for found in (hidden_in(text), hidden_in(text.replace(", ", ",\n"))):
        assert set(found) >= secrets
        assert not {word for word in found if "c4n4ry" not in word}


def test_secrets_of_a_configuration_are_found_and_masked() -> None:
    text = "username x secret sha512 $6$abc\nrouter bgp 65001\n   neighbor 10.0.0.1 password 0 hunter2\n"
    assert hidden_in(text) == ("$6$abc", "hunter2")
    assert redacted("neighbor said hunter2", hidden_in(text)) == "neighbor said <removed>"
    # What counts as a secret at the beginning of a line only does so behind the sign of a difference too.
    assert "s3cr3t" not in shown("+   secret NAME 0 s3cr3t\n-   secret NAME 0 s3cr3t\n")
    assert shown("+ router bgp 65001\n") == "+ router bgp 65001\n"
