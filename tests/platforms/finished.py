"""Files that are finished once, for tests that render the same sections over and over."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Artifact, Platform


@contextmanager
def finished_once(kept: int) -> Iterator[None]:
    """While it lasts, sections that are the same become the same file; so many of a platform's are kept."""
    with pytest.MonkeyPatch.context() as own:
        own.setattr(
            "fabricgen.render.render.PLATFORMS", {name: _keeping(found, kept) for name, found in PLATFORMS.items()}
        )
        yield


def _keeping(platform: Platform, kept: int) -> Platform:
    steps: dict[str, Any] = {}

    def known(file: Artifact) -> Artifact:
        return file._replace(finish=steps.setdefault(file.name, lru_cache(kept)(file.finish)))

    return platform._replace(artifacts={role: tuple(map(known, files)) for role, files in platform.artifacts.items()})
