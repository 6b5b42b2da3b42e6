"""What each claim of a platform rests on, for docs/platforms.md: the bundles in docs/evidence, or its source alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.live.proof import WORDINGS, PlatformClaim
from fabricgen.platforms.proofs import PROOFS
from fabricgen.prove.bundle import PACKED, open_bundle
from fabricgen.prove.values import ClaimOutcome

CLAIM_LINES = (
    "What is claimed of a platform beside the lines that are written, each as one sentence that can turn out wrong,",
    "and what it rests on: a bundle of [`fabricgen prove-platform`](proving.md) from a switch that runs the real",
    "system, or its source alone (**unproven**). Doubles are no evidence: they show that the verb works, not that the",
    "switch does. Run it on a spare switch or a VM of yours, and send the bundle.",
)


def claims(evidence: Path) -> Iterator[str]:
    """Lines of the page. evidence: folder with bundles from switches that run the real system, none of a double."""
    yield from ("", "## Claims, and what they rest on", "", *CLAIM_LINES)
    bundles = _bundles(evidence)
    for name, table in PROOFS.items():
        yield from ("", f"### {PLATFORMS[name].title}: claims", "")
        yield from ("| claim | says | tried by | rests on | source |", "|---|---|---|---|---|")
        for claim in table.claims:
            found = [_told(key, row) for key, rows in bundles.items() for row in rows if _is_of(row, name, claim)]
            rests = "; ".join(filter(None, found)) or "**unproven**"
            rests += f"; unsure: {claim.unsure}" if claim.unsure else ""
            how = WORDINGS[claim.trial].how
            cells = (f"`{name}.{claim.trial.value}`", claim.sentence, how, rests, claim.source)
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _bundles(evidence: Path) -> dict[str, list[dict[str, Any]]]:
    """Name of a bundle → its verdicts."""
    found = {path.name.removesuffix(PACKED): open_bundle(path) for path in sorted(evidence.glob(f"*{PACKED}"))}
    return {name: json.loads(json.dumps(bundle.manifest["claims"])) for name, bundle in found.items()}


def _is_of(row: dict[str, Any], name: str, claim: PlatformClaim) -> bool:
    return bool(row["claim"] == f"{name}.{claim.trial.value}")


def _told(key: str, row: dict[str, Any]) -> str:
    """What a bundle says of a claim; "" where it was not tried."""
    if row["outcome"] == ClaimOutcome.UNTRIED:
        return ""
    measured = f", {row['seconds']:g} s" if row["seconds"] is not None else ""
    why = "" if row["outcome"] == ClaimOutcome.HELD else f": {row['why']}"
    return f"[{key}](evidence/{key}{PACKED}): {row['outcome']}{measured}{why}"
