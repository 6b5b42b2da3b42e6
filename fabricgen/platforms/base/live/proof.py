"""Claims about a platform that can be tested on one switch: data; each platform has a table in its own module.

`prove-platform` tests the claims on a switch of the user (fabricgen/prove), docs/platforms.md lists the source of each.
A claim is one sentence that can turn out wrong. Its sentence and its procedure are those of its trial, the same for all
platforms; a platform adds its source, its own words, its seconds and what must be shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

from fabricgen.platforms.base.live.reader import Outputs, ReadCommand


class Trial(StrEnum):
    """The trials, in the order of reports."""

    READ = "read"
    SECRETS = "secrets"
    COMPARE = "compare"
    REFUSE = "refuse"
    EMPTY = "empty"
    UNSAVED = "unsaved"
    SECOND = "second-session"
    HITLESS = "hitless"
    TIMER = "timer"
    REVERT = "revert"
    KILL_WAITING = "kill-waiting"
    KILL_COMMITTING = "kill-committing"
    PORT = "port"
    SESSION = "session"
    CONFIRM = "confirm"
    REPLACE = "replace"
    VERIFY = "verify"
    DRAIN = "drain"
    RESTORED = "restored"


class Wording(NamedTuple):
    """The words of a trial. claim: the claim; how: what is done, in one sentence each."""

    claim: str
    how: str


WORDINGS: Mapping[Trial, Wording] = {
    Trial.READ: Wording(
        "fabricgen can read every part of the state.",
        "the commands of the reader are run once, and every part must be read",
    ),
    Trial.SECRETS: Wording(
        "The configuration that fabricgen prints has no secrets.",
        "the secrets of the running configuration are searched in the printed one",
    ),
    Trial.COMPARE: Wording(
        "A comparison shows what a commit would add, changes nothing, and leaves nothing behind.",
        "the test lines are loaded, compared and dropped; then the running configuration is read again",
    ),
    Trial.REFUSE: Wording(
        "A configuration with a wrong line is rejected as a whole, and changes nothing.",
        "a wrong line is loaded and compared; then the running configuration is read again",
    ),
    Trial.EMPTY: Wording(
        "Right after a timed commit the comparison with the committed configuration is empty.",
        "the same lines are compared while the commit waits",
    ),
    Trial.UNSAVED: Wording(
        "A timed commit does not change the startup configuration.",
        "the startup configuration is read before, and while the commit waits",
    ),
    Trial.SECOND: Wording(
        "Another session sees a commit that waits, so fabricgen does not commit over it.",
        "a second connection queries the armed commit and tries to load",
    ),
    Trial.HITLESS: Wording(
        "A hitless change takes no port and no BGP session down.",
        "ports, sessions and their flap counters are read before and after the commit",
    ),
    Trial.TIMER: Wording(
        "The switch itself reverts an unconfirmed commit when its timer expires.",
        "a timed commit is not confirmed; the delay until the switch runs its original configuration is measured",
    ),
    Trial.REVERT: Wording(
        "A timed commit that is rolled back by name is reverted at once.",
        "a timed commit is rolled back; then the running configuration is read",
    ),
    Trial.KILL_WAITING: Wording(
        "A commit whose process is killed while it waits is reverted by the switch itself.",
        "a separate process commits and is killed; the switch is only read until no commit is armed",
    ),
    Trial.KILL_COMMITTING: Wording(
        "A commit whose process is killed half-way does not change the running configuration.",
        "a separate process is killed while it commits; the switch is only read until no commit is armed",
    ),
    Trial.PORT: Wording(
        "A port that was shut down is up again within the claimed time after it is enabled.",
        "the port of --port is shut down by a timed commit, which is rolled back; the time until it is up is measured",
    ),
    Trial.SESSION: Wording(
        "A BGP session that was reset is up again within the claimed time.",
        "the session of --session is shut down by a timed commit, which is rolled back; the time until it is up is "
        "measured",
    ),
    Trial.CONFIRM: Wording(
        "A commit that is confirmed stays, and is in the startup configuration.",
        "with --confirm: a timed commit is confirmed, and both configurations are read",
    ),
    Trial.REPLACE: Wording(
        "Replacing the configuration removes lines that are not in the new one.",
        "with --confirm: the original configuration replaces the confirmed one, on a timer; then it is confirmed",
    ),
    Trial.VERIFY: Wording(
        "The rendered configuration is accepted, and verify finds no difference from it.",
        "with INTENT: it replaces the running configuration, on a timer; verify compares; the commit is rolled back",
    ),
    Trial.DRAIN: Wording(
        "Drained, its routes carry the graceful-shutdown community (RFC 8326) at every peer.",
        "with INTENT: the lines of the drain are merged on a timer, and the peers of the inventory are queried",
    ),
    Trial.RESTORED: Wording(
        "At the end the running and startup configurations are the original ones.",
        "both configurations are compared, character by character, with the first reading",
    ),
}


class PlatformClaim(NamedTuple):
    """One claim about a platform.

    source   where it is documented
    words    the claim in its own words; "" for those of the trial
    seconds  that it may take, or be late; None: it is only measured, since no source names a time
    shows    what must be shown: for SECOND `token`, `seconds`, `who`, `refused`; for SECRETS `clear` or `hashed`
    unsure   why the source is not enough; "" if it is
    """

    trial: Trial
    source: str
    words: str = ""
    seconds: float | None = None
    shows: frozenset[str] = frozenset()
    unsure: str = ""

    @classmethod
    def interruption(cls, trial: Trial, system: str, seconds: float, unsure: str = "measured nowhere") -> Self:
        """How long the port or the session of a trial is down; the source is the commit profile of the system."""
        risk = "traffic loss" if trial is Trial.PORT else "session reset"
        source = f"fabricgen/platforms/{system}/live/commit_profile.py, interrupts: {risk}"
        return cls(trial, source, seconds=seconds, unsure=unsure)

    @property
    def sentence(self) -> str:
        """The claim in words."""
        return self.words or WORDINGS[self.trial].claim


MARK = "FABRICGEN-PROVE"
"""Name of what the test lines create. Nothing refers to it."""
NETWORK = "192.0.2.1/32"
"""Prefix in the test lines (RFC 5737, for documentation)."""


class ProbeLines(NamedTuple):
    """Lines that are committed, merged, and taken back.

    adds     lines as a person would read them, for the plan
    lines    the same as the driver loads it
    removes  what a person types to remove them, should they be left
    wrong    what the switch must refuse
    port     name of a port → lines that shut it; None if no such line is known
    session  (peer, local AS) → lines that shut a BGP session of the default VRF; None if no such line is known
    """

    adds: tuple[str, ...]
    lines: str
    removes: str
    wrong: str
    port: Callable[[str], str] | None = None
    session: Callable[[str, int], str] | None = None


Flaps = Mapping[str, int]
"""Port or session → number or time of its last failure, as the switch counts; the value differs after a failure."""


def no_flaps(outputs: Outputs) -> Flaps:
    """Return nothing: no counter is known."""
    del outputs
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofTable:
    """The claims of one platform.

    system      its name
    claims      see PlatformClaim; at most one per trial
    flap_reads  commands for flap counters, in addition to the reader's; flaps: their outputs → counters
    access      regular expressions of lines by which the switch is managed: a difference with one is refused
    management  regular expression of the names of its management ports
    """

    system: str
    claims: tuple[PlatformClaim, ...]
    probe: ProbeLines
    access: tuple[str, ...]
    management: str
    flap_reads: tuple[ReadCommand, ...] = ()
    flaps: Callable[[Outputs], Flaps] = no_flaps

    def claim(self, trial: Trial) -> PlatformClaim | None:
        """The claim of a trial; None if it has none."""
        return next((claim for claim in self.claims if claim.trial is trial), None)
