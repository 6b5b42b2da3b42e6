"""Operating systems with their releases, as an intent names them."""

import re
from difflib import get_close_matches

from fabricgen.errors import Problem
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


def with_releases(problem: Problem) -> Problem:
    """The problem of a value of `os:` that is none, or that its model does not run, with the values that are."""
    if problem.code == "no-port-names":
        return problem._replace(fix=_LEFT_OUT.sub(lambda found: newest(found[1]), problem.fix))
    _, is_shown, rest = problem.what.partition(" cannot be '")
    name = rest.removesuffix("'").lower().partition("-")[0] if is_shown else ""
    known = releases()
    near = get_close_matches(name, PLATFORMS, n=1)
    own = [release for release in known if release.partition("-")[0] == name]
    guess = f"did you mean {newest(near[0])}?" if near else ""
    if problem.code == "missing-key":
        return problem._replace(fix=f"choose one of {', '.join(known)}")
    return problem._replace(
        why="expected: an operating system, a hyphen and its release, e.g. eos-4.34",
        fix=f"write os: {own[-1]}" if own else guess or f"choose one of {', '.join(known)}",
    )
