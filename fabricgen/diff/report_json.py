"""A difference as plain values for machines."""

from functools import partial

from fabricgen.base.schema_version import VERSIONED
from fabricgen.diff.classes import priced
from fabricgen.diff.model import Blast, Difference, Hunk, MeaningClass, TextClass
from fabricgen.diff.words import verdict


def plain(difference: Difference) -> dict[str, object]:
    """Everything that the text says, and every fact of every switch.

    `risk` is the worst of all classes; `bisection` is a share from 0 to 1 by fabric; `hunks` of the switches that were
    asked for. What there is one of for each switch that differs is a function that makes it, as `echo_json` takes it:
    never all of it stands at once.
    """
    return VERSIONED | {
        "verdict": verdict(difference),
        "notes": list(difference.notes),
        "whole": difference.is_whole,
        "unread": list(difference.unread or ()),
        "risk": difference.risk.words,
        "defaults": _defaults(difference),
        "switches": {"before": difference.before, "after": difference.after, "equal": difference.equal},
        "meaning": [_meaning(found) for found in difference.meaning],
        "text": [_text(found) for found in difference.text],
        "moved": [one._asdict for one in difference.moved],
        "recabled": list(difference.recabled),
        "hunks": {device: [_hunk(one) for one in hunks] for device, hunks in sorted(difference.hunks.items())},
    }


def _defaults(difference: Difference) -> dict[str, object] | None:
    step = difference.defaults
    if step is None:
        return None
    rows = [
        row._asdict() | {"places": list(row.places), "risk": row.risk.words, "devices": list(row.devices)}
        for row in step.changes
    ]
    return {"before": step.before, "after": step.after, "changes": rows}


def _meaning(found: MeaningClass) -> dict[str, object]:
    return {
        "risk": found.risk.words,
        "fabric": found.fabric,
        "role": found.role,
        "system": found.system,
        "devices": list(found.devices),
        "changes": [one._asdict() | {"risk": one.risk.words} for one in found.lines],
        "reaches": _blast(found.blast),
        "facts": {device: partial(_facts, found, device) for device in sorted(found.facts)},
    }


def _facts(found: MeaningClass, device: str) -> list[dict[str, object]]:
    return [fact._asdict() | {"risk": risk.words} for fact, risk in priced(found, device)]


def _text(found: TextClass) -> dict[str, object]:
    return {
        "risk": found.risk.words,
        "artifact": found.artifact,
        "cause": found.cause.value,
        "devices": list(found.devices),
        "hunks": [_hunk(one) for one in found.hunks],
        "facts": list(found.facts),
        "reaches": _blast(found.blast),
    }


def _hunk(hunk: Hunk) -> dict[str, object]:
    return {name: list(value) for name, value in hunk._asdict().items()}


def _blast(blast: Blast) -> dict[str, object]:
    return {
        "gpus": blast.gpus,
        "gpus_all": blast.gpus_all,
        "rails": list(blast.rails),
        "tenants": list(blast.tenants),
        "bisection": {fabric: float(share) for fabric, share in sorted(blast.bisection.items())},
    }
