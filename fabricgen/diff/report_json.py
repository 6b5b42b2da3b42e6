"""A difference as plain values for machines."""

from functools import partial

from fabricgen.base.schema_version import VERSIONED
from fabricgen.diff.classes import priced
from fabricgen.diff.model import Blast, Difference, Hunk, MeaningClass, TextClass
from fabricgen.diff.words import verdict


def plain(difference: Difference) -> dict[str, object]:
    """Everything that the text report has, and every change of every switch.

    `risk` is the highest of all classes; `bisection` is a share from 0 to 1 by fabric; `hunks` are of the switches that
    were asked for. Values per switch are functions that `echo_json` calls one by one, so memory never holds all of
    them.
    """
    return VERSIONED | {
        "verdict": verdict(difference),
        "notes": list(difference.notes),
        "whole": difference.is_whole,
        "unread": list(difference.unread or ()),
        "risk": difference.risk.words,
        "defaults": _defaults(difference),
        "switches": {"before": difference.before, "after": difference.after, "equal": difference.equal},
        "meaning": [_meaning(each_class) for each_class in difference.meaning],
        "text": [_text(each_class) for each_class in difference.text],
        "moved": [item._asdict for item in difference.moved],
        "recabled": list(difference.recabled),
        "hunks": {device: [_hunk(item) for item in hunks] for device, hunks in sorted(difference.hunks.items())},
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


def _meaning(meaning_class: MeaningClass) -> dict[str, object]:
    return {
        "risk": meaning_class.risk.words,
        "fabric": meaning_class.fabric,
        "role": meaning_class.role,
        "system": meaning_class.system,
        "devices": list(meaning_class.devices),
        "changes": [class_change._asdict() | {"risk": class_change.risk.words} for class_change in meaning_class.lines],
        "reaches": _blast(meaning_class.blast),
        "device_changes": {
            device: partial(_device_changes, meaning_class, device) for device in sorted(meaning_class.device_changes)
        },
    }


def _device_changes(meaning_class: MeaningClass, device: str) -> list[dict[str, object]]:
    return [change._asdict() | {"risk": risk.words} for change, risk in priced(meaning_class, device)]


def _text(text_class: TextClass) -> dict[str, object]:
    return {
        "risk": text_class.risk.words,
        "artifact": text_class.artifact,
        "cause": text_class.cause.value,
        "devices": list(text_class.devices),
        "hunks": [_hunk(hunk) for hunk in text_class.hunks],
        "kinds": list(text_class.kinds),
        "reaches": _blast(text_class.blast),
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
