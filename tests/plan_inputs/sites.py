"""The demo, planned without exceptions, with edits of its intent."""

import copy
from functools import cache
from pathlib import Path
from typing import Any

from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.names import SiteNames, make_names
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.source.document import read_document

DEMO = Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml"


@cache
def catalog() -> Catalog:
    return load_catalog(None)


def demo(**keys: object) -> Intent:
    """Return the demo's intent with these top-level keys."""
    value: Any = copy.deepcopy(read_document(DEMO).value)
    return Intent.model_validate(value | keys)


def planned(intent: Intent) -> Plan:
    """Plan without exceptions."""
    return make_plan(intent, catalog(), make_shapes(intent, catalog()), Lock(), Exceptions())


@cache
def demo_plan() -> Plan:
    return planned(demo())


@cache
def demo_names() -> SiteNames:
    return make_names(demo(), demo_plan().fabrics)
