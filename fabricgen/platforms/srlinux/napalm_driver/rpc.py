"""JSON-RPC as SR Linux speaks it: one request, one connection, one answer or an error.

Source: Nokia's documentation, SR Linux 24.10, System Management Guide, JSON interface
(documentation.nokia.com/srlinux/24-10/books/system-mgmt/json-interface.html), and srl-labs/learn-srlinux at 84c9427,
docs/tutorials/programmability/json-rpc/basics.md, both read 2026-11-22: methods, parameters, errors in an answer of
HTTP 200, Basic authentication.
"""

import base64
import json
import ssl
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from itertools import count
from typing import Any, NamedTuple

from fabricgen.platforms.srlinux.napalm_driver.errors import AnswerError, AwayError, LoginError

PATH = "/jsonrpc"
STATE, RUNNING, TOOLS = "state", "running", "tools"
"""Datastores that are asked, or told to act."""
REPLACE, UPDATE = "replace", "update"

Command = Mapping[str, object]
"""action, path and value of one change."""


class Address(NamedTuple):
    """Where a switch is and how it is talked to. `context` None: plain HTTP."""

    host: str
    port: int
    seconds: int
    context: ssl.SSLContext | None


class Rpc:
    """A switch's JSON-RPC server. Nothing is held between two requests."""

    def __init__(self, address: Address, username: str, password: str) -> None:
        self._address = address
        token = base64.b64encode(f"{username}:{password}".encode()).decode()
        self._headers = {"Content-Type": "application/json", "Authorization": f"Basic {token}"}
        self._numbers = count(1)

    def get(self, asked: Sequence[tuple[str, str]]) -> list[object]:
        """Answers to (datastore, path), in this order."""
        commands = [{"path": path, "datastore": datastore} for datastore, path in asked]
        found = self._call("get", {"commands": commands})
        if len(found) != len(asked):
            raise AnswerError("unable", f"{len(found)} answers to {len(asked)} paths")
        return found

    def validate(self, commands: Sequence[Command]) -> None:
        """Have changes checked, and nothing done."""
        self._call("validate", {"commands": list(commands)})

    def diff(self, commands: Sequence[Command]) -> str:
        """What changes would change, as SR Linux's CLI shows it; "" for nothing."""
        found = self._call("diff", {"commands": list(commands), "output-format": "text"})
        return "\n".join(_text(one) for one in found).strip("\n")

    def set(self, commands: Sequence[Command], seconds: int | None) -> None:
        """Commit changes as one transaction; seconds: until the switch takes it back, unless it is confirmed."""
        params: dict[str, object] = {"commands": list(commands)}
        if seconds is not None:
            params["confirm-timeout"] = seconds
        self._call("set", params)

    def act(self, path: str) -> None:
        """Run an operational command of the datastore `tools`."""
        self._call("set", {"datastore": TOOLS, "commands": [{"action": UPDATE, "path": path}]})

    def run(self, *lines: str) -> int:
        """Run lines of the switch's CLI, in this order and in one session; how many of them it answered."""
        return len(self._call("cli", {"commands": lines, "output-format": "text"}))

    def _call(self, method: str, params: Mapping[str, object]) -> list[object]:
        body = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}
        status, text = self._post(json.dumps(body).encode())
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise LoginError("login", f"{self._address.host}: the switch does not let this user in (HTTP {status})")
        return _result(self._address.host, status, text)

    def _post(self, body: bytes) -> tuple[int, bytes]:
        line = self._connected()
        try:
            line.request("POST", PATH, body=body, headers=self._headers)
            answer = line.getresponse()
            return answer.status, answer.read()
        except (OSError, HTTPException) as error:
            raise AwayError("lost", f"{self._address.host}: went away: {_words(error)}") from None
        finally:
            line.close()

    def _connected(self) -> HTTPConnection:
        host, port, seconds, context = self._address
        line = (
            HTTPConnection(host, port, timeout=seconds)
            if context is None
            else HTTPSConnection(host, port, timeout=seconds, context=context)
        )
        try:
            line.connect()
        except ssl.SSLCertVerificationError as error:
            line.close()
            raise AwayError("host-key", f"{host}: certificate verify failed: {error.verify_message}") from None
        except OSError as error:
            line.close()
            raise AwayError("unreachable", f"{host}: cannot be reached: {_words(error)}") from None
        return line


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _text(found: object) -> str:
    """A result of text: as it is, or in an object (learn-srlinux, json-rpc/basics.md has both)."""
    held: Any = found.get("text", "") if isinstance(found, dict) else found
    return held if isinstance(held, str) else json.dumps(held)


def _result(host: str, status: int, text: bytes) -> list[object]:
    """What an answer holds. An error comes with HTTP 200, too."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) and status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        # Of the web server in front: whether what is behind it has done anything is not known.
        raise AwayError("lost", f"{host}: the JSON-RPC server is away (HTTP {status})")
    if not isinstance(body, dict):
        raise AnswerError("unable", f"{host}: no answer of JSON-RPC (HTTP {status})")
    error, found = body.get("error"), body.get("result")
    if error is not None:
        words = error.get("message") if isinstance(error, dict) else error
        raise AnswerError("refused", f"{host}: {words}")
    if status != HTTPStatus.OK or not isinstance(found, list):
        raise AnswerError("unable", f"{host}: an answer without a result (HTTP {status})")
    return found
