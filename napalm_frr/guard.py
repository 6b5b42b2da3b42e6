"""The script on the switch as its verbs are called from here: where it lies, how long they take, what they say."""

import hashlib

from napalm.base.exceptions import CommandErrorException, CommitError, LockError

from napalm_frr.device_side import SCRIPT
from napalm_frr.shell import Shell
from napalm_frr.transport import Result

NAME = "guard.sh"
MESSAGE_LENGTH = 500
# How many reloads a verb of the script may wait for; seconds beside them.
RELOADS = {
    "arm": 3,
    "put": 1,
    "files": 5,
    "apply": 1,
    "hold": 1,
    "pending": 1,
    "standing": 1,
    "lease": 1,
    "release": 1,
    "settle": 9,
    "recover": 9,
}
GRACE = 10
# What the script's exit statuses mean.
UNFINISHED, LOCKED, DAEMON_DEAD, FULL, NOT_OURS = 73, 75, 76, 77, 79


class Guard:
    """The script of one switch. state: folder on it."""

    def __init__(self, shell: Shell, state: str) -> None:
        self._shell = shell
        self._state = state

    def begin(self, token: str, message: str, seconds: int) -> str:
        """Take the switch's lock, and start its guard, which reverts after so many seconds; what runs."""
        self._install()
        found = self.run("arm", token, str(seconds), _one_line(message))
        host, said = self._shell.host, found.output.strip()
        if found.status == LOCKED:
            raise LockError(f"{host}: another commit runs, or waits for its confirmation: {said}")
        if found.status == DAEMON_DEAD:
            raise CommitError(f"{host}: {dead(found)}")
        if found.status == UNFINISHED:
            raise CommitError(
                f"{host}: a commit lies there that nobody ended, as its guard is gone: call rollback() to put back "
                f"what ran before it ({self._state}/before): {said}"
            )
        if found.status == FULL:
            raise CommitError(f"{host}: the commit could not begin: {self.unwritable(found)}")
        if found.status:
            raise CommitError(f"{host}: the commit could not begin: {found.errors.strip() or found.status}")
        return found.output

    def damaged(self) -> str:
        """Of a commit that could not be put back."""
        return f"what ran before, {self._state}/before on the switch, could not be put back whole: see reload.log there"

    def unwritable(self, found: Result) -> str:
        """Of a verb that could not write its files."""
        said = found.errors.strip().partition("\n")[0]
        return f"the folder {self._state} on the switch cannot be written; is its disk full? ({said})"

    def _install(self) -> None:
        """Write the script; it comes whole or not at all."""
        make = (
            'umask 077 && mkdir -p "$1" && { cat >"$1/$2.$$" && mv -f "$1/$2.$$" "$1/$2" || '
            '{ rm -f "$1/$2.$$"; exit 1; }; }'
        )
        found = self._shell.run(["sh", "-c", make, "sh", self._state, NAME], SCRIPT)
        if found.status:
            raise CommitError(f"{self._shell.host}: the commit could not begin: {self.unwritable(found)}")

    def upload(self, name: str, text: str) -> None:
        """A file into the state folder, whole or not at all. Raises CommandErrorException."""
        checksum = hashlib.sha256(text.encode()).hexdigest()
        found = self.run("put", name, checksum, given=text)
        if found.status:
            said = found.errors.strip().partition("\n")[0]
            raise CommandErrorException(f"{self._shell.host}: the candidate did not arrive whole {said}".rstrip())

    def standing(self) -> Result:
        """What is armed and who is at work. The script comes along: an older one, or none, may lie there."""
        each = self._shell.seconds
        words = ["sh", "-s", self._state, self._shell.pathspace, f"{each:g}", "standing"]
        return self._shell.run(words, SCRIPT, each * RELOADS["standing"] + GRACE)

    def lease(self, *words: str) -> Result:
        """Be at work on the switch; see device_lease.py."""
        self._install()
        return self.run("lease", *words)

    def run(self, verb: str, *arguments: str, given: str = "") -> Result:
        """Run a verb of the script. What waits for reloads has their time. Without a commit ever, it is not there."""
        each = self._shell.seconds
        words = ["sh", f"{self._state}/{NAME}", self._state, self._shell.pathspace, f"{each:g}", verb, *arguments]
        return self._shell.run(words, given, each * RELOADS[verb] + GRACE)


def dead(found: Result) -> str:
    """What a verb says that found daemons which do not answer."""
    return (
        f"the configuration of {found.output.strip()} is not known, as it does not answer: start it, or remove its pid "
        "file if it is not to run"
    )


def _one_line(message: str) -> str:
    """A message for the log: one line of printable characters."""
    return "".join(sign if sign.isprintable() else " " for sign in message)[:MESSAGE_LENGTH]
