"""The driver: NAPALM's methods, each handed to the module that knows how."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import napalm.base.base as base  # noqa: PLR0402  # the class by name would be taken for a driver of this module
from napalm.base import constants
from napalm.base.exceptions import (
    CommandErrorException,
    ConnectionException,
    MergeConfigException,
    ReplaceConfigException,
)

from napalm_frr import getters_bgp, getters_counters, getters_lldp, getters_routes, getters_system
from napalm_frr.lifecycle import Lifecycle
from napalm_frr.paths import masked
from napalm_frr.ping import PingRequest, ping
from napalm_frr.shell import CommandResult, Shell
from napalm_frr.ssh import SSH, Login
from napalm_frr.standing import RunMarks
from napalm_frr.transport import Local, Transport

STATE = Path("/var/lib/napalm-frr")
SLACK = 30  # seconds that a commit has beside those of its commands
CONFIGS = ("all", "running", "startup", "candidate")


class FRRDriver(base.NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch that runs FRRouting. What `optional_args` holds is in the package's docstring."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        """Nothing is contacted. timeout: seconds to connect, and that each command has."""
        self.hostname = hostname
        self.username = username
        self.password = password
        self.timeout = timeout
        self.platform = "frr"
        self.profile = [self.platform]
        arguments = optional_args or {}
        pathspace = str(arguments.get("pathspace") or "")
        self._transport = _transport(Login(hostname, username, password, timeout), arguments)
        self._shell = Shell(
            transport=self._transport,
            host=hostname,
            seconds=timeout,
            pathspace=pathspace,
            lldp_socket=str(arguments.get("lldp_socket") or ""),
            sudo=bool(arguments.get("sudo", False)),
            any_command=bool(arguments.get("cli_any", False)),
        )
        self._probes = bool(arguments.get("probe", True))
        state = str(arguments.get("state_dir") or STATE / (pathspace or "default"))
        self.commit_seconds = int(arguments.get("commit_seconds") or 4 * timeout + SLACK)
        self._lifecycle = Lifecycle(self._shell, state, self.commit_seconds)

    def open(self) -> None:
        """Connect, and see that FRR answers, unless optional_args say `probe: False`: then `answers` sees it."""
        self._transport.open()
        if self._probes:
            self._probe()

    def _probe(self) -> None:
        try:
            self._shell.vtysh("show version")
        except CommandErrorException as error:
            self._transport.close()
            raise ConnectionException(f"FRR does not answer on {error}") from None

    def close(self) -> None:
        """Let go. A timed commit that nobody has confirmed stays pending; a candidate is forgotten."""
        self._lifecycle.discard()
        self._transport.close()

    def is_alive(self) -> dict[str, bool]:
        """Whether the connection stands."""
        return {"is_alive": self._transport.is_alive()}

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Take a whole configuration as the candidate. Raises ReplaceConfigException, which names the line."""
        self._lifecycle.load_replace(_read(filename, config, ReplaceConfigException))

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Take lines to add; further calls add more. Raises MergeConfigException, which names the line."""
        self._lifecycle.load_merge(_read(filename, config, MergeConfigException))

    def load_files(self, files: Mapping[str, str]) -> None:
        """Take files beside frr.conf into the candidate that `load_replace_candidate` loaded. Beyond NAPALM's own.

        files  path on the switch → text. `/etc/network/interfaces`, applied by ifupdown2's `ifreload -a`, and
               `/etc/sysctl.d/90-fabric.conf`, applied by `sysctl -p`; "" where the latter is to go

        Raises ReplaceConfigException for any other path, and with what ifupdown2's syntax check has against a file.
        """
        self._lifecycle.load_files(files)

    def read_files(self, paths: Iterable[str]) -> dict[str, str]:
        """Texts of such files, by path: while a timed commit waits, of those that are in effect; "" for no file."""
        return self._lifecycle.read_files(paths)

    def compare_config(self) -> str:
        """What a commit would change, as `-` and `+` lines under their sections; "" for nothing. Secrets are masked."""
        return self._lifecycle.compare()

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Make the candidate the running configuration, or leave all as it was and raise CommitError.

        message    goes to the commit log on the switch
        revert_in  seconds after which the switch itself reverts, unless `confirm_commit` comes before
        """
        self._lifecycle.commit(message, revert_in)

    def goes_back_to(self) -> str:
        """What ran as the commit began that waits: what it goes back to. Beyond NAPALM's own.

        Raises CommandErrorException where none is there.
        """
        return self._lifecycle.before()

    def confirm_commit(self) -> None:
        """Keep a timed commit. Raises CommitConfirmException when none is pending any more."""
        self._lifecycle.confirm()

    def has_pending_commit(self) -> bool:
        """Whether a timed commit of anybody waits on the switch; or any commit, whose guard is gone, for `rollback`."""
        return self._lifecycle.pending()

    def pending_message(self) -> str | None:
        """Message of the commit that `has_pending_commit` tells of; None where there is none. Beyond NAPALM's own."""
        return self._lifecycle.pending_message()

    def discard_config(self) -> None:
        """Forget the candidate, and the files with it."""
        self._lifecycle.discard()

    def rollback(self) -> None:
        """Revert a pending commit, or else put back what was before the last one that was kept."""
        self._lifecycle.rollback()

    def cancel_commit(self) -> None:
        """Revert a commit that is pending, or was begun by a client that is gone, and none that was kept.

        Raises CommitConfirmException where there is none any more.
        """
        self._lifecycle.cancel()

    def standing(self) -> RunMarks:
        """Which commit is armed on the switch, from its beginning on, and who is at work there. Beyond NAPALM's own."""
        return self._lifecycle.standing()

    def take_lease(self, token: str, owner: str, note: str = "", after: int | None = None) -> None:
        """Say on the switch that somebody is at work there, over however many commits. Beyond NAPALM's own.

        token  by which it is the same work, also of another client
        after  seconds since another has said so, after which it is taken over; None: never

        Raises LeasedError, which names who is at work there.
        """
        self._lifecycle.take(token, owner, note, after)

    def release_lease(self, token: str) -> None:
        """Say that this work is over; nothing is done where it is somebody else's. Beyond NAPALM's own."""
        self._lifecycle.release(token)

    def cli(self, commands: list[str], encoding: str = "text") -> dict[str, Any]:
        """Outputs by command: vtysh's `show …`; programs.py's `ip`, `bridge`, `tc`, `sysctl`, … where they only read.

        With `cli_any` among the optional_args, all other commands go to vtysh as they are.

        encoding  "json": outputs are parsed. Raises CommandErrorException, which names the command
        """
        if isinstance(commands, str) or encoding not in ("text", "json"):
            raise CommandErrorException(f"{self.hostname}: cli needs a list of commands, and encoding text or json")
        return self._shell.jsons(commands) if encoding == "json" else dict(self._shell.texts(commands))

    def answers(self, asked: Mapping[str, str]) -> dict[str, CommandResult]:
        """What `cli` gives for commands, or the error that each draws: as much as one vtysh and one shell can say.

        Beyond NAPALM's own. A command that is missing from what is returned is to be asked by `cli`.

        asked  command → "text" or "json"

        Raises ConnectionException where FRR does not answer at all.
        """
        found = self._shell.answers(asked)
        if not self._probes and not any(command.startswith("show ") for command in found):
            self._probe()
        return found

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """Texts of running, startup and candidate. sanitized: secrets masked. FRR has no fuller form."""
        del full
        if retrieve not in CONFIGS or format != "text":
            raise CommandErrorException(f"{self.hostname}: no configuration {retrieve!r} in format {format!r}")
        read = {
            "running": self._lifecycle.running,
            "startup": self._lifecycle.startup,
            "candidate": self._lifecycle.candidate,
        }
        found = {name: text() if retrieve in ("all", name) else "" for name, text in read.items()}
        return {name: masked(text) if sanitized else text for name, text in found.items()}

    def get_facts(self) -> dict[str, Any]:
        """Facts of the box."""
        return getters_system.facts(self._shell)

    def get_interfaces(self) -> dict[str, dict[str, Any]]:
        """Interfaces as the kernel has them."""
        return getters_system.interfaces(self._shell)

    def get_interfaces_counters(self) -> dict[str, dict[str, int]]:
        """Octets, errors and discards as the kernel has them; -1 for what it does not count."""
        return getters_counters.counters(self._shell)

    def get_interfaces_ip(self) -> dict[str, dict[str, dict[str, dict[str, int]]]]:
        """Addresses as the kernel has them."""
        return getters_system.interfaces_ip(self._shell)

    def get_arp_table(self, vrf: str = "") -> list[dict[str, Any]]:
        """IPv4 neighbors."""
        return getters_system.arp_table(self._shell, vrf)

    def get_ipv6_neighbors_table(self) -> list[dict[str, Any]]:
        """IPv6 neighbors."""
        return getters_system.ipv6_neighbors(self._shell)

    def get_network_instances(self, name: str = "") -> dict[str, dict[str, Any]]:
        """VRFs."""
        return getters_system.network_instances(self._shell, name)

    def get_lldp_neighbors(self) -> dict[str, list[dict[str, str]]]:
        """Who is seen on each port."""
        return getters_lldp.neighbors(self._shell)

    def get_lldp_neighbors_detail(self, interface: str = "") -> dict[str, list[dict[str, Any]]]:
        """All that is heard on each port."""
        return getters_lldp.neighbors_detail(self._shell, interface)

    def get_bgp_neighbors(self) -> dict[str, dict[str, Any]]:
        """BGP sessions."""
        return getters_bgp.neighbors(self._shell)

    def get_bgp_neighbors_detail(self, neighbor_address: str = "") -> dict[str, dict[int, list[dict[str, Any]]]]:
        """BGP sessions, in full."""
        return getters_bgp.neighbors_detail(self._shell, neighbor_address)

    def get_route_to(
        self, destination: str = "", protocol: str = "", longer: bool = False
    ) -> dict[str, list[dict[str, Any]]]:
        """Routes of every VRF."""
        return getters_routes.routes_to(self._shell, destination, protocol, longer)

    def ping(  # noqa: PLR0913, PLR0917  # NAPALM's own
        self,
        destination: str,
        source: str = constants.PING_SOURCE,
        ttl: int = constants.PING_TTL,
        timeout: int = constants.PING_TIMEOUT,
        size: int = constants.PING_SIZE,
        count: int = constants.PING_COUNT,
        vrf: str = constants.PING_VRF,
        source_interface: str = constants.PING_SOURCE_INTERFACE,
    ) -> dict[str, Any]:
        """Ping from the switch."""
        probe = PingRequest(
            destination=destination,
            source=source,
            ttl=ttl,
            seconds=timeout,
            size=size,
            count=count,
            vrf=vrf,
            port=source_interface,
        )
        return ping(self._shell, probe)


def _transport(login: Login, arguments: dict[str, Any]) -> Transport:
    kind = arguments.get("transport", "ssh")
    if kind == "local":
        return Local(login.host, arguments)
    if kind == "ssh":
        return SSH(login, arguments)
    raise ConnectionException(f"{login.host}: transport is ssh or local, not {kind!r}")


def _read(filename: str | None, config: str | None, fault: type[Exception]) -> str:
    """NAPALM: the file wins over the text."""
    try:
        return Path(filename).read_text(encoding="utf-8") if filename else (config or "")
    except (OSError, UnicodeDecodeError) as error:
        raise fault(f"{filename}: cannot be read: {error}") from None
