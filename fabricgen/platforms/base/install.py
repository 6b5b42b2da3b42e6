"""How a release is installed on one switch, as its maker documents it."""

from typing import NamedTuple


class Install(NamedTuple):
    """Commands on the switch, in order; the last one restarts it. A person replaces URL and IMAGE.

    URL    where the image is; IMAGE: the name of its file. On Linux VERSION is that of a package
    where  what the commands are typed in, e.g. `EOS`
    source the maker's manual
    """

    where: str
    commands: tuple[str, ...]
    source: str
