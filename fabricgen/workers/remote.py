"""Worker side of a cluster: report the own release, and run calls only if it is the requested one."""

import pickle
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from fabricgen import __version__
from fabricgen.render.keys import made_by


class RemoteRelease(NamedTuple):
    """Release of one machine, and the digests of its sources and templates as in `made_by`."""

    version: str
    made_by: str


@cache
def release() -> RemoteRelease:
    """Release of this process. Cached: imported code stays the same, whatever is installed later."""
    return RemoteRelease(__version__, made_by(None))


class OtherReleaseError(Exception):
    """A worker that joined later has another release. Only its message is returned: the release's name."""


def packed(do: Callable[..., object], *args: object) -> bytes:
    """Pack a call for `answered`. A worker without this release cannot unpack it, and need not."""
    return pickle.dumps((do, args))


def answered(requested: RemoteRelease, call: bytes) -> object:
    """Run a packed call. Raises OtherReleaseError, before it is unpacked, if this is another release."""
    if release() != requested:
        raise OtherReleaseError(release().version)
    do, args = pickle.loads(call)  # noqa: S301 - a cluster's worker runs what its scheduler hands it, this or other
    return do(*args)
