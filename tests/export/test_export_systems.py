"""Cumulus as a node of containerlab; systems that it has nodes for, and whose switches can be none of those."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from fabricgen.errors import FabricError
from fabricgen.lab.model.containers import kinds_of
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.subset import parse_subset
from fabricgen.platforms.base.containerlab import RELEASES
from fabricgen.site.workspace import open_workspace
from tests.export.conftest import Run
from tests.export.expanding import expanded
from tests.export.schema import complaints
from tests.lab.mixed import BACKEND, HEAD, backend, written

Reader = Callable[[str], object]
PART = "leaves=2,spines=1,servers=1"


def site(folder: Path, system: str, model: str = "nvidia-sn5600") -> Path:
    """A backend of one system."""
    fabric = {**BACKEND, "leaf": {"model": model, "os": system}, "spine": {"model": model, "os": system}}
    return written(folder, backend(fabrics={"backend": fabric}, overrides={}))


@pytest.mark.parametrize("release", ["0.79", "0.80", "0.81"])
def test_the_schema_takes_cumulus(tmp_path: Path, run: Run, release: str) -> None:
    out = tmp_path / "lab"
    words = ("--subset", PART, "--containerlab", release, "--json")
    done = run("export", "containerlab", site(tmp_path, "cumulus-5.11"), "-o", out, *words)
    assert done.exit_code == 0, done.output
    document = yaml.safe_load((out / json.loads(done.stdout)["topology"]).read_text())
    assert complaints(document, release) == []
    node = document["topology"]["nodes"]["be-leaf-000"]
    assert node["kind"] == "nvidia_cumulusvx"
    assert node["binds"] == [
        "be-leaf-000/startup.yaml:/config/startup.yaml:ro",
        "be-leaf-000/ports.conf:/config/ports.conf:ro",
    ]
    assert "startup-config" not in document["topology"]["kinds"]["nvidia_cumulusvx"]
    text = (out / "be-leaf-000/startup.yaml").read_text()
    assert "autonomous-system: 4201000000" in text
    assert "breakout" not in text


def test_every_cable_ends_at_a_card_that_the_machine_has(tmp_path: Path, run: Run) -> None:
    """Cards of whole cages have their number; parts come behind the highest cage, of which ports.conf tells."""
    out = tmp_path / "lab"
    done = run("export", "containerlab", site(tmp_path, "cumulus-5.11"), "-o", out, "--subset", PART, "--json")
    document = yaml.safe_load((out / json.loads(done.stdout)["topology"]).read_text())
    for name in ("be-leaf-000", "be-leaf-001", "be-spine-00"):
        ends = {
            end["interface"]
            for link in document["topology"]["links"]
            for end in link["endpoints"]
            if end["node"] == name
        }
        rows = dict(line.removesuffix("x").split("=") for line in (out / name / "ports.conf").read_text().split())
        highest, parts = max(map(int, rows)), sum(int(width) for width in rows.values() if width != "1")
        assert ends
        assert all(end.startswith("eth") for end in ends)
        assert {int(end[3:]) for end in ends} <= {
            *(int(cage) for cage, width in rows.items() if width == "1"),
            *range(highest + 1, highest + 1 + parts),
        }


@pytest.mark.parametrize(
    ("system", "model", "file", "read"),
    [
        ("cumulus-5.11", "nvidia-sn5600", "startup.yaml", yaml.safe_load),
        ("srlinux-25.3", "nokia-7220-ixr-h4", "config.json", json.loads),
    ],
)
def test_secrets_are_written_as_the_file_wants_them(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, *, system: str, model: str, file: str, read: Reader
) -> None:
    secret = "$6$a\"b\\n'c{{$HOME/" + "x" * 81  # a hash, and a salt that only crypt(5) allows
    monkeypatch.setenv("HASH", secret)
    path = site(tmp_path, system, model)
    users = {"users": {"admin": {"role": "network-admin", "password": "${env:HASH}"}}}
    intent = yaml.safe_load(path.read_text()) | {"management": HEAD["management"] | users, "waivers": []}
    path.write_text(yaml.safe_dump(intent))
    done = run("export", "containerlab", path, "-o", tmp_path / "lab", "--subset", PART, "--with-secrets", "--json")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "lab/be-leaf-000" / file).read_text()
    if file == "config.json":  # the startup configuration; the other is mounted as it is
        text = expanded(text, {"HOME": "/root"})
    assert secret in texts(read(text))


def texts(value: object) -> set[str]:
    """Every text of a document."""
    match value:
        case dict():
            return {text for item in value.values() for text in texts(item)}
        case list():
            return {text for item in value for text in texts(item)}
        case _:
            return {str(value)}


@pytest.mark.parametrize(
    ("system", "model", "words"),
    [
        ("sonic-master", "nvidia-sn5600", ("config_db.json", "frr.conf", "backup.sh")),
        ("junos-24.4", "juniper-qfx5240-64od", ("juniper_vjunosevolved", "et-0/0/11", "ge-0/0/N")),
    ],
)
def test_what_can_be_no_node_is_refused_with_the_reason(
    tmp_path: Path, system: str, model: str, words: tuple[str, ...]
) -> None:
    part = PlanSubset(open_workspace(site(tmp_path, system, model)).plan, parse_subset(PART))
    for release in RELEASES:
        with pytest.raises(FabricError) as caught:
            kinds_of(part.systems, release)
        (problem,) = caught.value.problems
        assert problem.code == "export-kind"
        assert [word for word in words if word not in problem.why] == []
        assert "lab up" in problem.fix
