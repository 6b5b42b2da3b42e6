"""A double of Arista's eAPI: a server on loopback that answers `runCmds` with outputs it was given.

It is no EOS: it knows the commands it has an output for, and refuses every other as EOS does, with code 1002. What it
replays comes from recordings or from forms that a test cites. The envelope and the error are as pyeapi 1.0.4 reads them
(eapilib.EapiConnection.send): the message, and the outputs up to the command that failed, whose own has `errors`. A
login that is refused draws what a switch said in arista-eosplus/pyeapi issue 153.
"""

import base64
import json
import ssl
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.doubles.serving import serving

INVALID_COMMAND = 1002
SESSIONS = "show configuration sessions detail"
NO_SESSION: Mapping[str, object] = {"sessions": {}, "maxSavedSessions": 1, "maxOpenSessions": 5, "mergeOnCommit": False}
"""Where nobody configures (napalm-automation/napalm issue 2166)."""
MANY = 10_000_000
NOT_LET_IN = "Unable to authenticate user: Bad username/password combination"


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """Where it listens, and what it was told.

    asked  version of eAPI, format and command, in order
    heard  "user:password" of each request
    """

    port: int
    asked: list[tuple[object, str, str]] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Says:
    """What it can say. `login`: "user:password" of whom it answers; "" is anyone."""

    objects: Mapping[str, object]
    texts: Mapping[str, str]
    login: str


@contextmanager
def eapi(
    objects: Mapping[str, object], texts: Mapping[str, str], *, tls: Path | None = None, login: str = ""
) -> Iterator[Double]:
    """Serve until the block is left.

    objects, texts  what it says in JSON and in text, by command
    tls             key and certificate; without, it speaks plain HTTP
    login           "user:password" that it lets in; without, anyone's
    """
    says = _Says(objects={SESSIONS: NO_SESSION, **objects}, texts=texts, login=login)
    with _Server(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        double = Double(port=server.server_address[1])
        server.RequestHandlerClass = _handler(says, double)
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            # The handshake is the handler's, so that one client cannot keep the others waiting.
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        with serving(server):
            yield double


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as its base has it
        """Pass over a client that hangs up, as one does that takes the certificate for a wrong one."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _handler(says: _Says, double: Double) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(min(int(self.headers.get("Content-Length", "0")), MANY)))
            user = base64.b64decode(self.headers.get("Authorization", "").removeprefix("Basic ")).decode()
            double.heard.append(user)
            if says.login not in ("", user):
                self.say(HTTPStatus.UNAUTHORIZED, "text/plain", NOT_LET_IN)
                return
            status = HTTPStatus.OK if self.path == "/command-api" else HTTPStatus.NOT_FOUND
            self.say(status, "application/json", json.dumps(_answer(request, says, double)))

        def say(self, status: HTTPStatus, kind: str, text: str) -> None:
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


def _answer(request: Mapping[str, Any], says: _Says, double: Double) -> dict[str, object]:
    """JSON-RPC's answer to one request."""
    envelope: dict[str, object] = {"jsonrpc": "2.0", "id": request["id"]}
    commands, style = request["params"]["cmds"], request["params"]["format"]
    done: list[object] = []
    for at, entry in enumerate(commands, 1):
        command = entry["cmd"] if isinstance(entry, dict) else entry
        double.asked.append((request["params"]["version"], style, command))
        output = _output(command, style, says)
        if output is None:
            message = f"CLI command {at} of {len(commands)} '{command}' failed: invalid command"
            errors = {"errors": [f"Invalid input (privileged mode required) or unknown: '{command}'"]}
            return envelope | {"error": {"code": INVALID_COMMAND, "message": message, "data": [*done, errors]}}
        done.append(output)
    return envelope | {"result": done}


def _output(command: str, style: str, says: _Says) -> object:
    if command == "enable":
        return {}
    if style == "text":
        return {"output": says.texts[command]} if command in says.texts else None
    return says.objects.get(command)
