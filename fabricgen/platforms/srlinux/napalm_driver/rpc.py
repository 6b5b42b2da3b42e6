"""SR Linux's JSON-RPC: one request per connection, one answer or an error.

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
"""Datastores to read, and the one for operational commands."""
REPLACE, UPDATE = "replace", "update"

Command = Mapping[str, object]
"""Action, path and value of one change."""


class Address(NamedTuple):
    """Address, timeout and TLS settings of a switch. `context` None: plain HTTP."""

    host: str
    port: int
    seconds: int
    context: ssl.SSLContext | None


class Rpc:
    """A switch's JSON-RPC server. No state is kept between two requests."""

    def __init__(self, address: Address, username: str, password: str) -> None:
        self._address = address
        token = base64.b64encode(f"{username}:{password}".encode()).decode()
        self._headers = {"Content-Type": "application/json", "Authorization": f"Basic {token}"}
        self._numbers = count(1)

    def get(self, queries: Sequence[tuple[str, str]]) -> list[object]:
        """Return answers to (datastore, path), in this order."""
        commands = [{"path": path, "datastore": datastore} for datastore, path in queries]
        answers = self._call("get", {"commands": commands})
        if len(answers) != len(queries):
            raise AnswerError("unable", f"{len(answers)} answers to {len(queries)} paths")
        return answers

    def validate(self, commands: Sequence[Command]) -> None:
        """Validate changes without applying them."""
        self._call("validate", {"commands": list(commands)})

    def diff(self, commands: Sequence[Command]) -> str:
        """Return what changes would do, as SR Linux's CLI prints it; "" for nothing."""
        results = self._call("diff", {"commands": list(commands), "output-format": "text"})
        return "\n".join(_text(result) for result in results).strip("\n")

    def set(self, commands: Sequence[Command], seconds: int | None) -> None:
        """Commit changes as one transaction. seconds: time until the switch reverts it unless it is confirmed."""
        params: dict[str, object] = {"commands": list(commands)}
        if seconds is not None:
            params["confirm-timeout"] = seconds
        self._call("set", params)

    def act(self, path: str) -> None:
        """Run an operational command of the datastore `tools`."""
        self._call("set", {"datastore": TOOLS, "commands": [{"action": UPDATE, "path": path}]})

    def run(self, *lines: str) -> int:
        """Run lines of the switch's CLI, in this order and in one session; return how many of them it answered."""
        return len(self._call("cli", {"commands": lines, "output-format": "text"}))

    def _call(self, method: str, params: Mapping[str, object]) -> list[object]:
        body = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}
        status, text = self._post(json.dumps(body).encode())
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise LoginError("login", f"{self._address.host}: the switch does not let this user in (HTTP {status})")
        return _result(self._address.host, status, text)

    def _post(self, body: bytes) -> tuple[int, bytes]:
        connection = self._connected()
        try:
            connection.request("POST", PATH, body=body, headers=self._headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, HTTPException) as error:
            raise AwayError("lost", f"{self._address.host}: went away: {_words(error)}") from None
        finally:
            connection.close()

    def _connected(self) -> HTTPConnection:
        host, port, seconds, context = self._address
        connection = (
            HTTPConnection(host, port, timeout=seconds)
            if context is None
            else HTTPSConnection(host, port, timeout=seconds, context=context)
        )
        try:
            connection.connect()
        except ssl.SSLCertVerificationError as error:
            connection.close()
            raise AwayError("host-key", f"{host}: certificate verify failed: {error.verify_message}") from None
        except OSError as error:
            connection.close()
            raise AwayError("unreachable", f"{host}: cannot be reached: {_words(error)}") from None
        return connection


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _text(result: object) -> str:
    """Return a text result, which is a string or an object with a text (learn-srlinux, json-rpc/basics.md has both)."""
    content: Any = result.get("text", "") if isinstance(result, dict) else result
    return content if isinstance(content, str) else json.dumps(content)


def _result(host: str, status: int, text: bytes) -> list[object]:
    """Return the result of an answer. Errors may come with HTTP 200 too."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) and status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        # The web server answered, so whether the JSON-RPC server has done anything is unknown.
        raise AwayError("lost", f"{host}: the JSON-RPC server is away (HTTP {status})")
    if not isinstance(body, dict):
        raise AnswerError("unable", f"{host}: no answer of JSON-RPC (HTTP {status})")
    error, result = body.get("error"), body.get("result")
    if error is not None:
        message = error.get("message") if isinstance(error, dict) else error
        raise AnswerError("refused", f"{host}: {message}")
    if status != HTTPStatus.OK or not isinstance(result, list):
        raise AnswerError("unable", f"{host}: an answer without a result (HTTP {status})")
    return result
