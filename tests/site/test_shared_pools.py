"""Two sites of one repository: parts of pools in place of literals, and what both must not have."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from fabricgen.checks.catalogue import Accepted
from fabricgen.cli import main
from fabricgen.errors import FabricError
from fabricgen.plan.fabric import numbers_of, places
from fabricgen.site.checked import LoadRequest, load_checked_in_all
from fabricgen.site.other_sites import problems_of_sites
from fabricgen.site.workspace import open_workspace
from fabricgen.source.report import as_json
from tests.cli.sites import DEMO

POOLS = """pools: 1
sites: {dc1: dc1/intent.yaml, dc2: dc2/intent.yaml}
ipv4:
  backend: {range: 10.64.0.0/10, parts: {dc1: 10.64.0.0/12, dc2: 10.80.0.0/12}}
  frontend: {range: 10.128.0.0/10, parts: {dc1: 10.128.0.0/12, dc2: 10.144.0.0/12}}
  oob: {range: 10.0.0.0/16, parts: {dc1: 10.0.0.0/20, dc2: 10.0.16.0/20}}
ipv6:
  fabrics:
    range: "fd5e:8c1f:2a00::/48"
    parts:
      dc1/be: "fd5e:8c1f:2a00::/52"
      dc1/fe: "fd5e:8c1f:2a00:1000::/52"
      dc2/be: "fd5e:8c1f:2a00:4000::/52"
      dc2/fe: "fd5e:8c1f:2a00:5000::/52"
asns:
  backend: {range: 4201000000-4201999999, parts: {dc1: 4201000000-4201499999, dc2: 4201500000-4201999999}}
  frontend: {range: 4202000000-4202999999, parts: {dc1: 4202000000-4202499999, dc2: 4202500000-4202999999}}
vnis:
  overlay: {range: 10000-29999, parts: {dc1: 10000-19999, dc2: 20000-29999}}
admins:
  sites: {range: 65000-65009, parts: {dc1: 65000, dc2: 65001}}
"""
TAKEN = (
    ("oob: 10.0.0.0/20", "oob: pool:oob"),
    ('ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"', "ipv4: pool:backend, ipv6: pool:fabrics/be"),
    ('ipv4: 10.128.0.0/12, ipv6: "fd5e:8c1f:2a00:1000::/52"', "ipv4: pool:frontend, ipv6: pool:fabrics/fe"),
    ("asns: 4201000000-4201999999", "asns: pool:backend"),
    ("asns: 4202000000-4202999999", "asns: pool:frontend"),
    ("admin: 65000, vni_base: 10000", "admin: pool:sites, vni_base: pool:overlay"),
)
"""Literals of the demo → what it takes from pools."""


def _moved(text: str, number: int) -> str:
    """The demo with other addresses for what no pool gives: services, subnets of tenants."""
    text = text.replace("10.0.0.", f"10.0.{16 * number}.").replace("dc1.example", f"dc{number + 1}.example")
    text = re.sub(r"172\.(1[7-9]|3[01])\.", lambda found: f"172.{int(found[1]) + 20 * number}.", text)
    return text.replace("2a00:2", f"2a00:{'26ae'[number]}")


def _intent(number: int) -> str:
    text = _moved(DEMO.read_text(), number).replace("site: dc1", f"site: dc{number + 1}\npools: ../pools.yaml")
    for literal, taken in TAKEN:
        moved = _moved(literal, number) if "oob" in literal else literal
        assert moved in text
        text = text.replace(moved, taken)
    return text


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sites that take parts of pools, and the pools; also the current folder."""
    for number in (0, 1):
        folder = tmp_path / f"dc{number + 1}"
        folder.mkdir()
        (folder / "intent.yaml").write_text(_intent(number))
    (tmp_path / "pools.yaml").write_text(POOLS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _problems(intent: str = "dc1/intent.yaml") -> list[tuple[str, str, str]]:
    """Place, code and fix of the problems of a site, whether it is read or compared."""
    try:
        found = problems_of_sites(workspace := open_workspace(Path(intent)))
    except FabricError as error:
        rows = as_json(error.problems, *getattr(error, "documents", ()))
    else:
        rows = as_json(found, *workspace.documents)
    return [(f"{row['file']}:{row['line']}", str(row["code"]), str(row["fix"])) for row in rows]


def _type(file: str, old: str, new: str) -> None:
    path = Path(file)
    text = path.read_text()
    assert old in text, old
    path.write_text(text.replace(old, new, 1))


@pytest.mark.usefixtures("repository")
def test_a_site_has_what_its_literals_would_give_it() -> None:
    """Site dc1 takes the parts that the demo has as literals."""
    taken, written = open_workspace(Path("dc1/intent.yaml")).plan, open_workspace(DEMO).plan
    assert taken.intent.management.oob == written.intent.management.oob
    for name, fabric in taken.fabrics.items():
        there = written.fabrics[name]
        assert [numbers_of(fabric, place).name for place in places(fabric)] == [
            numbers_of(there, place).name for place in places(there)
        ]
        assert (fabric.fabric.addressing, fabric.fabric.evpn) == (there.fabric.addressing, there.fabric.evpn)
    assert str(open_workspace(Path("dc2/intent.yaml")).plan.intent.fabrics["frontend"].evpn.vni_base) == "20000"


@pytest.mark.usefixtures("repository")
def test_two_sites_with_parts_of_their_own_have_no_problem() -> None:
    assert (_problems(), _problems("dc2/intent.yaml")) == ([], [])


DC1, FILE = "dc1/intent.yaml", "pools.yaml"


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("file", "old", "new", "place", "code", "fix"),
    [
        (DC1, "pool:oob", "pool:obb", "dc1/intent.yaml:11", "pool-unknown", "did you mean oob?"),
        (
            DC1,
            "pool:oob",
            "pool:oob/",
            "dc1/intent.yaml:11",
            "pool-reference",
            "write e.g. pool:fabrics or pool:fabrics/backend",
        ),
        (
            DC1,
            "pool:oob",
            "pool:oob/x",
            "dc1/intent.yaml:11",
            "pool-part-unknown",
            "write pool:oob, or add dc1/x: 10.0.32.0/20 to ipv4.oob.parts of pools.yaml",
        ),
        (
            FILE,
            "dc1: 65000, ",
            "",
            "dc1/intent.yaml:48",
            "pool-part-unknown",
            "add dc1: 65000 to admins.sites.parts of pools.yaml",
        ),
        (DC1, "../pools.yaml", "../pool.yaml", "dc1/intent.yaml:7", "pools-missing", "write pools: ../pools.yaml"),
        (
            DC1,
            "pools: ../pools.yaml\n",
            "",
            "dc1/intent.yaml:33",
            "pools-missing",
            "write pools: ../pools.yaml at the top of the intent, or an IPv4 prefix",
        ),
        (
            FILE,
            "dc1: 10.64.0.0/12",
            "dc1: 10.32.0.0/12",
            "pools.yaml:4",
            "pool-part-outside",
            "write an IPv4 prefix within 10.64.0.0/10, or enlarge the pool",
        ),
        (
            FILE,
            "dc2: 10.80.0.0/12",
            "dc2: 10.64.0.0/12",
            "pools.yaml:4",
            "pool-part-twice",
            "write an IPv4 prefix of 10.64.0.0/10 that no other part has",
        ),
        (
            FILE,
            "frontend: {range: 4202000000-4202999999",
            "frontend: {range: 4201999999-4202999999",
            "pools.yaml:17",
            "pool-overlap",
            "write a range of AS numbers outside 4201000000-4201999999",
        ),
        (
            FILE,
            "dc2: 20000-29999",
            "dc3: 20000-29999",
            "pools.yaml:19",
            "pool-site",
            "add dc3: with the path of its intent to sites, or write one of dc1, dc2",
        ),
        (
            FILE,
            "{dc1: dc1/intent.yaml, ",
            "{",
            "dc1/intent.yaml:7",
            "pool-site-missing",
            "add dc1: dc1/intent.yaml to sites of pools.yaml",
        ),
        (
            FILE,
            "dc2/intent.yaml",
            "dc2/inten.yaml",
            "pools.yaml:2",
            "pool-site-unreadable",
            "did you mean dc2/intent.yaml?",
        ),
        (
            FILE,
            "dc1/intent.yaml",
            "dc2/intent.yaml",
            "dc1/intent.yaml:6",
            "pool-site-file",
            "correct dc1: below sites, or write another site: here",
        ),
        (
            "dc2/intent.yaml",
            "site: dc2",
            "site: dc7",
            "pools.yaml:2",
            "pool-site-file",
            "write dc7 in place of dc2, or site: dc2 in dc2/intent.yaml",
        ),
        (
            "dc2/intent.yaml",
            "pools: ../pools.yaml\n",
            "",
            "dc2/intent.yaml:6",
            "pool-site-apart",
            "write pools: ../pools.yaml at the top of dc2/intent.yaml",
        ),
        (
            "dc2/intent.yaml",
            "pools: ../pools.yaml",
            "vendor: x",
            "dc2/intent.yaml:7",
            "pool-site-unreadable",
            "fabricgen validate dc2/intent.yaml shows its problems",
        ),
        (
            DC1,
            "asns: pool:backend",
            "asns: 4201600000-4201700000",
            "dc1/intent.yaml:35",
            "pool-part-other",
            "write pool:backend (4201000000-4201499999), or a range of AS numbers outside of 4201000000-4201999999",
        ),
        (
            DC1,
            "admin: pool:sites",
            "admin: 65001",
            "dc1/intent.yaml:48",
            "pool-part-other",
            "write pool:sites (65000), or a route target administrator outside of 65000-65009",
        ),
        (
            FILE,
            "dc1: 10000-19999",
            "dc1: 10000-10003",
            "dc1/intent.yaml:48",
            "pool-part-other",
            "enlarge the part 10000-10003 in vnis.overlay of pools.yaml, or write vni: for tenant storage on frontend",
        ),
        (
            "dc2/intent.yaml",
            "pool:oob",
            "10.0.0.0/18",
            "dc1/intent.yaml:11",
            "site-overlap",
            "write another IPv4 prefix there: 10.0.0.0/20 is this site's part of the pool oob",
        ),
        (
            DC1,
            "domain: dc1.example.net",
            "domain: dc2.example.net",
            "dc1/intent.yaml:29",
            "site-overlap",
            "write another prefix: for the fabric, or another management.domain",
        ),
        (
            DC1,
            "172.18.0.0/20",
            "172.38.0.0/20",
            "dc1/intent.yaml:58",
            "site-overlap",
            "write another IPv4 prefix, or, if "
            "the two are never joined, a pool with reused: true that has 172.38.0.0/20",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_what_to_type(
    file: str, old: str, new: str, place: str, code: str, fix: str
) -> None:
    _type(file, old, new)
    assert _problems()[0] == (place, code, fix)


@pytest.mark.usefixtures("repository")
def test_both_lines_of_an_overlap_are_told() -> None:
    _type(DC1, "pool:frontend, ipv6", "10.144.0.0/13, ipv6")
    Path("pools.yaml").write_text(POOLS.replace("10.128.0.0/10, parts: {dc1: 10.128.0.0/12, dc2: 10.144.0.0/12}",
                                                "10.128.0.0/12, parts: {dc1: 10.128.0.0/12}"))  # fmt: skip
    _type("dc2/intent.yaml", "pool:frontend, ipv6", "10.144.0.0/12, ipv6")
    [problem] = problems_of_sites(open_workspace(Path(DC1)))
    assert (problem.code, problem.where) == ("site-overlap", ("fabrics", "frontend", "addressing", "ipv4"))
    assert problem.why.startswith("dc2/intent.yaml:46:45: ")


@pytest.mark.usefixtures("repository")
def test_router_ids_that_only_the_lock_has_stay_of_their_site(repository: Path) -> None:
    """A backend that gives up IPv4 keeps its loopbacks as router ids: 24 leaves and 16 spines, two each, in 128."""
    _run("render", DC1, "-o", "out")
    _type(DC1, "links: [ipv4, ipv6], hosts: ipv4, ipv4: pool:backend", "links: [ipv6], hosts: ipv6")
    assert _problems() == []
    _type(FILE, "parts: {dc1: 10.64.0.0/12, dc2: 10.80.0.0/12}", "parts: {dc2: 10.64.0.0/12}")
    renumber = "or run fabricgen render INTENT --renumber backend -o out"
    (problem,) = _problems()
    assert problem[1:] == ("pool-part-other", f"leave 10.76.0.0/25 to dc1 in the pools, {renumber}")
    _type(FILE, "parts: {dc2: 10.64.0.0/12}", "parts: {dc1/old: 10.76.0.0/25, dc2: 10.80.0.0/12}")
    assert _problems() == []
    _type("dc2/intent.yaml", "ipv4: pool:backend", "ipv4: 10.76.0.0/16")
    assert ("pool-part-other" in {code for _, code, _ in _problems("dc2/intent.yaml")}) is True


@pytest.mark.usefixtures("repository")
def test_route_targets_of_two_sites_differ() -> None:
    """Only where both are rendered: a tenant has no number before. 65000:10005 is that of the demo's last tenant."""
    for intent, base in ((DC1, "admin: pool:sites, vni_base: pool:overlay"),
                         ("dc2/intent.yaml", "admin: pool:sites, vni_base: pool:overlay")):  # fmt: skip
        _type(intent, base, "admin: 64900, vni_base: 100000")
    assert _problems() == []
    shutil.copy(DEMO.parent / "fabricgen.lock", "dc1/fabricgen.lock")
    lock = (DEMO.parent / "fabricgen.lock").read_text()
    Path("dc2/fabricgen.lock").write_text(lock)
    [problem] = problems_of_sites(open_workspace(Path(DC1)))
    assert problem.what == "the route target 64900:100005 of tenant storage on frontend is one of dc2, too"
    assert problem.why.startswith("dc2/intent.yaml:48:36: it is that of tenant storage on frontend")
    _type("pools.yaml", "vnis:\n", "vnis:\n  all: {range: 100000-109999, reused: true}\n")
    assert _problems() == []


@pytest.mark.usefixtures("repository")
def test_what_is_reused_is_not_compared() -> None:
    pools = POOLS.replace("{range: 10.64.0.0/10, parts: {dc1: 10.64.0.0/12, dc2: 10.80.0.0/12}}",
                          "{range: 10.64.0.0/12, reused: true}")  # fmt: skip
    Path("pools.yaml").write_text(pools)
    assert _problems() == []
    for intent in (DC1, "dc2/intent.yaml"):
        _type(intent, "pool:backend, ipv6", "10.64.0.0/11, ipv6")
    assert [problem[:2] for problem in _problems()] == [("dc1/intent.yaml:34", "site-overlap")]
    for intent in (DC1, "dc2/intent.yaml"):
        _type(intent, "10.64.0.0/11, ipv6", "pool:backend, ipv6")
    _type("pools.yaml", "reused: true", "reused: true, parts: {dc1: 10.64.0.0/12}")
    assert _problems() == [("pools.yaml:4", "pool-reused", "remove parts, or reused")]


def _run(*words: str) -> str:
    result = CliRunner().invoke(main, list(words), catch_exceptions=False)
    assert result.exit_code in (0, 3), result.output
    return result.output


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_another_site_changes_no_byte_of_a_rendered_tree(repository: Path) -> None:
    _run("render", DC1, "-o", "out/dc1")
    before, lock = _tree(repository / "out/dc1"), Path("dc1/fabricgen.lock").read_bytes()
    Path("dc3").mkdir()
    text = _intent(2)
    Path("dc3/intent.yaml").write_text(text)
    pools = POOLS.replace("dc2: dc2/intent.yaml", "dc3: dc3/intent.yaml, dc2: dc2/intent.yaml")
    for old, new in (
        ("dc2: 10.80.0.0/12", "dc3: 10.96.0.0/12, dc2: 10.80.0.0/12"),
        ("dc2: 10.144.0.0/12", "dc2: 10.144.0.0/12, dc3: 10.160.0.0/12"),
        ("dc2: 10.0.16.0/20", "dc2: 10.0.16.0/20, dc3: 10.0.32.0/20"),
        ('    parts:\n', '    parts:\n      dc3/be: "fd5e:8c1f:2a00:8000::/52"\n      dc3/fe: "fd5e:8c1f:2a00:9000::/52"\n'),  # noqa: E501
        ("4201000000-4201999999, parts: {", "4200000000-4201999999, parts: {dc3: 4200000000-4200999999, "),
        ("4202000000-4202999999, parts: {", "4202000000-4203999999, parts: {dc3: 4203000000-4203999999, "),
        ("10000-29999, parts: {", "10000-39999, parts: {dc3: 30000-39999, "),
        ("dc2: 65001", "dc2: 65001, dc3: 65002"),
    ):  # fmt: skip
        assert old in pools
        pools = pools.replace(old, new)
    Path("pools.yaml").write_text(pools)
    assert _problems("dc3/intent.yaml") == []
    _run("render", DC1, "-o", "out/dc1")
    assert _tree(repository / "out/dc1") == before
    assert Path("dc1/fabricgen.lock").read_bytes() == lock


def test_a_former_state_has_the_pools_of_its_time(repository: Path) -> None:
    """A rendered tree keeps what it took; a revision of git has its own pool file."""

    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y", *words], cwd=repository, check=True)

    _run("render", DC1, "-o", "out/dc1")
    git("init", "-q", ".")
    git("add", "dc1", "dc2", "pools.yaml")
    git("commit", "-qm", "one")
    _type("pools.yaml", "{dc1: 65000", "{dc1: 65005")
    for against in ("out/dc1", "HEAD", "HEAD:dc1/intent.yaml"):
        output = _run("diff", DC1, "--against", against)
        assert all(f"{admin}:10001" in output for admin in (65000, 65005)), against


def test_a_copy_of_an_intent_beside_its_record_is_not_compared(repository: Path) -> None:
    """`plan --steps` writes one; the record beside an intent at work is a problem, as it would hide the pools."""
    _run("render", DC1, "-o", "out/dc1")
    _type(DC1, "spines: {now: 4", "spines: {now: 8")
    _run("plan", DC1, "--steps", "steps", "--floor", "1/2", "--against", "out/dc1")
    _run("render", "steps/before/intent.yaml", "--overlay", "steps/1-drained.yaml", "-o", "out/dc1")
    shutil.copy("steps/before/pool-parts.yaml", "dc1")
    assert _problems() == [("dc1/intent.yaml:7", "pools-record", "delete dc1/pool-parts.yaml")]
    _type(DC1, "cables: {", "placement: pool-parts.yaml\ncables: {")
    assert _problems()[0][1] == "pools-name"
    _type("dc1/pool-parts.yaml", '"oob"', '"obb"')
    assert _problems()[0][:2] == ("dc1/intent.yaml:12", "pools-record")


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("verb", ["validate", "plan", "render"])
def test_verbs_that_check_compare_sites(verb: str) -> None:
    _type(DC1, "domain: dc1.example.net", "domain: dc2.example.net")
    words = [verb, DC1, *(["-o", "out"] if verb == "render" else [])]
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert (result.exit_code, "devices of dc2 begin with be, too" in result.output) == (1, True)
    assert not Path("out").exists()
    explained = _run("explain", DC1, "10.64.0.0/12")
    assert "fabrics.backend.addressing.ipv4 (pool:backend)" in explained


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("verb", ["diff", "push"])
def test_a_difference_and_a_push_compare_sites(verb: str) -> None:
    """Each reports the overlap, with both lines, before anything is compared or sent."""
    CliRunner().invoke(main, ["export", "nornir", DC1, "-o", "inventory"], catch_exceptions=False)
    _type(DC1, "domain: dc1.example.net", "domain: dc2.example.net")
    more = ["--against", "dc2/intent.yaml"] if verb == "diff" else ["-i", "inventory"]
    result = CliRunner().invoke(main, [verb, DC1, *more], catch_exceptions=False)
    assert (result.exit_code, "devices of dc2 begin with be, too" in result.output) == (1, True)


def _merged(below: object, above: object) -> object:
    """One document with the keys of another one over its own."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{key: _merged(below.get(key), value) for key, value in above.items()}}


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("site", ["dc1", "dc2"])
def test_the_example_of_the_page_works_as_printed(site: str) -> None:
    """Both sites of docs/pools.md: its pool file, and its lines in intents that have the rest from the demo."""
    page = Path(__file__).parents[2] / "docs/pools.md"
    pools, part = re.findall(r"```yaml\n(# .*?)```", page.read_text(), re.DOTALL)[:2]
    Path("pools.yaml").write_text(pools)
    for number, name in enumerate(("dc1", "dc2")):
        taken = yaml.safe_load(part.replace("site: dc1", f"site: {name}").replace("10.0.0.1", f"10.0.{16 * number}.1"))
        whole = _merged(yaml.safe_load(_intent(number)), taken)
        Path(name, "intent.yaml").write_text(yaml.safe_dump(whole, sort_keys=False))
    assert _all_problems(f"{site}/intent.yaml") == []


def _all_problems(intent: str = "dc1/intent.yaml") -> list[tuple[str, str]]:
    """Code and fix of all problems that `validate` has."""
    try:
        load_checked_in_all(LoadRequest(Path(intent)), Accepted())
    except FabricError as error:
        return [(problem.code, problem.fix) for problem in error.problems]
    return []


Typed = tuple[tuple[str, str, str], ...]
BACKEND_ASNS = "4201000000-4201499999"
HALVES = ("4201000000-4201249999", "4201250000-4201499999")


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("edits", "code", "fix", "typed"),
    [
        (
            ((DC1, "asns: pool:frontend", "asns: pool:backend"),),
            "pool-part-shared",
            "in asns.backend.parts of pools.yaml write dc1/backend: 4201000000-4201249999, dc1/frontend: "
            "4201250000-4201499999 in place of dc1, and here pool:backend/backend for backend and "
            "pool:backend/frontend for frontend",
            (
                (
                    FILE,
                    f"dc1: {BACKEND_ASNS}",
                    "dc1/backend: 4201000000-4201249999, dc1/frontend: 4201250000-4201499999",
                ),
                (DC1, "asns: pool:backend", "asns: pool:backend/backend"),
                (DC1, "asns: pool:backend\n", "asns: pool:backend/frontend\n"),
            ),
        ),
        (
            ((DC1, "ipv4: pool:frontend", "ipv4: pool:backend"),),
            "pool-part-shared",
            "in ipv4.backend.parts of pools.yaml write dc1/backend: 10.64.0.0/13, dc1/frontend: 10.72.0.0/13 in place "
            "of dc1, and here pool:backend/backend for backend and pool:backend/frontend for frontend; or add "
            "dc1/frontend: 10.96.0.0/12 to ipv4.backend.parts of pools.yaml, and write pool:backend/frontend for "
            "frontend",
            (
                (FILE, "dc2: 10.80.0.0/12", "dc2: 10.80.0.0/12, dc1/frontend: 10.96.0.0/12"),
                (
                    DC1,
                    "ipv4: pool:backend, ipv6: pool:fabrics/fe",
                    "ipv4: pool:backend/frontend, ipv6: pool:fabrics/fe",
                ),
            ),
        ),
        (
            ((DC1, "asns: pool:frontend", f"asns: {BACKEND_ASNS}"),),
            "asns-overlap",
            "write pool:frontend (4202000000-4202499999)",
            ((DC1, f"asns: {BACKEND_ASNS}", "asns: pool:frontend"),),
        ),
        (
            ((DC1, "ipv4: pool:frontend", "ipv4: 10.64.0.0/16"),),
            "prefixes-overlap",
            "write pool:frontend (10.128.0.0/12)",
            ((DC1, "10.64.0.0/16", "pool:frontend"),),
        ),
        (
            (
                (DC1, "ipv4: pool:frontend", "ipv4: 10.64.0.0/16"),
                (FILE, "parts: {dc1: 10.128.0.0/12, ", "parts: {"),
            ),
            "prefixes-overlap",
            "add dc1/frontend: 10.96.0.0/12 to ipv4.backend.parts of pools.yaml and write pool:backend/frontend",
            (
                (FILE, "dc2: 10.80.0.0/12", "dc2: 10.80.0.0/12, dc1/frontend: 10.96.0.0/12"),
                (DC1, "10.64.0.0/16", "pool:backend/frontend"),
            ),
        ),
        (
            ((DC1, "ipv4: pool:frontend", "ipv4: 10.112.0.0/12"),),
            "pool-part-other",
            "add dc1/frontend: 10.112.0.0/12 to ipv4.backend.parts of pools.yaml",
            ((FILE, "dc2: 10.80.0.0/12", "dc2: 10.80.0.0/12, dc1/frontend: 10.112.0.0/12"),),
        ),
        (
            ((DC1, "  serving:\n", "  serving:\n    vni: 20500\n"),),
            "pool-part-other",
            "write a VNI of 10000-19999, or one outside of 10000-29999",
            ((DC1, "vni: 20500", "vni: 10500"),),
        ),
    ],
)
def test_each_printed_fix_ends_it(edits: Typed, code: str, fix: str, typed: Typed) -> None:
    """Typed as printed, no problem is left: no fix leads to another one."""
    for each in edits:
        _type(*each)
    assert _all_problems() == [(code, fix)]
    for each in typed:
        _type(*each)
    assert _all_problems() == []


@pytest.mark.usefixtures("repository")
def test_a_part_that_a_render_has_used_is_not_divided() -> None:
    """Numbers of the backend are in the lock: the frontend gets a part of its own, and the backend keeps all of its."""
    shutil.copy(DEMO.parent / "fabricgen.lock", "dc1/fabricgen.lock")
    _type(DC1, "ipv4: pool:frontend", "ipv4: pool:backend")
    assert _all_problems()[0] == (
        "pool-part-shared",
        "add dc1/frontend: 10.96.0.0/12 to ipv4.backend.parts of pools.yaml, and write pool:backend/frontend for "
        "frontend",
    )


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("name", ["dc3", "dc2"])
def test_a_wrong_site_is_told_once_where_it_is_written(name: str) -> None:
    _type(DC1, "site: dc1", f"site: {name}")
    fix = f"write site: dc1, or rename dc1 to {name} in sites and parts of pools.yaml"
    assert _problems() == [("dc1/intent.yaml:6", "pool-site-name", fix)]


@pytest.mark.usefixtures("repository")
def test_each_new_part_that_is_offered_is_another() -> None:
    _type(DC1, "ipv6: pool:fabrics/be", "ipv6: pool:fabrics/one")
    _type(DC1, "ipv6: pool:fabrics/fe", "ipv6: pool:fabrics/two")
    added = [fix.partition("or add ")[2] for _, _, fix in _problems()]
    assert added == [
        'dc1/one: "fd5e:8c1f:2a00:2000::/52" to ipv6.fabrics.parts of pools.yaml',
        'dc1/two: "fd5e:8c1f:2a00:3000::/52" to ipv6.fabrics.parts of pools.yaml',
    ]
