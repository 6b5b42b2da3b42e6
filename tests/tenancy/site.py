"""A site whose backend tenants share, cut from the inventory of FRR switches: two tenants, one server of both."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

INVENTORY = Path(__file__).parents[2] / "inventories/frr/intent.yaml"

Json = dict[str, Any]


@cache
def _inventory() -> Json:
    found: Json = yaml.safe_load(INVENTORY.read_text())
    return found


def whole() -> Json:
    """The inventory's site with its backend shared: its tenants have servers on both fabrics."""
    site = deepcopy(_inventory())
    site["fabrics"]["backend"]["tenancy"] = "evpn-type5"
    return site


def backend_only() -> Json:
    """The backend alone. Half of the NICs of research's second server are serving's; train[4-7] are nobody's."""
    site = whole()
    del site["fabrics"]["frontend"]
    del site["servers"]["store"]
    site["fabrics"]["backend"]["topology"]["rails_per_leaf"] = 4
    site["tenants"] = {
        "research": {"servers": ["train[0-1]"]},
        "serving": {"servers": ["train[2-3]"], "nics": ["train[1]/4-7"]},
    }
    return site


def write(site: Json, folder: Path) -> Path:
    """Write an intent. Returns its path."""
    path = folder / "intent.yaml"
    path.write_text(yaml.safe_dump(site, sort_keys=False))
    return path
