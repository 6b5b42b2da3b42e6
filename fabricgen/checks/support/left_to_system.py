"""Needs of a plan that are not rendered, and what applies instead."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.base.text import listed
from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Capability

_NAMED = 3  # features that the short line names


class SystemDefault(NamedTuple):
    """One feature that switches of one system need and that is in none of their files.

    system   title of the operating system
    roles    roles of these switches with their fabric, as `backend leaf`
    reason   why it is in no file
    instead  what the system does by default
    """

    feature: str
    system: str
    roles: tuple[str, ...]
    reason: str
    instead: str


def left_to_system(kinds: Iterable[FeatureUse]) -> tuple[SystemDefault, ...]:
    """Return every feature that a capability table leaves to its system, sorted by the names of the systems.

    kinds: one switch of each kind, from all scenarios of an intent, as the checks have found them.
    """
    roles: dict[tuple[str, str, Capability], dict[str, None]] = {}
    for kind in kinds:
        device = kind.device
        for row in _left(kind):
            roles.setdefault((device.system, row.feature, row), {})[f"{device.fabric} {device.role}"] = None
    return tuple(
        SystemDefault(feature, PLATFORMS[system].title, tuple(roles_of_feature), row.refusal, row.instead)
        for (system, feature, row), roles_of_feature in sorted(roles.items())
    )


def left_text(rows: Iterable[SystemDefault]) -> Iterator[str]:
    """Yield one line with their number and the first of them; none where there are none."""
    texts = [f"{row.feature} on {row.system}" for row in rows]
    if texts:
        yield (
            f"{len(texts)} setting{'s are' if len(texts) != 1 else ' is'} not rendered: {listed(texts, most=_NAMED)} "
            "(`fabricgen plan` has the reasons, and what applies instead)"
        )


def left_page(rows: tuple[SystemDefault, ...]) -> Iterator[str]:
    """Yield the lines of a review page."""
    if rows:
        yield from ("", "Not rendered, and what applies instead:")
    for row in rows:
        yield f"  {row.feature} on {row.system} ({', '.join(row.roles)}): {row.instead}"
        yield f"    because {row.reason}"


def left_values(rows: Iterable[SystemDefault]) -> list[dict[str, object]]:
    """Return the same as plain values."""
    return [{**row._asdict(), "roles": list(row.roles)} for row in rows]


def _left(kind: FeatureUse) -> Iterator[Capability]:
    device = kind.device
    for feature in kind.needs:
        row = PLATFORMS[device.system].can(feature, device.version)
        if row is not None and row.refusal and row.instead and not row.is_vouched(device.hardware.spellings):
            yield row
