"""Parts of a plan that reach no file, as the operating system of the switch does them by itself."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.platforms import PLATFORMS

_NAMED = 3  # features that the short line names


class SystemDefault(NamedTuple):
    """One feature that switches of one system need and that no file of theirs has.

    system   title of the operating system
    roles    roles of these switches with their fabric, as `backend leaf`
    reason   why it is in no file
    instead  what the system does by itself
    """

    feature: str
    system: str
    roles: tuple[str, ...]
    reason: str
    instead: str


def left_to_system(kinds: Iterable[FeatureUse]) -> tuple[SystemDefault, ...]:
    """Every feature that is left to a system by a row of its capability table, in the order of the systems' names.

    kinds: one switch of each kind, of all scenarios of an intent, as the checks have looked at them.
    """
    roles: dict[tuple[str, str], dict[str, None]] = {}
    for kind in kinds:
        device = kind.device
        for feature in _left(kind):
            roles.setdefault((device.system, feature), {})[f"{device.fabric} {device.role}"] = None
    return tuple(_row(system, feature, tuple(found)) for (system, feature), found in sorted(roles.items()))


def left_text(rows: Iterable[SystemDefault]) -> Iterator[str]:
    """One line that counts them and names the first; none where nothing is left."""
    every = [f"{row.feature} on {row.system}" for row in rows]
    if every:
        more = f" and {len(every) - _NAMED} more" if len(every) > _NAMED else ""
        yield (
            f"{len(every)} setting{'s' * (len(every) != 1)} not configured, so that the platform default applies: "
            f"{', '.join(every[:_NAMED])}{more} (`fabricgen plan` prints what it does instead)"
        )


def left_page(rows: tuple[SystemDefault, ...]) -> Iterator[str]:
    """Lines of a page for a review."""
    if rows:
        yield from ("", "Not configured: the platform default applies")
    for row in rows:
        yield f"  {row.feature} on {row.system} ({', '.join(row.roles)}): {row.instead}"
        yield f"    because {row.reason}"


def left_values(rows: Iterable[SystemDefault]) -> list[dict[str, object]]:
    """The same as plain values."""
    return [{**row._asdict(), "roles": list(row.roles)} for row in rows]


def _left(kind: FeatureUse) -> Iterator[str]:
    platform = PLATFORMS[kind.device.system]
    for feature in kind.needs:
        row = platform.can(feature)
        if row is not None and row.refusal and row.instead and not row.is_vouched(kind.device.hardware.spellings):
            yield feature


def _row(system: str, feature: str, roles: tuple[str, ...]) -> SystemDefault:
    platform = PLATFORMS[system]
    row = platform.can(feature)
    if row is None:
        raise LookupError(feature)
    return SystemDefault(feature, platform.title, roles, row.refusal, row.instead)
