"""Releases of an operating system: their order, and what is configured in other words from one on."""

import re
import sys
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

_PARTS = re.compile(r"(.*\d)(?:\.?([A-Za-z]+))?(?:-([A-Za-z]+))?")
"""A release of an intent: its number, letters at the end, and its train, e.g. 4.34.2, F; 24.4R1, EVO."""


_MONTH = re.compile(r"20\d\d(?:0[1-9]|1[0-2])(?!\d)")
"""A release that is named by its month, as branches of SONiC are: 202505."""


class Release(NamedTuple):
    """A release for which the lines were checked, e.g. 4.34. It covers its maintenance releases: 4.34.2F.

    source  the manual, models or notes of this release that were read
    judge   the independent judge that reads this release's lines; empty if they are cited only
    """

    name: str
    source: str
    judge: str = ""

    def covers(self, version: str) -> bool:
        """Whether a release is this one, or a maintenance release of it."""
        if not version.startswith(self.name):
            return False
        rest = version.removeprefix(self.name)
        # 4.34 goes on with the number of 4.3, and masterly with the word of master: those are others.
        return not rest[:1].isalnum() or rest[0].isdigit() != self.name[-1].isdigit()


class Difference(NamedTuple):
    """What is configured in other words, or has another value, from a release on.

    since          the first release that has it
    before, after  as configured; empty if there is no such line
    lines          expression for lines that no release before has, where reading them back tells no difference
    """

    since: str
    what: str
    before: str
    after: str
    source: str
    lines: str = ""


def is_of_train(version: str, trains: Iterable[str]) -> bool:
    """Whether a release is of one of these trains: 23.4X100-D40 is of 23.4X100."""
    return any(Release(train, "").covers(version) for train in trains)


def runs(version: str, wanted: str, known: Iterable[str] = ()) -> bool | None:
    """Whether a switch that reports a version runs a release of an intent: 4.34.1F is 4.34.

    NX-OS' 10.4(3) is also written 10.4.3, and its F or M is in no version that it reports. A train comes after the
    number of the build: 24.4R1.9-EVO is 24.4R1-EVO. None where it is not known: nothing was reported, or the release is
    a branch (SONiC's 202505, master), which not every image of it names.

    known  releases of the system: a version that is one of these is no such branch
    """
    if not version or not wanted:
        return None
    if _MONTH.match(wanted) or not re.search(r"\d", wanted):
        return _is_of_branch(version, wanted, known)
    without_letter = re.sub(r"(?<=\))[A-Z]$", "", wanted)
    reported, named = (re.sub(r"\((\w+)\)", r".\1", text) for text in (version, without_letter))
    parts = _PARTS.fullmatch(named)
    number, letters, train = parts.groups() if parts else (named, None, None)
    # A letter that tells releases apart is small (10.4(3a)); F and M only say how mature one is.
    optional = rf"(?:\.?{letters}|(?![.\w]))" if letters and letters.isupper() else letters or ""
    ending = optional + (rf"[\w.-]*-{train}\b" if train else "")
    return re.search(rf"(?<!\d)(?<!\d\.){re.escape(number)}(?!\d){ending}", reported) is not None


def _is_of_branch(version: str, wanted: str, known: Iterable[str]) -> bool | None:
    """Whether a build says that it is of a branch. Only a build that names another known branch, or a month, is not.

    Source: github.com/sonic-net/sonic-buildimage, functions.sh, sonic_get_version: branch, number of the build, and its
    commit (202505.912087-e9a01ce4b); of a branch whose files were changed a time (x.0-dirty-20250531.202511), of a
    commit with a tag that tag. A maker chooses another name (2.1.0-Cloud_Base), or a date (20250531.12). So only the
    first word can name a branch; numbers and times behind it never do.
    """
    build = re.sub(r"^SONiC(?:-OS-|\.)", "", version)
    if build.startswith(wanted) and not build[len(wanted) :][:1].isalnum():
        return True
    branches = (name for name in known if not re.search(r"\d", name))
    is_named = _MONTH.match(build) or any(re.match(rf"{re.escape(name)}(?![A-Za-z0-9])", build) for name in branches)
    # A train and a build of it have the same month: 202505.1 is not known of 202505.912087-e9a01ce4b.
    is_same = _MONTH.match(wanted) and build[:6] == wanted[:6]
    return False if is_named and not is_same else None


def release_key(version: str) -> tuple[int, ...]:
    """Sort key of a release: its numbers, e.g. (23, 4, 2) for 23.4R2. A branch without a number comes last."""
    return tuple(map(int, re.findall(r"\d+", version))) or (sys.maxsize,)


def is_at_least(version: str, since: str) -> bool:
    """Whether a release has what came with another; one without a maintenance number is the first of its train."""
    return release_key(version) >= release_key(since)


def neighbors(version: str, releases: tuple[Release, ...]) -> tuple[Release, Release] | None:
    """Return the two known releases between which another lies; None if it is older or newer than all of them."""
    key = release_key(version)
    for older, newer in pairwise(releases):
        if release_key(older.name) < key < release_key(newer.name):
            return older, newer
    return None


def came_between(since: str, older: Release, newer: Release) -> bool:
    """Whether the newer of two releases, and not the older, has what came with a release."""
    return is_at_least(newer.name, since) and not is_at_least(older.name, since)
