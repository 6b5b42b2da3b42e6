"""Security profiles: the values of keys that an intent leaves out, by how closed its switches are to be.

A profile is chosen by `security` in the intent. It fills in keys that the intent does not write, as the versions of the
defaults do (`intent/defaults.py`), and has precedence over them. Without the key no value depends on a profile.

A key whose change takes sessions down has no place here: a profile may be written for a fabric that runs.
"""

from collections.abc import Mapping
from ipaddress import IPv4Network
from typing import Literal

from fabricgen.intent.defaults import Path, Values
from fabricgen.intent.site import ManagementAccess

SecurityProfile = Literal["strict", "standard", "lab"]

ANYBODY = (IPv4Network("0.0.0.0/0"),)
"""Any source: `management.access` with it lets anybody come to the management address, and nobody come in band."""
ACCESS: Path = ("management", "access")

_STANDARD: Values = {ACCESS: ManagementAccess.model_construct(sources=ANYBODY)}

PROFILES: Mapping[SecurityProfile, Values] = {
    "lab": {},
    "standard": _STANDARD,
    "strict": {path: value for path, value in _STANDARD.items() if path != ACCESS},
}
"""Profile → values. `strict` has no sources of its own: the intent must name them (`checks/settings/security.py`)."""


def profile_values(profile: SecurityProfile | None) -> Values:
    """Return the values that a profile gives to keys which an intent leaves out; none without a profile."""
    return {} if profile is None else PROFILES[profile]
