"""How many rules are proven and how many are streamed, as validate says it."""

import json
import re
from pathlib import Path

from click.testing import CliRunner

from fabricgen.checks.catalogue import CHECKS, Accepted
from fabricgen.checks.engine.coverage import Coverage, coverage_text, together
from fabricgen.cli import main
from tests.checks.intents import as_built, plan
from tests.cli.sites import DEMO

SWITCHES = 20
"""Of the demo: 4 leaves and 4 spines of the backend, 2 borders, 6 leaves and 4 spines of the frontend."""


def test_every_rule_of_a_sound_plan_is_held_in_one_of_two_ways() -> None:
    accepted = Accepted()
    assert not accepted.check(plan())
    proven, streamed, switches, cables = accepted.coverage
    assert sorted((*proven, *streamed)) == sorted(code for check in CHECKS for code in check.codes)
    assert {"valley-path", "platform-limit"} < set(streamed)
    assert "no-medium" in proven
    assert (switches, cables) == (SWITCHES, False)


def test_cables_of_a_cable_file_are_looked_at_one_by_one() -> None:
    accepted = Accepted()
    assert not accepted.check(plan(exceptions=as_built({("be-leaf-000", "Ethernet33/1"): 30.0})))
    assert "no-medium" in accepted.coverage.streamed
    assert accepted.coverage.cables
    assert coverage_text(accepted.coverage).endswith(f" on each of {SWITCHES} switches and their cables")


def test_nothing_is_held_while_there_is_a_problem() -> None:
    accepted = Accepted()
    assert accepted.check(plan({"management.gateway": "10.0.0.17"}))
    assert accepted.coverage == Coverage()


def test_plans_of_scenarios_are_told_together() -> None:
    one = Coverage(("a", "b"), ("c",), 3)
    assert together(Coverage(), one) == one
    assert together(one, Coverage(("a",), ("b", "c"), 4, True)) == Coverage(("a",), ("c", "b"), 7, True)
    text = coverage_text(Coverage(("a",) * 3, ("b",), 4224))
    assert text == "4 checks passed: 3 on the plan, and 1 that run on each of 4,224 switches"
    assert coverage_text(Coverage((), ("b",), 1)).endswith("on each of 1 switch")


def run(*words: str) -> str:
    result = CliRunner().invoke(main, ["validate", *words])
    assert result.exit_code == 0
    return result.stdout or result.stderr


def test_validate_says_it_in_one_line(tmp_path: Path) -> None:
    intent = tmp_path / "intent.yaml"
    intent.write_text(DEMO.read_text())
    found = re.search(
        r"no problems \((\d+) checks passed: \d+ on the plan, and (\d+) that run on each of 20 switches\)$",
        run(str(intent)).strip(),
    )
    assert found is not None
    told = json.loads(run(str(intent), "--json"))["coverage"]
    proven, streamed = len(told["proven"]), len(told["streamed"])
    assert [proven + streamed, streamed] == [int(number) for number in found.groups()]
    assert (told["switches"], told["cables"]) == (SWITCHES, False)
