"""A proof of a switch behind a double, without the verb around it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.proof import Trial
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.proofs import PROOFS
from fabricgen.platforms.readers import READERS
from fabricgen.prove.bench import ProofBench
from fabricgen.prove.killing import Child, Killing, Start
from fabricgen.prove.run import Ended, prove, verdicts
from fabricgen.prove.steps import planned, steps_of
from fabricgen.prove.values import ClaimOutcome, ProofSettings, ProofSubject
from tests.push.boxed import fleet

NAME = "leaf"
TOKEN = "0123456789ab"  # noqa: S105 - of a run
KILLS = frozenset({"kill", "kill-committing"})
QUICK = ProofSettings(hold=2, slack=60, poll=0.2, skip=KILLS)


@contextmanager
def benched(
    site: Path, system: str, settings: ProofSettings = QUICK, stop: Event | None = None, name: str = NAME
) -> Iterator[ProofBench]:
    """A bench over two connections."""
    driver = READERS[system].driver
    with fleet(site, driver) as one, fleet(site, driver) as other:
        subject = ProofSubject(name, driver, PROOFS[system], READERS[system], {})
        claim = RunClaim(TOKEN, "somebody@here", "prove-platform", 900)
        yield ProofBench(subject, settings, (one, other), claim, stop or Event(), lambda line: None)


def proven(bench: ProofBench, site: Path, start: Start = Child) -> Ended:
    """Go through with it."""
    subject, settings = bench.subject, bench.settings
    return prove(bench, planned(steps_of(Killing(site, start)), subject, commit_profile_of(subject.driver), settings))


def outcomes(bench: ProofBench) -> Mapping[Trial, ClaimOutcome]:
    """What came of each claim."""
    return {verdict.trial: verdict.outcome for verdict in verdicts(bench)}


def why(bench: ProofBench, trial: Trial) -> str:
    """Of one of them."""
    return next(verdict.why for verdict in verdicts(bench) if verdict.trial is trial)


def until(is_so: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether it becomes so."""
    waited = Event()
    for _ in range(int(seconds * 20)):
        if is_so():
            return True
        waited.wait(0.05)
    return False
