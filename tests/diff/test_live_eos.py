"""`fabricgen diff --against live` on EOS, from the command line to the switch: NAPALM's own driver, against doubles.

The doubles are no EOS: each replays, as its running configuration, the text that was rendered for it, edited by hand.
What a real EOS adds and leaves out by itself is the reader's, and tried on recordings (tests/live).
"""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fabricgen.platforms.eos.live.reader import HOSTNAME, RUNNING, VERSION
from tests.cli.sites import DEMO, edit
from tests.diff.kept import CANARY, held, rendered
from tests.doubles.certificate import authority, certificate
from tests.doubles.eapi import SESSIONS, Double, eapi
from tests.forked import fabricgen
from tests.some import some

ROOT = Path(__file__).parents[2]
SECONDS = 60
LOGIN = f"diff:{CANARY}"
LEAVES = tuple(f"be-leaf-00{number}" for number in range(4))
LEAF, ONLY = LEAVES[0], ("--devices", "be-leaf-*")
ONE = "neighbor 10.64.0.129 description"

Serve = Callable[[Mapping[str, str]], "Site"]


class Site:
    """An inventory of doubles, asked as a user does."""

    def __init__(self, folder: Path, doubles: Mapping[str, Double], intent: Path = DEMO) -> None:
        self.doubles, self.intent, self.folder = doubles, intent, folder
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        hosts = (f"{name}: {{hostname: 127.0.0.1, port: {one.port}, platform: eos}}\n" for name, one in doubles.items())
        (folder / "hosts.yaml").write_text("".join(hosts))
        options = "{napalm: {extras: {timeout: 20, optional_args: {ca_file: authority.pem}}}}"
        (folder / "defaults.yaml").write_text(
            f'username: diff\npassword: "${{env:EOS_PASSWORD}}"\nconnection_options: {options}\n'
        )

    def diff(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the verb. No secret is in what it tells, nor does it leave a temporary file."""
        given = ("diff", self.intent, "--against", "live", "-i", self.folder, *words)
        with (
            chdir(ROOT),
            patch.dict(os.environ, {"EOS_PASSWORD": CANARY, "TMPDIR": str(self.temporary)}),
            patch.object(tempfile, "tempdir", None),  # it is asked for once in a process
            warnings.catch_warnings(),
        ):
            # Later Pythons warn of threads; those here are the doubles', and the fork has no use for them.
            warnings.simplefilter("ignore", DeprecationWarning)
            done = fabricgen(given, SECONDS)
        assert done.stderr == ""
        assert CANARY not in done.stdout
        assert base64.b64encode(LOGIN.encode()).decode() not in done.stdout
        assert not list(self.temporary.iterdir())
        return done

    def told(self, *words: str) -> tuple[int, dict[str, Any]]:
        """Exit code and result as JSON."""
        done = self.diff(*words, "--json")
        return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What was pushed: the rendered text, with secrets where references to them stood."""
    found = rendered(DEMO, tmp_path_factory.mktemp("demo") / "out", "eos")
    return {name: held(found[name]) for name in LEAVES}


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Authority and certificate of all doubles."""
    folder = tmp_path_factory.mktemp("tls")
    certificate(folder / "switch.pem", authority(folder / "authority.pem"))
    return folder


@contextmanager
def serving(folder: Path, tls: Path, running: Mapping[str, str], login: str = LOGIN) -> Iterator[Site]:
    shutil.copy(tls / "authority.pem", folder)
    with ExitStack() as stack:
        doubles = {}
        for name, text in running.items():
            says = {VERSION: {"version": "4.34.1F"}, HOSTNAME: {"hostname": f"{name}.dc1.example.net"}}
            doubles[name] = stack.enter_context(eapi(says, {RUNNING: text}, tls=tls / "switch.pem", login=login))
        yield Site(folder, doubles)


@pytest.fixture
def serve(tmp_path: Path, tls: Path) -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda running: stack.enter_context(serving(tmp_path, tls, running))


def test_what_was_pushed_runs_whatever_the_secrets_are(texts: dict[str, str], serve: Serve) -> None:
    assert f"secret sha512 {CANARY}" in texts[LEAF]
    site = serve(texts | {LEAF: texts[LEAF].replace("secret sha512", "secret 5")})
    done = site.diff(*ONLY)
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["No differences.", "4 switches: 0 differ, 4 match"]


def test_a_switch_is_asked_little_and_changed_by_nothing(texts: dict[str, str], serve: Serve) -> None:
    site = serve({LEAF: texts[LEAF]})
    assert site.diff("--devices", LEAF).returncode == 0
    asked = {command for _, _, command in site.doubles[LEAF].asked}
    assert asked == {"enable", VERSION, HOSTNAME, RUNNING, SESSIONS}
    assert set(site.doubles[LEAF].heard) == {LOGIN}


def test_lines_typed_by_hand_are_classes(texts: dict[str, str], serve: Serve) -> None:
    """The same on two switches; another on a third, that no table knows; nothing on the last."""
    running = dict(texts)
    for name in LEAVES[:2]:
        running[name] = running[name].replace("   maximum-paths 64 ecmp 64\n", "   maximum-paths 32 ecmp 32\n")
    running[LEAVES[2]] = running[LEAVES[2]].replace(
        "sflow run\n", "sflow run\nmonitor session eve source Ethernet1/1\n"
    )
    code, value = serve(running).told(*ONLY)
    assert (code, value["risk"], value["whole"], value["unread"]) == (3, "unknown", True, [])
    assert value["switches"] == {"before": 4, "after": 4, "equal": 1}
    strange, alike = value["text"]
    assert (strange["devices"], strange["risk"]) == ([LEAVES[2]], "unknown")
    assert strange["hunks"] == [
        {"section": [], "sections": [], "removed": ["monitor session eve source Ethernet1/1"], "added": []}
    ]
    assert (alike["devices"], alike["kinds"]) == (list(LEAVES[:2]), ["bgp.maximum-paths changed"])
    (hunk,) = alike["hunks"]
    assert hunk["section"] == ["router bgp *"]
    assert (hunk["removed"], hunk["added"]) == (["maximum-paths 32 ecmp 32"], ["maximum-paths 64 ecmp 64"])


def test_an_intent_that_was_not_pushed_yet(texts: dict[str, str], serve: Serve, tmp_path: Path) -> None:
    site = serve(texts)
    shutil.copytree(DEMO.parent, tmp_path / "site")
    site.intent = tmp_path / "site/intent.yaml"
    edit(site.intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5, 10.0.0.7]")
    code, value = site.told(*ONLY)
    (found,) = value["text"]
    assert (code, found["devices"], found["kinds"]) == (3, list(LEAVES), ["management.ntp changed"])
    (hunk,) = found["hunks"]
    assert ([*map(address, hunk["removed"])], [*map(address, hunk["added"])]) == (["10.0.0.6"], ["10.0.0.7"])


def address(line: str) -> str:
    return " ".join(re.findall(r"\d+\.\d+\.\d+\.\d+", line))


@pytest.mark.parametrize("form", some([["--json"], [], ["-v"], ["--markdown"]]))
def test_a_secret_that_one_side_lacks_is_shown_without_it(texts: dict[str, str], serve: Serve, form: list[str]) -> None:
    """One is gone from the first switch, the second has one more."""
    running = {LEAF: re.sub(r"username admin .*\n", "", texts[LEAF]), LEAVES[1]: texts[LEAVES[1]]}
    running[LEAVES[1]] += f"tacacs-server key 7 {CANARY}\nkey-string 8a {CANARY}\n"
    done = serve(running).diff("--devices", "be-leaf-00[01]", *form)
    assert done.returncode == 3
    assert "+ username admin" in done.stdout or '"username admin privilege 15' in done.stdout
    assert "tacacs-server key" in done.stdout
    assert "unknown" in done.stdout.lower()


def test_who_is_not_let_in_is_told_first(texts: dict[str, str], tmp_path: Path, tls: Path) -> None:
    with serving(tmp_path, tls, {LEAF: texts[LEAF]}, login="diff:other") as site:
        done = site.diff("--devices", LEAF)
    assert done.returncode == 5
    first, verdict, _ = done.stdout.splitlines()
    assert first.startswith(f"{LEAF} cannot be reached: ")
    assert "Bad username/password combination" in first
    assert verdict == "1 of 1 switch could not be read: what a push would change there is unknown. Risk: unknown."


def test_who_is_not_in_the_inventory_is_told_first_and_the_others_are_compared(
    texts: dict[str, str], serve: Serve
) -> None:
    running = {LEAF: texts[LEAF].replace(f"{ONE} be-spine-00 Ethernet1/1", f"{ONE} by hand")}
    done = serve(running).diff("--devices", "be-leaf-00[01]")
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0]) == (3, "be-leaf-001 is not in the inventory: it was not queried")
    assert f"  - {ONE} by hand" in lines
    assert f"  + {ONE} be-spine-00 Ethernet1/1" in lines
    assert "no traffic loss" not in done.stdout


def test_a_switch_that_shows_nothing(texts: dict[str, str], serve: Serve) -> None:
    done = serve({LEAF: texts[LEAF], LEAVES[1]: ""}).diff("--devices", "be-leaf-00[01]")
    first = done.stdout.splitlines()[0]
    assert (done.returncode, first) == (3, "be-leaf-001 did not show its running configuration: it is empty")
