"""The report of a push for machines."""

import json

from fabricgen.push.model import StepName, StepState
from fabricgen.push.report.json import plain
from fabricgen.push.report.model import report
from tests.push.push_records import broken, cut, killed, record, said, stopped, unsettled, waiting


def test_a_run_that_failed() -> None:
    found = json.loads(json.dumps(plain(report(broken()))))
    waves, events = found.pop("waves"), found.pop("events")
    assert found == {
        "schema_version": 0,
        "run": 7,
        "token": "c0ffee",
        "intent": "site/intent.yaml",
        "inventory": "inventories/lab",
        "approval": "0123456789abcdef",
        "who": "alice@jump",
        "started": "2026-03-01T12:00:00.000000+00:00",
        "ended": "2026-03-01T12:00:40.000000+00:00",
        "seconds": 40.0,
        "resumed": [],
        "forecast": None,
        "outcome": "failed",
        "verdict": "Failed: unconfirmed commits were rolled back.",
        "resume": "",
        "waiting": [],
        "by_hand": [],
        "to_do": [
            "find out why be-leaf-000 was rolled back: checks fail after the change: BGP session "
            "be-leaf-000 swp1 "
            "is down, and 1 more; reverted: it runs its previous configuration",
            "then run the same command without --commit: it shows what is left to change, and changes nothing",
        ],
        "reasons": [],
        "counts": {"reverted": 1, "not reached": 2},
        "checks": {
            **{"before": None, "after": None, "new": [], "causes": [], "waits": None},
            **{"pending": [], "excused": [], "summary": ""},
        },
    }
    assert [wave["number"] for wave in waves] == [1, 2]
    assert {key: value for key, value in waves[1].items() if key != "switches"} == {
        "number": 2,
        "fabric": "backend",
        "role": "spine",
        "canary": False,
        "keeps": "3/4",
        "started": None,
        "seconds": None,
        "counters": None,
        "paths": None,
    }
    (leaf,) = waves[0]["switches"]
    steps = leaf.pop("steps")
    assert leaf == {
        "device": "be-leaf-000",
        "end": "reverted",
        "reason": (
            "checks fail after the change: BGP session be-leaf-000 swp1 is down, and 1 more; "
            "reverted: it runs its previous configuration"
        ),
        "need": "absent",
        "why": "no server stands behind it",
        "risk": "hitless",
        "lines": 2,
        "difference": "--- a\n+++ b\n+ one\n- two\n",
        "changed": "2026-03-01T12:00:05.000000+00:00",
        "seconds": 36.0,
        "checks": {
            "before": {"passed": 10, "findings": 0},
            "after": {"passed": 8, "findings": 2},
            "new": ["BGP session be-leaf-000 swp1 is down", "BGP session be-leaf-000 swp2 is down"],
            "causes": [],
            "waits": None,
            "pending": [],
            "excused": [],
            "summary": "2 new failures; before: 10 OK, 0 failed; after: 8 OK, 2 failed",
        },
    }
    assert steps[2] == {
        "stage": "change",
        "step": "commit",
        "how": "ended",
        "at": "2026-03-01T12:00:03.000000+00:00",
        "seconds": 2.0,
        "summary": "reverts after 120 s unless confirmed",
    }
    assert len(events) == 11
    assert events[1] == {
        "at": "2026-03-01T12:00:01.500000+00:00",
        "device": "be-leaf-000",
        "stage": "",
        "step": "read",
        "how": "ended",
        "detail": {"found": "differs"},
    }


def test_a_run_that_is_not_finished() -> None:
    found = plain(report(killed()))
    assert (found["outcome"], found["ended"]) == (None, None)
    assert found["resume"] == "fabricgen push site/intent.yaml -i inventories/lab --commit"
    assert found["counts"] == {"done": 1, "unfinished": 1, "not reached": 1}


def test_checks_of_the_whole() -> None:
    assert plain(report(unsettled()))["checks"] == {
        "before": {"passed": 2400, "findings": 3},
        "after": {"passed": 2403, "findings": 0},
        "new": [],
        "causes": [],
        "waits": 0,
        "pending": ["be-leaf-000: port swp9 is down (its far end is off)"],
        "excused": ["be-leaf-000: port swp8 hears nobody (it was there before)"],
        "summary": ("no new failures; before: 2,400 OK, 3 failed; after: 2,403 OK, 0 failed"),
    }


def test_causes_of_what_is_new_are_told_with_what_follows_from_each() -> None:
    found = json.loads(json.dumps(plain(report(cut()))))
    checks = found["waves"][0]["switches"][0]["checks"]
    assert checks["causes"] == [
        {
            "summary": "be-leaf-001: port swp18 (cabled to be-spine-01 swp2) is shut down",
            "elsewhere": True,
            "consequences": 3,
            "by_check": {"sessions": 1, "routes": 2},
            "devices": ["be-leaf-000", "be-leaf-001"],
            "new": ["BGP session be-leaf-000 swp1 is down", "route 10.9.0.0/24 was over 2 paths, now over 1 path"],
        },
        {
            "summary": "be-leaf-000: daemon bgpd does not run",
            "elsewhere": False,
            "consequences": 0,
            "by_check": {},
            "devices": [],
            "new": ["be-leaf-000: bgpd was running, now not running"],
        },
    ]
    assert checks["summary"].startswith("2 new failures, with 3 consequences; ")
    assert found["to_do"][0].endswith("is shut down, with 3 consequences")


def test_a_run_that_was_stopped_has_what_to_type() -> None:
    found = plain(report(stopped()))
    assert (found["outcome"], found["waiting"]) == ("stopped", [])
    assert found["resume"] == "fabricgen push site/intent.yaml -i inventories/lab --commit"


def test_commits_that_wait() -> None:
    assert json.loads(json.dumps(plain(report(waiting()))))["waiting"] == [
        {"device": "be-spine-2", "seconds": None, "until": None, "is_sure": False},
        {"device": "be-spine-1", "seconds": 120, "until": "2026-03-01T12:02:21.000000+00:00", "is_sure": True},
    ]


def test_a_run_that_was_killed_and_typed_again() -> None:
    found = plain(report(record(said(30, "", "", StepName.RESUME, StepState.ENDED))))
    assert found["resumed"] == ["2026-03-01T12:00:30.000000+00:00"]
