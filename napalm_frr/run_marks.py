"""Marks on a switch besides its configuration: an armed commit, and a lease."""

from typing import NamedTuple

from napalm.base.exceptions import CommandErrorException, LockError

from napalm_frr.transport import Result

NO_FOLDER, LOCKED, NOT_OURS, LEASED = 70, 75, 79, 81
"""Exit statuses of the script: device_lease.py."""
NOTE_LENGTH = 200

PHASES = ("begins", "changes", "waits", "ends", "lost")


class Armed(NamedTuple):
    """A commit that the switch will end by itself.

    phase    begins (takes the lock), changes (its lines are applied), waits (for its confirmation), ends (is being kept
             or reverted), lost (its guard is gone: nothing reverts it)
    seconds  until the switch restores the previous configuration; None if nothing does
    owner    token of the commit's client; "-" while it begins
    message  of the commit
    """

    phase: str
    seconds: int | None
    owner: str
    message: str


class Lease(NamedTuple):
    """The current work on the switch. seconds: since the lease was renewed, by the switch's clock."""

    token: str
    owner: str
    note: str
    seconds: int


class LeasedError(LockError):  # type: ignore[misc]  # NAPALM has no types
    """Somebody else works on the switch. lease: theirs."""

    def __init__(self, host: str, lease: Lease | None) -> None:
        who = f"{lease.owner} is at work on it, {lease.note or lease.token}" if lease else "somebody is at work on it"
        super().__init__(f"{host}: {who}")
        self.lease = lease


class RunMarks(NamedTuple):
    """Armed commit and lease, each None if there is none."""

    armed: Armed | None
    lease: Lease | None


def read(output: str) -> RunMarks:
    """Parse the output of the script. Raises CommandErrorException for any other text."""
    lines = iter(output.splitlines())
    armed = lease = None
    for line in lines:
        match line.split(" ", 4):
            case "armed", phase, seconds, owner, message if phase in PHASES:
                armed = Armed(phase, int(seconds) if seconds.isdecimal() else None, owner, message)
            case "lease", seconds, token, owner if seconds.isdecimal():
                lease = Lease(token, owner, next(lines, ""), int(seconds))
            case _:
                raise CommandErrorException(f"what is armed is not understood: {line[:80]!r}")
    return RunMarks(armed, lease)


def parse_run_marks(host: str, result: Result) -> RunMarks:
    """Armed commit and lease, from the script's result. Raises CommandErrorException if it failed."""
    if result.status == NO_FOLDER:
        return RunMarks(None, None)
    if result.status:
        raise CommandErrorException(f"{host}: what is armed is not known: {result.errors.strip() or result.status}")
    return read(result.output)


def check_lease_taken(host: str, result: Result) -> None:
    """Check that the lease was taken. Raises LeasedError if another has it."""
    if result.status == LEASED:
        raise LeasedError(host, read(result.output).lease)
    _raise_for(host, result)


def check_lease_released(host: str, result: Result) -> None:
    """Check that the lease was released; it is no error if another had taken it over."""
    if result.status != NOT_OURS:
        _raise_for(host, result)


def _raise_for(host: str, result: Result) -> None:
    if result.status == LOCKED:
        raise LockError(f"{host}: its lease is changing hands")
    if result.status:
        reason = result.errors.strip().partition("\n")[0] or f"exit status {result.status}"
        raise CommandErrorException(f"{host}: no lease could be had; is its disk full? ({reason})")


def lease_arguments(token: str, owner: str, note: str, after: int | None) -> tuple[str, str, str, str]:
    """Arguments of `take_lease`. Token and owner become one word, the note one line."""
    key, who = ("".join(sign for sign in text if sign.isprintable() and sign != " ") or "-" for text in (token, owner))
    line = "".join(sign if sign.isprintable() else " " for sign in note)
    return key, who, line[:NOTE_LENGTH], "" if after is None else str(after)
