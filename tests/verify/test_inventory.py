"""A Nornir inventory as a user writes it: what is read, and what is refused with its place."""

import os
from pathlib import Path

import pytest

from fabricgen.errors import Problem
from fabricgen.operation.intended import intended, read_plan
from fabricgen.source.report import report
from fabricgen.verify.collect.connection import NAPALM, connection
from fabricgen.verify.collect.inventory import InventoryError, read_inventory
from fabricgen.verify.collect.inventory_faults import check_hosts
from tests.verify.doubles import targets

DEMO = Path(__file__).parents[2] / "inventories/demo"
CANARY = "c4n4ry-7f3a9"

GOOD = {
    "hosts.yaml": "one: {hostname: 192.0.2.1, groups: [leaf]}\ntwo: {hostname: 192.0.2.2, groups: [leaf]}\n",
    "groups.yaml": 'leaf: {groups: [all], password: "${env:LEAF_PASSWORD}"}\nall: {platform: double}\n',
    "defaults.yaml": "username: verify\ndata: {site: dc1}\n",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def refused(folder: Path, *, known: tuple[str, ...] = ("one", "two", "three")) -> tuple[tuple[Problem, ...], str]:
    """The problems of an inventory that is read and held against a plan, and how they are told."""
    with pytest.raises(InventoryError) as caught:
        check_hosts(read_inventory(folder), targets("one", "two"), known)
    return caught.value.problems, report(caught.value.problems, *caught.value.documents)


def test_what_nornir_makes_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAF_PASSWORD", CANARY)
    site = read_inventory(write(tmp_path, GOOD))
    check_hosts(site, targets("one", "two"), ["one", "two"])
    host = site.nornir.hosts["two"]
    assert (host.hostname, host.platform, host.username, host["site"]) == ("192.0.2.2", "double", "verify", "dc1")
    assert host.password == "${env:LEAF_PASSWORD}"  # noqa: S105 - a reference
    assert [group.name for group in host.extended_groups()] == ["leaf", "all"]
    found = connection(tmp_path, host)
    assert (found.password, found.secrets) == (CANARY, (CANARY,))
    assert site.lab is None


def test_hosts_alone_are_enough(tmp_path: Path) -> None:
    (tmp_path / "hosts.yaml").write_text("one: {hostname: 192.0.2.1, platform: double}\ntwo:\n")
    site = read_inventory(tmp_path)
    check_hosts(site, targets("one"), ["one", "two"])
    assert list(site.nornir.hosts) == ["one", "two"]


def test_secrets_deep_in_options_and_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A", "first")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets/b").write_text("second\n")
    extras = '{optional_args: {secret: "${file:secrets/b}", token: "${env:A}", words: ["x${env:A}"]}}'
    (tmp_path / "hosts.yaml").write_text(
        f"one: {{hostname: h, platform: double, connection_options: {{napalm: {{extras: {extras}}}}}}}\n"
    )
    site = read_inventory(tmp_path)
    check_hosts(site, targets("one"), ["one"])
    found = connection(tmp_path, site.nornir.hosts["one"])
    optional = found.extras["optional_args"]
    assert isinstance(optional, dict)
    assert (optional["secret"], optional["token"], optional["words"]) == ("second", "first", ["x${env:A}"])
    assert found.secrets == ("second", "first")


@pytest.mark.parametrize(
    "text",
    [
        'one: {hostname: "${env:A}", platform: double}\n',
        'one: {hostname: h, platform: double, username: "${env:A}"}\n',
        "one: {hostname: h, platform: double,"
        ' connection_options: {napalm: {extras: {optional_args: {note: "${env:A}"}}}}}\n',
    ],
)
def test_a_reference_that_is_no_secret_is_named_and_never_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("A", "c4n4ry")
    (tmp_path / "hosts.yaml").write_text(text)
    site = read_inventory(tmp_path)
    with pytest.raises(InventoryError) as caught:
        check_hosts(site, targets("one"), ["one"])
    assert [problem.code for problem in caught.value.problems] == ["inventory-reference"]
    assert caught.value.problems[0].at is not None
    assert "c4n4ry" not in repr(connection(tmp_path, site.nornir.hosts["one"]))


def test_what_is_the_users_own_data_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "hosts.yaml").write_text('one: {hostname: h, platform: double, data: {note: "${env:NOWHERE}"}}\n')
    check_hosts(read_inventory(tmp_path), targets("one"), ["one"])


def test_a_file_of_a_secret_lies_in_the_folder_of_the_inventory(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("c4n4ry")
    site = tmp_path / "site"
    site.mkdir()
    (site / "key").symlink_to("../outside")
    (site / "hosts.yaml").write_text('one: {hostname: h, platform: double, password: "${file:key}"}\n')
    with pytest.raises(InventoryError) as caught:
        check_hosts(read_inventory(site), targets("one"), ["one"])
    assert [problem.code for problem in caught.value.problems] == ["secret-missing"]
    assert "outside" in caught.value.problems[0].why


def test_a_lab_says_so(tmp_path: Path) -> None:
    text = "data: {lab: {name: dc1, subset: units=1, intent: intent.yaml}}\n"
    site = read_inventory(write(tmp_path, GOOD | {"defaults.yaml": text}))
    assert site.lab == {"name": "dc1", "subset": "units=1", "intent": "intent.yaml"}


@pytest.mark.parametrize(
    ("file", "text", "code", "place"),
    [
        ("hosts.yaml", "one: {hostnam: 192.0.2.1}\n", "unknown-key", "hosts.yaml:1:7"),
        ("hosts.yaml", "one: {port: many}\n", "wrong-type", "hosts.yaml:1:13"),
        ("hosts.yaml", "one: [\n", "yaml-syntax", "hosts.yaml:2:1"),
        ("hosts.yaml", "one: {hostname: a, groups: [leaff]}\n", "inventory-group", "hosts.yaml:1:29"),
        ("groups.yaml", "leaf: {groups: [non]}\n", "inventory-group", "groups.yaml:1:17"),
        ("groups.yaml", "leaf: {groups: [all]}\nall: {groups: [leaf]}\n", "inventory-circle", "groups.yaml:1:1"),
        ("groups.yaml", "leaf: {groups: [leaf]}\n", "inventory-circle", "groups.yaml:1:1"),
        ("defaults.yaml", "user: verify\n", "unknown-key", "defaults.yaml:1:1"),
        ("hosts.yaml", "onee: {hostname: a, platform: double}\n", "inventory-host", "hosts.yaml:1:1"),
        ("hosts.yaml", "one: {hostname: a, platform: eos}\n", "inventory-platform", "hosts.yaml:1:30"),
        ("hosts.yaml", "one: {hostname: a}\n", "inventory-platform", "hosts.yaml:1:1"),
        ("hosts.yaml", "two:\n  platform: double\n", "inventory-address", "hosts.yaml:1:1"),
        ("defaults.yaml", 'password: "${env:NOT_THERE_7F3}"\n', "secret-missing", "defaults.yaml:1:11"),
        (
            "groups.yaml",
            'leaf: {platform: double, password: "${file:nowhere}"}\n',
            "secret-missing",
            "groups.yaml:1:36",
        ),
        (
            "defaults.yaml",
            "connection_options: {napalm: {extras: {optional_args: {ca_file: none.pem}}}}\n",
            "inventory-authority",
            "defaults.yaml:1:65",
        ),
        (
            "defaults.yaml",
            "connection_options: {napalm: {extras: {optional_args: {ca_file: hosts.yaml}}}}\n",
            "inventory-authority",
            "defaults.yaml:1:65",
        ),
    ],
)
def test_what_is_refused_and_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, code: str, place: str
) -> None:
    monkeypatch.setenv("LEAF_PASSWORD", CANARY)
    problems, told = refused(write(tmp_path, GOOD | {file: text}))
    assert code in [problem.code for problem in problems], told
    assert f"{tmp_path}/{place}: error[{code}]" in told


def test_a_folder_without_hosts(tmp_path: Path) -> None:
    problems, _ = refused(tmp_path)
    assert [problem.code for problem in problems] == ["file-missing"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("defaults.yaml", f"password: {CANARY}\n"),
        ("hosts.yaml", f"one: {{hostname: a, password: '{CANARY}'}}\n"),
        ("hosts.yaml", f"data: {{hostname: a, password: '{CANARY}'}}\n"),
        ("groups.yaml", f"leaf: {{connection_options: {{napalm: {{password: {CANARY}}}}}}}\n"),
        (
            "groups.yaml",
            f"leaf: {{connection_options: {{napalm: {{extras: {{optional_args: {{secret: {CANARY}}}}}}}}}}}\n",
        ),
        ("defaults.yaml", f"password: |\n  {CANARY}\n  more of it\nusername: x\n"),
        ("defaults.yaml", f"password:\n  {CANARY}\n"),
        ("defaults.yaml", f"password: [{CANARY}]\n"),
        ("defaults.yaml", f"password: '${{env:A}}{CANARY}'\n"),
    ],
)
def test_a_secret_written_out_is_refused_without_a_word_of_it(tmp_path: Path, file: str, text: str) -> None:
    _, told = refused(write(tmp_path, GOOD | {file: text}))
    assert ("error[wrong-type]" if "[" in text else "error[inventory-secret]") in told
    assert CANARY not in told
    assert "more of it" not in told


def test_a_reference_is_not_needed_for_a_switch_that_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LEAF_PASSWORD", raising=False)
    files = GOOD | {"hosts.yaml": f"{GOOD['hosts.yaml']}three: {{hostname: h, platform: double}}\n"}
    site = read_inventory(write(tmp_path, files))
    check_hosts(site, targets("three"), ["one", "two", "three"])
    problems, _ = refused(tmp_path)
    assert [problem.code for problem in problems] == ["secret-missing"]


def test_the_demos_inventory_names_its_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with the out-of-band address that its own configuration has."""
    monkeypatch.setenv("EOS_PASSWORD", CANARY)
    site = read_inventory(DEMO)
    meant = intended(read_plan(DEMO / "intent.yaml"), None, "*")
    check_hosts(site, meant.targets, [device.name for device in meant.devices])
    addresses = {device.name: str(device.management.address).partition("/")[0] for device in meant.devices}
    assert {name: host.hostname for name, host in site.nornir.hosts.items()} == addresses
    for device in meant.devices:
        assert {device.fabric, device.role} == {group.name for group in site.nornir.hosts[device.name].groups}
        found = connection(DEMO, site.nornir.hosts[device.name])
        assert (found.username, found.password) == ("verify", CANARY)
    assert NAPALM == "napalm"
    assert "EOS_PASSWORD" in os.environ
