"""A waiver for intents of tests that are about other things than who logs in."""

from collections.abc import Iterator
from typing import Any

from fabricgen.platforms import PLATFORMS

WAIVER = {"code": "no-account", "reason": "no switch of this test is logged in to"}


def without_accounts(intent: dict[str, Any]) -> dict[str, Any]:
    """The intent, with the waiver where a system of it asks for an account and there is none."""
    if intent["management"].get("users") or not any(_asks(system) for system in _systems(intent)):
        return intent
    return {**intent, "waivers": [*intent.get("waivers", ()), WAIVER]}


def _systems(intent: dict[str, Any]) -> Iterator[str]:
    for fabric in intent["fabrics"].values():
        yield from (part["os"] for part in fabric.values() if isinstance(part, dict) and "os" in part)
    yield from (own["os"] for own in intent.get("overrides", {}).values() if "os" in own)


def _asks(system: str) -> bool:
    platform = PLATFORMS.get(system.partition("-")[0])
    return platform is not None and bool(platform.accounts)


def takes_users(system: str) -> bool:
    """Whether files of a system carry accounts."""
    row = PLATFORMS[system.partition("-")[0]].can("users")
    return row is not None and not row.refusal
