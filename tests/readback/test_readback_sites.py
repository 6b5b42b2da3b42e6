"""Every switch of every small site is read back from its text, and equals its Device; no line is left over."""

from pathlib import Path

import pytest

from fabricgen.audit.switch import own_lines
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.compare import differences
from tests.readback.sites import Switch, intents, switches
from tests.some import some


def said(switch: Switch) -> list[str]:
    """What reading a switch back finds, a line each."""
    device, files = switch
    readback = READBACKS[device.system]
    reading = readback.read(files)
    expected = readback.expected(device)
    found = [
        f"{device.name} {row.file}:{row.line} {row.kind} {row.thing} {row.name} {row.setting}: "
        f"planned {row.intended}, read {row.read}"
        for row in differences(expected, reading)
    ]
    own = own_lines(device, files)
    unread = [line for line in reading.unread if (line.file, line.line) not in own]
    return found + [f"{device.name} {line.file}:{line.line} not understood: {line.text}" for line in unread]


@pytest.mark.parametrize(
    "intent", some(intents(), of=4), ids=lambda intent: f"{intent.parent.parent.name}-{intent.parent.name}"
)
def test_text_says_what_the_device_asks_for(intent: Path) -> None:
    seen = [switch for switch in switches(intent) if switch[0].system in READBACKS]
    if not seen:
        pytest.skip("no platform of this site is read back")
    problems = [line for switch in seen for line in said(switch)]
    assert not problems, "\n".join(problems[:40])
