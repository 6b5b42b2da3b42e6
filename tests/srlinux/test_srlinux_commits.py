"""What SR Linux tells of its commits: leaves and words of /system/configuration in Nokia's YANG of 25.3.1."""

from typing import Any

import pytest

from fabricgen.platforms.srlinux.live.commits import checkpoint_before, commits, is_busy, waiting

TOLD: dict[str, Any] = {
    "commit": [
        {"id": 3, "status": "complete", "started": "2026-06-12T14:43:22Z", "ended": "2026-06-12T14:43:23Z"},
        {"id": 4, "status": "unconfirmed", "started": "2026-06-12T16:43:25.1+02:00"},
    ],
    "checkpoint": [
        {"id": 1, "name": "fabricgen-a", "created": "2026-06-12T14:43:22.5Z"},
        {"id": 0, "name": "fabricgen-b", "created": "2026-06-12T14:43:25Z"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (TOLD, "fabricgen-b"),
        ({**TOLD, "checkpoint": TOLD["checkpoint"][:1]}, "fabricgen-a"),
        ({**TOLD, "checkpoint": [{**TOLD["checkpoint"][1], "name": "clab-initial"}]}, ""),
        ({**TOLD, "checkpoint": [{**TOLD["checkpoint"][1], "created": "2026-06-12T14:43:21Z"}]}, ""),
        ({**TOLD, "checkpoint": [{**TOLD["checkpoint"][1], "created": "2026-06-12T14:43:25.2Z"}]}, ""),
        ({"commit": TOLD["commit"][:1]}, None),
        ({}, None),
    ],
)
def test_whose_commit_waits_is_told_by_times_of_any_precision(told: object, wanted: str | None) -> None:
    listed = commits(told)
    found = waiting(listed)
    assert (None if found is None else checkpoint_before(told, listed, found)) == wanted


@pytest.mark.parametrize("status", ["validating", "publishing", "checkpoint", "save", "reverting"])
def test_what_has_not_ended_is_under_way(status: str) -> None:
    newest = {"id": 5, "status": status, "started": "2026-06-12T14:43:26Z"}
    assert is_busy(commits({"commit": [newest, *TOLD["commit"]]}))
    assert not is_busy(commits({"commit": [{**newest, "ended": "2026-06-12T14:43:27Z"}, *TOLD["commit"]]}))
    older = {**newest, "started": "2026-06-12T14:43:21Z"}
    assert is_busy(commits({"commit": [older, *TOLD["commit"]]})) == (status == "reverting")
