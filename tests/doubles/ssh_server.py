"""A real SSH server on loopback before a double: host key, password, commands with input, output and exit status."""

import contextlib
import shlex
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import paramiko

SECONDS = 5
Run = Callable[[list[str], str], tuple[int, str, str]]
"""(words, standard input) → exit status, output, errors."""


@dataclass(repr=False)
class Server:
    """Where it listens.

    drops  a command that has this word is not answered: the connection ends, before it is run or, if `late`, after
    """

    port: int
    host_key: paramiko.PKey
    drops: str = ""
    late: bool = False
    opened: list[paramiko.Transport] = field(default_factory=list)

    def known(self, path: Path, key: paramiko.PKey | None = None) -> Path:
        """Write a known_hosts with the host's key, or with another."""
        found = key or self.host_key
        path.write_text(f"[127.0.0.1]:{self.port} {found.get_name()} {found.get_base64()}\n")
        return path

    def cut(self) -> None:
        """End every connection."""
        for one in self.opened:
            one.close()


class _Session(paramiko.ServerInterface):  # type: ignore[misc]  # paramiko has no types
    def __init__(self, login: str, run: Run, server: Server, transport: paramiko.Transport) -> None:
        self._login, self._run, self._server, self._transport = login, run, server, transport

    def check_auth_password(self, username: str, password: str) -> int:
        return int(paramiko.AUTH_SUCCESSFUL if f"{username}:{password}" == self._login else paramiko.AUTH_FAILED)

    def get_allowed_auths(self, username: str) -> str:
        del username
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        del chanid
        return int(paramiko.OPEN_SUCCEEDED if kind == "session" else paramiko.OPEN_FAILED_UNKNOWN_CHANNEL_TYPE)

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        threading.Thread(target=self._answer, args=(channel, command.decode()), daemon=True).start()
        return True

    def _answer(self, channel: paramiko.Channel, command: str) -> None:
        with contextlib.suppress(OSError, EOFError, paramiko.SSHException), contextlib.closing(channel):
            given = b""
            while part := channel.recv(65536):
                given += part
            if not channel.eof_received:
                return  # the client has gone: what it had to say is not whole, and nobody waits for an answer
            drops = bool(self._server.drops) and self._server.drops in command
            if drops and not self._server.late:
                self._transport.close()
                return
            status, output, errors = self._run(words_of(command), given.decode(errors="replace"))
            if drops:
                self._transport.close()
                return
            channel.sendall(output.encode())
            channel.sendall_stderr(errors.encode())
            channel.send_exit_status(status)


def words_of(command: str) -> list[str]:
    """Words of what napalm_frr's SSH sends: `timeout -k 2 SECONDS sh -c 'COMMAND'`."""
    outer = shlex.split(command)
    assert outer[0] == "timeout", command
    assert outer[4:6] == ["sh", "-c"], command
    return shlex.split(outer[6])


@contextmanager
def serving(login: str, run: Run) -> Iterator[Server]:
    """A server that runs commands so, for the user and password of `login`, "user:password"."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(listening.getsockname()[1], paramiko.ECDSAKey.generate())

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with contextlib.suppress(paramiko.SSHException, EOFError, OSError):
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    transport = paramiko.Transport(connection)
                    transport.add_server_key(server.host_key)
                    server.opened.append(transport)
                    transport.start_server(server=_Session(login, run, server, transport))

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(SECONDS)
            server.cut()
