"""`fabricgen prove-platform --json`: the plan, or a proof as the manifest of its bundle has it."""

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

    risk      to what the switch carries; empty for none
    changes   lines that come (+) and go (-) with it, beside the test lines
    seconds   that it takes at most, as a rule
    left_out  why it is not taken; empty where it is
    """

    name: str
    does: str
    risk: str
    changes: list[str]
    seconds: int
    left_out: str


class ProofPlan(Versioned):
    """What --commit would do. Exit code 3.

    adds     test lines that each commit adds
    removes  what takes them away by hand
    """

    platform: str
    release: str
    hold: int
    adds: list[str]
    removes: str
    steps: list[StepRow]


class Proof(Versioned):
    """What was done and seen; also the manifest.json of a bundle.

    fabricgen  its release; platform, release, model: of the switch
    began      UTC, ISO 8601; seconds: that it took; hold: those of its timers
    why        what ended it early; empty where nothing did
    running, startup  how both configurations compare in the end with the first reading
    redacted   kind → how many names, numbers and addresses were replaced
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
