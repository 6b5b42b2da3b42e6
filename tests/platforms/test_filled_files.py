"""A file with its secrets filled in is what the makers' models take; SONiC's: `tests/sonic/test_sonic_models.py`."""

from collections.abc import Callable, Mapping

import pytest

from fabricgen.device.device import Device
from fabricgen.device.references import SNMP_AUTH, secret_fields
from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer
from tests.judges import junos, srlinux
from tests.platforms import rich
from tests.srlinux import xgs

JUDGES: Mapping[str, tuple[str | None, Callable[[str], list[str]]]] = {
    "junos": (junos.available(), junos.faults),
    "srlinux": (srlinux.available(), xgs.faults),
}


def filled(device: Device, values: Mapping[str, str]) -> str:
    """The file with a value of the first accepted form for each reference; `values`: field → another value."""
    shapes = PLATFORMS[device.system].secrets(device.version)
    (file,) = Renderer().render(device)
    text = file.marked
    for field, secret in secret_fields(device):
        text = text.replace(str(secret), values.get(field, shapes[field].values[0].example))
    return text


@pytest.mark.parametrize("system", JUDGES)
def test_the_models_take_a_filled_file_and_no_short_key(system: str) -> None:
    reason, faults = JUDGES[system]
    if reason is not None:
        pytest.skip(reason)
    device = next(device for device in rich.fleet(system) if device.management.snmp and device.management.users)
    assert faults(filled(device, {})) == []
    assert faults(filled(device, {SNMP_AUTH: "seven77"}))
