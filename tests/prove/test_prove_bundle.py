"""Bundles of switches that run the real system, read again: the readers make of them what was recorded."""

import io
import json
import shutil
import tarfile
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from docs.claims import claims
from fabricgen.cli import main
from fabricgen.errors import FabricError
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.live.proof import WORDINGS, Trial
from fabricgen.platforms.proofs import PROOFS
from fabricgen.prove.bundle import keep, open_bundle, replayed
from fabricgen.prove.values import ClaimOutcome
from tests.held_outputs import validator

EVIDENCE = Path(__file__).parents[2] / "docs" / "evidence"
BUNDLES = sorted(EVIDENCE.iterdir())
FRR = EVIDENCE / "frr-8.4.4-border.tar.gz"
TRIED = frozenset(Trial)


@pytest.mark.parametrize("path", BUNDLES, ids=[path.name for path in BUNDLES])
def test_this_release_reads_what_was_recorded_as_it_was_read(path: Path) -> None:
    bundle = open_bundle(path)
    assert len(bundle.outputs) >= 4
    assert replayed(bundle) == ()
    assert [row for row in bundle.manifest["moments"] if row["altered"]] == []  # type: ignore[attr-defined]
    validator("prove-platform").validate(bundle.manifest)


def test_every_claim_of_frr_was_tried_and_held() -> None:
    manifest = open_bundle(FRR).manifest
    found = {row["trial"]: row for row in manifest["claims"]}  # type: ignore[attr-defined]
    assert {Trial(trial) for trial, row in found.items() if row["outcome"] == ClaimOutcome.HELD} == TRIED
    assert (manifest["outcome"], manifest["running"]) == ("held", "identical")


def test_what_was_read_is_more_than_nothing() -> None:
    """A reader that understood nothing would agree with itself."""
    state = open_bundle(FRR).states["first"]
    assert isinstance(state, dict)
    assert {
        name for name in ("interfaces", "bgp", "routes", "lldp", "running", "startup", "evpn") if not state[name]
    } == set()
    assert {row["state"] for row in state["bgp"]["sessions"]} == {"Established", "Idle"}


def test_a_bundle_says_no_name_of_its_site() -> None:
    with tarfile.open(FRR) as packed:
        texts = [file.read().decode() for row in packed if (file := packed.extractfile(row)) is not None]
    for word in ("fe-border", "fe-spine", "fe-leaf", "frr1", "k3y-of", "/run/fabricgen", "/tmp/"):
        assert not [text for text in texts if word in text], word


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The bundle as a folder."""
    keep(tmp_path / "bundle", open_bundle(FRR))
    return tmp_path / "bundle"


def test_a_reader_that_reads_otherwise_is_named_with_the_part(folder: Path) -> None:
    path = folder / "states" / "first.json"
    state = json.loads(path.read_text())
    state["bgp"]["asn"] += 1
    path.write_text(json.dumps(state))
    assert replayed(open_bundle(folder)) == ("first: bgp",)
    shown = CliRunner().invoke(main, ["prove-platform", "--show", str(folder)])
    assert shown.exit_code == 4
    assert "This release interprets the recorded outputs differently" in shown.stdout


def test_a_field_that_an_older_release_did_not_record_is_no_difference(folder: Path) -> None:
    path = folder / "states" / "first.json"
    state = json.loads(path.read_text())
    del state["bgp"]["sessions"][0]["state"], state["evpn"]
    path.write_text(json.dumps(state))
    assert replayed(open_bundle(folder)) == ()
    del state["bgp"]["sessions"][0]
    path.write_text(json.dumps(state))
    assert replayed(open_bundle(folder)) == ("first: bgp",)


def test_a_folder_and_an_archive_hold_the_same(tmp_path: Path) -> None:
    bundle = open_bundle(FRR)
    for name in ("again", "again.tar.gz"):
        keep(tmp_path / name, bundle)
        assert open_bundle(tmp_path / name) == bundle
        with pytest.raises(FabricError):
            keep(tmp_path / name, bundle)


@pytest.mark.parametrize("name", ["../outside.json", "/tmp/outside.json"])
def test_an_archive_that_would_write_elsewhere_is_none(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        row = tarfile.TarInfo(name)
        row.size = 2
        packed.addfile(row, io.BytesIO(b"{}"))
    with pytest.raises(FabricError) as refused:
        open_bundle(path)
    assert "is not part of a bundle" in refused.value.problems[0].why
    assert not (tmp_path / "outside.json").exists()


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_what_is_no_bundle_is_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FabricError):
        open_bundle(path)


def test_another_version_is_refused(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"schema_version": 9}))
    with pytest.raises(FabricError):
        open_bundle(folder)
    with pytest.raises(jsonschema.ValidationError):
        validator("prove-platform").validate(manifest | {"schema_version": 9})


def test_a_claim_rests_on_a_bundle_or_is_unproven() -> None:
    rows = {line.split("|")[1].strip(" `"): line.split(" | ")[3] for line in claims(EVIDENCE) if line.startswith("| `")}
    assert rows["frr.timer"].startswith("[frr-8.4.4-border](evidence/frr-8.4.4-border.tar.gz): held, ")
    assert {name.partition(".")[0] for name, cell in rows.items() if "**unproven**" not in cell} == {"frr"}
    assert rows["eos.empty"].startswith("**unproven**; unsure: ")


def test_a_claim_that_did_not_hold_is_told_so(tmp_path: Path) -> None:
    bundle = open_bundle(FRR)
    rows = [
        {**row, "outcome": "did not hold", "why": "late"} if row["trial"] == "timer" else row
        for row in bundle.manifest["claims"]  # type: ignore[attr-defined]
    ]
    keep(tmp_path / "other.tar.gz", bundle._replace(manifest={**bundle.manifest, "claims": rows}))
    shutil.copy(FRR, tmp_path / FRR.name)
    line = next(line for line in claims(tmp_path) if line.startswith("| `frr.timer`"))
    assert ": held, " in line
    assert "[other](evidence/other.tar.gz): did not hold, " in line
    assert ": late" in line


@pytest.mark.parametrize("name", PLATFORMS)
def test_each_platform_has_claims_with_sources(name: str) -> None:
    table = PROOFS[name]
    trials = [claim.trial for claim in table.claims]
    assert table.system == name
    assert len(set(trials)) == len(trials)
    assert {Trial.READ, Trial.COMPARE, Trial.RESTORED} <= set(trials)
    assert all(claim.source and claim.sentence.endswith(".") for claim in table.claims)
    assert all(WORDINGS[trial].how for trial in trials)
