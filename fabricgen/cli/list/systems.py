"""`fabricgen list systems`: operating systems, and how far each is supported."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from fabricgen.cli.common.table import table
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES


class Push(StrEnum):
    """Whether `push --commit` is allowed.

    PROVEN    tested on the real system
    UNPROVEN  tested on doubles only
    REFUSED   a commit there does not revert automatically if it is not confirmed
    """

    PROVEN = "proven"
    UNPROVEN = "unproven"
    REFUSED = "refused"


class Release(NamedTuple):
    """One supported release. write: its name in an intent; covers: including its maintenance releases."""

    release: str
    write: str
    covers: str


class SystemRow(NamedTuple):
    """One operating system.

    vendor      empty for a community system
    roles       of switches that are rendered
    push        whether `push --commit` is allowed; proven_by: what it was tested on, empty if nothing
    """

    name: str
    title: str
    vendor: str
    releases: tuple[Release, ...]
    roles: tuple[str, ...]
    push: Push
    proven_by: str


def systems() -> tuple[SystemRow, ...]:
    """Rows of all systems, in the order of the pages."""
    return tuple(
        SystemRow(
            name=name,
            title=platform.title,
            vendor=platform.vendor,
            releases=tuple(
                Release(version, f"{name}-{version}", f"{version}, {version}.*") for version in platform.versions
            ),
            roles=tuple(platform.artifacts),
            push=_push(COMMIT_PROFILES[name]),
            proven_by=COMMIT_PROFILES[name].proven,
        )
        for name, platform in PLATFORMS.items()
    )


def _push(profile: CommitProfile) -> Push:
    if not profile.timed:
        return Push.REFUSED
    return Push.PROVEN if profile.proven else Push.UNPROVEN


def systems_text(rows: tuple[SystemRow, ...], width: int | None) -> Iterator[str]:
    """Lines of one table, and the meanings of its words."""
    cells = [
        (
            row.name,
            row.title,
            row.vendor or "community",
            ", ".join(release.write for release in row.releases),
            ", ".join(row.roles),
            row.push.value,
        )
        for row in rows
    ]
    yield from table(("name", "system", "vendor", "os: in the intent", "roles", "push"), cells, width)
    first = rows[0].releases[0].write
    yield from (
        "",
        f"A release covers its maintenance releases: {first} covers {first}.1.",
        "push unproven: tested on simulated switches, never on a real one.",
        "push refused: the platform has no commit that reverts unless it is confirmed.",
        "docs/platforms.md has each feature on each system, and how it was validated.",
    )
