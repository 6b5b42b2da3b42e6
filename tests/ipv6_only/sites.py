"""The small site of each platform without its frontend and without IPv4."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

STAGES = Path(__file__).parents[1] / "golden" / "stages"
SYSTEMS = tuple(sorted(folder.name for folder in STAGES.iterdir()))
BOTH = {"ipv4": "10.64.0.0/16", "ipv6": "fd00:64::/48"}
"""Prefixes of the backend as the golden site has it."""


def document(system: str, **addressing: object) -> Any:  # noqa: ANN401 - YAML
    """The intent with its backend alone; addressing: keys beside the IPv6 prefix, None takes one out."""
    found = yaml.safe_load((STAGES / system / "intent.yaml").read_text(encoding="utf-8"))
    del found["fabrics"]["frontend"], found["tenants"]
    backend = found["fabrics"]["backend"]
    assert backend["addressing"] == BOTH
    wanted: Mapping[str, object] = {"ipv6": BOTH["ipv6"], **addressing}
    backend["addressing"] = {key: value for key, value in wanted.items() if value is not None}
    return found


def written(folder: Path, system: str, found: object) -> Path:
    """The intent in a folder, with its hardware; a lock that is there stays."""
    shutil.copytree(STAGES / system / "hardware", folder / "hardware", dirs_exist_ok=True)
    path = folder / "intent.yaml"
    path.write_text(yaml.safe_dump(found, sort_keys=False), encoding="utf-8")
    return path
