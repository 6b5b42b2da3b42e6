"""A double of SR Linux's JSON-RPC server, in front of a Switch, which keeps a tree, commits, checkpoints and a timer.

It is no SR Linux: it takes any leaf, and refuses what is in no module that it knows, with the words of learn-srlinux.
Where its forms are from:

- requests, results, errors in an answer of HTTP 200, `validate`, `diff` with `output-format` text and an empty result
  for no difference, `set` that commits, `confirm-timeout`, `tools` with confirmed-accept: srl-labs/learn-srlinux at
  84c9427, docs/tutorials/programmability/json-rpc/basics.md
- a difference as text: the golden ones of napalm-srlinux at af22132, test/ci/compare_config.py
- `tools` by `cli`, and a list of lines that are run in order in one session: learn-srlinux, the same page
- generate-checkpoint by `cli`, confirmed-reject, commits with the status `unconfirmed`, and that a timer which ran out
  leaves none: the same, napalm_srlinux/srlinux.py and test/ci/commit_confirm.py, run there on switches in containers
- that the record of such a commit stays as `failed`, and that what ran runs again a moment after it no longer waits:
  the same test, and measurements of others; `reverting` is a word of the models
- save: nokia/srlinux-ansible-collection at f4ca5ce, plugins/module_utils/const.py
- leaves of /system/configuration: Nokia's YANG of 25.3.1

The words of errors of `tools`, of a second commit while one waits, and of a full disk are nobody's.
"""

import base64
import copy
import json
import re
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.doubles.srlinux_switch import Switch
from tests.doubles.srlinux_tree import RpcError, Tree, difference, found_at, merge

MODULES = (
    "srl_nokia-system:system", "srl_nokia-interfaces:interface", "srl_nokia-network-instance:network-instance",
    "srl_nokia-routing-policy:routing-policy", "srl_nokia-tunnel-interfaces:tunnel-interface", "srl_nokia-qos:qos",
    "srl_nokia-platform:platform", "srl_nokia-acl:acl", "srl_nokia-bfd:bfd",
)  # fmt: skip
CONFIGURATION = "/system/configuration"
_CHECKPOINT = re.compile(r'/tools system configuration generate-checkpoint name (\S+)(?: comment "([^"]*)")?')
_TOOL = re.compile(r"/tools system configuration (confirmed-accept|confirmed-reject|save)")
_REVERT = re.compile(rf"{CONFIGURATION}/checkpoint\[id=(\S+)\]/revert")


@contextmanager
def switch(running: Tree, *, tls: Path | None = None, login: str = "") -> Iterator[Switch]:
    """Serve until the block is left.

    tls    key and certificate; without, it speaks plain HTTP
    login  "user:password" that it lets in; without, anyone's
    """
    found = Switch(running=copy.deepcopy(running), startup=copy.deepcopy(running))
    with _Server(("127.0.0.1", 0), _handler(found, login)) as server:
        found.port = server.server_address[1]
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            # The handshake is the handler's, so that one client cannot keep the others waiting.
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as its base has it
        """Pass over a client that hangs up, as one does that takes the certificate for a wrong one."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _handler(box: Switch, login: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            user = base64.b64decode(self.headers.get("Authorization", "").removeprefix("Basic ")).decode()
            if box.refuses or login not in ("", user):
                self.say(HTTPStatus.UNAUTHORIZED, "")
                return
            if self.path != "/jsonrpc":
                self.say(HTTPStatus.NOT_FOUND, "")
                return
            if box.absent:
                box.absent -= 1
                self.say(HTTPStatus.BAD_GATEWAY, "<html>Bad Gateway</html>")
                return
            with box.lock:
                _happens(box, body.decode())
                answer = _answer(box, json.loads(body))
                is_gone = bool(box.hangs_up) and box.hangs_up in body.decode()
                box.hangs_up = "" if is_gone else box.hangs_up
            if is_gone:
                self.close_connection = True
                return
            self.say(HTTPStatus.OK, json.dumps(answer))

        def say(self, status: HTTPStatus, text: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


def _happens(box: Switch, body: str) -> None:
    for said in [one for one in box.meanwhile if one in body]:
        box.meanwhile.pop(said)(box)


def _answer(box: Switch, request: Mapping[str, Any]) -> Tree:
    """JSON-RPC's answer to one request."""
    envelope: Tree = {"jsonrpc": request["jsonrpc"], "id": request["id"]}
    box.tick()
    try:
        return {"result": _METHODS[request["method"]](box, request["params"]), **envelope}
    except RpcError as error:
        return {"error": {"code": -1, "message": str(error)}, **envelope}


def _get(box: Switch, params: Mapping[str, Any]) -> list[object]:
    return [_got(box, command["path"], command["datastore"]) for command in params["commands"]]


def _got(box: Switch, path: str, datastore: str) -> object:
    box.asked.append(f"get {datastore} {path}")
    if datastore == "running":
        return found_at(box.running, path)
    if path == CONFIGURATION:
        box.looked()
        return {"max-checkpoints": 10, "commit": box.commits, "checkpoint": box.checkpoints}
    found = box.shown(path)
    if found is None:
        name = path.rpartition("/")[2].partition("[")[0]
        raise RpcError(f"Path not valid - unknown element '{name}'. Options are [interface, system]")
    return found


def _checked(tree: Tree) -> Tree:
    for name in tree:
        if name not in MODULES:
            raise RpcError(f"Path not valid - unknown element '{name}'. Options are [interface, system]: {tree[name]}")
    return tree


def _validate(box: Switch, params: Mapping[str, Any]) -> list[object]:
    box.asked.append("validate")
    _applied(box.running, params["commands"])
    return [{}]


def _diff(box: Switch, params: Mapping[str, Any]) -> list[object]:
    box.asked.append("diff")
    assert params["output-format"] == "text"
    text = difference(box.running, _applied(box.running, params["commands"]))
    return [text] if text else []


def _set(box: Switch, params: Mapping[str, Any]) -> list[object]:
    if params.get("datastore") == "tools":
        for command in params["commands"]:
            assert command["action"] == "update"
            _act(box, command["path"])
        return [{}]
    seconds = params.get("confirm-timeout")
    box.asked.append(f"set {seconds}")
    box.commit(_applied(box.running, params["commands"]), seconds)
    return [{}]


def _act(box: Switch, path: str) -> None:
    box.asked.append(f"tools {path}")
    reverts = _REVERT.fullmatch(path)
    if box.deaf:
        return
    if path == f"{CONFIGURATION}/confirmed-accept":
        box.end("complete")
    elif path == f"{CONFIGURATION}/confirmed-reject":
        box.end("failed", box.timer.before if box.timer else None)
    elif path == f"{CONFIGURATION}/save":
        if box.full:
            raise RpcError("could not be saved")
        box.startup = copy.deepcopy(box.running)
    elif reverts and reverts[1] in box.kept:
        box.commit(copy.deepcopy(box.kept[reverts[1]]), None)
    else:
        raise RpcError(f"Path not valid - unknown element '{path.rpartition('/')[2]}'")


def _cli(box: Switch, params: Mapping[str, Any]) -> list[object]:
    for line in params["commands"]:
        box.asked.append(f"cli {line}")
        tool, found = _TOOL.fullmatch(line), _CHECKPOINT.fullmatch(line)
        if tool is not None:
            _act(box, f"{CONFIGURATION}/{tool[1]}")
            continue
        if found is None:
            raise RpcError(f"Parsing error: Unknown token '{line.split()[0]}'")
        box.checkpoints.append(
            {"id": len(box.checkpoints), "name": found[1], "comment": found[2], "created": box.now()}
        )
        box.kept[found[1]] = copy.deepcopy(box.running)
    return [{} for _ in params["commands"]]


_METHODS: Mapping[str, Callable[[Switch, Mapping[str, Any]], list[object]]] = {
    "get": _get,
    "validate": _validate,
    "diff": _diff,
    "set": _set,
    "cli": _cli,
}


def _applied(tree: Tree, commands: list[Tree]) -> Tree:
    """The tree after these changes."""
    found = copy.deepcopy(tree)
    for command in commands:
        path, value = command["path"], copy.deepcopy(command["value"])
        if path == "/" and command["action"] == "replace":
            found = _checked(value)
        elif path == "/":
            merge(found, _checked(value))
        else:
            assert command["action"] == "replace"
            entry = found_at(found, path)
            entry.clear()
            entry.update(value)
    return found
