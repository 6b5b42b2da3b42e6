"""A platform that is rendered and not read: the verbs that talk to switches say so, and end."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.drivers import readers
from fabricgen.drivers.readers import READERS, reader_of
from fabricgen.errors import FabricError
from fabricgen.platforms import PLATFORMS

ROOT = Path(__file__).parents[2]
TITLE = PLATFORMS["frr"].title


def test_each_reader_is_of_its_platform() -> None:
    assert {name: reader_of(name).system for name in READERS} == {name: name for name in READERS}


def test_a_platform_without_a_reader_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "READERS", {"eos": READERS["eos"]})
    with pytest.raises(FabricError) as caught:
        reader_of("frr")
    (problem,) = caught.value.problems
    assert (problem.code, problem.what) == ("no-reader", f"{TITLE} is rendered, and not read from a switch")
    assert problem.why == "its answers have no reader yet; those of Arista EOS have"


@pytest.mark.parametrize("words", [("verify",), ("push",), ("diff", "--against", "live")])
def test_a_verb_says_so_without_a_traceback(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "READERS", {})
    (tmp_path / "hosts.yaml").write_text("be-leaf-000: {hostname: 127.0.0.1, platform: frr}\n")
    verb, *rest = words
    intent = ROOT / "inventories/frr/intent.yaml"
    result = CliRunner().invoke(main, [verb, str(intent), *rest, "-i", str(tmp_path)], env={"FW1_KEY": "key"})
    assert result.exit_code == 1, result.output
    assert "error[no-reader]" in result.stderr
