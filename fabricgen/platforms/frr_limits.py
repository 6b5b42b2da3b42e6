"""What ifupdown2 cannot take in a description, found in one Device: named, before anything is written."""

import re
from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import Problem

SIGNS = re.compile(r"\$[\\%$]*(?=IFACE)|\\|%")
"""Signs that an interfaces file cannot have in a text; every other `$` arrives as it is written."""
WHY = {
    "\\": "ifupdown2 reads a backslash anywhere in the file as a line that goes on",
    "%": "ifupdown2 reads the whole file as a Mako template where it has a percent sign",
    "$": "ifupdown2 puts the name of the port in the place of $IFACE",
}
"""Sign → what ifupdown2 3.0.0 does with it (ifupdown/networkinterfaces.py: process_interfaces, read_filedata,
process_iface)."""


def limits(device: Device) -> Iterator[Problem]:
    """Every Problem of this switch."""
    told = [(row.name, row.description) for row in (*device.interfaces.ethernet, *device.interfaces.idle)]
    told += [(f"aggregate {row.number}", row.description) for row in device.interfaces.lags]
    for name, text in told:
        found = SIGNS.search(text)
        if found is not None:
            sign = "$IFACE" if found[0].startswith("$") else found[0]
            yield Problem(
                code="platform-cannot",
                what=f"the description of {name} on {device.name} cannot have {sign}",
                where=("overrides",),
                why=WHY[found[0][0]],
                fix=f"write the description without {sign}",
            )
