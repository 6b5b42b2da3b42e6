"""Client side of the script on the switch: its path, the timeouts of its verbs, and their results."""

import hashlib

from napalm.base.exceptions import CommandErrorException, CommitError, LockError

from napalm_frr.device_side import SCRIPT
from napalm_frr.shell import Shell
from napalm_frr.transport import Result

NAME = "guard.sh"
MESSAGE_LENGTH = 500
# How many reloads a verb of the script may wait for; GRACE: seconds in addition.
RELOADS = {
    "arm": 3,
    "put": 1,
    "files": 5,
    "apply": 1,
    "hold": 1,
    "pending": 1,
    "marks": 1,
    "lease": 1,
    "release": 1,
    "settle": 9,
    "recover": 9,
}
GRACE = 10
# Exit statuses of the script.
UNFINISHED, LOCKED, DAEMON_DEAD, FULL, NOT_OURS = 73, 75, 76, 77, 79


class Guard:
    """The script of one switch. state: its folder there."""

    def __init__(self, shell: Shell, state: str) -> None:
        self._shell = shell
        self._state = state

    def begin(self, token: str, message: str, seconds: int) -> str:
        """Take the switch's lock, start its guard, which reverts after `seconds`, and return what runs."""
        self._install()
        result = self.run("arm", token, str(seconds), _one_line(message))
        host, output = self._shell.host, result.output.strip()
        if result.status == LOCKED:
            raise LockError(f"{host}: another commit runs, or waits for its confirmation: {output}")
        if result.status == DAEMON_DEAD:
            raise CommitError(f"{host}: {dead(result)}")
        if result.status == UNFINISHED:
            raise CommitError(
                f"{host}: a commit lies there that nobody ended, as its guard is gone: call rollback() to put back "
                f"what ran before it ({self._state}/before): {output}"
            )
        if result.status == FULL:
            raise CommitError(f"{host}: the commit could not begin: {self.unwritable(result)}")
        if result.status:
            raise CommitError(f"{host}: the commit could not begin: {result.errors.strip() or result.status}")
        return result.output

    def damaged(self) -> str:
        """Message for a commit that could not be reverted."""
        return f"what ran before, {self._state}/before on the switch, could not be put back whole: see reload.log there"

    def unwritable(self, result: Result) -> str:
        """Message for a verb that could not write its files."""
        error = result.errors.strip().partition("\n")[0]
        return f"the folder {self._state} on the switch cannot be written; is its disk full? ({error})"

    def _install(self) -> None:
        """Write the script atomically."""
        make = (
            'umask 077 && mkdir -p "$1" && { cat >"$1/$2.$$" && mv -f "$1/$2.$$" "$1/$2" || '
            '{ rm -f "$1/$2.$$"; exit 1; }; }'
        )
        result = self._shell.run(["sh", "-c", make, "sh", self._state, NAME], SCRIPT)
        if result.status:
            raise CommitError(f"{self._shell.host}: the commit could not begin: {self.unwritable(result)}")

    def upload(self, name: str, text: str) -> None:
        """Write a file into the state folder atomically. Raises CommandErrorException."""
        checksum = hashlib.sha256(text.encode()).hexdigest()
        result = self.run("put", name, checksum, given=text)
        if result.status:
            error = result.errors.strip().partition("\n")[0]
            raise CommandErrorException(f"{self._shell.host}: the candidate did not arrive whole {error}".rstrip())

    def run_marks(self) -> Result:
        """Armed commit and lease. Sends the script along, as the switch may have an older one, or none."""
        limit = self._shell.seconds
        argv = ["sh", "-s", self._state, self._shell.pathspace, f"{limit:g}", "marks"]
        return self._shell.run(argv, SCRIPT, limit * RELOADS["marks"] + GRACE)

    def lease(self, *arguments: str) -> Result:
        """Take the lease of the switch; see device_lease.py."""
        self._install()
        return self.run("lease", *arguments)

    def run(self, verb: str, *arguments: str, given: str = "") -> Result:
        """Run a verb of the script, with time for its reloads. Before the first commit the script does not exist."""
        limit = self._shell.seconds
        argv = ["sh", f"{self._state}/{NAME}", self._state, self._shell.pathspace, f"{limit:g}", verb, *arguments]
        return self._shell.run(argv, given, limit * RELOADS[verb] + GRACE)


def dead(reply: Result) -> str:
    """Message for a verb that found daemons which do not answer."""
    return (
        f"the configuration of {reply.output.strip()} is not known, as it does not answer: start it, or remove its pid "
        "file if it is not to run"
    )


def _one_line(message: str) -> str:
    """Return a message for the log: one line of printable characters."""
    return "".join(sign if sign.isprintable() else " " for sign in message)[:MESSAGE_LENGTH]
