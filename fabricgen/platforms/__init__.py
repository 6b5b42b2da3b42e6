"""The operating systems: one folder each, registered by its name in SYSTEMS.

Two more folders are shared: `base/` defines what a platform is, `linux/` has what the Linux systems share. The other
modules here are tables over all platforms. A platform is imported on first use: a fabric of one system does not load
the others. Its folder holds, under its name in capitals: a Platform in `platform.py`, a Reader in `live/reader.py`, a
CommitProfile in `live/commit_profile.py` and a ProofTable in `live/proof.py`; OPERATIONS in `live/commit.py`; and, for
a system that routes with FRR, a LabRouting in `lab/routing.py`.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms.base.platform import Platform

SYSTEMS = ("eos", "frr", "sonic", "cumulus", "junos", "srlinux", "nxos")
"""Names of the folders, in the order in which pages list them. An intent's `os:` value starts with one of them."""


def makers(part: str, attribute: str = "") -> dict[str, Callable[[], Any]]:
    """Platform → function that returns an attribute of a module in its folder, by default its name in capitals."""
    return {name: partial(_imported, name, part, attribute or name.upper()) for name in SYSTEMS}


def makers_of_some(part: str) -> dict[str, Callable[[], Any]]:
    """The same for those platforms whose folders have this part."""
    first = part.partition(".")[0]
    return {name: make for name, make in makers(part).items() if find_spec(f"{__name__}.{name}.{first}") is not None}


def _imported(name: str, part: str, attribute: str) -> object:
    return getattr(import_module(f"{__name__}.{name}.{part}"), attribute)


ADAPTERS: dict[str, Callable[[], Platform]] = makers("platform")
PLATFORMS = OnDemand(ADAPTERS)


def supports(system: str, feature: str) -> bool:
    """Whether a platform supports a feature. system: as in `os:`, or without its release for the newest."""
    name, _, version = system.partition("-")
    capability = PLATFORMS[name].can(feature, version)
    return capability is not None and not capability.refusal
