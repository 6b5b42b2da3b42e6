"""A folder or a file as the other side: rendered trees, intents, and what is neither."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen import __version__
from fabricgen.baseline.open import open_side
from fabricgen.cli import main
from fabricgen.diff.model import TextCause
from fabricgen.diff.side import SiteState, Stored
from fabricgen.errors import FabricError, Problem
from fabricgen.output.manifest import content_of, digest, digest_of, read_manifest
from fabricgen.render.keys import made_by
from fabricgen.site.workspace import LOCK, open_workspace
from tests.cli.sites import DEMO, backend_only, edit

Git = Callable[..., str]


def opened(against: object, site: Path, templates: Path | None = None) -> SiteState:
    with open_side(str(against), site, templates) as side:
        return side


def refused(against: object, site: Path) -> Problem:
    with pytest.raises(FabricError) as caught, open_side(str(against), site, None):
        pass
    (problem,) = caught.value.problems
    return problem


def render(site: Path, out: Path, *words: str) -> None:
    done = CliRunner().invoke(main, ["render", str(site), "-o", str(out), *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a render of the site writes, once for all tests."""
    folder = tmp_path_factory.mktemp("rendered")
    shutil.copy(DEMO, folder / "intent.yaml")
    backend_only(folder / "intent.yaml")
    render(folder / "intent.yaml", folder / "out")
    return folder


@pytest.fixture
def out(site: Path, tmp_path: Path, rendered: Path) -> Path:
    """What a render of the site wrote, with the lock beside the intent."""
    shutil.copy(rendered / LOCK, site.parent)
    shutil.copytree(rendered / "out", tmp_path / "out")
    return tmp_path / "out"


def stored(side: SiteState) -> Stored:
    assert side.stored is not None
    return side.stored


def remade(out: Path, **changes: object) -> None:
    """Change the manifest of a tree; None takes a key away."""
    path = out / ".fabricgen/manifest.json"
    values = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: value for name, value in values.items() if value is not None}))


def test_a_rendered_tree(site: Path, out: Path) -> None:
    before = open_workspace(site)
    edit(site, "slots: 0-31", "slots: 0-47")
    side = opened(out, site)
    assert (side.name, side.fault, side.notes, side.templates) == (str(out), "", (), None)
    assert side.plan is not None
    assert side.plan.fabrics == before.plan.fabrics
    manifest = read_manifest(out)
    assert manifest is not None
    assert stored(side).files == manifest.files
    assert stored(side).differs is None
    content = stored(side).read("be-leaf-000/startup-config")
    assert content == (out / "be-leaf-000/startup-config").read_bytes()
    assert stored(side).files["be-leaf-000/startup-config"] == digest(content)


def others(out: Path, *paths: str) -> None:
    for path in paths:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text("x\n")


def test_files_that_somebody_laid_beside_ours_are_said_and_are_no_difference(site: Path, out: Path) -> None:
    others(out, "be-leaf-000/extra.cfg", "zz/startup-config")
    side = opened(out, site)
    words = f"not written by the render of {out}, and not compared: "
    assert side.notes == (f"{words}be-leaf-000/extra.cfg, zz/startup-config",)
    assert stored(side).files.keys().isdisjoint({"be-leaf-000/extra.cfg", "zz/startup-config"})
    others(out, "be-leaf-001/conf.d/a", "be-leaf-001/conf.d/b")
    (out / "be-spine-00/link").symlink_to("/nowhere")
    assert opened(out, site).notes == (
        f"{words}be-leaf-000/extra.cfg, be-leaf-001/conf.d/a, be-leaf-001/conf.d/b and 2 more",
    )
    done = CliRunner().invoke(main, ["diff", str(site), "--against", str(out)], catch_exceptions=False)
    assert (done.exit_code, "be-leaf-000/extra.cfg" in done.stdout) == (0, True)


def test_what_lies_apart_from_the_switches_is_nobodys_concern(site: Path, out: Path) -> None:
    others(out, ".git/config", "README.md", "docs/notes.md", ".ci/startup-config", "be-leaf-000/.swp", "zz/.git/x")
    (out / "up").symlink_to(out / "be-leaf-000")
    assert opened(out, site).notes == ()


def test_a_cable_that_was_edited_by_hand_is_among_what_hands_changed(site: Path, out: Path) -> None:
    path = out / "cabling.csv"
    rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join(rows[:-1]))
    done = CliRunner().invoke(main, ["diff", str(site), "--against", str(out)], catch_exceptions=False)
    assert done.exit_code == 3
    assert done.stdout.splitlines()[0] == f"edited or deleted since {out} was rendered: cabling.csv"
    leaf = out / "be-leaf-000/startup-config"
    leaf.write_text(leaf.read_text().replace("priority-flow-control on\n", "", 1))
    done = CliRunner().invoke(main, ["diff", str(site), "--against", str(out)], catch_exceptions=False)
    assert done.stdout.splitlines()[0].endswith(" was rendered: cabling.csv, be-leaf-000/startup-config")


@pytest.mark.parametrize(("name", "reader"), [("read", content_of), ("digest", digest_of)])
def test_a_file_that_is_gone_or_can_not_be_read(
    site: Path, out: Path, monkeypatch: pytest.MonkeyPatch, *, name: str, reader: Callable[[str], object]
) -> None:
    def refuse(path: str) -> object:
        if "be-leaf-001" in path:
            raise PermissionError(13, "Permission denied", path)
        return reader(path)

    monkeypatch.setattr(f"fabricgen.baseline.tree.{reader.__name__}", refuse)
    read = getattr(stored(opened(out, site)), name)
    assert read("be-leaf-000/startup-config") == reader(f"{out}/be-leaf-000/startup-config")
    (out / "be-leaf-000/startup-config").unlink()
    assert read("be-leaf-000/startup-config") is None
    with pytest.raises(FabricError) as caught:
        read("be-leaf-001/startup-config")
    assert [problem.code for problem in caught.value.problems] == ["stored-unreadable"]


def test_the_kept_inputs_need_nothing_of_the_working_tree(site: Path, out: Path, tmp_path: Path) -> None:
    new = tmp_path / "elsewhere/dc1.yaml"
    new.parent.mkdir()
    shutil.copy(site, new)
    shutil.rmtree(site.parent)
    side = opened(out, new)
    assert side.plan is not None
    assert side.plan.recorded.segments


def test_another_release(site: Path, out: Path) -> None:
    remade(out, release="0.0.9")
    side = opened(out, site)
    assert stored(side).differs is TextCause.RELEASE
    assert side.notes == (
        (
            f"{out} was rendered by fabricgen 0.0.9, and this is {__version__}: text that "
            "differs because of that is listed separately"
        ),
    )


@pytest.mark.parametrize(
    ("made", "cause", "words"),
    [
        (None, TextCause.RELEASE, f"by an unknown build of fabricgen {__version__}"),
        ("", TextCause.RELEASE, f"by an unknown build of fabricgen {__version__}"),
        ("x:{templates}", TextCause.RELEASE, f"by another build of fabricgen {__version__}"),
        ("{sources}:x", TextCause.TEMPLATES, "with other templates"),
    ],
)
def test_other_sources_of_one_release(site: Path, out: Path, made: str | None, cause: TextCause, words: str) -> None:
    sources, _, templates = made_by(None).partition(":")
    remade(out, made_by=made and made.format(sources=sources, templates=templates))
    side = opened(out, site)
    assert stored(side).differs is cause
    assert side.notes == ((f"{out} was rendered {words}: text that differs because of that is listed separately"),)


def test_other_templates_of_the_user(site: Path, out: Path, tmp_path: Path, git: Git) -> None:
    templates = site.parents[2] / "templates"
    (templates / "eos").mkdir(parents=True)
    (templates / "eos/ntp.j2").write_text("! mine\n")
    assert stored(opened(out, site, templates)).differs is TextCause.TEMPLATES
    render(site, tmp_path / "other", "--templates", str(templates))
    assert stored(opened(tmp_path / "other", site, templates)).differs is None
    assert stored(opened(tmp_path / "other", site)).differs is TextCause.TEMPLATES
    git(site.parents[2], "init", "--quiet")
    render(site, site.parents[2] / "out", "--templates", str(templates))
    git(site.parents[2], "add", "--all")
    git(site.parents[2], "commit", "--quiet", "--message=rendered")
    assert stored(opened("HEAD:out", site, templates)).differs is None
    (templates / "eos/ntp.j2").write_text("! mine, again\n")
    assert stored(opened("HEAD:out", site, templates)).differs is TextCause.TEMPLATES
    assert stored(opened(tmp_path / "other", site, templates)).differs is TextCause.TEMPLATES


def test_a_render_that_was_killed_is_finished_first(site: Path, out: Path) -> None:
    record, folder = out / ".fabricgen/commit", out / ".fabricgen"
    (record / "files/be-leaf-000").mkdir(parents=True)
    (out / "be-leaf-000/startup-config").rename(record / "files/be-leaf-000/startup-config")
    (folder / "inputs").rename(record / "inputs")
    (folder / "manifest.json").rename(record / "manifest.json")
    side = opened(out, site)
    assert side.plan is not None
    assert stored(side).read("be-leaf-000/startup-config") is not None


def test_a_record_without_a_manifest_is_no_tree(site: Path, tmp_path: Path) -> None:
    (tmp_path / "out/.fabricgen/commit").mkdir(parents=True)
    assert refused(tmp_path / "out", site).code == "output-manifest"


def test_a_manifest_that_is_damaged_leaves_the_text(site: Path, out: Path) -> None:
    (out / ".fabricgen/manifest.json").write_text("{")
    side = opened(out, site)
    assert side.plan is None
    assert "manifest.json cannot be used" in side.fault
    assert "be-leaf-000/startup-config" in stored(side).files
    assert "cabling.csv" in stored(side).files
    assert not [name for name in stored(side).files if name.startswith(".")]


@pytest.mark.parametrize("name", ["intent.yaml", LOCK])
def test_inputs_that_were_changed_leave_the_text(site: Path, out: Path, name: str) -> None:
    kept = out / ".fabricgen/inputs" / name
    kept.write_text(kept.read_text() + "\n")
    side = opened(out, site)
    assert side.plan is None
    assert side.fault == f"{kept} was changed after the render"
    assert stored(side).read("be-leaf-000/startup-config") is not None


def test_inputs_that_are_gone_or_new_leave_the_text(site: Path, out: Path) -> None:
    kept = out / ".fabricgen/inputs"
    (kept / "hardware/servers").mkdir(parents=True)
    (kept / "hardware/servers/dgx-h100.yaml").write_text("model: x\n")
    assert opened(out, site).fault == f"{kept}/hardware/servers/dgx-h100.yaml was changed after the render"
    shutil.rmtree(kept)
    side = opened(out, site)
    assert (side.plan, side.fault) == (None, f"{kept}/fabricgen.lock was changed after the render")


def test_a_schema_of_another_release_leaves_the_text(site: Path, out: Path) -> None:
    kept = out / ".fabricgen/inputs/intent.yaml"
    text = kept.read_text().replace("fabricgen: 1\n", "fabricgen: 2\n")
    kept.write_text(text)
    manifest = read_manifest(out)
    assert manifest is not None
    remade(out, inputs={**manifest.inputs, "intent.yaml": digest(text.encode())})
    side = opened(out, site)
    assert side.plan is None
    assert side.fault == f"{kept}:4:12: {kept} is written for version 2 of the schema: this fabricgen reads version 1"
    assert stored(side).files


def test_a_tree_of_two_intents_needs_the_name(site: Path, out: Path) -> None:
    manifest = read_manifest(out)
    assert manifest is not None
    kept = out / ".fabricgen/inputs"
    shutil.copy(kept / "intent.yaml", kept / "other.yaml")
    remade(out, inputs={**manifest.inputs, "other.yaml": manifest.inputs["intent.yaml"]})
    assert opened(out, site).plan is not None
    new = site.with_name("dc1.yaml")
    site.rename(new)
    assert opened(out, new).fault == f"{kept} has no intent to compare dc1.yaml with"


def test_a_tree_of_a_revision(
    repo: Path, site: Path, git: Git, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    render(site, repo / "out/dc1")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message=rendered")
    written = (repo / "out/dc1/be-leaf-000/startup-config").read_bytes()
    shutil.rmtree(repo / "out")
    monkeypatch.chdir(tmp_path)
    with open_side("HEAD:out/dc1", site, None) as side:
        assert (side.name, side.fault, side.notes) == ("HEAD:out/dc1", "", ())
        assert stored(side).read("be-leaf-000/startup-config") == written
        assert side.plan is not None
    del temporary


def test_a_tree_of_a_revision_is_told_by_its_name(repo: Path, site: Path, git: Git, temporary: Path) -> None:
    render(site, repo / "out")
    (repo / "out/.fabricgen/inputs/fabricgen.lock").write_text("lock: 1\n")
    remade(repo / "out", release="0.0.9")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message=rendered")
    side = opened("HEAD:out", site)
    assert side.fault == "HEAD:out/.fabricgen/inputs/fabricgen.lock was changed after the render"
    assert side.notes[0].startswith("HEAD:out was rendered by fabricgen 0.0.9, and this is ")
    (repo / "out/.fabricgen/manifest.json").write_text("{")
    git(repo, "commit", "--quiet", "--all", "--message=damaged")
    assert opened("HEAD:out", site).fault.startswith("HEAD:out/.fabricgen/manifest.json cannot be used")
    del temporary


def test_an_intent_and_its_folder(site: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copytree(site.parent, old)
    (old / "hosts.yaml").write_text("a: {fabricgen: 1}\n")
    edit(site, "slots: 0-31", "slots: 0-47")
    new = open_workspace(site)
    for against in (old, old / "intent.yaml"):
        side = opened(against, site, tmp_path)
        assert (side.name, side.fault, side.stored, side.templates) == (str(against), "", None, None)
        assert side.plan is not None
        assert side.plan.intent != new.intent


def test_the_one_intent_of_another_name(site: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copytree(site.parent, old)
    (old / "intent.yaml").rename(old / "hall-7.yml")
    (old / "hosts.yaml").write_text("be-leaf-000: {hostname: 10.0.0.9}\n")
    assert opened(old, site).plan is not None
    shutil.copy(site, old / "other.yaml")
    problem = refused(old, site)
    assert problem.code == "against-nothing"
    assert problem.what == f"{old} is neither an output folder of render nor a folder with one intent"
    assert problem.why == "it has no .fabricgen/manifest.json, no intent.yaml, and no single intent of another name"
    shutil.copy(site, old / "intent.yaml")
    assert opened(old, site).plan is not None


def test_an_intent_that_can_not_be_read_says_why(site: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    shutil.copy(site, old)
    edit(old, "site: dc1", "sites: dc1")
    side = opened(old, site)
    assert side.plan is None
    assert side.fault == f"{old}:6:1: unknown key sites: no such key exists at the top level"


def test_what_is_neither(site: Path, tmp_path: Path, out: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("intent\n")
    (tmp_path / "loop").symlink_to("loop")
    for against in (
        tmp_path / "empty",
        tmp_path / "notes.txt",
        out / "be-leaf-000/startup-config",
        out / "be-leaf-000",
        "/dev/null",
    ):
        assert refused(against, site).code == "against-nothing"
    assert refused(tmp_path / "notes.txt", site).what == f"{tmp_path / 'notes.txt'} is not an intent"


def test_a_path_is_meant_before_a_branch(repo: Path, site: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repo, "branch", "docs")
    (repo / "docs").mkdir()
    monkeypatch.chdir(repo)
    assert refused("docs", site).fix.endswith("; to compare with a branch of this name, write refs/heads/docs")
    assert opened("refs/heads/docs", site).plan is not None
