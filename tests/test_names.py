"""Names of test modules: plain `pytest` imports each by its bare name, so two of one name cannot both be collected."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_no_two_test_modules_share_a_name() -> None:
    names = Counter(path.name for path in ROOT.glob("tests/**/test_*.py"))
    assert len(names) > 200
    assert [name for name, count in names.items() if count > 1] == []
