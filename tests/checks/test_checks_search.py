"""The whole search: sites of all systems, every edit of `edits.py`, with a lock and without. It takes minutes."""

from pathlib import Path

import pytest
import yaml

from tests.checks.edits import EDITS
from tests.checks.searching import Search, State, changed, problems_in, recorded, written

SITES = (
    ("dgx-b200", "eos-4.34", "rail-optimized"),
    ("gb300-nvl72", "frr-8.4", "rail-optimized"),
    ("dgx-b300", "sonic-master", "rail-optimized"),
    ("dgx-h100", "cumulus-5.11", "rail-optimized"),
    ("mi300x-pollara", "junos-24.4", "rail-optimized"),
    ("hgx-h200", "srlinux-25.3", "rail-optimized"),
    ("gb200-nvl72", "nxos-10.5", "rail-optimized"),
    ("dgx-b300", "eos-4.34", "tor"),
    ("dgx-h200", "cumulus-5.11", "rail-only"),
)
"""Server, system and design of a site."""


@pytest.mark.long
@pytest.mark.parametrize("is_locked", [False, True], ids=["new", "rendered"])
@pytest.mark.parametrize("made", SITES, ids="-".join)
def test_every_edit_is_led_to_an_accepted_intent(made: tuple[str, str, str], is_locked: bool, tmp_path: Path) -> None:
    text = written(*made)
    document, lock = yaml.safe_load(text), recorded(text, tmp_path) if is_locked else None
    search = Search(problems_in(tmp_path, is_whole=True))
    bad: list[str] = []
    tried = 0
    for name, edit in EDITS.items():
        try:
            state = State(changed(document, edit), lock)
        except KeyError:
            continue  # the site has not what is edited
        tried += 1
        bad += [f"{name}: {way}" for way in search.ways(state) if way.is_bad]
    assert bad == []
    assert tried > len(EDITS) * 3 // 4
