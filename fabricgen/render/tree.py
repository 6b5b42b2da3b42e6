"""A plan to the whole output tree, one switch at a time: its files, the cabling plan, and the key of each switch."""

from collections.abc import Callable, Iterator
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.plan.cabling import cabling_csv
from fabricgen.plan.fabric import present_places
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import fabric_digest, input_key, release_digest, templates_digest
from fabricgen.render.render import Renderer
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve

CABLING = "cabling.csv"

Done = Callable[[Device], None]
"""Shown each switch that is rendered."""


def count_devices(plan: Plan) -> int:
    """Switches that are configured."""
    return sum(1 for fabric in plan.fabrics.values() for _ in present_places(fabric))


def render_tree(
    plan: Plan, keys: dict[str, str], done: Done, user_templates: Path | None = None
) -> Iterator[tuple[str, bytes]]:
    """Every file of the site, path and octets. Fills `keys` with the input key of each switch as it goes.

    `done` is shown each switch when its files are rendered.
    """
    renderer = Renderer(user_templates)
    release = release_digest()
    for name, fabric in plan.fabrics.items():
        site = make_site(plan, name)
        systems: dict[str, str] = {}
        shared = fabric_digest(plan, fabric)
        for place in present_places(fabric):
            device = resolve(site, place)
            if device.system not in systems:
                systems[device.system] = templates_digest(device.system, user_templates)
            keys[device.name] = input_key(f"{release}\n{systems[device.system]}\n{shared}", fabric, place)
            for rendered in renderer.render(device):
                yield rendered.path, rendered.text.encode()
            done(device)
    yield CABLING, "".join(cabling_csv(plan)).encode()
