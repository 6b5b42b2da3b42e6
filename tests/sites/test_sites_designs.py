"""docs/designs.md: every intent is valid, and has the switches that the page says."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main

PAGE = (Path(__file__).parents[2] / "docs/designs.md").read_text()
DESIGNS = re.findall(r"^## ([^\n]*)$.*?^\*\*(.*?)\.\*\*.*?^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page_is_read() -> None:
    assert len(DESIGNS) == PAGE.count("```yaml")


@pytest.mark.parametrize(("said", "intent"), [row[1:] for row in DESIGNS], ids=[row[0] for row in DESIGNS])
def test_it_has_the_switches_that_the_page_says(said: str, intent: str, tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text(intent)
    done = CliRunner().invoke(main, ["plan", str(path), "--json"])
    assert done.exit_code == 0, done.output
    (fabric,) = json.loads(done.stdout)["fabrics"]
    counts = fabric["counts"]
    found = {
        "leaves": sum(group["leaves"] for group in counts["groups"]),
        "spines": counts["spines"],
        "borders": counts["borders"],
        "planes": counts["planes"],
    }
    told = {
        word if word.endswith("s") else f"{word}s": int(number) for number, word in re.findall(r"(\d+) (\w+)", said)
    }
    assert found == {"borders": 0, **told}
