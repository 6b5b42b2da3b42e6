"""A small site with NX-OS and a collection of it: what each switch shows is as planned, until a test changes it."""

from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.operation.intended import target_of
from fabricgen.platforms.nxos.live import reader as nxos
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from fabricgen.verify.collect.store import Collected, Failure, Target, write
from fabricgen.verify.expect.derive import expectations
from tests.doubles.nxos_shown import changed, dropped, outputs, shown
from tests.nxos.fleet import OS, render
from tests.push.eos_fabric import INTENT

HASH = f"$5$abcdefgh${'a' * 43}"
TEXT = INTENT.replace("{model: arista-7060dx5-32, os: eos-4.33}", f"{{model: cisco-n9332d-gx2b, os: {OS}}}").replace(
    "ecn: formula", "ecn: {minimum_octets: 950000, maximum_octets: 3000000, probability_percent: 7}"
)


def _text(device: Device) -> str:
    return render(device).replace("${env:ADMIN_HASH}", HASH)


def collection(folder: Path, *, is_sound: bool) -> tuple[Path, Path]:
    """Intent and collection. One that is not sound: a switch that is missing and what others say of it, and more."""
    intent, kept = folder / "intent.yaml", folder / "kept"
    intent.write_text(TEXT)
    kept.mkdir()
    found = tuple(devices(open_workspace(intent).plan))
    for expected, device in zip(expectations(found, _text), found, strict=True):
        assert expected.configuration is not None
        answers = shown(expected, expected.configuration)
        if not is_sound and device.name == "be-leaf-000":
            changed(answers, nxos.INTERFACES, {"eth_mtu": 1500}, interface="Ethernet1/1")
            answers[nxos.RUNNING].append("ip source-route")
        if not is_sound and device.name == "be-leaf-003":
            dropped(answers, nxos.LLDP, sys_name="be-spine-00")
        target = target_of(device)
        write(kept, Collected(device=device.name, system=device.system, vrfs=target.vrfs, outputs=outputs(answers)))
        if not is_sound:
            _lose(kept, target)
    return intent, kept


def _lose(kept: Path, target: Target) -> None:
    """One switch was never collected, and one did not answer."""
    if target.device == "be-spine-00":
        (kept / "be-spine-00.json").unlink()
    elif target.device == "be-leaf-001":
        failure = Failure("unreachable", "timed out")
        write(kept, Collected(device=target.device, system=target.system, vrfs=target.vrfs, failure=failure))
