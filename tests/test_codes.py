"""Every problem that can be told is told in a test."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
CODE = re.compile(r'code="([a-z0-9-]+)"')


def _codes() -> set[str]:
    return {code for path in (ROOT / "fabricgen").rglob("*.py") for code in CODE.findall(path.read_text())}


def test_every_code_has_a_case() -> None:
    cases = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    untold = sorted(code for code in _codes() if f'"{code}"' not in cases and f"[{code}]" not in cases)
    assert untold == []
