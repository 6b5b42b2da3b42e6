"""What drivers in NAPALM's shape have in common: how a switch is reached, and a candidate with its commits."""

from collections.abc import Iterable, Mapping
from typing import Any

import napalm.base.base as base  # noqa: PLR0402  # importing the class by name would make NAPALM take it for a driver
from napalm.base.exceptions import MergeConfigException, ReplaceConfigException

from napalm_frr.arguments import candidate_text, transport_of
from napalm_frr.ssh import SSH, Login

CLIENT = 'echo "$SSH_CONNECTION"'


class ShellDriver(base.NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """A driver over a switch's shell. `name`: its platform; `_set_up` makes its parts from `optional_args`."""

    name = ""

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
        self.platform = self.name
        self.profile = [self.platform]
        arguments = optional_args or {}
        self._transport = transport_of(Login(hostname, username, password, timeout), arguments)
        self._set_up(arguments)

    def _set_up(self, arguments: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def is_alive(self) -> dict[str, bool]:
        """Whether the connection is up."""
        return {"is_alive": self._transport.is_alive()}

    def client_address(self) -> str:
        """The address from which the switch's sshd sees this connection come; "" without SSH. Not part of NAPALM.

        Source: ssh(1), SSH_CONNECTION: "client IP address, client port number, server IP address, and server port".
        """
        if not isinstance(self._transport, SSH):
            return ""  # a shell of this host would tell who is logged in here
        result = self._transport.run(CLIENT, "", self.timeout)
        return result.output.partition(" ")[0].strip() if result.status == 0 else ""


class LifecycleDriver(ShellDriver):
    """A driver whose candidate and commits are a lifecycle, `_lifecycle`."""

    _lifecycle: Any

    def close(self) -> None:
        """Disconnect. An unconfirmed timed commit remains pending; a candidate is dropped."""
        self._lifecycle.discard()
        self._transport.close()

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load a complete configuration as the candidate. Raises ReplaceConfigException, which names the line."""
        self._lifecycle.load_replace(candidate_text(filename, config, ReplaceConfigException))

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load lines to add; further calls add more. Raises MergeConfigException, which names the line."""
        self._lifecycle.load_merge(candidate_text(filename, config, MergeConfigException))

    def load_files(self, files: Mapping[str, str]) -> None:
        """Add files to the candidate that `load_replace_candidate` loaded. Not part of NAPALM.

        files  path on the switch → text; which paths there are, the package says

        Raises ReplaceConfigException for any other path, and for errors of a file's syntax check.
        """
        self._lifecycle.load_files(files)

    def read_files(self, paths: Iterable[str]) -> dict[str, str]:
        """Texts of such files, by path; during a timed commit those in effect; "" for a missing file."""
        return dict(self._lifecycle.read_files(paths))

    def compare_config(self) -> str:
        """Changes of a commit, as `-` and `+` lines under their sections; "" for none. Secrets are masked."""
        return str(self._lifecycle.compare())

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Make the candidate the running configuration, or restore the previous one and raise CommitError.

        message    kept with the commit on the switch
        revert_in  seconds after which the switch itself reverts, unless `confirm_commit` comes before
        """
        self._lifecycle.commit(message, revert_in)

    def confirm_commit(self) -> None:
        """Keep a timed commit. Raises CommitConfirmException when none is pending any more."""
        self._lifecycle.confirm()

    def pending_message(self) -> str | None:
        """Message of the commit that `has_pending_commit` reports, or None. Not part of NAPALM."""
        message: str | None = self._lifecycle.pending_message()
        return message

    def discard_config(self) -> None:
        """Drop the candidate, including its files."""
        self._lifecycle.discard()

    def rollback(self) -> None:
        """Revert a pending commit, or else restore the configuration before the last commit that was kept."""
        self._lifecycle.rollback()

    def cancel_commit(self) -> None:
        """Revert a commit that is pending, or that a disconnected client began, but none that was kept.

        Raises CommitConfirmException if there is none any more.
        """
        self._lifecycle.cancel()
