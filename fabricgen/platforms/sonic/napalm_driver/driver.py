"""The driver: NAPALM's methods, each delegated to the module that implements it."""

from collections.abc import Iterable, Mapping
from typing import Any

import napalm.base.base as base  # noqa: PLR0402  # the class by name would be taken for a driver of this module
from napalm.base.exceptions import (
    CommandErrorException,
    ConnectionException,
    MergeConfigException,
    ReplaceConfigException,
)

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.sonic.live import reader
from fabricgen.platforms.sonic.live.asked import RUNNING, VERSION
from fabricgen.platforms.sonic.live.values import masked, text_of
from fabricgen.platforms.sonic.napalm_driver.counters import counters
from fabricgen.platforms.sonic.napalm_driver.lease_scripts import READ_MARKS, RELEASE, TAKE
from fabricgen.platforms.sonic.napalm_driver.lifecycle import SLACK, Lifecycle
from fabricgen.platforms.sonic.napalm_driver.switch import SonicShell
from napalm_frr.arguments import candidate_text, transport_of
from napalm_frr.run_marks import RunMarks, check_lease_released, check_lease_taken, lease_arguments, parse_run_marks
from napalm_frr.ssh import Login

COMMIT_SECONDS = 600
CONFIGS = ("all", "running", "startup", "candidate")


class SonicDriver(base.NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch that runs SONiC. The package's docstring lists `optional_args`."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        """Store the arguments; nothing is contacted. timeout: seconds to connect, and for each command."""
        self.hostname = hostname
        self.username = username
        self.password = password
        self.timeout = timeout
        self.platform = "sonic"
        self.profile = [self.platform]
        arguments = optional_args or {}
        self._transport = transport_of(Login(hostname, username, password, timeout), arguments)
        self._switch = SonicShell(
            transport=self._transport,
            host=hostname,
            seconds=timeout,
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

    def close(self) -> None:
        """Disconnect. An unconfirmed timed commit stays pending; a candidate is discarded."""
        self._lifecycle.discard()
        self._transport.close()

    def is_alive(self) -> dict[str, bool]:
        """Return whether the connection is up."""
        return {"is_alive": self._transport.is_alive()}

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load a whole config_db.json. SONiC's own values, such as DEVICE_METADATA's mac, are kept."""
        self._lifecycle.load_replace(candidate_text(filename, config, ReplaceConfigException))

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load rows of CONFIG_DB as JSON, or lines of FRR's configuration, to add to what runs."""
        self._lifecycle.load_merge(candidate_text(filename, config, MergeConfigException))

    def load_files(self, files: Mapping[str, str]) -> None:
        """Add `/etc/sonic/frr/frr.conf` to the replace candidate. Not in NAPALM."""
        self._lifecycle.load_files(files)

    def read_files(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the texts of these files in effect, by path, without SONiC's additions; "" for no file."""
        return self._lifecycle.read_files(paths)

    def compare_config(self) -> str:
        """Return what a commit would change in CONFIG_DB, as `-` and `+` lines, secrets masked; "" for nothing."""
        return self._lifecycle.compare()

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Apply the candidate, or restore everything and raise CommitError.

        message    is kept with the commit while it is pending
        revert_in  seconds after which the switch itself reverts, unless `confirm_commit` comes before
        """
        self._lifecycle.commit(message, revert_in)

    def goes_back_to(self) -> str:
        """Return the CONFIG_DB from before the pending commit, to which a revert returns. Not in NAPALM."""
        return text_of(self._switch.checkpoint())

    def confirm_commit(self) -> None:
        """Keep a timed commit, also over a restart. Raises CommitConfirmException if none is pending any more."""
        self._lifecycle.confirm()

    def has_pending_commit(self) -> bool:
        """Return whether a commit, of any client, is pending on the switch."""
        return self._lifecycle.pending_message() is not None

    def pending_message(self) -> str | None:
        """Return the message of that commit; None if there is none. Not in NAPALM."""
        return self._lifecycle.pending_message()

    def run_marks(self) -> RunMarks:
        """Return the commit in progress or pending, and who holds the lease. Not in NAPALM."""
        return parse_run_marks(self.hostname, self._switch.script(READ_MARKS))

    def take_lease(self, token: str, owner: str, note: str = "", after: int | None = None) -> None:
        """Record on the switch that somebody works there; as in napalm_frr. Raises LeasedError."""
        check_lease_taken(self.hostname, self._switch.script(TAKE, *lease_arguments(token, owner, note, after)))

    def release_lease(self, token: str) -> None:
        """Remove that record; does nothing if it is somebody else's. Not in NAPALM."""
        check_lease_released(self.hostname, self._switch.script(RELEASE, token))

    def discard_config(self) -> None:
        """Discard the candidate, including its file."""
        self._lifecycle.discard()

    def rollback(self) -> None:
        """Revert a pending commit; if there is none, the last one kept since the switch started."""
        self._lifecycle.rollback()

    def cancel_commit(self) -> None:
        """Revert a pending commit, and no other. Raises CommitConfirmException if none is pending any more."""
        self._lifecycle.cancel()

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
