"""A secret is never told: neither the one that a reference leads to nor the one that someone wrote out."""

import json
import re
from pathlib import Path

import pytest

from fabricgen.cli.schema.command import INTENT, file_schema
from fabricgen.source.report import SECRET_KEYS
from tests.cli.conftest import Run, Spawn
from tests.cli.sites import edit, tree

CANARY = "c4n4ry-7f3a9"
REFERENCE = re.compile(r"\$\{env:([A-Z0-9_]+)\}")
REFERENCE_PATTERN = r"^\$\{(env|file):[A-Za-z0-9_][A-Za-z0-9_./-]*\}$"


def test_what_a_reference_leads_to_is_nowhere(intent: Path, tmp_path: Path, spawn: Spawn) -> None:
    names = REFERENCE.findall(intent.read_text())
    assert "TACACS_KEY" in names
    canaries = {name: f"{CANARY}-{name}" for name in names}
    out = tmp_path / "out"
    told = [
        spawn(*words, **canaries)
        for words in (
            ["render", intent, "-o", out],
            ["render", intent, "-o", out, "--json"],
            ["plan", intent, "--json"],
            ["validate", intent, "--json"],
        )
    ]
    assert [result.returncode for result in told] == [0, 0, 0, 0]
    assert not [result for result in told if CANARY in result.stdout + result.stderr]
    assert tree(out)
    assert not [path for path, content in tree(tmp_path).items() if CANARY.encode() in content]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('key: "${env:TACACS_KEY}"', f"key: {CANARY}"),
        ('key: "${env:TACACS_KEY}"', f'key: "{CANARY}"'),
        ('key: "${env:TACACS_KEY}"', f'key: "{CANARY}${{env:TACACS_KEY}}"'),
        ('key: "${env:TACACS_KEY}"', f"kee: {CANARY}"),
        ('key: "${env:TACACS_KEY}"', f"key: [{CANARY}]"),
        ('key: "${env:TACACS_KEY}"', f"key: {{secret: {CANARY}}}"),
        ('key: "${env:TACACS_KEY}"', f'key: "{"a" * 50}{CANARY}{"b" * 100}"'),
        ('password: "${env:ADMIN_HASH}"', f"password: '{CANARY}'"),
        ('role: network-admin, password: "${env:ADMIN_HASH}"', f"role: nobody, password: '{CANARY}'"),
        ('auth: "${env:SNMP_AUTH}"', f"auth: {CANARY}"),
        ('privacy: "${env:SNMP_PRIVACY}"', f"privacy: {CANARY}\n   {CANARY}, location_: x"),
        ("asn: 64601, addresses: [172.31.0.0/31", f"password: {CANARY}, asn: 64601, addresses: [172.31.0.0/31"),
    ],
)  # fmt: skip
def test_a_secret_written_out_is_refused_without_a_word_of_it(
    intent: Path, tmp_path: Path, run: Run, old: str, new: str
) -> None:
    edit(intent, old, new)
    for words in (["render", intent, "-o", tmp_path / "out"], ["render", intent, "-o", tmp_path / "out", "--json"]):
        result = run(*words)
        assert result.exit_code == 1
        assert CANARY not in result.stdout + result.stderr
        assert str(intent) in result.stdout + result.stderr
    assert json.loads(result.stdout)["problems"]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "written", ["73190456", "[73190456]", "{a: 73190456}", '"73190456"', "7319.0456", "-73190456", "'73190456 x'"]
)
def test_no_remedy_repeats_a_value_in_place_of_a_reference(intent: Path, run: Run, written: str) -> None:
    edit(intent, 'key: "${env:TACACS_KEY}"', f"key: {written}")
    for words in (["validate", intent], ["validate", intent, "--json"]):
        result = run(*words)
        assert result.exit_code == 1
        assert "7319" not in result.stdout + result.stderr


def test_a_number_for_a_secret_is_not_told_either(intent: Path, run: Run) -> None:
    edit(intent, 'key: "${env:TACACS_KEY}"', "key: 73190456")
    result = run("validate", intent)
    assert result.exit_code == 1
    assert "management.aaa.key" in result.stderr
    assert "73190456" not in result.stderr


def test_a_line_without_a_secret_is_shown(intent: Path, run: Run) -> None:
    edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5, 10.0.0.666]")
    assert "ntp: [10.0.0.5, 10.0.0.666]" in run("validate", intent).stderr


def test_every_secret_of_the_schema_is_known_to_the_reporter() -> None:
    found = set()
    stack: list[object] = [json.loads(file_schema(INTENT))]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            for name, part in value.get("properties", {}).items():
                if json.dumps(REFERENCE_PATTERN) in json.dumps(part):
                    found.add(name)
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    assert found == set(SECRET_KEYS)
