"""`fabricgen prove-platform --json`: the plan, or a proof as in the manifest of its bundle."""

from typing import Annotated, TypedDict

from fabricgen.cli.contracts.common import Problems, Versioned
from fabricgen.cli.contracts.form import AllowedValues
from fabricgen.prove.bundle import MomentRow
from fabricgen.prove.redact import KINDS
from fabricgen.prove.run import DIFFERS, REMARKS, REWRITTEN, SAME, UNREAD
from fabricgen.prove.values import OUTCOMES, ClaimVerdict, Timing

OutcomeWord = Annotated[str, AllowedValues(OUTCOMES)]
ComparedWord = Annotated[str, AllowedValues((SAME, REMARKS, REWRITTEN, DIFFERS, UNREAD))]


class StepRow(TypedDict):
    """One step.

    risk      for the switch's traffic; empty for none
    changes   lines that it adds (+) and removes (-), besides the test lines
    seconds   usual maximum duration
    left_out  reason for skipping it; empty where it is done
    """

    name: str
    does: str
    risk: str
    changes: list[str]
    seconds: int
    left_out: str


class ProofPlan(Versioned):
    """Actions of --commit. Exit code 3.

    adds     test lines that each commit adds
    removes  command that removes them by hand
    """

    platform: str
    release: str
    hold: int
    adds: list[str]
    removes: str
    steps: list[StepRow]


class Proof(Versioned):
    """Actions and observations; also the manifest.json of a bundle.

    fabricgen  its release; platform, release, model: of the switch
    began      UTC, ISO 8601; seconds: duration; hold: of its commit timers
    why        reason for an early end; empty where there was none
    running, startup  comparison of the last reading of both configurations with the first
    redacted   kind → number of names, numbers and addresses that were replaced
    """

    fabricgen: str
    platform: str
    release: str
    model: str
    began: str
    seconds: float
    hold: int
    outcome: OutcomeWord
    why: str
    running: ComparedWord
    startup: ComparedWord
    claims: list[ClaimVerdict]
    timings: list[Timing]
    moments: list[MomentRow]
    redacted: dict[Annotated[str, AllowedValues(KINDS)], int]


DOCUMENTS = (ProofPlan, Proof, Problems)
