"""What a worker of a cluster does: it says what it would work with, and works only where that is what was asked for."""

import pickle
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from fabricgen import __version__
from fabricgen.render.keys import made_by


class RemoteRelease(NamedTuple):
    """What renders at one place: the release, and the digests of its sources and templates as `made_by` has them."""

    version: str
    made_by: str


@cache
def release() -> RemoteRelease:
    """What this process works with. Asked once: what it has imported stays, whatever is installed over it later."""
    return RemoteRelease(__version__, made_by(None))


class OtherReleaseError(Exception):
    """A worker that came later would write other bytes. Its words alone come back: they name its release."""


def packed(do: Callable[..., object], *given: object) -> bytes:
    """A call, for `answered`: a worker without this release cannot unpack it, and need not."""
    return pickle.dumps((do, given))


def answered(wanted: RemoteRelease, call: bytes) -> object:
    """Do what was packed. Raises OtherReleaseError, before it is unpacked, where this is another release."""
    if release() != wanted:
        raise OtherReleaseError(release().version)
    do, given = pickle.loads(call)  # noqa: S301 - a cluster's worker runs what its scheduler hands it, this or other
    return do(*given)
