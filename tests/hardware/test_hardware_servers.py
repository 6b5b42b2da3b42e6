"""Words of a server's file that are read and mean something else: each is refused at its line."""

from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import OURS, load_catalog


@pytest.mark.parametrize(
    ("before", "after", "code", "fix"),
    [
        ("vendor: nvidia", "vendor: nvidea", "hardware-word", "did you mean nvidia?"),
        ("vendor: nvidia", "vendor: mellanox", "hardware-word", "did you mean nvidia?"),
        ("vendor: nvidia", "vendor: bluefield-3", "hardware-word", "did you mean nvidia?"),
        ("vendor: nvidia", "vendor: pensando", "hardware-word", "did you mean amd?"),
        ("vendor: nvidia", "vendor: thor2", "hardware-word", "did you mean broadcom?"),
        ("gpus: 8", "gpus: 0", "hardware-gpus", "write gpus: 8, or rail: 0 at each port of the group"),
        ("reorder: false", 'reorder: "yes"', "wrong-type", "write true or false"),
        ("reorder: false", "reorder: yes", "wrong-type", "write true or false"),
        ("reorder: false", "reorder: 1", "wrong-type", "write true or false"),
    ],
)
def test_a_word_that_means_something_else(tmp_path: Path, before: str, after: str, code: str, fix: str) -> None:
    text = (OURS / "servers/dgx-h100.yaml").read_text(encoding="utf-8")
    text = text if before in text else text.replace("    vendor: nvidia\n", f"    vendor: nvidia\n    {before}\n", 1)
    path = tmp_path / "servers/dgx-h100.yaml"
    path.parent.mkdir()
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(FabricError) as caught:
        load_catalog(tmp_path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.fix) == (code, fix)
    assert problem.at is not None
    assert problem.at.line == text[: text.index(before)].count("\n") + 1


@pytest.mark.parametrize("vendor", ["intel", "marvell"])
def test_a_vendor_like_none_that_is_known_is_taken(tmp_path: Path, vendor: str) -> None:
    text = (OURS / "servers/dgx-h100.yaml").read_text(encoding="utf-8")
    path = tmp_path / "servers/dgx-h100.yaml"
    path.parent.mkdir()
    path.write_text(text.replace("vendor: nvidia", f"vendor: {vendor}"), encoding="utf-8")
    assert load_catalog(tmp_path).servers["dgx-h100"].nics["compute"].vendor == vendor
