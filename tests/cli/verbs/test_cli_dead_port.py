"""A dead port of a backend without a spare: each of the two ways that are printed leads to a site without problems."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PORT = "be-leaf-000/Ethernet1/1"


def fix_of(intent: Path, run: Run) -> str:
    whole = intent.read_text(encoding="utf-8")
    intent.write_text(f"{whole}overrides:\n  {PORT}: {{state: dead}}\n", encoding="utf-8")
    done = run("validate", intent)
    intent.write_text(whole, encoding="utf-8")
    assert "error[no-spare-port]" in done.stderr
    found = re.search(r"(?m)^  fix: (.*)$", done.stderr)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("way", ["server", "waiver"])
def test_the_remedy_of_a_dead_port_works_as_printed(way: str, intent: Path, run: Run) -> None:
    found = re.fullmatch(
        rf"if the server can go out of service, write overrides: \{{({re.escape(PORT)}: \{{state: absent\}}), "
        r'("[a-z]+\[[0-9]+\]": \{state: absent\})\}; if it stays in service without this port, write overrides: '
        r"\{\1\} and (waivers: \[\{.*\}\]) \(at the top level of the intent\)\. In both cases "
        "the link stays down, and its addresses stay reserved",
        fix_of(intent, run),
    )
    assert found is not None
    port, server, waiver = found.groups()
    more = f"  {server}" if way == "server" else waiver
    whole = intent.read_text(encoding="utf-8")
    intent.write_text(f"{whole}overrides:\n  {port}\n{more}\n", encoding="utf-8")
    done = run("validate", intent)
    assert done.exit_code == 0, done.stderr


def test_the_first_half_alone_is_not_enough(intent: Path, run: Run) -> None:
    """What the remedy was: the server's NIC has no leaf then, and that is a problem of its own."""
    whole = intent.read_text(encoding="utf-8")
    intent.write_text(f"{whole}overrides:\n  {PORT}: {{state: absent}}\n", encoding="utf-8")
    assert "error[rail-lost]" in run("validate", intent).stderr


def test_the_remedy_of_a_dead_uplink_works_as_printed(intent: Path, run: Run) -> None:
    """A leaf without one of its uplinks carries less than its servers send: the waiver is part of the remedy."""
    whole = intent.read_text(encoding="utf-8")
    intent.write_text(f"{whole}overrides:\n  be-leaf-000/Ethernet33/1: {{state: dead}}\n", encoding="utf-8")
    found = re.search(
        r"(?m)^  fix: write overrides: \{(be-leaf-000/Ethernet33/1: \{state: absent\})\}: .*If validate then reports "
        r"links-missing, write also (waivers: .*) \(at the top level of the intent\)$",
        run("validate", intent).stderr,
    )
    assert found is not None
    intent.write_text(f"{whole}overrides:\n  {found[1]}\n", encoding="utf-8")
    assert "error[links-missing]" in run("validate", intent).stderr
    intent.write_text(f"{whole}overrides:\n  {found[1]}\n{found[2]}\n", encoding="utf-8")
    done = run("validate", intent)
    assert done.exit_code == 0, done.stderr
