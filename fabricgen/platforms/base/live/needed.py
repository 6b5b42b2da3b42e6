"""What a configuration names that is no part of it: certificates and TLS profiles, which are put on a switch apart.

An API that names a missing one does not come up, and by the API comes the next push.
"""

import json
import re
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output, ReadCommand


class Needed(NamedTuple):
    """One such thing.

    what     in words
    setting  of the intent, which names it
    names    words of the answer of a switch that has it
    read     shows all of its kind
    make     what to type on the switch, or to do, to put it there; the source is where it is written
    """

    what: str
    setting: str
    names: tuple[str, ...]
    read: ReadCommand
    make: str


def nothing(device: Device) -> tuple[Needed, ...]:
    """Return nothing: all that a configuration of this system names is part of it, or nobody can ask for it."""
    del device
    return ()


def lacking(needed: Needed, output: Output) -> bool | None:
    """Whether a switch lacks something, by its answer; None where it gave none.

    A name counts as present wherever it stands in the answer. So an answer of another form than expected is no reason
    to refuse, as long as the name is in it.
    """
    if output.value is None:
        return None
    text = output.value if isinstance(output.value, str) else json.dumps(output.value)
    return not all(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text) for name in needed.names)


GNMI, EAPI = "management.gnmi.certificate", "management.eapi.certificate"


def certificates(device: Device) -> dict[str, str]:
    """Certificates that the APIs of a switch use → the setting that names each."""
    management = device.management
    named = {management.eapi_certificate: EAPI, management.gnmi.certificate if management.gnmi else "": GNMI}
    return {name: setting for name, setting in named.items() if name}
