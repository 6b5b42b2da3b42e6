"""The driver: NAPALM's methods, each delegated to the module that implements it."""

from collections.abc import Mapping
from typing import Any

from napalm.base.exceptions import CommandErrorException, ConnectionException

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.sonic.live import reader
from fabricgen.platforms.sonic.live.asked import RUNNING, VERSION
from fabricgen.platforms.sonic.live.values import masked, text_of
from fabricgen.platforms.sonic.napalm_driver.counters import counters
from fabricgen.platforms.sonic.napalm_driver.lease_scripts import READ_MARKS, RELEASE, TAKE
from fabricgen.platforms.sonic.napalm_driver.lifecycle import SLACK, Lifecycle
from fabricgen.platforms.sonic.napalm_driver.switch import SonicShell
from napalm_frr.base_driver import LifecycleDriver
from napalm_frr.run_marks import RunMarks, check_lease_released, check_lease_taken, lease_arguments, parse_run_marks

COMMIT_SECONDS = 600
CONFIGS = ("all", "running", "startup", "candidate")


class SonicDriver(LifecycleDriver):
    """One switch that runs SONiC. The package's docstring lists `optional_args`."""

    name = "sonic"

    def _set_up(self, arguments: Mapping[str, Any]) -> None:
        self._switch = SonicShell(
            transport=self._transport,
            host=self.hostname,
            seconds=self.timeout,
            sudo=bool(arguments.get("sudo", True)),
            any_command=bool(arguments.get("cli_any", False)),
            root=str(arguments.get("root") or ""),
        )
        seconds = int(arguments.get("commit_seconds") or COMMIT_SECONDS)
        self.commit_seconds = seconds + SLACK
        self._lifecycle = Lifecycle(self._switch, seconds)

    def open(self) -> None:
        """Connect, and check that SONiC answers."""
        self._transport.open()
        try:
            self._switch.config()
        except CommandErrorException as error:
            self._transport.close()
            raise ConnectionException(f"SONiC does not answer on {error}") from None

    def goes_back_to(self) -> str:
        """Return the CONFIG_DB from before the pending commit, to which a revert returns. Not in NAPALM."""
        return text_of(self._switch.checkpoint())

    def has_pending_commit(self) -> bool:
        """Return whether a commit, of any client, is pending on the switch."""
        return self._lifecycle.pending_message() is not None

    def run_marks(self) -> RunMarks:
        """Return the commit in progress or pending, and who holds the lease. Not in NAPALM."""
        return parse_run_marks(self.hostname, self._switch.script(READ_MARKS))

    def take_lease(self, token: str, owner: str, note: str = "", after: int | None = None) -> None:
        """Record on the switch that somebody works there; as in napalm_frr. Raises LeasedError."""
        check_lease_taken(self.hostname, self._switch.script(TAKE, *lease_arguments(token, owner, note, after)))

    def release_lease(self, token: str) -> None:
        """Remove that record; does nothing if it is somebody else's. Not in NAPALM."""
        check_lease_released(self.hostname, self._switch.script(RELEASE, token))

    def cli(self, commands: list[str], encoding: str = "text") -> dict[str, Any]:
        """Return the outputs of read-only commands, by command; `vtysh -c 'show …'`, `ip` and `bridge` included.

        Raises CommandErrorException, which names the command.

        encoding  "json": outputs are parsed
        """
        if isinstance(commands, str) or encoding not in ("text", "json"):
            raise CommandErrorException(f"{self.hostname}: cli needs a list of commands, and encoding text or json")
        return self._switch.jsons(commands) if encoding == "json" else dict(self._switch.texts(commands))

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """Return the running, startup and candidate CONFIG_DB as JSON. sanitized: secrets masked."""
        del full
        if retrieve not in CONFIGS or format != "text":
            raise CommandErrorException(f"{self.hostname}: no configuration {retrieve!r} in format {format!r}")
        read = {
            "running": self._switch.config,
            "startup": self._switch.startup,
            "candidate": self._lifecycle.candidate,
        }
        tables_by_name = {name: tables() if retrieve in ("all", name) else {} for name, tables in read.items()}
        shown_tables = {name: masked(tables) if sanitized else tables for name, tables in tables_by_name.items()}
        return {name: text_of(tables) if tables else "" for name, tables in shown_tables.items()}

    def get_facts(self) -> dict[str, Any]:
        """Return facts of the switch; -1 for its uptime, which is not read."""
        outputs = {VERSION: Output(self.cli([VERSION])[VERSION]), RUNNING: Output(self._switch.config())}
        facts = reader.state(outputs, {}).facts
        if facts is None:
            raise CommandErrorException(f"{self.hostname}: {VERSION}: another form than expected")
        ports = self._switch.config().get("PORT", {})
        return {
            "hostname": facts.hostname,
            "fqdn": facts.hostname,
            "vendor": "SONiC",
            "model": facts.model,
            "serial_number": facts.serial,
            "os_version": facts.version,
            "uptime": -1.0,
            "interface_list": sorted(ports),
        }

    def get_interfaces_counters(self) -> dict[str, dict[str, int]]:
        """Return counters by port, as the chip has them."""
        return counters(self._switch)
