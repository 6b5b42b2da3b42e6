"""The changes that a candidate makes: two configurations compared as trees, printed like a unified diff."""

import re
from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from napalm_frr.paths import Path, Tree, add, masked, paths, profile_of, tree

# FRR always prints this line, so a candidate may omit it.
PROFILE = "frr defaults "
# `no` lines that FRR prints as configuration of their own. Any other `no` only removes a line.
NEGATIVE = re.compile(
    r"no (bgp|zebra|fib|ip forwarding|ipv6 forwarding|ipv6 nd)\b.*|no neighbor \S+ (activate|send-community.*)"
)


class Candidate(NamedTuple):
    """A text to commit.

    merge  its lines are added to the running configuration instead of replacing it
    files  path on the switch → text of a file besides frr.conf
    """

    text: str
    merge: bool
    files: Mapping[str, str] = MappingProxyType({})


def difference(running: str, candidate: Candidate, in_effect: Container[Path] = ()) -> str:
    """Sections and their `-` and `+` lines, secrets masked; "" when nothing would change.

    in_effect  lines of the candidate that are in effect already, although FRR does not print them
    """
    profile = profile_of(running)
    have = tree(running, profile)
    want = tree(_merged(have, candidate.text) if candidate.merge else candidate.text, profile, in_effect)
    if not candidate.merge and not any(line.startswith(PROFILE) for line in want):
        for line in [line for line in have if line.startswith(PROFILE)]:
            del have[line]
    return masked("\n".join(_changes(have, want, 0)))


def completed(running: str, candidate: Candidate) -> str:
    """Return the candidate for frr-reload.py, with the running lines that a candidate must not delete.

    Those are the host's name, the profile of defaults unless the candidate has one, and the namespace of each VRF that
    is one: FRR prints it in the VRF's block, and would remove it from the VRF if the line were missing.
    """
    names = tuple(word for word in ("hostname ", PROFILE) if not re.search(rf"(?m)^{word}", candidate.text))
    lines = [line for line in running.splitlines() if line.startswith(names)]
    for path in paths(running):
        if len(path) == 2 and path[0].startswith("vrf ") and path[1].startswith("netns "):
            lines += [path[0], f" {path[1]}", "exit-vrf"]
    return "\n".join([candidate.text.rstrip("\n"), *lines, ""])


def _merged(have: Tree, text: str) -> str:
    """The configuration after a merge, as far as the text shows: a line that replaces another is only added."""
    merged = _copy(have)
    for path in paths(text):
        *blocks, line = path
        positive = line.removeprefix("no ")
        if line == positive or (not _remove_line(merged, blocks, positive) and NEGATIVE.fullmatch(line)):
            add(merged, path)
    return "\n".join(_printed(merged, 0))


def _remove_line(subtree: Tree, blocks: list[str], positive: str) -> bool:
    """Remove a line, or the lines that begin with it; return whether there was one."""
    for block in blocks:
        if block not in subtree:
            return False
        subtree = subtree[block]
    removed_lines = [line for line in subtree if line == positive or line.startswith(positive + " ")]
    for line in removed_lines:
        del subtree[line]
    return bool(removed_lines)


def _copy(subtree: Tree) -> Tree:
    return {line: _copy(block) for line, block in subtree.items()}


def _printed(subtree: Tree, depth: int, sign: str = "") -> Iterator[str]:
    for line, block in subtree.items():
        yield f"{sign}{' ' * depth}{line}"
        yield from _printed(block, depth + 1, sign)


def _changes(have: Tree, want: Tree, depth: int) -> Iterator[str]:
    """Removed lines, then changed blocks and new lines in the candidate's order."""
    for line, block in have.items():
        if line not in want:
            yield from _printed({line: block}, depth, "-")
    for line, block in want.items():
        if line not in have:
            yield from _printed({line: block}, depth, "+")
        elif inner := tuple(_changes(have[line], block, depth + 1)):
            yield f" {' ' * depth}{line}"
            yield from inner


def first_difference(text: str) -> str:
    """The first changed line of a difference with its sections, such as `router bgp 1 / + bgp router-id 1.1.1.1`."""
    blocks: list[str] = []
    for raw in text.splitlines():
        sign, line = raw[0], raw[1:]
        depth = len(line) - len(line.lstrip())
        blocks[depth:] = [line.strip()]
        if sign != " ":
            return " / ".join((*blocks[:depth], f"{sign} {line.strip()}"))
    return ""
