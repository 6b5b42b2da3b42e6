"""Two branches from one base that both change the fabric, each with its rendered lock, merged by git in either order.

Either the merge is clean, and then both orders render the same bytes, no number of either branch has moved and the
lock lacks no line; or it is loud: git conflicts, or the merged intent is refused, or the lock lacks lines (which the
recipes' `render --locked` says of every merge result). A silent clean merge with other numbers is what must not be.
`pytest -s` prints what became of each pair.

Every pair is tried with the intent as the demo writes it, one line a group, and with one line a key, which git merges
where it would else conflict.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
import yaml
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.cli.sites import DEMO, Tree, tree
from tests.recipes.repository import INTENT, LOCK, commit, git
from tests.some import some

Intent = dict[str, Any]
Edit = Callable[[Intent], None]


class Pair(NamedTuple):
    """Two edits, and what becomes of their merge: by lines of a group, and by lines of a key."""

    name: str
    one: Edit
    two: Edit
    flow: str
    block: str


class Outcome(NamedTuple):
    """How a merge went: `clean`, `conflict`, `locked`, or the code of the first problem; its files; what moved."""

    word: str
    where: str
    files: Tree
    moved: tuple[int, int]


def to(path: str, value: object) -> Edit:
    """Set one key."""

    def edit(intent: Intent) -> None:
        *way, last = path.split(".")
        for key in way:
            intent = intent[key]
        intent[last] = value

    return edit


def all_of(*edits: Edit) -> Edit:
    def edit(intent: Intent) -> None:
        for one in edits:
            one(intent)

    return edit


def tenant(name: str, vlan: int, subnet: str, *, first: bool = False) -> Edit:
    """Add a tenant at the end of the tenants, or before them all."""

    def edit(intent: Intent) -> None:
        new = {name: {"networks": {"hosts": {"vlan": vlan, "subnets": [subnet]}}}}
        old = intent["tenants"]
        intent["tenants"] = {**new, **old} if first else {**old, **new}

    return edit


def tenant_renamed(intent: Intent) -> None:
    """Call serving `infer`, in its place."""
    intent["tenants"] = {"infer" if name == "serving" else name: of for name, of in intent["tenants"].items()}
    intent["tenants"]["infer"] = {"was": "serving", **intent["tenants"]["infer"]}


def group_renamed(intent: Intent) -> None:
    """Call train `gpu`, in its place and wherever it is named."""
    intent["servers"] = {"gpu" if name == "train" else name: of for name, of in intent["servers"].items()}
    intent["servers"]["gpu"] = {"was": "train", **intent["servers"]["gpu"]}
    for fabric in intent["fabrics"].values():
        fabric["connects"] = {"gpu" if name == "train" else name: nic for name, nic in fabric["connects"].items()}
    for found in intent["tenants"].values():
        found["servers"] = [name.replace("train", "gpu") for name in found["servers"]]


def network(of: str, name: str, vlan: int, subnet: str) -> Edit:
    return to(f"tenants.{of}.networks.{name}", {"vlan": vlan, "subnets": [subnet]})


UNIT = to("servers.train.slots", "0-63")
STORE_PAST = to("servers.store.planned", 96)
TRAIN_PAST = all_of(to("servers.train.planned", 320), to("fabrics.backend.topology.spines.planned", 32))
SPINES_PAST = to("fabrics.backend.topology.spines.planned", 32)
ALPHA, BETA = tenant("alpha", 130, "172.20.0.0/20"), tenant("beta", 140, "172.21.0.0/20")
ALPHA_FIRST = tenant("alpha", 130, "172.20.0.0/20", first=True)

PAIRS = (
    Pair("a: a unit of train, a unit of store", UNIT, to("servers.store.slots", "0-15"), "conflict", "clean"),
    Pair("a: a unit of train, more spines", UNIT, to("fabrics.backend.topology.spines.now", 8), "clean", "clean"),
    Pair("b: half a unit, a whole one, same line", to("servers.train.slots", "0-47"), UNIT, "conflict", "conflict"),
    Pair("b: the same unit twice", UNIT, UNIT, "clean", "clean"),
    Pair("c: a tenant each, both at the end", ALPHA, BETA, "conflict", "conflict"),
    Pair("c: a tenant each, apart in the intent", ALPHA_FIRST, BETA, "conflict", "conflict"),
    Pair("c: a network each, of two tenants", network("storage", "more", 21, "172.22.0.0/20"),
         network("serving", "more", 121, "172.23.0.0/20"), "conflict", "conflict"),
    Pair("d: a unit, a tenant", UNIT, BETA, "clean", "clean"),
    Pair("d: a unit and a plan that grows, a tenant", all_of(UNIT, TRAIN_PAST), BETA, "clean", "clean"),
    Pair("e: train past its plan, store past its plan", TRAIN_PAST, STORE_PAST, "conflict", "conflict"),
    Pair("e: backend spines past the plan, store past its plan", SPINES_PAST, STORE_PAST, "clean", "clean"),
    Pair("e: train past its plan, differently", all_of(to("servers.train.planned", 256), SPINES_PAST), TRAIN_PAST,
         "conflict", "conflict"),
    Pair("e: the same growth twice", TRAIN_PAST, TRAIN_PAST, "clean", "clean"),
    Pair("f: a tenant renamed, a tenant added", tenant_renamed, BETA, "clean", "clean"),
    Pair("f: a tenant renamed, a network of it added", tenant_renamed,
         network("serving", "more", 121, "172.23.0.0/20"), "locked", "locked"),
    Pair("f: a group renamed, another past its plan", group_renamed, STORE_PAST, "conflict", "clean"),
    Pair("f: a group renamed, itself past its plan", group_renamed, TRAIN_PAST, "conflict", "was-unclear"),
    Pair("f: a VNI of one's own, the same out of the lock", to("tenants.storage.vni", 10007),
         network("serving", "more", 121, "172.23.0.0/20"), "vni-twice", "vni-twice"),
)  # fmt: skip
STYLES = {"flow": None, "block": False}  # PyYAML: None writes innermost maps on one line, as the demo does


def fabricgen(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


class Site(NamedTuple):
    """A repository, how its intent is written, where it is rendered, and what came of merges: by intent and lock."""

    work: Path
    style: bool | None
    outs: Path
    judged: dict[tuple[bytes, ...], Outcome]

    def write(self, intent: Intent) -> None:
        """Write the intent."""
        text = yaml.safe_dump(intent, sort_keys=False, default_flow_style=self.style, width=10_000)
        (self.work / INTENT).write_text(text)

    def render(self, name: str, *words: str) -> Result:
        """Render it into a folder of that name."""
        return fabricgen("render", self.work / INTENT, "-o", self.outs / name, *words)


def prepared(site: Site, pair: Pair) -> None:
    """Commit the base with the demo's own lock on main, and each edit with its rendered lock on a branch of its own."""
    (site.work / LOCK).write_text((DEMO.parent / "fabricgen.lock").read_text())
    site.write(yaml.safe_load(DEMO.read_text()))
    commit(site.work, "main")
    for name, edit in (("one", pair.one), ("two", pair.two)):
        git(site.work, "checkout", "--quiet", "-b", name, "main")
        intent = yaml.safe_load(DEMO.read_text())
        edit(intent)
        site.write(intent)
        (site.work / LOCK).write_text(recorded((site.work / INTENT).read_text()))
        commit(site.work, name)


@cache
def recorded(text: str) -> str:
    """The lock that a render of an intent on the demo's own lock writes. Pairs share their edits."""
    with TemporaryDirectory(prefix="fabricgen-recorded-") as folder:
        intent, lock = Path(folder) / "intent.yaml", Path(folder) / "fabricgen.lock"
        lock.write_text((DEMO.parent / "fabricgen.lock").read_text())
        intent.write_text(text)
        result = fabricgen("render", intent, "-o", Path(folder) / "out")
        assert result.exit_code == 0, result.stderr
        return lock.read_text()


def merged(site: Site, first: str, second: str) -> Outcome:
    """Merge the second branch into the first, and say what came of it."""
    git(site.work, "checkout", "--quiet", "--force", "--detach", first)
    done = git(site.work, "merge", "--quiet", "--no-edit", second, check=False)
    if done.returncode:
        names = git(site.work, "diff", "--name-only", "--diff-filter=U").stdout.split()
        git(site.work, "merge", "--abort")
        return Outcome("conflict", ", ".join(Path(name).name for name in names), {}, (0, 0))
    inputs = tuple((site.work / name).read_bytes() for name in (INTENT, LOCK))
    if inputs not in site.judged:
        site.judged[inputs] = judged(site, first)
    return site.judged[inputs]


def judged(site: Site, first: str) -> Outcome:
    """What came of a merge that git found nothing wrong with; merges of the same bytes are the same."""
    refused = json.loads(fabricgen("validate", site.work / INTENT, "--json").stdout)["problems"]
    if refused:
        return Outcome(refused[0]["code"], "", {}, (0, 0))
    locked = site.render(f"out-{first}", "--locked")
    assert site.render(f"out-{first}").exit_code == 0
    files = tree(site.outs / f"out-{first}") | {LOCK: (site.work / LOCK).read_bytes()}
    moved = [len(json.loads(fabricgen("diff", site.work / INTENT, "--against", branch, "--json").stdout)["moved"])
             for branch in ("one", "two")]  # fmt: skip
    words = {0: "clean", 3: "locked"}
    return Outcome(words[locked.exit_code], "", files, (moved[0], moved[1]))


@pytest.fixture(scope="module")
def table() -> Iterator[list[str]]:
    rows: list[str] = []
    yield rows
    print("", *rows, sep="\n")  # noqa: T201  # the table that is asked for with -s


@pytest.mark.parametrize(
    ("pair", "style"), some(product(PAIRS, STYLES), of=11), ids=lambda one: getattr(one, "name", one)
)
def test_a_merge_is_clean_and_right_or_loud(tmp_path: Path, pair: Pair, style: str, table: list[str]) -> None:
    work = tmp_path / "work"
    (work / "site").mkdir(parents=True)
    git(work, "init", "--quiet", "--initial-branch", "main")
    site = Site(work, STYLES[style], tmp_path / "out", {})
    prepared(site, pair)
    there, back = merged(site, "one", "two"), merged(site, "two", "one")
    table.append(f"{pair.name:52} {style:5} {there.word} {there.where}".rstrip())
    assert there == back
    assert there.word == (pair.flow if style == "flow" else pair.block)
    if there.word in ("clean", "locked"):
        assert there.moved == (0, 0)
    if there.word == "clean":
        recorded = set(there.files[LOCK].decode().splitlines())
        for branch in ("one", "two"):
            mine = set(git(site.work, "show", f"{branch}:{LOCK}").stdout.splitlines())
            base = set(git(site.work, "show", f"main:{LOCK}").stdout.splitlines())
            assert mine - base <= recorded


def test_a_clean_merge_of_clashing_lines_is_refused_with_both(tmp_path: Path) -> None:
    """Two lines that git may merge without a word, as `merge=union` does: the lock itself tells of them."""
    work = tmp_path / "work"
    (work / "site").mkdir(parents=True)
    git(work, "init", "--quiet", "--initial-branch", "main")
    (work / ".gitattributes").write_text("fabricgen.lock merge=union\n")
    site = Site(work, False, tmp_path / "out", {})
    prepared(site, Pair("", ALPHA_FIRST, BETA, "", ""))
    assert merged(site, "one", "two").word == "lock-clash"
    told = fabricgen("validate", site.work / INTENT).stderr
    lines = (site.work / LOCK).read_text().splitlines()
    clashing = [at for at, line in enumerate(lines, 1) if "id: 7}" in line]
    assert f"lines {clashing[0]} and {clashing[1]} of the lock allocate id 7" in told


@pytest.mark.parametrize("live", ["one", "two"])
def test_the_remedy_of_a_clash_keeps_the_numbers_that_are_live(tmp_path: Path, live: str) -> None:
    """Whichever branch is live, and wherever its line stands: the lock is sorted, so the later line may be that one."""
    work = tmp_path / "work"
    (work / "site").mkdir(parents=True)
    git(work, "init", "--quiet", "--initial-branch", "main")
    (work / ".gitattributes").write_text("fabricgen.lock merge=union\n")
    site = Site(work, False, tmp_path / "out", {})
    prepared(site, Pair("", ALPHA_FIRST, BETA, "", ""))
    assert merged(site, "one", "two").word == "lock-clash"
    fix = fabricgen("validate", site.work / INTENT).stderr.split("git checkout BRANCH -- ")[1]
    git(work, "checkout", live, "--", fix.split(",")[0])
    assert fabricgen("render", site.work / INTENT, "-o", tmp_path / "out").exit_code == 0
    mine = set(git(work, "show", f"{live}:{LOCK}").stdout.splitlines())
    lines = (site.work / LOCK).read_text().splitlines()
    assert mine <= set(lines)
    assert len([line for line in lines if line.endswith("id: 7}")]) == 1
    assert any("name: alpha" in line for line in lines)
    assert any("name: beta" in line for line in lines)


def test_the_way_out_of_a_conflict_that_the_page_tells(tmp_path: Path) -> None:
    """docs/review.md: merge the intent by hand, take the base branch's lock, render, commit: nothing merged moves."""
    work = tmp_path / "work"
    (work / "site").mkdir(parents=True)
    git(work, "init", "--quiet", "--initial-branch", "main")
    site = Site(work, False, tmp_path / "out", {})
    prepared(site, Pair("", ALPHA_FIRST, BETA, "", ""))
    git(work, "checkout", "--quiet", "main")
    git(work, "merge", "--quiet", "one")  # the other branch was merged first, and may be live
    git(work, "checkout", "--quiet", "two")
    assert git(work, "merge", "--quiet", "--no-edit", "main", check=False).returncode == 1
    assert fabricgen("validate", work / INTENT).exit_code == 1
    git(work, "checkout", "main", "--", LOCK)
    assert site.render("two").exit_code == 0
    commit(work, "merged")
    assert git(work, "diff", "--numstat", "main", "--", LOCK).stdout.split()[:2] == ["2", "0"]
    told = json.loads(fabricgen("diff", work / INTENT, "--against", "main", "--json").stdout)
    assert (told["moved"], told["whole"]) == ([], True)
