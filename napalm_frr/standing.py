"""What stands on a switch beside its configuration: a commit that is armed, and a lease of whoever is at work there."""

from typing import NamedTuple

from napalm.base.exceptions import CommandErrorException, LockError

from napalm_frr.transport import Result

NO_FOLDER, LOCKED, NOT_OURS, LEASED = 70, 75, 79, 81
"""What exit statuses of the script mean: device_lease.py."""
NOTE_LENGTH = 200

PHASES = ("begins", "changes", "waits", "ends", "lost")


class Armed(NamedTuple):
    """A commit that the switch will end by itself.

    phase    begins (takes the lock), changes (its lines are applied), waits (for its confirmation), ends (is being kept
             or put back), lost (its guard is gone: nothing puts it back)
    seconds  until the switch puts back what ran before; None where nothing does
    owner    token of the commit, its client's; "-" while it begins
    message  of the commit
    """

    phase: str
    seconds: int | None
    owner: str
    message: str


class Lease(NamedTuple):
    """Who is at work on the switch. seconds: since that was said last, by the switch's clock."""

    token: str
    owner: str
    note: str
    seconds: int


class LeasedError(LockError):  # type: ignore[misc]  # NAPALM has no types
    """Somebody else is at work on the switch. lease: who."""

    def __init__(self, host: str, lease: Lease | None) -> None:
        who = f"{lease.owner} is at work on it, {lease.note or lease.token}" if lease else "somebody is at work on it"
        super().__init__(f"{host}: {who}")
        self.lease = lease


class RunMarks(NamedTuple):
    """Both; None for what is not there."""

    armed: Armed | None
    lease: Lease | None


def read(told: str) -> RunMarks:
    """What a switch's script printed. Raises CommandErrorException for what it does not print."""
    lines = iter(told.splitlines())
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


def standing(host: str, found: Result) -> RunMarks:
    """What stands there, by what the script left. Raises CommandErrorException where the switch does not say."""
    if found.status == NO_FOLDER:
        return RunMarks(None, None)
    if found.status:
        raise CommandErrorException(f"{host}: what is armed is not known: {found.errors.strip() or found.status}")
    return read(found.output)


def taken(host: str, found: Result) -> None:
    """See that a lease was had. Raises LeasedError where another has it."""
    if found.status == LEASED:
        raise LeasedError(host, read(found.output).lease)
    _raise_for(host, found)


def released(host: str, found: Result) -> None:
    """See that a lease is given back; where it was another's by then, that is all right."""
    if found.status != NOT_OURS:
        _raise_for(host, found)


def _raise_for(host: str, found: Result) -> None:
    if found.status == LOCKED:
        raise LockError(f"{host}: its lease is changing hands")
    if found.status:
        why = found.errors.strip().partition("\n")[0] or f"exit status {found.status}"
        raise CommandErrorException(f"{host}: no lease could be had; is its disk full? ({why})")


def words(token: str, owner: str, note: str, after: int | None) -> tuple[str, str, str, str]:
    """Words of `take_lease`. Token and owner are one word, the note is one line."""
    one, two = ("".join(sign for sign in text if sign.isprintable() and sign != " ") or "-" for text in (token, owner))
    line = "".join(sign if sign.isprintable() else " " for sign in note)
    return one, two, line[:NOTE_LENGTH], "" if after is None else str(after)
