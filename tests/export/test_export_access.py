"""Who can enter the nodes of a topology: what README.md says to type, and how the inventory logs in.

Sources: containerlab docs/manual/kinds/frr.md and FRRouting/frr docker/containerlab/README.md: plain images have no SSH
server; those tagged containerlab-… take the host's keys for root, which has no password; admin's shell is vtysh.
"""

import json
from pathlib import Path

import pytest

from fabricgen.lab.model.containers import subset_and_release
from fabricgen.verify.collect.connection import connection
from fabricgen.verify.collect.inventory import read_inventory
from tests.export.conftest import SMALL, Run

VERIFY, PASSWORD = "    fabricgen verify intent.yaml -i inventory", "    export SWITCH_PASSWORD=…"
CLOSED = "`fabricgen verify` cannot enter FRR on Linux here"
OPEN_IMAGE = "frrouting/frr:containerlab-10.7.1"


def _export(run: Run, intent: Path, *words: str) -> tuple[Path, str, list[str]]:
    """Export: the folder, its README, and reasons for which nobody can log in."""
    out = intent.parent.parent / "lab"
    result = run("export", "containerlab", intent, "-o", out, "--subset", SMALL, "--json", *words)
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["skipped"]
    return out, (out / "README.md").read_text(), [row["reason"] for row in rows if row["feature"] == "login"]


@pytest.mark.parametrize(
    ("image", "release"),
    [
        ("", "0.79"),
        ("", "0.81"),
        ("frrouting/frr", "0.81"),
        ("mirror.example:5000/frrouting/frr:v8.4.2", "0.80"),
        (OPEN_IMAGE, "0.79"),
    ],
)
def test_nobody_is_told_to_enter_what_is_closed(frr: Path, run: Run, image: str, release: str) -> None:
    """Kind linux of 0.79 hands out no keys, whatever the image has."""
    words = ("--image", f"frr={image}") if image else ()
    _, readme, closed = _export(run, frr, "--containerlab", release, *words)
    assert "fabricgen verify intent.yaml" not in readme
    assert PASSWORD not in readme
    assert CLOSED in readme
    assert len(closed) == 1
    assert closed[0] in readme


@pytest.mark.parametrize(
    ("image", "release"),
    [
        (OPEN_IMAGE, "0.80"),
        (f"mirror.example:5000/{OPEN_IMAGE}", "0.81"),
        ("mine/frr-ssh:1", "0.81"),
        ("mine/frr-ssh:1", "0.79"),
    ],
)
def test_root_enters_by_key_where_there_is_an_ssh_server(frr: Path, run: Run, image: str, release: str) -> None:
    _, readme, closed = _export(run, frr, "--containerlab", release, "--image", f"frr={image}")
    assert VERIFY in readme.splitlines()
    assert PASSWORD not in readme
    assert "root" in readme
    assert (CLOSED in readme, closed) == (False, [])


def test_frr_is_given_no_password(frr: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver tries keys where it has no password (napalm_frr/ssh.py); nothing has to be exported for that."""
    monkeypatch.delenv("SWITCH_PASSWORD", raising=False)
    out, _, _ = _export(run, frr, "--image", f"frr={OPEN_IMAGE}")
    found = read_inventory(out / "inventory")
    assert subset_and_release(found.nornir.defaults.data)
    for host in found.nornir.hosts.values():
        given = connection(out / "inventory", host)
        assert (given.username, given.password) == ("root", None)


def test_a_password_is_asked_where_the_configuration_has_users(eos: Path, run: Run) -> None:
    out, readme, closed = _export(run, eos)
    lines = readme.splitlines()
    assert lines.index(PASSWORD) + 1 == lines.index(VERIFY)
    assert closed == []
    host = read_inventory(out / "inventory").nornir.hosts["be-leaf-000"]
    assert (host.username, host.password) == ("admin", "${env:SWITCH_PASSWORD}")


@pytest.mark.parametrize("image", ["", OPEN_IMAGE])
def test_two_platforms_have_each_their_own_way(frr: Path, run: Run, image: str) -> None:
    """A backend of EOS beside a frontend of FRR: the password is for EOS alone."""
    backend, mark, rest = frr.read_text().partition("  frontend:\n    kind")
    users = 'overrides: {backend: {management: {users: {admin: {password: "${env:ADMIN_HASH}"}}}}}\n'
    frr.write_text(backend.replace("os: frr-8.4", "os: eos-4.34") + mark + rest + users)
    out, readme, closed = _export(run, frr, *(("--image", f"frr={image}") if image else ()))
    assert {PASSWORD, VERIFY} <= set(readme.splitlines())
    assert (CLOSED in readme) == (not image) == bool(closed)
    hosts = read_inventory(out / "inventory").nornir.hosts
    assert (hosts["fe-leaf-000"].username, hosts["fe-leaf-000"].password) == ("root", None)
    assert (hosts["be-leaf-000"].username, hosts["be-leaf-000"].password) == ("admin", "${env:SWITCH_PASSWORD}")
