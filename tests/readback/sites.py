"""Sites whose rendered text is read back: Devices with their files, by platform."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

ROOT = Path(__file__).parents[2]
STAGES = ROOT / "tests" / "golden" / "stages"
CASES = ROOT / "tests" / "golden" / "cases"
INVENTORIES = ROOT / "inventories"

Switch = tuple[Device, dict[str, str]]


def intents() -> Iterator[Path]:
    """Every intent of goldens and inventories that is small enough for each run."""
    yield from sorted(STAGES.glob("*/intent.yaml"))
    yield from sorted(CASES.glob("*/intent.yaml"))
    yield from sorted(path for path in INVENTORIES.glob("*/intent.yaml") if "16k" not in path.parent.name)


@cache
def switches(intent: Path) -> tuple[Switch, ...]:
    """Every Device of a site, and its files as they lie on disk."""
    renderer = Renderer()
    return tuple((device, files_of(renderer, device)) for device in devices(open_workspace(intent).plan))


def files_of(renderer: Renderer, device: Device) -> dict[str, str]:
    """Files by their path below the folder of the switch."""
    return {file.path.partition("/")[2]: file.text for file in renderer.render(device)}


def of_system(system: str) -> Iterator[Switch]:
    """Switches of one platform in all sites."""
    for intent in intents():
        yield from (switch for switch in switches(intent) if switch[0].system == system)
