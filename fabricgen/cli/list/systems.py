"""`fabricgen list systems`: operating systems, and how far each is supported."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from fabricgen.cli.common.table import table
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES


class Push(StrEnum):
    """Whether `push --commit` may be used.

    PROVEN    it has been seen on the real system
    UNPROVEN  only doubles have seen it
    REFUSED   a commit there does not revert unless it is confirmed
    """

    PROVEN = "proven"
    UNPROVEN = "unproven"
    REFUSED = "refused"


class Release(NamedTuple):
    """One release that is accepted. write: as an intent has it; covers: its maintenance releases, too."""

    release: str
    write: str
    covers: str


class SystemRow(NamedTuple):
    """One operating system.

    vendor      empty where a community makes it
    roles       of switches that are rendered
    push        whether `push --commit` may be used; proven_by: what has seen it, empty where nothing has
    """

    name: str
    title: str
    vendor: str
    releases: tuple[Release, ...]
    roles: tuple[str, ...]
    push: Push
    proven_by: str


def systems() -> tuple[SystemRow, ...]:
    """Rows of all systems, in the order in which pages list them."""
    return tuple(
        SystemRow(
            name=name,
            title=platform.title,
            vendor=platform.vendor,
            releases=tuple(Release(each, f"{name}-{each}", f"{each}, {each}.*") for each in platform.versions),
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
    """Lines of one table, and what its words mean."""
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
        "push unproven: tested on simulated switches only.",
        "push refused: the platform has no commit that reverts unless it is confirmed.",
        "docs/platforms.md has each feature on each system, and how it was validated.",
    )
