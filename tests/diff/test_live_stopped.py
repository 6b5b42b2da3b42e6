"""`fabricgen diff --against live` as its process ends: nobody answers, somebody presses Ctrl-C.

The switches are verify's double of FRR's driver, which answers, takes its time or refuses as a file says.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.some import some

ROOT = Path(__file__).parents[2]
INTENT = ROOT / "inventories/frr/intent.yaml"
STANDIN = ROOT / "tests/verify/standin"
CANARY = "c4n4ry-7f3a9"
SECONDS = 60
LEAVES = tuple(f"be-leaf-00{number}" for number in range(4))


class Switches:
    """An inventory of leaves that are as a test says."""

    def __init__(self, folder: Path) -> None:
        self.temporary, self.inventory, self.state = folder / "temporary", folder / "inventory", folder / "state.json"
        self.temporary.mkdir()
        self.inventory.mkdir()
        hosts = "".join(f"{name}: {{hostname: {name}, platform: frr}}\n" for name in LEAVES)
        (self.inventory / "hosts.yaml").write_text(hosts)
        (self.inventory / "defaults.yaml").write_text('username: diff\npassword: "${env:STANDIN_PASSWORD}"\n')
        self.state.write_text("{}")

    @contextmanager
    def asked(self, words: Mapping[str, str], *more: str) -> Iterator[subprocess.Popen[str]]:
        """The verb, running; it is gone afterwards."""
        self.state.write_text(json.dumps(dict(words)))
        command = [sys.executable, "-m", "fabricgen", "diff", str(INTENT), "--against", "live"]
        process = subprocess.Popen(
            [*command, "-i", str(self.inventory), "--devices", "be-leaf-*", "--workers", "1", *more],
            env=os.environ
            | {"STANDIN": str(self.state), "STANDIN_PASSWORD": CANARY, "PYTHONPATH": str(STANDIN)}
            | {"TMPDIR": str(self.temporary)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def is_kept(self, name: str) -> bool:
        """Whether what a switch says lies in the folder of this run."""
        return any(self.temporary.glob(f"*/{name}.json.gz"))


@pytest.fixture
def switches(tmp_path: Path) -> Switches:
    return Switches(tmp_path)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def test_nobody_answers(switches: Switches) -> None:
    with switches.asked({}) as process:
        stdout, stderr = process.communicate(timeout=SECONDS)
    assert (process.returncode, stderr) == (5, "")
    assert CANARY not in stdout
    first = stdout.splitlines()[0]
    assert first == (
        "4 switches cannot be reached (be-leaf-000: diff with <removed> is refused by be-leaf-000): be-leaf-000…003"
    )


@pytest.mark.parametrize(("number", "form"), some([(signal.SIGINT, ()), (signal.SIGTERM, ("--json",))], of=4))
def test_what_was_collected_before_an_interruption_is_told(
    switches: Switches, number: signal.Signals, form: tuple[str, ...]
) -> None:
    """The first switch refuses at once, the next takes its time, and one at a time is asked."""
    with switches.asked(dict.fromkeys(LEAVES[1:], "slow"), *form) as process:
        until(lambda: switches.is_kept(LEAVES[0]))
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=SECONDS)
    assert (process.returncode, stderr) == (130, "interrupted: this is what was collected until then\n")
    assert CANARY not in stdout
    assert "be-leaf-000 cannot be reached: diff with <removed> is refused by be-leaf-000" in stdout
    assert "not in the collection" in stdout
    assert not list(switches.temporary.iterdir())
    if form:
        assert LEAVES[-1] in json.loads(stdout)["unread"]
