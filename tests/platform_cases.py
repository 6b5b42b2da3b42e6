"""Every platform's case, found by the platform's name."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from fabricgen.platforms import SYSTEMS
from tests.platform_case import PlatformCase

CASES: Mapping[str, PlatformCase] = {name: import_module(f"tests.{name}.case").CASE for name in SYSTEMS}
"""Platform → its case."""


def samples(name: str) -> ModuleType:
    """`tests/<os>/samples.py`: what the platform's own tests make, for tests of all platforms."""
    return import_module(f"tests.{name}.samples")


READ_LOSSLESS = {name: case.lossless_text for name, case in CASES.items() if case.lossless_text is not None}
READ_CONTROL = {name: case.control_text for name, case in CASES.items() if case.control_text is not None}
"""Platform → reader of its text, of those with a lossless class."""
