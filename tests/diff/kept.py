"""Collections made by hand: what switches would have said that run what was rendered, or something near it."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.eos.live.reader import HOSTNAME, RUNNING, VERSION
from fabricgen.platforms.frr.live.reader import RUNNING as FRR_RUNNING
from fabricgen.platforms.linux.live.daemons import VERSION as FRR_VERSION
from fabricgen.platforms.linux.live.system import DAEMONS
from fabricgen.verify.collect.store import Collected, Failure, write

CANARY = "c4n4ry-7f3a9"
"""Stands wherever a switch has a secret."""
ALIVE = "zebra bgpd staticd bfdd"
REFERENCE = re.compile(r"\$\{env:\w+\}")
MAIN = {"eos": "startup-config", "frr": "frr.conf"}

Edit = Callable[[str], str]


def call(*words: object) -> Result:
    """Run fabricgen here. No canary is in what it tells."""
    result = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert CANARY not in result.output
    return result


def rendered(intent: Path, out: Path, system: str, *words: object) -> dict[str, str]:
    """What a push would give each switch: its name to the text."""
    assert call("render", intent, "-o", out, *words).exit_code == 0
    return {path.parent.name: path.read_text() for path in sorted(out.glob(f"*/{MAIN[system]}"))}


def held(text: str) -> str:
    """The text as a switch has it: with secrets where references to them stood."""
    return REFERENCE.sub(CANARY, text)


def eos(name: str, running: str) -> Collected:
    """What an EOS switch says."""
    says = {VERSION: {"version": "4.34.1F", "modelName": "x"}, HOSTNAME: {"hostname": name}, RUNNING: running}
    return _collected(name, "eos", says)


def frr(name: str, running: str, daemons: str = ALIVE) -> Collected:
    """What an FRR switch says."""
    version = f"FRRouting 8.4.4 ({name}) on Linux(6.1.0).\n"
    return _collected(name, "frr", {FRR_VERSION: version, DAEMONS: f" {daemons}\n", FRR_RUNNING: running})


def silent(name: str, system: str, reason: str) -> Collected:
    """A switch that could not be reached."""
    return Collected(device=name, system=system, vrfs={}, failure=Failure("unreachable", reason))


def _collected(name: str, system: str, says: Mapping[str, object]) -> Collected:
    outputs = {command: Output(value) for command, value in says.items()}
    return Collected(device=name, system=system, vrfs={}, outputs=outputs)


def keep(folder: Path, *switches: Collected) -> Path:
    """Write them where `--from` reads."""
    folder.mkdir(exist_ok=True)
    for one in switches:
        write(folder, one)
    return folder
