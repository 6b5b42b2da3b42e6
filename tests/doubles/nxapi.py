"""A double of NX-API: a server on loopback that speaks JSON-RPC as NAPALM's driver reads it, and keeps a configuration.

It is no NX-OS. The envelope, `msg` of text and `body` of objects, and the error with `data.msg` are as napalm 5.2.0
takes them (nxapi_plumbing/api_client.py); commands that change something are those that it sends (nxos/nxos.py). Lines
are put under those above them by their indentation, where NX-OS goes by its modes. What it shows is given to it by
command; every other is refused.
"""

import base64
import json
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

MANY = 10_000_000
INVALID = "% Invalid command\n"
QUIET = ("terminal dont-ask", "no terminal dont-ask")
SAVED = "[####################] 100%\nCopy complete, now saving to disk (please wait)...\nCopy complete.\n"
"""As public transcripts of NX-OS have it."""
HEAD = "!Command: show running-config\n!Time: Thu Jun 18 17:43:19 2026\n"

Path_ = tuple[str, ...]
Lines = dict[Path_, None]
"""Each line with those that it stands under, in order."""


def grown(text: str) -> Lines:
    """Lines of a configuration, without remarks."""
    found: Lines = {}
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line, depth = " ".join(raw.split()), len(raw) - len(raw.lstrip())
        if line and not line.startswith("!"):
            above = [one for one in above if one[0] < depth] + [(depth, line)]
            found[tuple(name for _, name in above)] = None
    return found


def written(lines: Lines) -> str:
    """The lines as a running configuration: what stands under a line behind it."""
    return "".join(f"{'  ' * (len(one) - 1)}{one[-1]}\n" for one in _ordered(lines, ()))


def _ordered(lines: Lines, section: Path_) -> Iterator[Path_]:
    for one in lines:
        if one[:-1] == section:
            yield one
            yield from _ordered(lines, one)


@dataclass(slots=True)
class Switch:
    """One switch. shows: text by command, beside its configuration; refuses: lines that it does not take."""

    running: Lines
    login: str
    shows: Callable[[], Mapping[str, str]] = dict
    refuses: frozenset[str] = frozenset({"frobnicate"})
    saved: Lines = field(default_factory=dict)
    files: dict[str, Lines] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    port: int = 0

    def exchange(self, request: list[Mapping[str, Any]]) -> list[dict[str, object]]:
        """Answers up to the first command that is refused."""
        found: list[dict[str, object]] = []
        above: list[tuple[int, str]] = []
        for one in request:
            command, ascii_ = one["params"]["cmd"], one["method"] == "cli_ascii"
            self.asked.append(command)
            said = self._said(command, above)
            envelope: dict[str, object] = {"jsonrpc": "2.0", "id": one["id"]}
            if said is None:
                wrong = {"code": -32602, "message": "Invalid params", "data": {"msg": INVALID}}
                return [*found, {**envelope, "error": wrong}]
            result = ({"msg": said} if said else None) if ascii_ else {"body": json.loads(said)} if said else None
            found.append({**envelope, "result": result})
        return found

    def _said(self, command: str, above: list[tuple[int, str]]) -> str | None:
        words = command.split()
        match words:
            case ["show", "hostname"]:
                return json.dumps(
                    {"hostname": next(one[0].split()[1] for one in self.running if "hostname " in one[0])}
                )
            case ["show", "running-config", *_]:
                return HEAD + written(self.running)
            case ["show", *_]:
                return self.shows().get(command)
            case ["dir", name]:
                return "  100  rollback" if name in self.files else "No such file or directory"
            case _:
                return self._changed(command, words, above)

    def _changed(self, command: str, words: list[str], above: list[tuple[int, str]]) -> str | None:
        match words:
            case ["checkpoint", "file", name]:
                self.files[name] = dict(self.running)
            case ["delete", name]:
                if self.files.pop(name, None) is None:
                    return None
            case ["rollback", "running-config", "file", name]:
                self.running = dict(self.files[name])
            case ["copy", "run" | "running-config", "startup-config"]:
                self.saved = dict(self.running)
                return SAVED
            case _ if command in QUIET:
                pass
            case _:
                return self._configured(command, words, above)
        return ""

    def _configured(self, command: str, words: list[str], above: list[tuple[int, str]]) -> str | None:
        line, depth = " ".join(words), len(command) - len(command.lstrip())
        if line in self.refuses or line.startswith("!"):
            return None
        above[:] = [one for one in above if one[0] < depth] + [(depth, line)]
        path = tuple(name for _, name in above)
        if words[0] == "route-map" and words[-1] in ("in", "out"):  # a session has one a direction
            other = [one for one in self.running if one[:-1] == path[:-1] and one[-1].split()[::2] == words[::2]]
            for one in other:
                del self.running[one]
        self.running[path] = None
        return ""


@contextmanager
def nxapi(switch: Switch, tls: Path) -> Iterator[Switch]:
    """Serve a switch over TLS until the block is left."""
    with _Server(("127.0.0.1", 0), _handler(switch)) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        switch.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield switch
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as its base has it
        """Pass over a client that hangs up, as one does that takes the certificate for a wrong one."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _handler(switch: Switch) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(min(int(self.headers.get("Content-Length", "0")), MANY)))
            login = base64.b64decode(self.headers.get("Authorization", "").removeprefix("Basic ")).decode()
            if login != switch.login:
                self.say(HTTPStatus.UNAUTHORIZED, "")
                return
            answers = switch.exchange(request)
            one = answers[0] if len(answers) == 1 else answers
            self.say(HTTPStatus.OK if self.path == "/ins" else HTTPStatus.NOT_FOUND, json.dumps(one))

        def say(self, status: HTTPStatus, text: str) -> None:
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json-rpc")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
