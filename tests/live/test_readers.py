"""Each platform is read, by a driver of which a push knows the profile."""

from importlib import import_module
from pathlib import Path

import pytest
from napalm.base import NetworkDriver

import fabricgen.platforms
from fabricgen.platforms import PLATFORMS, SYSTEMS
from fabricgen.platforms.base.batfish import BatfishReading
from fabricgen.platforms.base.containerlab import Nodes
from fabricgen.platforms.base.live.commit_operations import CommitOperations
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.proof import ProofTable
from fabricgen.platforms.base.live.reader import Reader
from fabricgen.platforms.base.platform import Platform
from fabricgen.platforms.batfish_readings import READINGS
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS, COMMIT_PROFILES
from fabricgen.platforms.containerlab_nodes import NODES
from fabricgen.platforms.proofs import PROOFS
from fabricgen.platforms.readers import READERS

SHARED = {"base", "linux"}
"""Folders of platforms/ that are no platform."""


def test_every_folder_is_registered() -> None:
    folders = {path.parent.name for path in Path(fabricgen.platforms.__file__).parent.glob("*/__init__.py")}
    assert folders - SHARED == set(SYSTEMS)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_platform_has_its_parts_under_its_own_name(name: str) -> None:
    platform, reader = PLATFORMS[name], READERS[name]
    profile, operations, proofs = COMMIT_PROFILES[name], COMMIT_OPERATIONS[name], PROOFS[name]
    parts = (platform, reader, profile, operations, proofs, NODES[name], READINGS[name])
    kinds = [Platform, Reader, CommitProfile, CommitOperations, ProofTable, Nodes, BatfishReading]
    assert [type(part) for part in parts] == kinds
    assert bool(READINGS[name].format) != bool(READINGS[name].refusal)
    names = {
        platform.name,
        platform.driver,
        reader.system,
        reader.driver,
        COMMIT_PROFILES[name].driver,
        PROOFS[name].system,
    }
    assert names == {name}


def test_drivers_of_this_project_are_there() -> None:
    own = {name: platform.own_driver for name, platform in PLATFORMS.items() if platform.own_driver}
    for name, words in own.items():
        module, _, found = words.partition(":")
        assert module.startswith(f"fabricgen.platforms.{name}.")
        assert issubclass(getattr(import_module(module), found), NetworkDriver)
    assert set(own) < set(PLATFORMS)
