"""Operating systems with their releases, as an intent names them."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from fabricgen.errors import Problem, did_you_mean
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Platform
from fabricgen.platforms.base.release import is_at_least

_LEFT_OUT = re.compile(r"\b([a-z]+)-…")
"""A platform whose release is left out, in a remedy of what knows no releases."""


def releases() -> tuple[str, ...]:
    """Every system with each release that was judged, the platforms in their order."""
    return tuple(f"{one.name}-{version}" for one in PLATFORMS.values() for version in one.versions)


def newest(name: str) -> str:
    """A platform with its newest release."""
    return f"{name}-{PLATFORMS[name].versions[-1]}"


def first_with(platform: Platform, since: str) -> str:
    """A platform with the first release that has what came with another, and that is accepted without a warning."""
    known = (version for version in platform.versions if is_at_least(version, since))
    return f"{platform.name}-{since if platform.covers(since) else next(known)}"


def with_releases(problem: Problem, used: Iterable[object]) -> Problem:
    """The problem of a value of `os:` that is none, or that its model does not run, with the values that are.

    used  systems of all switches of the intent
    """
    known = releases()
    chosen = {name: newest(name) for name in PLATFORMS}
    chosen |= {system.partition("-")[0]: system for system in map(str, used) if _is_covered(system)}
    if problem.code == "no-port-names":
        return problem._replace(fix=_LEFT_OUT.sub(lambda found: chosen[found[1]], problem.fix))
    if problem.code == "missing-key":
        return problem._replace(fix=f"choose one of {', '.join(known)}")
    _, is_shown, rest = problem.what.partition(" cannot be '")
    written = rest.removesuffix("'").lower() if is_shown else ""
    names = get_close_matches(written.partition("-")[0], PLATFORMS, n=1)
    near = did_you_mean(written, known) if re.search(r"[0-9]", written) or not names else ""
    return problem._replace(
        why="expected: an operating system, a hyphen and its release, e.g. eos-4.34",
        fix=near if near.startswith("did") or not names else f"did you mean {chosen[names[0]]}?",
    )


def _is_covered(system: str) -> bool:
    name, _, version = system.partition("-")
    return name in PLATFORMS and PLATFORMS[name].covers(version)
