"""Checks of verify and codes of its findings, asked by the words that verify prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.finding_codes.entry import LiveCheck
from fabricgen.finding_codes.hosts import HOST_CODES
from fabricgen.hosts.compare import FACTS, MISSING
from tests.explain.asking import DEMO, asked, one, refused
from tests.some import some

PAGE = Path(__file__).parents[2] / "docs" / "findings.md"


def test_a_code_is_explained() -> None:
    told = one("lldp-wrong-port")
    assert (told.kind, told.title) == ("code", "lldp-wrong-port: a finding of verify, check lldp")
    assert told.values("meaning") == ["The cable goes to the right switch, but to another port."]
    assert told.values("fix")[0].startswith("Move the cable.")
    assert told.values("compared")[0].startswith("Far switch and far port of every cable")


def test_a_check_is_explained_with_its_codes() -> None:
    told = one("drift")
    assert told.title == "drift: a check of verify"
    lines = ["drift-missing", "drift-extra", "runs-drained", "runs-undrained", "line-by-hand"]
    codes = [*lines, "startup-differs", "file-differs", "setting-wrong"]
    assert [value.partition(":")[0] for value in told.values("findings")] == codes


@pytest.mark.parametrize("check", some(LIVE_CHECKS), ids=lambda check: check.name)
def test_every_word_of_verify_is_explained_as_its_page_does(check: LiveCheck) -> None:
    page = PAGE.read_text().split(f"\n## {check.name}\n")[1].split("\n## ")[0]
    assert [told.values("compared") for told in asked("check", check.name)][-1] == [check.compares]
    assert check.compares in page
    for code in check.codes:
        told = one("code", code.code)
        assert f"| `{code.code}` | {told.values('meaning')[0]} | {told.values('fix')[0]} |" in page.splitlines()


def test_every_code_of_a_server_is_explained() -> None:
    """Those that `compare` can give, and those of its page."""
    found = {MISSING, *(code for _, code in FACTS)}
    assert set(HOST_CODES) == found
    page = (PAGE.parent / "hosts.md").read_text(encoding="utf-8").partition("\n## What must be seen\n")[2]
    assert set(re.findall(r"`(host-[a-z-]+)`", page)) - found == set()
    for code, about in HOST_CODES.items():
        # host-mtu is a check of plans, too.
        told = {found.title: found for found in asked(code)}[f"{code}: a difference on a server"]
        assert told.values("meaning") == [about]


def test_a_finding_is_explained_though_the_intent_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text("fabricgen: 1\n")
    assert one("ping-leak", intent=path).title == "ping-leak: a finding of verify, check pings"


def test_a_misspelt_code_names_the_nearest() -> None:
    assert refused("drift-extr")["fix"] == "did you mean drift-extra?"
    assert refused("lldp-wrong")["fix"] == "did you mean lldp-wrong-peer or lldp-wrong-port?"


def test_nothing_that_talks_to_devices_is_imported() -> None:
    script = (
        "import sys\nfrom fabricgen.cli import main\n"
        f"try: main.main(['explain', {str(DEMO)!r}, 'drift'])\n"
        "except SystemExit as end: assert not end.code\n"
        "roots = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(roots & {'napalm', 'nornir', 'netmiko', 'paramiko'}))\n"
        "print([name for name in sys.modules if name.startswith('fabricgen.verify')])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.splitlines()[-2:] == ["[]", "[]"]


def test_only_a_verb_that_writes_says_that_nothing_was_written(tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text("fabricgen: 1\n")
    for verb in (["explain", str(path), "x"], ["validate", str(path)], ["plan", str(path)]):
        told = CliRunner().invoke(main, verb).stderr
        assert told.splitlines()[-1].split()[1] in ("problem", "problems"), told
        assert "written" not in told
    told = CliRunner().invoke(main, ["render", str(path), "-o", str(tmp_path / "out")]).stderr
    assert told.endswith("; nothing was written\n")
