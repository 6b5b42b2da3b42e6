"""How a release is installed on one switch, as its maker documents it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.platforms.base.release import Release, is_at_least


class Install(NamedTuple):
    """Commands on the switch, in order; the last one restarts it. A person replaces URL and IMAGE.

    URL    where the image is; IMAGE: the name of its file. On Linux VERSION is that of a package
    where  what the commands are typed in, e.g. `EOS`
    source the maker's manual
    oldest release → the oldest one that the maker installs it over in this way
    """

    where: str
    commands: tuple[str, ...]
    source: str
    oldest: Mapping[str, str] = MappingProxyType({})

    def over(self, release: str, before: str) -> str:
        """Return the oldest release that a release can be installed over, where the one before is older; else empty."""
        found = next((oldest for name, oldest in self.oldest.items() if Release(name, "").covers(release)), "")
        return "" if is_at_least(before, found) else found
