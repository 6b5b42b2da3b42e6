"""SSH transport. Each command has its own channel: separate input, output and exit status."""

import contextlib
import shlex
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import paramiko
from napalm.base.exceptions import CommandTimeoutException, ConnectAuthError, ConnectionException, ConnectTimeoutError

from napalm_frr.transport import Result

PORT = 22
GRACE = 5  # seconds for the switch to end a command by itself before the client gives up
GLOBAL_HOSTS = (Path("/etc/ssh/ssh_known_hosts"), Path("/etc/ssh/ssh_known_hosts2"))
"""Default host keys of the machine for all its users: GlobalKnownHostsFile of ssh_config(5)."""
TIMED_OUT = (124, 137)  # coreutils' timeout, by TERM and by KILL


class Login(NamedTuple):
    """Host, user and password of a login. seconds: timeout of the connection."""

    host: str
    user: str
    password: str
    seconds: float


class SSH:
    """One SSH connection. Host keys are checked, and unknown ones refused, unless `ssh_strict` is false."""

    def __init__(self, login: Login, arguments: Mapping[str, object]) -> None:
        self._login = login
        self._arguments = arguments
        self._client: Any = None
        self._proxy: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Connect and log in. Errors name the host, never a password or a key."""
        self._client = paramiko.SSHClient()
        try:
            self._know_hosts(self._client)
            self._client.connect(**self._options())
            # Otherwise packets of a command wait for earlier acknowledgements (RFC 896), some 40 ms each.
            transport = self._client.get_transport()
            if transport is not None and transport.sock.family in (socket.AF_INET, socket.AF_INET6):
                transport.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except (paramiko.SSHException, OSError, EOFError) as error:
            self.close()
            raise _refusal(self._login, error) from None

    def _know_hosts(self, client: paramiko.SSHClient) -> None:
        strict = self._arguments.get("ssh_strict", True)
        client.set_missing_host_key_policy(paramiko.RejectPolicy() if strict else paramiko.AutoAddPolicy())
        if not strict:
            return
        if known_hosts := self._arguments.get("known_hosts"):
            client.load_host_keys(str(Path(str(known_hosts)).expanduser()))
            return
        client.load_system_host_keys()
        for file in GLOBAL_HOSTS:
            if file.exists():
                client.load_system_host_keys(str(file))

    def _options(self) -> dict[str, Any]:
        """Keyword arguments of paramiko's connect. The caller's arguments override the SSH configuration file."""
        login, arguments = self._login, self._arguments
        ssh_config = _configured(login.host, arguments.get("ssh_config_file"))
        key = arguments.get("key_file") or ssh_config.get("identityfile")
        return {
            "hostname": ssh_config.get("hostname", login.host),
            "port": int(str(arguments.get("port") or ssh_config.get("port", PORT))),
            "username": login.user or ssh_config.get("user"),
            "password": login.password or None,
            "key_filename": str(key) if isinstance(key, (str, Path)) else key,
            "passphrase": arguments.get("passphrase"),
            "allow_agent": not (login.password or key),
            "look_for_keys": not (login.password or key),
            "sock": self._by_proxy(ssh_config.get("proxycommand")),
            "timeout": login.seconds,
            "banner_timeout": login.seconds,
            "auth_timeout": login.seconds,
        }

    def _by_proxy(self, command: str | None) -> socket.socket | None:
        """Start the proxy command, and return a socket to it. paramiko's own ProxyCommand does not end its process."""
        if not command:
            return None
        local_end, proxy_end = socket.socketpair()
        with proxy_end:
            self._proxy = subprocess.Popen(shlex.split(command), stdin=proxy_end.fileno(), stdout=proxy_end.fileno())  # noqa: S603
        return local_end

    def close(self) -> None:
        """End the connection, and the process of the proxy command if there is one."""
        client, proxy = self._client, self._proxy
        self._client = self._proxy = None
        if client is not None:
            client.close()
        if proxy is not None:
            proxy.kill()
            proxy.wait()

    def is_alive(self) -> bool:
        """Whether the connection is up; an SSH ignore message detects that the far end is gone."""
        transport = self._client.get_transport() if self._client is not None else None
        if transport is None or not transport.is_active():
            return False
        with contextlib.suppress(paramiko.SSHException, OSError, EOFError):
            transport.send_ignore()
        return bool(transport.is_active())

    def run(self, command: str, given: str, seconds: float) -> Result:
        """Run one command; the switch itself ends it at the timeout."""
        if self._client is None:
            raise ConnectionException(f"{self._login.host}: not connected")
        bounded = f"timeout -k 2 {seconds:g} sh -c {shlex.quote(command)}"
        try:
            result = _exchange(self._client, bounded, given, seconds + GRACE)
        except TimeoutError:
            raise CommandTimeoutException(f"{self._login.host}: no answer within {seconds:g} s") from None
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise ConnectionException(f"{self._login.host}: connection lost: {error}") from None
        if result.status in TIMED_OUT:
            raise CommandTimeoutException(f"{self._login.host}: no answer within {seconds:g} s")
        if result.status < 0:
            raise ConnectionException(f"{self._login.host}: connection lost")
        return result


def _refusal(login: Login, error: Exception) -> ConnectionException:
    if isinstance(error, paramiko.BadHostKeyException):
        return ConnectionException(f"{login.host}: its host key is not the one in known_hosts")
    if isinstance(error, paramiko.AuthenticationException):
        return ConnectAuthError(f"{login.host}: login refused for user {login.user}")
    if isinstance(error, TimeoutError):
        return ConnectTimeoutError(f"{login.host}: no connection within {login.seconds:g} s")
    return ConnectionException(f"{login.host}: no SSH connection: {error}")


def _exchange(client: paramiko.SSHClient, command: str, given: str, seconds: float) -> Result:
    stdin, stdout, stderr = client.exec_command(command, timeout=seconds)
    with stdin, stdout, stderr:
        stdin.write(given)
        stdin.channel.shutdown_write()
        output = stdout.read().decode(errors="replace")
        errors = stderr.read().decode(errors="replace")
        if not stdout.channel.status_event.wait(seconds):
            raise TimeoutError
        return Result(stdout.channel.recv_exit_status(), output, errors)


def _configured(host: str, path: object) -> Mapping[str, Any]:
    """Settings of a host in the user's SSH configuration file; empty if there is no such file."""
    file = Path(str(path)).expanduser() if path else None
    if file is None or not file.is_file():
        return {}
    settings: Mapping[str, Any] = paramiko.SSHConfig.from_path(str(file)).lookup(host)
    return settings
