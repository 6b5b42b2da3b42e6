"""SONiC among the platforms, for as long as its own tests run."""

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.sonic import SONIC


@pytest.fixture(scope="session", autouse=True)
def registered() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PLATFORMS, SONIC.name, SONIC)
        yield SONIC
