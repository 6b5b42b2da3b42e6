"""An `expect:` file: what a change may touch. Anything else that changes is reported."""

from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.diff.classes import priced
from fabricgen.diff.model import Difference, MeaningClass
from fabricgen.platforms.base.cost import Risk

CHANGES = tuple(change.value for change in ChangeOp)
MOST = 6
"""Kinds of change that are offered for a word that is a part of them."""
SESSIONS = ("bgp.neighbor", "bgp.vrf.neighbor")
"""Kinds of sessions, with all kinds below them."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _kind_pattern(text: str) -> str:
    """`<kind> [added|changed|removed]`; the kind may be a glob. Raises ValueError if it can match nothing."""
    kind, _, change = text.partition(" ")
    if change and change not in CHANGES:
        raise ValueError(f"write {kind} alone or followed by one of {', '.join(CHANGES)}")
    if not any(fnmatchcase(known, kind) for known in KIND):
        parts = [known for known in KIND if kind in known.split(".")]
        nearest = parts[:MOST] or get_close_matches(kind, KIND, n=1)
        hint = (
            " or ".join(nearest) if nearest else "a kind of docs/costs.md, e.g. interface.mtu, or a pattern, e.g. *.mtu"
        )
        raise ValueError(f"it is not a kind of change of docs/costs.md: write {hint}")
    return text


Glob = Annotated[str, Field(min_length=1, max_length=200)]
KindPattern = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_kind_pattern)]


class ExpectedChange(_Model):
    """Changes, or sessions to these peers, that are allowed on these switches with a risk of at most `risk`."""

    devices: tuple[Glob, ...] = Field(min_length=1, description="names of switches, or shell globs")
    kinds: tuple[KindPattern, ...] = Field(
        default=(), description="kind [added|changed|removed]; the kind may be a glob"
    )
    sessions: tuple[Glob, ...] = Field(default=(), description="far ends whose sessions may change")
    risk: Literal["none", "hitless", "session reset", "traffic loss", "unknown", "reload"] = Field(
        default="hitless", description="highest risk that these may have"
    )


class Expect(_Model):
    """What a change may touch: everything else that changes fails."""

    expect: Annotated[int, Strict(), Field(ge=1, le=1)] = Field(description="version of this schema")
    changes: tuple[ExpectedChange, ...] = Field(default=(), description="a change is allowed if one entry matches it")
    text: tuple[Glob, ...] = Field(
        default=(), description="switches whose text may differ without a change of the intent"
    )
    moved: Annotated[bool, Strict()] = Field(
        default=False, description="whether existing addresses and AS numbers may change"
    )
    recabled: tuple[Glob, ...] = Field(default=(), description="leaves whose cables may be moved")


class Unexpected(NamedTuple):
    """Something that changed without being expected, the same on these switches."""

    what: str
    risk: Risk
    devices: tuple[str, ...]


def unexpected(difference: Difference, expect: Expect) -> tuple[Unexpected, ...]:
    """Everything that the file does not allow, the highest risk first; empty if all was expected.

    A side that could not be read is never expected.
    """
    devices_by_change: dict[tuple[str, Risk], list[str]] = {}
    for what, risk, device in _strays(difference, expect):
        names = devices_by_change.setdefault((what, risk), [])
        if device and device not in names:
            names.append(device)
    rows = (Unexpected(what, risk, tuple(devices)) for (what, risk), devices in devices_by_change.items())
    return tuple(sorted(rows, key=lambda row: (-row.risk, -len(row.devices), row.what)))


def unused(difference: Difference, expect: Expect) -> tuple[int, ...]:
    """Positions of the entries of `changes` that nothing in the difference needed."""
    used = {
        position
        for meaning_class in difference.meaning
        for device in meaning_class.devices
        for change, risk in priced(meaning_class, device)
        for position, allowed in enumerate(expect.changes)
        if _allows(allowed, device, change, risk)
    }
    return tuple(position for position in range(len(expect.changes)) if position not in used)


def too_low(difference: Difference, expect: Expect, position: int) -> str:
    """Return why an entry that names changes of the difference allows none: they have a higher risk; else empty."""
    entry = expect.changes[position]
    anything = entry.model_copy(update={"risk": "reload"})
    risks = [
        risk
        for meaning_class in difference.meaning
        for device in meaning_class.devices
        for fact, risk in priced(meaning_class, device)
        if _allows(anything, device, fact, risk)
    ]
    if not risks:
        return ""
    highest = max(risks).words
    return f"allows a risk of {entry.risk} at most, and the changes that it names have {highest}: write risk: {highest}"


def _strays(difference: Difference, expect: Expect) -> Iterator[tuple[str, Risk, str]]:
    """Changes that are not allowed: text, risk, and the switch, if any."""
    if not difference.is_whole:
        yield "the other side could not be read", Risk.UNKNOWN, ""
    for meaning_class in difference.meaning:
        yield from _unexpected_changes(meaning_class, expect)
    for text in difference.text:
        for device in text.devices or ("",):
            if not any(fnmatchcase(device, glob) for glob in expect.text):
                yield f"text of {text.artifact}", text.risk, device
    yield from _numbers(difference, expect)


def _unexpected_changes(meaning_class: MeaningClass, expect: Expect) -> Iterator[tuple[str, Risk, str]]:
    for device in meaning_class.devices:
        for change, risk in priced(meaning_class, device):
            if not any(_allows(allowed, device, change, risk) for allowed in expect.changes):
                yield f"{change.kind} {change.change.value}", risk, device


def _numbers(difference: Difference, expect: Expect) -> Iterator[tuple[str, Risk, str]]:
    for moved in difference.moved if not expect.moved else ():
        yield f"{moved.owner}: {moved.what} {moved.before} → {moved.after}", Risk.UNKNOWN, ""
    for row in difference.recabled:
        if not any(fnmatchcase(row.split(maxsplit=1)[0], glob) for glob in expect.recabled):
            yield f"cable {row}", Risk.TRAFFIC_LOSS, ""


def _allows(allowed: ExpectedChange, device: str, change: DeviceChange, risk: Risk) -> bool:
    limit = Risk[allowed.risk.upper().replace(" ", "_")]
    if risk > limit or not any(fnmatchcase(device, glob) for glob in allowed.devices):
        return False
    if not (allowed.kinds or allowed.sessions):
        return True
    return any(_matches(pattern, change) for pattern in allowed.kinds) or _is_session(allowed.sessions, change)


def _matches(pattern: str, change: DeviceChange) -> bool:
    kind, _, operation = pattern.partition(" ")
    return fnmatchcase(change.kind, kind) and operation in ("", change.change.value)


def _is_session(peers: tuple[str, ...], change: DeviceChange) -> bool:
    is_of_session = any(change.kind == kind or change.kind.startswith(f"{kind}.") for kind in SESSIONS)
    return is_of_session and any(fnmatchcase(change.peer, peer) for peer in peers)
