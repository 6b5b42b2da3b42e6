"""A git revision as the other side: the intent and all that lies beside it, as they were then."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.baseline.open import open_side
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError, Problem
from fabricgen.output.writer import write_lock_file
from fabricgen.plan.lock import write_lock
from fabricgen.site.workspace import HARDWARE, LOCK, open_workspace
from tests.cli.sites import DEMO, edit

Git = Callable[..., str]

OURS = Path(__file__).parents[2] / "fabricgen/hardware/servers/dgx-h100.yaml"
MINE = OURS.read_text().replace("model: dgx-h100\n", "model: mine\n")

pytestmark = pytest.mark.usefixtures("temporary")


def opened(against: str, site: Path, templates: Path | None = None) -> SiteState:
    """The side with its context gone: its plan is a value."""
    with open_side(against, site, templates) as side:
        return side


def refused(against: str, site: Path) -> Problem:
    with pytest.raises(FabricError) as caught, open_side(against, site, None):
        pass
    (problem,) = caught.value.problems
    return problem


def commit(git: Git, repo: Path) -> None:
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message=next")


def slots(side: SiteState) -> str:
    """Slots that stand at a side, which `slots: 0-31` of the demo says."""
    assert side.plan is not None, side.fault
    return str(side.plan.intent.servers["train"].slots)


def test_the_working_tree_is_compared_with_the_last_commit(repo: Path, site: Path) -> None:
    edit(site, "slots: 0-31", "slots: 0-47")
    side = opened("HEAD", site)
    assert side.name == "HEAD"
    assert slots(side) != slots(opened(str(site), site))
    assert side.notes == ()
    assert side.stored is None
    assert side.templates is None
    del repo


@pytest.mark.parametrize("name", ["main~1", "HEAD^", "v1", "SHA", "SHORT", "HEAD^{/first}", ":/first"])
def test_every_spelling_of_a_revision(repo: Path, site: Path, git: Git, name: str) -> None:
    git(repo, "tag", "--annotate", "--message=x", "v1")
    sha = git(repo, "rev-parse", "HEAD")
    edit(site, "slots: 0-31", "slots: 0-47")
    commit(git, repo)
    before = slots(opened({"SHA": sha, "SHORT": sha[:10]}.get(name, name), site))
    assert before != slots(opened("HEAD", site))


def test_a_revision_that_holds_a_colon(repo: Path, site: Path, git: Git) -> None:
    edit(site, "slots: 0-31", "slots: 0-47")
    git(repo, "commit", "--quiet", "--all", "--message=fix: more")
    edit(site, "slots: 0-47", "slots: 0-63")
    git(repo, "commit", "--quiet", "--all", "--message=later")
    assert slots(opened("HEAD^{/fix: more}", site)) == slots(opened("HEAD~1", site)) != slots(opened("HEAD", site))


def test_a_branch_of_another_repository(repo: Path, site: Path, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(repo), "clone")
    clone = tmp_path / "clone" / site.relative_to(repo)
    edit(clone, "slots: 0-31", "slots: 0-47")
    commit(git, tmp_path / "clone")
    assert slots(opened("origin/main", clone)) == slots(opened("HEAD", site))


def test_all_inputs_come_along(repo: Path, site: Path, git: Git) -> None:
    folder = site.parent
    write_lock_file(folder / LOCK, write_lock(open_workspace(site).plan.lock), None)
    edit(site, "site: dc1\n", "site: dc1\nplacement: racks/p.csv\n")
    edit(site, "cables: {", "cables: {file: c.csv, ")
    (folder / "racks").mkdir()
    (folder / "racks/p.csv").write_text("slot,hostname,state\ntrain[3],gpu-3,absent\n")
    (folder / "c.csv").write_text("device,port,length_m\nbe-leaf-000,Ethernet1/1,3\n")
    hardware = repo / "shared/hardware"
    (hardware / "servers").mkdir(parents=True)
    (hardware / "servers/mine.yaml").write_text(MINE)
    (folder / HARDWARE).symlink_to("../../shared/hardware")
    edit(site, "model: dgx-h100", "model: mine")
    new = open_workspace(site)
    commit(git, repo)
    shutil.rmtree(hardware)
    for path in ("racks/p.csv", "c.csv", LOCK, HARDWARE):
        (folder / path).unlink()
    site.write_text(DEMO.read_text())
    with open_side("HEAD", site, None) as side:
        assert side.plan is not None, side.fault
        assert side.plan.recorded == new.plan.lock
        assert side.plan.fabrics == new.plan.fabrics
        assert "mine" in side.plan.catalog.servers


def test_an_intent_at_the_root_of_the_repository(tmp_path: Path, site: Path, git: Git) -> None:
    root = tmp_path / "root"
    root.mkdir()
    path = root / "intent.yaml"
    shutil.copy(site, path)
    git(root, "init", "--quiet")
    commit(git, root)
    edit(path, "slots: 0-31", "slots: 0-47")
    before = slots(opened(str(site), site))
    for against in ("HEAD", "HEAD:", "HEAD:/", "HEAD:intent.yaml"):
        assert slots(opened(against, path)) == before


def test_rendered_trees_in_the_folder_of_the_intent_stay_where_they_are(
    repo: Path, site: Path, git: Git, temporary: Path
) -> None:
    tree = site.parent / "[o]ut*"
    (tree / ".fabricgen").mkdir(parents=True)
    for name in (".fabricgen/manifest.json", "be-leaf-000/startup-config"):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text("x")
    (site.parent / "out").mkdir()
    (site.parent / "out/notes").write_text("no tree")
    commit(git, repo)
    with open_side(f"HEAD:{site.relative_to(repo)}", site, None) as side:
        assert side.plan is not None, side.fault
        (taken,) = temporary.glob("fabricgen-*/files/inventories/dc1")
        assert sorted(path.name for path in taken.iterdir()) == ["intent.yaml", "out"]


def test_an_intent_that_was_not_there_stands_against_nothing(repo: Path, site: Path) -> None:
    new = site.parent.parent / "dc2/intent.yaml"
    new.parent.mkdir()
    shutil.copy(site, new)
    side = opened("HEAD", new)
    assert side.plan is not None
    assert side.plan.fabrics == {}
    assert side.notes == ("inventories/dc2/intent.yaml did not exist at HEAD: every switch is new",)
    del repo


def test_a_renamed_intent_is_asked_for_by_its_old_name(repo: Path, site: Path) -> None:
    new = site.parents[1] / "hall-7/intent.yaml"
    site.parent.rename(new.parent)
    (note,) = opened("HEAD", new).notes
    assert note.endswith("if it was renamed, use the old file: HEAD:inventories/dc1/intent.yaml")
    side = opened("HEAD:inventories/dc1/intent.yaml", new)
    assert (side.name, side.notes) == ("HEAD:inventories/dc1/intent.yaml", ())
    assert slots(side) == slots(opened(str(new), new))
    assert slots(opened("HEAD:inventories/dc1", new)) == slots(side)
    del repo


def test_a_path_after_the_colon_is_from_the_root_or_from_here(
    repo: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.parent)
    assert opened("HEAD:./intent.yaml", site).plan is not None
    assert opened("HEAD:../dc1", site).plan is not None
    assert opened("HEAD:inventories/dc1/", site).plan is not None
    for path in ("intent.yaml", "../../../elsewhere", "inventories/../../x", "inventories/*", ":(top)inventories/dc1"):
        problem = refused(f"HEAD:{path}", site)
        assert (problem.code, problem.what) == ("revision-path", f"HEAD has no {path}")
    del repo


def test_the_users_templates_are_those_of_the_revision(repo: Path, site: Path, git: Git) -> None:
    templates = repo / "templates"
    (templates / "eos").mkdir(parents=True)
    (templates / "eos/ntp.j2").write_text("! one\n")
    commit(git, repo)
    (templates / "eos/ntp.j2").write_text("! two\n")
    with open_side("HEAD", site, templates) as side:
        assert side.templates is not None
        assert (side.templates / "eos/ntp.j2").read_text() == "! one\n"
    with open_side("HEAD:inventories/dc1", site, templates) as side:
        assert side.templates is not None
        assert (side.templates / "eos/ntp.j2").read_text() == "! one\n"
    assert opened("HEAD~1", site, templates).templates is None


@pytest.mark.parametrize("against", ["HEAD", "HEAD:inventories/dc1"])
def test_templates_outside_of_the_repository_are_not_known_at_a_revision(
    repo: Path, site: Path, tmp_path: Path, against: str
) -> None:
    (tmp_path / "mine").mkdir()
    side = opened(against, site, tmp_path / "mine")
    assert side.templates is None
    assert side.notes[0].startswith(f"{against} has no copy of your templates: it is compared with fabricgen's own; ")
    assert opened(against, site).notes == ()
    (repo / "mine").mkdir()
    assert opened(against, site, repo / "mine").notes == ()


def test_templates_that_stood_nowhere_yet_are_told_as_what_they_change(repo: Path, site: Path, tmp_path: Path) -> None:
    (repo / "later").mkdir()
    side = opened("HEAD", site, repo / "later")
    assert (side.templates, side.notes) == (None, ())
    edit(site, "site: dc1", "sites: dc1")
    side = opened(str(site), site, tmp_path)
    assert side.plan is None
    assert side.notes == ()


def test_a_template_that_can_not_be_read_makes_the_side_unreadable(repo: Path, site: Path, git: Git) -> None:
    templates = repo / "templates"
    (templates / "eos").mkdir(parents=True)
    (templates / "eos/ntp.j2").write_text("ntp\n{% if %}\n")
    commit(git, repo)
    (templates / "eos/ntp.j2").write_text("! two\n")
    side = opened("HEAD", site, templates)
    assert side.plan is None
    assert side.fault.startswith("HEAD:templates/eos/ntp.j2:2:1: the template HEAD:templates/eos/ntp.j2 fails: ")


def test_problems_name_the_file_as_it_is_known(repo: Path, site: Path, git: Git) -> None:
    good = site.read_text()
    edit(site, "slots: 0-31", "slots: 31-0")
    edit(site, "site: dc1", "sites: dc1")
    commit(git, repo)
    site.write_text(good)
    side = opened("HEAD", site)
    assert side.plan is None
    assert side.fault == (
        "HEAD:inventories/dc1/intent.yaml:6:1: unknown key sites: no such key exists at the top level "
        "(and 1 more problem)"
    )


def test_problems_of_neighbours_name_them_too(repo: Path, site: Path, git: Git) -> None:
    good = site.read_text()
    edit(site, "site: dc1\n", "site: dc1\nplacement: p.csv\n")
    (site.parent / HARDWARE / "server").mkdir(parents=True)
    (site.parent / HARDWARE / "server/x.yaml").write_text("a: 1\n")
    commit(git, repo)
    site.write_text(good)
    shutil.rmtree(site.parent / HARDWARE)
    fault = opened("HEAD", site).fault
    assert fault.startswith(
        "HEAD:inventories/dc1/hardware/server:1:1: HEAD:inventories/dc1/hardware/server is not read"
    )
    assert fault.endswith("(and 1 more problem)")


def test_a_check_that_fails_makes_the_side_unreadable(repo: Path, site: Path, git: Git) -> None:
    good = site.read_text()
    edit(site, "oob: 10.0.0.0/20", "oob: 10.0.0.0/28")
    commit(git, repo)
    site.write_text(good)
    side = opened("HEAD", site)
    assert side.plan is None
    assert re.match(r"HEAD:inventories/dc1/intent.yaml:\d+:\d+: 10.0.0.0/28 is too small", side.fault)


def test_no_secret_is_told(repo: Path, site: Path, git: Git) -> None:
    good = site.read_text()
    edit(site, '"${env:ADMIN_HASH}"', "hunter2x")
    commit(git, repo)
    site.write_text(good)
    side = opened("HEAD", site)
    assert side.plan is None
    assert "hunter2x" not in side.fault
    assert "password" in side.fault


def test_a_later_schema_is_said_to_be_one(repo: Path, site: Path, git: Git) -> None:
    good = site.read_text()
    edit(site, "fabricgen: 1\n", "fabricgen: 2\n")
    commit(git, repo)
    site.write_text(good)
    assert opened("HEAD", site).fault == (
        "HEAD:inventories/dc1/intent.yaml:4:12: HEAD:inventories/dc1/intent.yaml is written for version 2 of the "
        "schema: this fabricgen reads version 1"
    )


@pytest.mark.parametrize("where", ["../../../outside", "/nowhere/hardware"])
def test_hardware_that_a_link_leads_out_of_the_repository_is_missed(
    repo: Path, site: Path, git: Git, tmp_path: Path, where: str
) -> None:
    (tmp_path / "outside").mkdir()
    (site.parent / HARDWARE).symlink_to(where)
    (site.parent / "README").symlink_to("/etc/hostname")
    commit(git, repo)
    (site.parent / HARDWARE).unlink()
    side = opened("HEAD", site)
    assert side.plan is None
    assert side.fault == "HEAD:inventories/dc1/hardware is a link to something that this side does not have"


def test_links_that_no_input_is_do_no_harm(repo: Path, site: Path, git: Git) -> None:
    (site.parent / "README").symlink_to("/etc/hostname")
    (site.parent / "up").symlink_to("../../..")
    (site.parent / "top").symlink_to("../..")
    commit(git, repo)
    assert opened("HEAD", site).fault == ""


def test_a_lock_that_is_a_link_out_is_not_an_absent_lock(repo: Path, site: Path, git: Git) -> None:
    (site.parent / LOCK).symlink_to("/nowhere/lock")
    commit(git, repo)
    (site.parent / LOCK).unlink()
    assert opened("HEAD", site).fault.startswith("HEAD:inventories/dc1/fabricgen.lock:1:1: ")


def test_what_git_archive_leaves_out_is_not_silently_missed(repo: Path, site: Path, git: Git) -> None:
    (repo / ".gitattributes").write_text("hardware export-ignore\n")
    (site.parent / HARDWARE / "servers").mkdir(parents=True)
    (site.parent / HARDWARE / "servers/mine.yaml").write_text(MINE)
    commit(git, repo)
    problem = refused("HEAD", site)
    assert problem.code == "revision-left-out"
    assert "HEAD:inventories/dc1/hardware/servers/mine.yaml" in problem.what


def test_a_problem_that_passes_the_context_names_the_file_as_it_is_known(repo: Path, site: Path) -> None:
    def failing(templates: Path | None) -> None:
        raise FabricError([Problem(code="x", what=f"{templates}/eos/ntp.j2 fails", why="y", fix="z")])

    with pytest.raises(FabricError) as caught, open_side("HEAD", site, repo / "inventories") as side:
        failing(side.templates)
    assert caught.value.problems[0].what == "HEAD:inventories/eos/ntp.j2 fails"
