"""A server goes from one tenant of a shared backend to another: the VRFs of its ports, and nobody else's traffic."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from fabricgen.cli import main
from tests.tenancy import site


def _said(*words: object) -> Any:  # noqa: ANN401 (JSON)
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code in (0, 3), done.output
    return json.loads(done.stdout) if "--json" in words else done.stdout


def test_a_move_is_told_as_the_ports_of_its_server(tmp_path: Path) -> None:
    before = site.write(site.backend_only(), tmp_path)
    _said("render", before, "-o", tmp_path / "out")
    value = site.backend_only()
    value["tenants"]["research"]["servers"] = ["train[0-1,3]"]
    value["tenants"]["serving"]["servers"] = ["train[2]"]
    after = site.write(value, tmp_path)
    found = _said("diff", after, "--against", tmp_path / "out", "--json")
    (one,) = found["meaning"]
    assert one["devices"] == ["be-leaf-000", "be-leaf-001"]
    assert one["risk"] == "traffic loss"
    assert (one["reaches"]["gpus"], one["reaches"]["tenants"]) == (8, ["research", "serving"])
    kinds = {fact["kind"] for facts in one["device_changes"].values() for fact in facts}
    assert kinds == {"interface.vrf", "bgp.vrf.network"}
    text = _said("diff", after, "--against", tmp_path / "out")
    assert "VRFs of ports per switch (to train-003): serving → research" in text
    assert "Renumbering: none (no address, AS number or VNI changes)." in text
