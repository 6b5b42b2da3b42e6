"""The driver: NAPALM's methods, each delegated to a module."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from napalm.base import constants
from napalm.base.exceptions import CommandErrorException, ConnectionException

from napalm_frr import getters_bgp, getters_counters, getters_lldp, getters_routes, getters_system
from napalm_frr.base_driver import LifecycleDriver
from napalm_frr.lifecycle import Lifecycle
from napalm_frr.paths import masked
from napalm_frr.ping import PingRequest, ping
from napalm_frr.run_marks import RunMarks
from napalm_frr.shell import CommandResult, Shell

STATE = Path("/var/lib/napalm-frr")
SLACK = 30  # seconds that a commit has in addition to those of its commands
CONFIGS = ("all", "running", "startup", "candidate")


class FRRDriver(LifecycleDriver):
    """One switch that runs FRRouting. The package's docstring documents `optional_args`."""

    name = "frr"
    _lifecycle: Lifecycle

    def _set_up(self, arguments: Mapping[str, Any]) -> None:
        pathspace = str(arguments.get("pathspace") or "")
        self._shell = Shell(
            transport=self._transport,
            host=self.hostname,
            seconds=self.timeout,
            pathspace=pathspace,
            lldp_socket=str(arguments.get("lldp_socket") or ""),
            sudo=bool(arguments.get("sudo", False)),
            any_command=bool(arguments.get("cli_any", False)),
        )
        self._probes = bool(arguments.get("probe", True))
        state = str(arguments.get("state_dir") or STATE / (pathspace or "default"))
        self.commit_seconds = int(arguments.get("commit_seconds") or 4 * self.timeout + SLACK)
        self._lifecycle = Lifecycle(self._shell, state, self.commit_seconds)

    def open(self) -> None:
        """Connect, and check that FRR answers unless optional_args has `probe: False`: then `answers` checks it."""
        self._transport.open()
        if self._probes:
            self._probe()

    def _probe(self) -> None:
        try:
            self._shell.vtysh("show version")
        except CommandErrorException as error:
            self._transport.close()
            raise ConnectionException(f"FRR does not answer on {error}") from None

    def goes_back_to(self) -> str:
        """Return the configuration before the waiting commit, which a revert restores. Not part of NAPALM.

        Raises CommandErrorException if there is none.
        """
        return self._lifecycle.before()

    def has_pending_commit(self) -> bool:
        """Whether a timed commit of any client is pending, or any commit without a guard, which needs `rollback`."""
        return self._lifecycle.pending()

    def run_marks(self) -> RunMarks:
        """The commit that is armed on the switch, from its beginning on, and the lease. Not part of NAPALM."""
        return self._lifecycle.run_marks()

    def take_lease(self, token: str, owner: str, note: str = "", after: int | None = None) -> None:
        """Mark the switch as being worked on, across several commits. Not part of NAPALM.

        token  identifies the work, also from another client
        after  seconds since another owner renewed the lease, after which it is taken over; None: never

        Raises LeasedError, which names the current owner.
        """
        self._lifecycle.take(token, owner, note, after)

    def release_lease(self, token: str) -> None:
        """Release the lease of this work; does nothing if another work has it. Not part of NAPALM."""
        self._lifecycle.release(token)

    def cli(self, commands: list[str], encoding: str = "text") -> dict[str, Any]:
        """Outputs by command: vtysh's `show …`, and the read-only commands of programs.py.

        The latter are those of `ip`, `bridge`, `tc`, `sysctl`, … With `cli_any` among the optional_args, all other
        commands go to vtysh unchanged.

        encoding  "json": outputs are parsed. Raises CommandErrorException, which names the command
        """
        if isinstance(commands, str) or encoding not in ("text", "json"):
            raise CommandErrorException(f"{self.hostname}: cli needs a list of commands, and encoding text or json")
        return self._shell.jsons(commands) if encoding == "json" else dict(self._shell.texts(commands))

    def answers(self, asked: Mapping[str, str]) -> dict[str, CommandResult]:
        """Output of `cli` for each command, or its error, using one vtysh and one shell for as many as possible.

        Not part of NAPALM. A command that is missing from the result must be run by `cli`.

        asked  command → "text" or "json"

        Raises ConnectionException if FRR does not answer at all.
        """
        results = self._shell.answers(asked)
        if not self._probes and not any(command.startswith("show ") for command in results):
            self._probe()
        return results

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """Texts of running, startup and candidate. sanitized: secrets masked. FRR has no fuller form."""
        del full
        if retrieve not in CONFIGS or format != "text":
            raise CommandErrorException(f"{self.hostname}: no configuration {retrieve!r} in format {format!r}")
        readers = {
            "running": self._lifecycle.running,
            "startup": self._lifecycle.startup,
            "candidate": self._lifecycle.candidate,
        }
        texts = {name: text() if retrieve in ("all", name) else "" for name, text in readers.items()}
        return {name: masked(text) if sanitized else text for name, text in texts.items()}

    def get_facts(self) -> dict[str, Any]:
        """Facts of the switch."""
        return getters_system.facts(self._shell)

    def get_interfaces(self) -> dict[str, dict[str, Any]]:
        """Interfaces of the kernel."""
        return getters_system.interfaces(self._shell)

    def get_interfaces_counters(self) -> dict[str, dict[str, int]]:
        """Octets, errors and discards of the kernel; -1 for counters that it does not have."""
        return getters_counters.counters(self._shell)

    def get_interfaces_ip(self) -> dict[str, dict[str, dict[str, dict[str, int]]]]:
        """Addresses of the kernel's interfaces."""
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
        """Neighbors of each port."""
        return getters_lldp.neighbors(self._shell)

    def get_lldp_neighbors_detail(self, interface: str = "") -> dict[str, list[dict[str, Any]]]:
        """All LLDP data received on each port."""
        return getters_lldp.neighbors_detail(self._shell, interface)

    def get_bgp_neighbors(self) -> dict[str, dict[str, Any]]:
        """BGP sessions."""
        return getters_bgp.neighbors(self._shell)

    def get_bgp_neighbors_detail(self, neighbor_address: str = "") -> dict[str, dict[int, list[dict[str, Any]]]]:
        """BGP sessions with all details."""
        return getters_bgp.neighbors_detail(self._shell, neighbor_address)

    def get_route_to(
        self, destination: str = "", protocol: str = "", longer: bool = False
    ) -> dict[str, list[dict[str, Any]]]:
        """Routes in every VRF."""
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
