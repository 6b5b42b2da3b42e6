"""docs/tutorial.md: every command works as it is written, on the intent that the page has, and shows what it says."""

import re
import shlex
from pathlib import Path

import pytest

from tests.sites.rendering import called

PAGE = (Path(__file__).parents[2] / "docs/tutorial.md").read_text()
INTENT, OVERRIDES = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [shlex.split(line)[1:] for line in re.findall(r"^ {4}(fabricgen .*)$", PAGE, re.MULTILINE)]
SITE = Path("site/intent.yaml")
GROW = re.search(r"Change `(slots: [\d-]+)` to `(slots: [\d-]+)`", PAGE)


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    SITE.parent.mkdir()
    SITE.write_text(INTENT)


def test_commands_work_in_their_order() -> None:
    assert [words[0] for words in COMMANDS] == ["validate", "plan", "render", "diff", "render"]
    for words in COMMANDS:
        if words[0] == "diff":
            assert called(*COMMANDS[2])[1].endswith("out/first: 0 files written, 9 unchanged, 0 removed\n")
            assert GROW
            SITE.write_text(INTENT.replace(*GROW.groups()))
        code, said = called(*words)
        assert code == (3 if words[0] == "diff" else 0), said
    tree = {path.name for path in Path("out/first").iterdir()}
    assert {"cabling.csv", "be-leaf-007", "be-spine-03"} < tree
    assert {path.name for path in SITE.parent.iterdir()} == {"intent.yaml", "fabricgen.lock"}


def test_growth_changes_what_the_page_says() -> None:
    """Two lines on each port of an existing leaf that a new server uses, and four new leaves."""
    assert GROW
    first, grown = "out/first", "out/grown"
    called("render", SITE, "-o", first)
    SITE.write_text(INTENT.replace(*GROW.groups()))
    called("render", SITE, "-o", grown)
    leaves = {path.name for path in Path(grown).glob("be-leaf-*")} - {path.name for path in Path(first).iterdir()}
    assert leaves == {f"be-leaf-00{number}" for number in range(4, 8)}
    before, after = ((Path(out) / "be-leaf-000/startup-config").read_text().splitlines() for out in (first, grown))
    assert len(before) == len(after)
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 2 * 32
    assert {("   shutdown", "   no shutdown"), *((old, new) for old, new in changed if "description" in old)} == set(
        changed
    )


def test_a_spine_is_drained_and_a_dead_port_has_no_spare() -> None:
    SITE.write_text(INTENT + OVERRIDES)
    assert called("validate", SITE)[0] == 0
    dead = re.search(r"`(be-leaf-000/\S+: \{state: dead\})`", PAGE)
    assert dead
    SITE.write_text(f"{INTENT}overrides:\n  {dead[1]}\n")
    code, said = called("validate", SITE)
    assert (code, "error[no-spare-port]" in said) == (1, True)


@pytest.mark.parametrize("words", re.findall(r"Try it with `(.*?)`, or with `(.*?)`", PAGE)[0])
def test_what_to_try_is_an_error(words: str) -> None:
    key = words.partition(":")[0]
    SITE.write_text(re.sub(rf"{key}: [^,}}]+", words, INTENT))
    code, said = called("validate", SITE)
    assert code == 1
    assert f"site/intent.yaml:{INTENT[: INTENT.index(key)].count(chr(10)) + 1}:" in said


def test_a_locked_render_writes_nothing_and_exits_with_3() -> None:
    code, _ = called("render", SITE, "-o", "out/first", "--locked")
    assert code == 3
    assert not Path("out/first").exists()
    assert not SITE.with_name("fabricgen.lock").exists()
