"""The sites of inventories/ and their pages, through the command line, against numbers of their sources.

The one of three tiers is planned, and some of its switches are made: `make bench` renders all of it.
"""

import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml
from click import Group

from fabricgen.cli import VERBS, main
from fabricgen.cli.common.problems import counted
from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.defaults import NEWEST
from fabricgen.plan.fabric import FabricPlan, places
from fabricgen.plan.lock import write_lock
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.site.workspace import open_workspace
from tests.sites.rendering import INVENTORIES, LARGE, ROOT, SMALL, Rendered, addresses, called, stanzas
from tests.some import some

Sites = dict[tuple[str, str], Rendered]
TREES = (*((name, "base") for name in SMALL), ("time-sliced", "night"))


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Each small site in each scenario, rendered with the lock that is kept beside it, which has to be complete."""
    work, found = tmp_path_factory.mktemp("sites"), {}
    for name, scenario in TREES:
        site, out = work / name, work / f"{name}-{scenario}"
        shutil.copytree(INVENTORIES / name, site, dirs_exist_ok=True)
        code, said = called("render", site / "intent.yaml", "-o", out, "--locked", "--scenario", scenario)
        assert code == 0, said
        found[name, scenario] = Rendered(site, out)
    return found


@pytest.mark.parametrize("name", some([*SMALL, LARGE], of=2))
def test_no_check_has_a_problem(name: str) -> None:
    code, said = called("validate", INVENTORIES / name / "intent.yaml")
    assert code == 0, said
    warnings = said.count("warning[")
    assert f": {counted(warnings, 0)}" in said.splitlines()[-1]
    assert "error[" not in said


@pytest.mark.parametrize("name", some(SMALL, of=2))
def test_a_second_render_writes_nothing(sites: Sites, name: str) -> None:
    found = sites[name, "base"]
    before = (INVENTORIES / name / "fabricgen.lock").read_bytes()
    code, said = called("render", found.site / "intent.yaml", "-o", found.out)
    assert code == 0, said
    assert "0 files written" in said
    assert (found.site / "fabricgen.lock").read_bytes() == before


def test_a_lock_that_lacks_a_line_is_refused(sites: Sites, tmp_path: Path) -> None:
    """So that `--locked` above says something."""
    shutil.copytree(sites["shared-backend-512", "base"].site, tmp_path / "site")
    lock = tmp_path / "site/fabricgen.lock"
    lock.write_text("".join(line for line in lock.read_text().splitlines(keepends=True) if "name: west" not in line))
    code, said = called("render", tmp_path / "site/intent.yaml", "-o", tmp_path / "out", "--locked")
    assert code == 3
    assert "west" in said


COUNTS = {
    "superpod-b300": {"be-leaf": 16, "be-spine": 8, "fe-leaf": 6, "fe-spine": 4},
    "spectrum-x-1k": {"be-leaf": 16, "be-spine": 8, "fe-leaf": 6, "fe-spine": 4},
    "mi300x-1k": {"be-leaf": 16, "be-spine": 8},
    "jvd-gpuaas": {"be-leaf": 16, "be-spine": 4},
    "nokia-ai-nvd": {"be-leaf": 16, "be-spine": 2, "fe-leaf": 4, "fe-spine": 2},
    "nexus-h200-512": {"be-leaf": 16, "be-spine": 8},
    "shared-backend-512": {"be-leaf": 8, "be-spine": 4},
    "inference-only": {"fe-border": 2, "fe-leaf": 6, "fe-spine": 2},
    "time-sliced": {"be-leaf": 4, "be-spine": 4, "fe-border": 2, "fe-leaf": 6, "fe-spine": 2},
}
"""Backends: DGX B300 SuperPOD, table 3, first row, both planes; Spectrum-X HGX, four leaves a unit of 32 servers, and
two spines a unit as in the Netris scenario (of time-sliced twice that, by choice).
Juniper's stripes: 8 leaves each, 4 spines.
Nokia's lab: 2 stripes of 8 leaves, 2 spines; its one pair of frontend leaves is two pairs here.
Cisco's 512 H200: 24 switches of 64 ports, thus 512 / 32 and 512 / 64.
Dell's Fabric Design Center: 16 leaves for 1,024 ports of 400G; a spine holds 128 of their 1,024 uplinks.
Other frontends: pairs of leaves, by servers and ports: 64 / 32 and 8 / 32, 128 / 64 and 8 / 32, 48 / 24 and 4 / 24,
32 / 24 and 4 / 24."""


@pytest.mark.parametrize("name", SMALL)
def test_switches_by_role(sites: Sites, name: str) -> None:
    assert Counter(switch.rpartition("-")[0] for switch in sites[name, "base"].switches()) == COUNTS[name]


CABLES = {
    "superpod-b300": {("backend", "server-leaf"): 2 * 512, ("backend", "leaf-spine"): 2 * 512},
    "spectrum-x-1k": {("backend", "server-leaf"): 1024, ("backend", "leaf-spine"): 1024},
    "mi300x-1k": {("backend", "server-leaf"): 1024, ("backend", "leaf-spine"): 1024},
    "jvd-gpuaas": {("backend", "server-leaf"): 128, ("backend", "leaf-spine"): 64},
    "nokia-ai-nvd": {
        ("backend", "server-leaf"): 32,
        ("backend", "leaf-spine"): 32,
        ("frontend", "server-leaf"): 2 * (4 + 8),
    },
    "nexus-h200-512": {("backend", "server-leaf"): 512, ("backend", "leaf-spine"): 512},
    "shared-backend-512": {("backend", "server-leaf"): 512, ("backend", "leaf-spine"): 512},
    "inference-only": {("frontend", "server-leaf"): 2 * (48 + 4), ("frontend", "leaf-spine"): 8 * 2},
    "time-sliced": {("backend", "server-leaf"): 256, ("backend", "leaf-spine"): 256},
}
"""1:1: as many above as below, one a GPU and plane (printed for the B300: 512 cables of two links each).
Juniper prints 25.6 Tb/s a stripe on either side: 8 servers of 8 x 400G, 8 leaves with a link of 800G to each spine.
Nokia's lab lists its links: 32, 32 and 24.
6:1: 24 ports of 200G over two of 400G a leaf."""


@pytest.mark.parametrize("name", SMALL)
def test_cables_a_tier(sites: Sites, name: str) -> None:
    found = Counter((row["fabric"], row["kind"]) for row in sites[name, "base"].cables())
    assert {key: found[key] for key in CABLES[name]} == CABLES[name]


def test_no_cable_joins_two_planes(sites: Sites) -> None:
    """Eight units are numbered: 64 leaves and 32 spines a plane. A NIC of 800G has a port in each, on the same rail."""
    plane = {"leaf": 64, "spine": 32}
    ends = {}
    for row in sites["superpod-b300", "base"].cables():
        ours = [end for end in (row["a_device"], row["b_device"]) if end.startswith("be-")]
        numbers = [(int(end.rpartition("-")[2]), plane[end.split("-")[1]]) for end in ours]
        assert len({number // size for number, size in numbers}) <= 1, row
        if row["fabric"] == "backend" and row["kind"] == "server-leaf":
            ends[row["a_device"], row["a_port"]] = numbers[0][0]
    assert len(ends) == 1024
    assert all(ends[server, f"{port[:-2]}/1"] == leaf + 64 for (server, port), leaf in ends.items() if port[-1] == "0")


@pytest.mark.parametrize(("name", "scenario"), TREES)
def test_no_address_is_on_two_switches(sites: Sites, name: str, scenario: str) -> None:
    found = list(addresses(sites[name, scenario].switches()))
    assert len(found) > 8 * len(COUNTS[name])
    twice = {address for address, count in Counter(address for address, _ in found).items() if count > 1}
    assert not twice, sorted(pair for pair in found if pair[0] in twice)[:4]


def test_a_doubled_address_is_seen(sites: Sites) -> None:
    """Under another mask, too; what every leaf has of a network is no such thing."""
    switches = sites["inference-only", "base"].switches()
    (first, _), *_ = addresses(switches)
    doubled = switches | {"fe-spine-01": f"{switches['fe-spine-01']}   ip address {first}/29\n"}
    assert Counter(address for address, _ in addresses(doubled))[first] == 2
    assert not list(addresses({"fe-leaf-000": "   ip address virtual 172.18.0.1/22\n"}))
    for site in ("spectrum-x-1k", "mi300x-1k", "jvd-gpuaas", "nokia-ai-nvd", "nexus-h200-512"):
        leaf = sites[site, "base"].switches()["be-leaf-000"]
        count = Counter(address for address, _ in addresses({"be-leaf-000": leaf, "be-leaf-900": leaf}))
        assert set(count.values()) == {2}, site


def test_scenarios_differ_in_frontend_leaves_of_the_servers_that_move(
    sites: Sites,
) -> None:
    """train[20-27] are behind the pairs 002/003 and 004/005: 24 servers a pair."""
    day, night = (sites["time-sliced", scenario].tree() for scenario in ("base", "night"))
    assert day.keys() == night.keys()
    changed = {name for name in day if day[name] != night[name]}
    assert changed == {f"fe-leaf-{number:03}/startup-config" for number in range(2, 6)}
    moved = set()
    for name in changed:
        one, two = stanzas(day[name]), stanzas(night[name])
        for port in (port for port in one.keys() & two.keys() if port.startswith(("Ethernet", "Port"))):
            if one[port] == two[port]:
                continue
            gone, come = set(one[port]) - set(two[port]), set(two[port]) - set(one[port])
            assert (gone, come) == ({"switchport access vlan 110"}, {"switchport access vlan 120"}), (name, port)
            moved.add(next(line.split()[1] for line in one[port] if line.startswith("description")))
    assert moved == {f"train-{slot:03}" for slot in range(20, 28)}


def owner(slot: int, rail: int) -> str | None:
    """Whose a NIC of the shared site is, by the words of its intent."""
    if slot < 32:
        return "north"
    if slot < 48:
        return "south"
    return ("east" if rail < 4 else "west") if slot < 56 else None


def test_each_nic_is_in_the_vrf_of_its_tenant(sites: Sites) -> None:
    """And those of nobody are shut and have no address."""
    seen = 0
    for switch, text in sites["shared-backend-512", "base"].switches().items():
        for port, lines in stanzas(text).items():
            named = re.search(r"^description train-(\d+) SuperNIC \d rail (\d)$", "\n".join(lines), re.MULTILINE)
            if named is None:
                continue
            tenant = owner(int(named[1]), int(named[2]))
            assert [line for line in lines if line.startswith("vrf ")] == ([f"vrf {tenant}"] if tenant else []), port
            assert ("shutdown" in lines) == (tenant is None), (switch, port)
            assert any(line.startswith("ip address") for line in lines) == (tenant is not None), (switch, port)
            assert "mtu 9164" in lines, "9214 less 50 of VXLAN over IPv4 (RFC 7348)"
            seen += 1
    assert seen == 512


def test_a_leaf_has_the_vrfs_of_the_tenants_behind_it_alone(sites: Sites) -> None:
    """Two rails a leaf: east has rails 0-3, the first two leaves of the second unit."""
    wanted = {number: {"north"} for number in range(4)} | {
        number: {"south", "east" if number < 6 else "west"} for number in range(4, 8)
    }
    for number, tenants in wanted.items():
        text = sites["shared-backend-512", "base"].switches()[f"be-leaf-{number:03}"]
        assert set(re.findall(r"^   vxlan vrf (\S+) vni \d+$", text, re.MULTILINE)) == tenants
    texts = sites["shared-backend-512", "base"].switches().values()
    vnis = {pair for text in texts for pair in re.findall(r"vxlan vrf (\S+) vni (\d+)", text)}
    assert len(vnis) == len({vni for _, vni in vnis}) == 4


def test_what_the_site_vouches_for_is_one_fact_more_than_the_library_says(sites: Sites, tmp_path: Path) -> None:
    """And without it the intent is refused."""
    site, model = sites["shared-backend-512", "base"].site, "arista-7060x6-64pe"
    mine, ours = load_catalog(site / "hardware").switches[model], load_catalog(None).switches[model]
    assert mine.spellings == {**ours.spellings, "eos": {**ours.spellings["eos"], "vxlan_qos": "yes"}}
    assert "spellings.eos.vxlan_qos" in mine.unsure
    more = {"spellings", "sources", "unsure"}
    assert mine.model_dump(exclude=more) == ours.model_dump(exclude=more)
    shutil.copy(site / "intent.yaml", tmp_path)
    code, said = called("validate", tmp_path / "intent.yaml")
    assert code == 1
    assert "roce-over-vxlan" in said


@cache
def large() -> Plan:
    return open_workspace(INVENTORIES / LARGE / "intent.yaml").plan


def of_large(tier: Tier, at: int) -> Device:
    """The switch of a tier that has this number."""
    fabric: FabricPlan = large().fabrics["backend"]
    place = [place for place in places(fabric) if place.tier is tier][at]
    return resolve(make_site(large(), "backend"), place)


def test_three_tiers_have_half_the_switches_of_the_published_table() -> None:
    """DGX B200 SuperPOD prints 512, 512 and 256 for 16,384 GPUs on 64 ports; here R = 128, so 2 E/R, 2 E/R and E/R."""
    fabric = large().fabrics["backend"]
    found = Counter(place.tier for place in places(fabric))
    assert found == {Tier.LEAF: 512 // 2, Tier.SPINE: 512 // 2, Tier.SUPERSPINE: 256 // 2}
    assert (fabric.shape.pods, fabric.shape.core_links, fabric.shape.links) == (4, 32, 1)


def test_the_lock_of_three_tiers_is_complete() -> None:
    """Nothing is added to it: what `render --locked` asks, without the render."""
    recorded = (INVENTORIES / LARGE / "fabricgen.lock").read_text()
    assert write_lock(large().lock) == recorded


@pytest.mark.parametrize(
    ("tier", "at", "below", "above"),
    [(Tier.LEAF, 255, 64, 64), (Tier.SPINE, 64, 64, 64), (Tier.SUPERSPINE, 65, 128, 0)],
)
def test_every_port_of_some_switches_is_in_use(tier: Tier, at: int, below: int, above: int) -> None:
    device = of_large(tier, at)
    used = [row for row in device.interfaces.ethernet if row.peer]
    lower = ("train-",) if tier is Tier.LEAF else ("be-leaf-",) if tier is Tier.SPINE else ("be-spine-",)
    assert sum(row.peer.startswith(lower) for row in used) == below
    assert len(used) == below + above
    assert len({row.ipv4 for row in used}) == len(used)


def test_a_superspine_meets_the_same_spine_of_each_pod() -> None:
    """Number 65 is the second of group 32: spines 32, 96, 160 and 224, 32 links each."""
    peers = Counter(row.peer for row in of_large(Tier.SUPERSPINE, 65).interfaces.ethernet if row.peer)
    assert peers == {f"be-spine-{32 + 64 * pod:02}": 32 for pod in range(4)}


def test_the_benchmark_renders_a_part_of_the_largest() -> None:
    words = [sys.executable, str(ROOT / "bench/largest.py"), "--quick"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "20 switches (8 leaves, 8 spines, 4 superspines)" in found.stdout


PAGES = tuple((INVENTORIES / name / "README.md") for name in (*SMALL, LARGE))
TYPED = re.compile(r"^ {4}(fabricgen \S.*)$", re.MULTILINE)
SHOWN = re.compile(r"^```console\n\$ (fabricgen .*)\n((?:.*\n)*?)```$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_a_page_names_verbs_options_and_files_that_exist(page: Path) -> None:
    text = page.read_text()
    assert len(TYPED.findall(text)) > 2
    for line in TYPED.findall(text):
        words = shlex.split(line)
        command = main.get_command(main.make_context("fabricgen", [words[1]]), words[1])
        assert words[1] in VERBS
        if isinstance(command, Group):
            command = command.commands[words[2]]
        known = {option for found in (command.params if command else ()) for option in found.opts}
        own = words[: words.index("--")] if "--" in words else words
        assert {word for word in own if word.startswith("-")} <= known, line
    named = set(re.findall(r"\b(?:inventories|docs|tests)/[\w./-]*\w", text))
    assert not [name for name in named if not (ROOT / name).exists()]


@pytest.mark.parametrize("page", some(PAGES, of=2), ids=lambda page: page.parent.name)
def test_what_a_page_shows_is_what_is_said(page: Path) -> None:
    """Each line shown is one of the command's; blanks do not count."""
    shown = SHOWN.findall(page.read_text())
    assert shown
    for command, lines in shown:
        _, said = called(*(word.replace("inventories/", f"{INVENTORIES}/") for word in shlex.split(command)[1:]))
        real = {" ".join(line.split()) for line in said.splitlines()}
        wanted = [" ".join(line.split()) for line in lines.splitlines()]
        assert wanted
        assert not [line for line in wanted if line not in real], command


def test_every_site_is_in_the_list() -> None:
    listed = set(re.findall(r"^\| `([\w-]+)` \|", (ROOT / "docs/sites.md").read_text(), re.MULTILINE))
    assert listed == {path.name for path in INVENTORIES.iterdir() if path.is_dir()}


@pytest.mark.parametrize("name", [*SMALL, LARGE])
def test_a_site_to_start_from_has_the_newest_defaults_and_waives_nothing(name: str) -> None:
    """Whoever copies one gets what the makers publish, and no version of before."""
    folder = Path(__file__).parents[2] / "inventories" / name
    intent = yaml.safe_load((folder / "intent.yaml").read_text())
    lock = yaml.safe_load((folder / "fabricgen.lock").read_text())
    assert intent["defaults"] == lock["defaults"] == NEWEST
    assert "waivers" not in intent
    assert all("ecn" not in fabric.get("roce", {}) for fabric in intent["fabrics"].values())


def test_the_page_has_the_mtu_of_the_ports_of_a_shared_backend() -> None:
    """VXLAN takes 50 octets (RFC 7348: 8, UDP 8, IPv4 20, Ethernet 14) behind the ports of servers."""
    code, said = called("plan", INVENTORIES / "shared-backend-512/intent.yaml")
    assert code == 0
    assert "MTU           9214 on fabric ports, 9164 on server ports, 9000 on server NICs" in said


def test_a_figure_of_power_that_no_switch_has_is_unknown() -> None:
    """Dell publishes what is typical of the Z9864F, and no maximum was found."""
    code, said = called("plan", INVENTORIES / "mi300x-1k/intent.yaml")
    assert code == 0
    assert "switches 36.0 kW (unsure) typical, unknown maximum (excluding 24 switches without a" in said
