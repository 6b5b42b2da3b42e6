"""A repository for each test."""

from pathlib import Path

import pytest

from tests.recipes.repository import demo


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Working tree of the demo, on `main`, pushed."""
    return demo(tmp_path)
