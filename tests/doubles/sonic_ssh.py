"""A double of a switch's sshd: paramiko's server on loopback, whose commands run in the double of the switch."""

import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import paramiko

from tests.doubles.sonic_box import Box

SECONDS = 10


@dataclass(slots=True)
class Server:
    """One switch on a port. `cut` once set, connections end and no new one is taken."""

    box: Box
    login: str
    port: int
    key: paramiko.ECDSAKey
    cut: threading.Event = field(default_factory=threading.Event)
    transports: list[paramiko.Transport] = field(default_factory=list)

    def known(self, path: Path, key: paramiko.ECDSAKey | None = None) -> Path:
        """Write a file of known hosts with this server's key, or another."""
        shown = key or self.key
        with path.open("a") as file:
            file.write(f"[127.0.0.1]:{self.port} {shown.get_name()} {shown.get_base64()}\n")
        return path

    def hang_up(self) -> None:
        """End every connection, and take no other."""
        self.cut.set()
        for transport in self.transports:
            transport.close()


class _Shell(paramiko.ServerInterface):  # type: ignore[misc]  # paramiko has no types
    def __init__(self, server: Server) -> None:
        self._server = server

    def check_auth_password(self, username: str, password: str) -> int:
        right = f"{username}:{password}" == self._server.login
        return int(paramiko.common.AUTH_SUCCESSFUL if right else paramiko.common.AUTH_FAILED)

    def get_allowed_auths(self, username: str) -> str:
        del username
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        del chanid
        refused = paramiko.common.OPEN_FAILED_UNKNOWN_CHANNEL_TYPE
        return int(paramiko.common.OPEN_SUCCEEDED if kind == "session" else refused)

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        threading.Thread(target=self._run, args=(channel, command.decode()), daemon=True).start()
        return True

    def _run(self, channel: paramiko.Channel, command: str) -> None:
        with suppress(OSError, EOFError, paramiko.SSHException, subprocess.TimeoutExpired), channel:
            given = channel.makefile("rb").read()
            found = subprocess.run(
                ["sh", "-c", command],
                input=given,
                capture_output=True,
                env=self._server.box.environment,
                timeout=SECONDS,
                check=False,
            )
            channel.sendall(found.stdout)
            channel.sendall_stderr(found.stderr)
            channel.send_exit_status(found.returncode)


@contextmanager
def sshd(box: Box, login: str) -> Iterator[Server]:
    """Serve a switch; login: user:password."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        server = Server(box, login, listening.getsockname()[1], paramiko.ECDSAKey.generate())
        stop = threading.Event()
        thread = threading.Thread(target=_serve, args=(server, listening, stop))
        thread.start()
        try:
            yield server
        finally:
            stop.set()
            thread.join(SECONDS)
            server.hang_up()
            box.end()


def _serve(server: Server, listening: socket.socket, stop: threading.Event) -> None:
    while not stop.is_set():
        with suppress(TimeoutError, EOFError, paramiko.SSHException, OSError):
            client, _ = listening.accept()
            if server.cut.is_set():
                client.close()
                continue
            transport = paramiko.Transport(client)
            transport.add_server_key(server.key)
            server.transports.append(transport)
            transport.start_server(server=_Shell(server))
