"""A double of EOS's configuration sessions: a server on loopback that answers eAPI as a switch being configured does.

It is no EOS. It knows the lines that tests/eos/modes.py and eos_words.py know, keeps them as a tree, and knows the
commands that NAPALM 5.2.0's `eos` driver sends (napalm/eos/eos.py) with what a test adds. Where its forms are from:

- sessions and their states until 4.31 and from 4.32 on, with the key of a commit timer: github.com/napalm-automation/
  napalm, issue 2166
- that a timer which is ended by `abort`, or by the clock, puts back what ran before: github.com/SUNET/cnaas-nms, issue
  395, with the switch's log. That the row of such a session goes, and that `commit` from another connection confirms:
  notes on cEOS 4.35.0F of a public program that restores configurations in labs
- the two first lines of `show session-config … diffs`: ngworx.ag, "Arista EOS Config Sessions"
- code 1002 with its words: github.com/napalm-automation/napalm-base, issue 254; code 1000: github.com/arista-eosplus/
  ansible-eos, issue 91; code 1004, incomplete tokens, `autoComplete`, `expandAliases` and what `disable` takes away:
  system tests of pyeapi (github.com/arista-eosplus/pyeapi, test/system/test_client.py). The words of a full flash are
  nobody's: only which command fails is told

What others wrote is run against it by `python -m tests.doubles.outside`, with checkouts of theirs; what it cannot know
stands in eos_words.py.
"""

import base64
import json
import re
import ssl
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from tests.doubles.eapi import INVALID_COMMAND, MANY, NOT_LET_IN
from tests.doubles.eos_sessions import INCOMPATIBLE, OLD, Cli, CommandError, Switch
from tests.doubles.eos_tree import copied, grown
from tests.doubles.serving import serving

FAILED = {INVALID_COMMAND: "invalid command", INCOMPATIBLE: "incompatible command"}
"""Code → its words; 1004: pyeapi, test/system/test_client.py."""


@contextmanager
def switch(running: str, *, tls: Path | None = None, login: str = "", release: str = OLD) -> Iterator[Switch]:
    """Serve until the block is left.

    tls    key and certificate; without, it speaks plain HTTP
    login  "user:password" that it lets in; without, anyone's
    """
    tree = grown(running)
    found = Switch(running=tree, release=release, startup=copied(tree))
    with _Server(("127.0.0.1", 0), _handler(found, login)) as server:
        found.port = server.server_address[1]
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            # The handshake is the handler's, so that one client cannot keep the others waiting.
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        with serving(server):
            yield found


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as its base has it
        """Pass over a client that hangs up, as one does that takes the certificate for a wrong one."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _handler(box: Switch, login: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(min(int(self.headers.get("Content-Length", "0")), MANY))
            said = answered(box, login, self.headers.get("Authorization", ""), body)
            if said is None:
                self.close_connection = True
                self.connection.close()
                return
            kind = "application/json" if said.status is HTTPStatus.OK else "text/plain"
            self.say(said.status, kind, said.text)

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


class Said(NamedTuple):
    """What a switch answers to one request."""

    status: HTTPStatus
    text: str


def answered(box: Switch, login: str, authorization: str, body: bytes) -> Said | None:
    """Do what a request asks; None where the switch hangs up."""
    user = base64.b64decode(authorization.removeprefix("Basic ")).decode()
    if login not in ("", user):
        return Said(HTTPStatus.UNAUTHORIZED, NOT_LET_IN)
    with box.lock:
        answer = _answer(json.loads(body), box)
    return None if answer is None else Said(HTTPStatus.OK, json.dumps(answer))


def _answer(request: Mapping[str, Any], box: Switch) -> dict[str, object] | None:
    """JSON-RPC's answer to one request; None where the switch hangs up."""
    envelope: dict[str, object] = {"jsonrpc": "2.0", "id": request["id"]}
    entries, style = request["params"]["cmds"], request["params"]["format"]
    commands = [_typed(entry) for entry in entries]
    done: list[object] = []
    asked = request["params"]
    cli = Cli(box, completes=asked.get("autoComplete") is True, expands=asked.get("expandAliases") is True)
    for at, command in enumerate(commands, 1):
        box.asked.append(command)
        box.tick()
        try:
            done.append(cli.run(command, style))
        except CommandError as error:
            why = FAILED.get(error.code, "could not run command")
            first = command.partition("\n")[0]
            message = f"CLI command {at} of {len(commands)} '{first}' failed: {why}"
            errors = {"errors": [error.words]}
            return envelope | {"error": {"code": error.code, "message": message, "data": [*done, errors]}}
        if box.hangs_up and re.search(box.hangs_up, command):
            box.hangs_up = ""
            return None
    return envelope | {"result": done}


def _typed(entry: str | Mapping[str, str]) -> str:
    """A command; one with more lines of input has them behind it, and what ends them on a terminal."""
    if isinstance(entry, str):
        return entry
    text = entry.get("input", "").rstrip("\n")
    command = entry["cmd"].strip()  # pyeapi leaves a blank behind the command that it cut `MULTILINE:` from
    return f"{command}\n{text}\nEOF" if text else command
