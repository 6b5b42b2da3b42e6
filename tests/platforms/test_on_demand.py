"""Tables of platforms, readers and containers: names without an import, and each value under its own name."""

import subprocess
import sys

import pytest

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.containerlab_nodes import NODES, exported

NAMES = """
import sys
from fabricgen.platforms.readers import READERS
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.containerlab_nodes import NODES
assert list(PLATFORMS) == list(READERS) and list(PLATFORMS) == list(NODES) and "ios" not in PLATFORMS
before = set(sys.modules)
assert PLATFORMS["frr"].name == "frr"
print(*sorted(name for name in PLATFORMS if f"fabricgen.platforms.{name}" in before))
print(*sorted(name for name in PLATFORMS if f"fabricgen.platforms.{name}" in sys.modules))
print(*sorted(name for name in READERS if f"fabricgen.platforms.{name}.live.reader" in sys.modules))
"""


def test_a_value_is_made_when_it_is_asked_for() -> None:
    asked: list[str] = []

    def made(name: str) -> str:
        asked.append(name)
        return name.upper()

    table = OnDemand({"b": lambda: made("b"), "a": lambda: made("a")})
    assert (list(table), len(table), "a" in table, "c" in table, asked) == (["b", "a"], 2, True, False, [])
    assert (table["a"], table.get("c"), asked) == ("A", None, ["a"])
    assert list(table.values()) == ["B", "A"]
    with pytest.raises(KeyError, match="c"):
        table["c"]


def test_names_import_no_platform_and_one_platform_no_other() -> None:
    found = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == ["", "frr", ""]


def test_every_platform_has_its_own_name() -> None:
    assert {name: platform.name for name, platform in PLATFORMS.items()} == {name: name for name in PLATFORMS}
    assert [name for name, nodes in NODES.items() if bool(nodes.kinds) == bool(nodes.refusal)] == []
    assert list(exported()) == [name for name in PLATFORMS if not NODES[name].refusal]
