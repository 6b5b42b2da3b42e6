"""Operating systems with their releases, as an intent names them. Imported where a name is refused."""

from difflib import get_close_matches

from fabricgen.errors import Problem
from fabricgen.platforms import PLATFORMS


def releases() -> tuple[str, ...]:
    """Every system with each release that was judged, the platforms in their order."""
    return tuple(f"{one.name}-{version}" for one in PLATFORMS.values() for version in one.versions)


def with_releases(problem: Problem) -> Problem:
    """The problem of a value of `os:` that is none, with the values that are."""
    _, is_shown, rest = problem.what.partition(" is '")
    name = rest.removesuffix("'").lower().partition("-")[0] if is_shown else ""
    known = releases()
    near = get_close_matches(name, PLATFORMS, n=1)
    own = [release for release in known if release.partition("-")[0] == name]
    guess = f"did you mean {PLATFORMS[near[0]].name}-{PLATFORMS[near[0]].versions[-1]}?" if near else ""
    return problem._replace(
        why=f"an operating system, a hyphen and its release: {', '.join(known)}",
        fix=f"write os: {own[-1]}" if own else guess or f"choose one of {', '.join(known)}",
    )
