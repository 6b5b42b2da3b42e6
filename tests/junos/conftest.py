"""Junos among the platforms, whether the registry has it or not."""

from collections.abc import Iterator

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.junos import JUNOS


@pytest.fixture(autouse=True, scope="package")
def registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PLATFORMS, "junos", JUNOS)
        yield
