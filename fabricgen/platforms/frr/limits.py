"""Values of one Device that a Linux switch does not accept, reported before anything is written."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.platforms.base.limits import bfd_with_ttl
from fabricgen.platforms.linux.names import LONGEST_NAME, SIGNS, device_name

WHY = {
    "\\": "ifupdown2 takes a backslash anywhere in the file as a line continuation",
    "%": "ifupdown2 takes a file with a percent sign as a Mako template",
    "$": "ifupdown2 replaces $IFACE by the name of the port",
}
"""Character → what ifupdown2 3.0.0 does with it (ifupdown/networkinterfaces.py: process_interfaces, read_filedata,
process_iface)."""


def limits(device: Device) -> Iterator[Problem]:
    """Problems of this switch."""
    yield from _management(device)
    yield from bfd_with_ttl(device, "FRR")
    descriptions = [(row.name, row.description) for row in (*device.interfaces.ethernet, *device.interfaces.idle)]
    descriptions += [(f"aggregate {row.number}", row.description) for row in device.interfaces.lags]
    for name, text in descriptions:
        match = SIGNS.search(text)
        if match is not None:
            sign = "$IFACE" if match[0].startswith("$") else match[0]
            yield Problem(
                code="platform-cannot",
                what=f"the description of {name} on {device.name} cannot have {sign}",
                where=("overrides",),
                why=WHY[match[0][0]],
                fix=f"write the description without {sign}",
            )


def _management(device: Device) -> Iterator[Problem]:
    """A management VRF with a name that Linux does not accept for a device. A lab gives it another name."""
    name = device.management.vrf
    if device_name(name, "") != name:
        reason = f"it is a Linux device, and a device name has at most {LONGEST_NAME} characters"
        if len(name) <= LONGEST_NAME:
            reason = "it is a Linux device, and another device or a route table already has this name"
        if "." in name:
            reason = (
                "it is a Linux device, and ifupdown2 takes a name with a dot as a VLAN of another device "
                "(addons/vlan.py)"
            )
        yield Problem(
            code="platform-cannot",
            what=f"the management VRF of {device.name} cannot be named {name} on Linux",
            where=("management", "vrf"),
            why=reason,
            fix="write another name, e.g. MGMT",
        )
