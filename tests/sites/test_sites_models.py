"""The makers' own YANG takes what the sites render: the first and the last switch of each role."""

from collections.abc import Callable, Iterator

import pytest

from fabricgen.plan.fabric import places
from fabricgen.plan.place import Place
from fabricgen.render.render import Renderer
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.site.workspace import open_workspace
from tests.judges import junos, sonic
from tests.sites.rendering import INVENTORIES
from tests.srlinux import xgs

Faults = Callable[[str], list[str]]

JUDGES: dict[str, tuple[str, str | None, Faults]] = {
    "mi300x-1k": ("config_db.json", sonic.available(), lambda text: sonic.faults(text, "202605")),
    "jvd-gpuaas": ("juniper.conf", junos.available(), lambda text: junos.faults(text, "24.4")),
    "nokia-ai-nvd": ("config.json", xgs.available(), lambda text: xgs.faults(text, "25.3")),
}
"""Site → its file, why its judge is missing, and the judge."""


def texts(name: str) -> Iterator[tuple[str, str]]:
    """Switch and file of the first and the last place of each tier of each fabric."""
    plan, renderer = open_workspace(INVENTORIES / name / "intent.yaml").plan, Renderer()
    for fabric, planned in plan.fabrics.items():
        tiers: dict[object, list[Place]] = {}
        for place in places(planned):
            tiers.setdefault(place.tier, []).append(place)
        for place in (found[at] for found in tiers.values() for at in (0, -1)):
            device = resolve(make_site(plan, fabric), place)
            yield from ((file.path, file.text) for file in renderer.render(device))


@pytest.mark.parametrize("name", JUDGES)
def test_the_models_take_the_files_of_a_site(name: str) -> None:
    file, missing, faults = JUDGES[name]
    if missing is not None:
        pytest.skip(missing)
    found = {path: text for path, text in texts(name) if path.endswith(file)}
    assert len(found) >= 4
    assert {path: faults(text) for path, text in found.items()} == {path: [] for path in found}


@pytest.mark.parametrize(
    ("name", "word", "wrong"),
    [
        ("mi300x-1k", '"fec": "rs"', '"fec": "rs544"'),
        ("jvd-gpuaas", "flowset-table-size", "flowlet-table-size"),
        ("nokia-ai-nvd", '"port-speed": "400G"', '"port-speed": "410G"'),
    ],
)
def test_a_wrong_word_is_seen(name: str, word: str, wrong: str) -> None:
    file, missing, faults = JUDGES[name]
    if missing is not None:
        pytest.skip(missing)
    text = next(text for path, text in texts(name) if path.endswith(file))
    assert word in text
    assert faults(text.replace(word, wrong))
