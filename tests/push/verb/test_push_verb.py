"""`fabricgen push` as it is typed: what is refused before any switch is asked, and what is said then."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.push import run as push_run
from fabricgen.operation.push import permission
from fabricgen.platforms.commit_profiles import commit_profile_of
from tests.push.eos.test_push_eos import FAST
from tests.push.eos_fabric import ENVIRONMENT, INTENT, NAMES, RAW, Fabric, fabric, inventory, rendered

Push = Callable[..., Result]
HEAVY = {"jinja2", "netaddr", "napalm", "netmiko", "nornir", "rich", "pyeapi", "sqlite3"}


@pytest.fixture
def intent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An intent, and an inventory of its switches, none of which is there: whoever asks one fails."""
    path = tmp_path / "intent.yaml"
    path.write_text(INTENT)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/authority.pem").write_text("")
    inventory(tmp_path / "site", dict.fromkeys(NAMES, 1))
    (tmp_path / "site/defaults.yaml").write_text('username: push\npassword: "${env:EOS_PASSWORD}"\n')
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    return path


@pytest.fixture
def push(tmp_path: Path, intent: Path) -> Push:
    """Run the verb in this process; a traceback fails the test."""

    def call(*words: object) -> Result:
        given = ["push", str(intent), "-i", str(tmp_path / "site"), *map(str, words)]
        return CliRunner().invoke(main, given, catch_exceptions=False)

    return call


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--approval", "0123456789abcdef"), "--approval requires --commit"),
        (("--show", "--commit"), "use either --show or --commit"),
        (("--floor", "most"), "'most' is not a share: write one as 3/4"),
        (("--floor", "1/0"), "'1/0' is not a share: write one as 3/4"),
        (("--floor", "5/4"), "5/4 is not between 0 and 1"),
        (("--floor", "-1/4"), "-1/4 is not between 0 and 1"),
        (("--wave", "0"), "--wave"),
        (("--workers", "513"), "--workers"),
        (("--quiet-below", "0"), "--quiet-below"),
        (("--until", "soon"), "'soon' is not a time: write 05:00, or 2026-12-20T05:00+01:00"),
        (("--until", "25:00"), "'25:00' is not a time"),
        (("--until", "2020-12-20T05:00+01:00"), "2020-12-20T05:00+01:00 is in the past"),
        (("--soak", "-1"), "--soak"),
        (("--frobnicate",), "--frobnicate"),
    ],
)
def test_what_is_typed_wrong_is_a_usage_error(push: Push, words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    result = push(*words)
    assert result.exit_code == 2
    assert told in result.stderr
    assert not list((tmp_path / "site").glob("push.sqlite*"))


def test_an_inventory_has_to_be_named() -> None:
    result = CliRunner().invoke(main, ["push", "intent.yaml"])
    assert result.exit_code == 2
    assert "--inventory" in result.stderr


def test_an_inventory_that_is_not_there_is_said(tmp_path: Path, intent: Path) -> None:
    result = CliRunner().invoke(main, ["push", str(intent), "-i", str(tmp_path / "none")], catch_exceptions=False)
    assert result.exit_code == 1
    assert str(tmp_path / "none") in result.output


def test_an_intent_with_mistakes_is_said_with_its_lines(push: Push, intent: Path) -> None:
    intent.write_text(INTENT.replace("rails_per_leaf: 2", "rails_per_leaf: 3"))
    result = push()
    assert result.exit_code == 1
    assert "odd-rails" in result.output
    assert "intent.yaml:" in result.output


def test_a_pattern_that_fits_no_switch_is_said(push: Push) -> None:
    result = push("--devices", "xx-*")
    assert result.exit_code == 1
    assert "devices-none" in result.output


def test_a_secret_that_is_missing_is_named_with_what_to_type(push: Push, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADMIN_HASH")
    result = push("--commit", "--i-have-tested-this")
    assert result.exit_code == 1
    assert "secret-missing]: the secret ${env:ADMIN_HASH} is missing" in result.output
    assert "export ADMIN_HASH=…" in result.output


def test_a_secret_that_would_be_two_words_is_refused_and_not_told(push: Push, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_HASH", "c4n4ry nopassword")
    result = push()
    assert result.exit_code == 1
    assert "secret-shape" in result.output
    assert "c4n4ry" not in result.output


@pytest.mark.parametrize("words", [(), ("--commit", "--i-have-tested-this")])
def test_a_password_where_a_hash_must_be_is_refused_before_a_switch_is_asked(
    push: Push, intent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("ADMIN_HASH", "c4n4ry-hunter2")
    result = push(*words)
    assert result.exit_code == 1
    assert (
        f"{intent}:8:50: error[secret-shape]: the secret ${{env:ADMIN_HASH}} is not a valid `users.*." in result.output
    )
    assert 'fix: export ADMIN_HASH="$(openssl passwd -6)"' in result.output
    assert "c4n4ry" not in result.output
    assert not list((tmp_path / "site").glob("push.sqlite*"))


def test_a_platform_that_only_doubles_have_proven_is_refused_and_told_why(push: Push, tmp_path: Path) -> None:
    result = push("--commit")
    assert result.exit_code == 1
    assert "error[push-unproven]: push to Arista EOS was tested on simulated switches only" in result.output
    assert "--i-have-tested-this" in result.output
    assert "--devices NAME" in result.output
    assert not list((tmp_path / "site").glob("push.sqlite*"))


def test_switches_that_do_not_answer_are_named_and_nothing_is_changed(push: Push) -> None:
    for words in ((), ("--commit", "--i-have-tested-this")):
        result = push(*words)
        assert result.exit_code == 5
        assert "6 of 6 switches cannot be pushed to; nothing was changed" in result.stderr
        assert [line.split(":")[0] for line in result.stderr.splitlines()[:6]] == sorted(NAMES)


def test_a_journal_that_is_no_journal_is_refused_and_left_as_it_is(push: Push, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("shopping: milk, 32 optics\n" * 100)
    for words in ((), ("--show",), ("--commit", "--i-have-tested-this")):
        result = push("--journal", path, *words)
        assert result.exit_code == 1
        assert "journal-foreign" in result.output
    assert path.read_text() == "shopping: milk, 32 optics\n" * 100
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE optics (name TEXT)")
    database.close()
    assert "journal-foreign" in push("--journal", other).output


def test_show_without_a_journal_says_so(push: Push, tmp_path: Path) -> None:
    result = push("--show")
    assert result.exit_code == 1
    assert "journal-read" in result.output
    assert not list((tmp_path / "site").glob("push.sqlite*"))


def test_show_of_a_journal_without_a_run_says_so(push: Push) -> None:
    assert push().exit_code == 5  # which makes the journal, and nobody answers
    result = push("--show")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "no push is recorded in" in result.stderr
    assert json.loads(push("--show", "--json").stdout) == {"schema_version": 0, "run": None}


def test_problems_as_json(push: Push, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADMIN_HASH")
    result = push("--json")
    assert result.exit_code == 1
    assert "secret-missing" in json.dumps(json.loads(result.stdout))


def test_help_imports_nothing_heavy() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "fabricgen", "push", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in result.stderr.splitlines()}
    assert "click" in imported
    assert not imported & HEAVY
    assert "--i-have-tested-this" in result.stdout


@pytest.fixture
def site(tmp_path: Path, intent: Path) -> Iterator[Fabric]:
    """Switches that run what the intent says: doubles."""
    with fabric(tmp_path / "doubles", rendered(intent)) as found:
        yield found


@pytest.fixture
def live(tmp_path: Path, intent: Path, site: Fabric, monkeypatch: pytest.MonkeyPatch) -> Push:
    """Run the verb against those, without the waits that only real switches need."""
    del site
    monkeypatch.setattr(push_run, "RunSettings", FAST)

    def call(*words: object) -> Result:
        given = ["push", str(intent), "-i", str(tmp_path / "doubles"), *map(str, words)]
        return CliRunner().invoke(main, given, catch_exceptions=False)

    return call


LEAF_RAW = RAW.replace("role: spine", "role: leaf")


def test_what_interrupts_servers_is_refused_with_all_that_could_be_done(live: Push, intent: Path) -> None:
    intent.write_text(LEAF_RAW)
    result = live()
    assert result.exit_code == 1
    assert result.output.count("push-interrupts") == 4
    for word in ("--drained-hosts FILE", "--accept-loss be-leaf-000", "train[0-1]", "4 GPUs of 2 servers"):
        assert word in result.output


def test_a_loss_is_accepted_by_exact_name_and_a_slip_names_the_nearest(live: Push, intent: Path) -> None:
    intent.write_text(LEAF_RAW)
    slip = live("--devices", "be-leaf-000", "--accept-loss", "be-leaf-00")
    assert slip.exit_code == 1
    assert "push-accept-unknown]: --accept-loss names be-leaf-00," in slip.output
    assert "did you mean be-leaf-000?" in slip.output
    other = live("--devices", "be-leaf-000", "--accept-loss", "be-leaf-001")
    assert "push-accept-unknown" in other.output
    assert live("--devices", "be-leaf-000", "--accept-loss", "be-leaf-000").exit_code == 3


def test_a_list_of_drained_hosts_is_read_line_by_line(live: Push, intent: Path, tmp_path: Path) -> None:
    intent.write_text(LEAF_RAW)
    hosts = tmp_path / "hosts"
    hosts.write_text("# of the scheduler\ntrain-000\n\n train-001 # since noon\n")
    result = live("--devices", "be-leaf-000", "--drained-hosts", hosts)
    assert result.exit_code == 3, result.output
    assert "its hosts are drained" in result.output
    assert f"--drained-hosts {hosts}" in result.output
    hosts.write_text("train-000\n")
    assert "push-interrupts" in live("--devices", "be-leaf-000", "--drained-hosts", hosts).output


@pytest.mark.parametrize("octets", [None, b"\xff\xfe\x00"], ids=["none", "no text"])
def test_a_list_of_hosts_that_can_not_be_read_is_said(
    live: Push, intent: Path, tmp_path: Path, octets: bytes | None
) -> None:
    intent.write_text(LEAF_RAW)
    hosts = tmp_path / "hosts"
    if octets is not None:
        hosts.write_bytes(octets)
    result = live("--drained-hosts", hosts)
    assert result.exit_code == 1
    assert f"hosts-file]: {hosts} cannot be read" in result.output


def test_a_floor_that_no_spine_keeps_is_said_with_the_one_that_all_do(live: Push, intent: Path) -> None:
    intent.write_text(RAW)
    result = live("--floor", "3/4")
    assert result.exit_code == 1
    assert "push-floor]" in result.output
    assert "--floor 1/2" in result.output  # one of two spines
    assert live("--floor", "1/2").exit_code == 3


def test_what_would_change_as_json(live: Push, intent: Path) -> None:
    assert json.loads(live("--json").stdout)["approval"] is None
    intent.write_text(RAW)
    result = live("--json")
    assert result.exit_code == 3
    told = json.loads(result.stdout)
    assert sorted(told) == ["approval", "difference", "forecast", "notes", "schema_version", "switches", "waves"]
    assert [wave["number"] for wave in told["forecast"]["waves"]] == [1, 2]
    assert [(pace["driver"], pace["source"]) for pace in told["forecast"]["paces"]] == [("eos", "assumed")]
    assert told["forecast"]["summary"] in live().output
    assert len(told["approval"]) == 16
    assert [wave["devices"] for wave in told["waves"]] == [["be-spine-01"], ["be-spine-00"]]
    assert [(wave["number"], wave["canary"], wave["keeps"]) for wave in told["waves"]] == [
        (1, True, "1/2"), (2, False, "1/2")
    ]  # fmt: skip
    assert [(one["device"], one["need"], one["risk"]) for one in told["switches"]] == [
        ("be-spine-00", "drain", "unknown"), ("be-spine-01", "drain", "unknown")
    ]  # fmt: skip


def test_an_approval_that_no_dry_run_gave_is_refused(live: Push, intent: Path) -> None:
    intent.write_text(RAW)
    result = live("--commit", "--i-have-tested-this", "--approval", "0123456789abcdef")
    assert result.exit_code == 1
    assert "approval-unknown" in result.output


def test_another_switch_that_answers_is_refused(live: Push, site: Fabric, intent: Path, tmp_path: Path) -> None:
    ports = {name: box.port for name, box in site.switches.items()}
    swapped = ports | {"be-spine-00": ports["be-spine-01"], "be-spine-01": ports["be-spine-00"]}
    inventory(tmp_path / "doubles", swapped)
    result = live("--commit", "--i-have-tested-this")
    assert result.exit_code == 1
    assert "push-stranger]: the switch at the address of be-spine-00 has the hostname be-spine-01" in result.output
    assert not any(" commit" in one for name in NAMES for one in site.asked(name))


def test_what_does_not_go_back_by_itself_is_refused_whatever_is_said(
    push: Push, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a driver without a timer; none of the platforms that are rendered for has one."""
    monkeypatch.setattr(permission, "commit_profile_of", lambda driver: commit_profile_of(driver)._replace(timed=False))
    result = push("--commit", "--i-have-tested-this")
    assert result.exit_code == 1
    assert "error[push-untimed]: Arista EOS has no commit that reverts" in result.output


def test_what_is_said_to_run_and_can_not_be_read_is_told(push: Push, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/intent.yaml").write_text("fabricgen: 1\nsite: [")
    result = push("--against", tmp_path / "old/intent.yaml")
    assert result.exit_code == 1
    assert "error[against-unread]" in result.output


FROZEN = 'freeze: [{from: "2020-01-01T00:00Z", until: "2999-01-01T00:00Z", why: "the exam week"}]\n'


def test_in_a_freeze_a_commit_is_refused_and_a_dry_run_is_told(live: Push, intent: Path, tmp_path: Path) -> None:
    (tmp_path / "doubles/push.yaml").write_text(FROZEN)
    intent.write_text(RAW)
    shown = live()
    assert shown.exit_code == 3
    assert "note: changes are frozen until 2999-01-01 00:00 +0000: the exam week; --commit is refused" in shown.output
    refused = live("--commit", "--i-have-tested-this")
    assert refused.exit_code == 1
    assert "[push-frozen]: changes are frozen until 2999-01-01 00:00 +0000: the exam week" in refused.output
    assert "--in-freeze" in refused.output
    assert "no push is recorded in" in live("--show").output
    done = live("--commit", "--i-have-tested-this", "--in-freeze", "a leaf is on fire")
    assert done.exit_code == 0, done.output
    assert "the exam week; continuing: a leaf is on fire" in done.output
    assert "freeze ended: the exam week, until 2999" in live("--show", "-v").output


def test_a_mistake_in_the_rules_is_told_with_its_place_before_a_switch_is_asked(push: Push, tmp_path: Path) -> None:
    (tmp_path / "site/push.yaml").write_text("soak: 60\nfreze: []\n")
    result = push()
    assert result.exit_code == 1
    assert "site/push.yaml:2:1: error[unknown-key]" in result.output
    assert "did you mean freeze?" in result.output


def test_a_hook_of_the_inventory_is_told_and_may_refuse(live: Push, intent: Path, tmp_path: Path) -> None:
    folder, told = tmp_path / "doubles", tmp_path / "told"
    (folder / "push.yaml").write_text(
        f"hooks: {{wave-begins: {{command: [sh, -c, 'cat >>{told}; echo no; exit 9']}}}}\n"
    )
    intent.write_text(RAW)
    result = live("--commit", "--i-have-tested-this")
    assert result.exit_code == 130
    assert "the hook wave-begins stopped it: it ended with 9: no" in result.output
    said = json.loads(told.read_text())
    assert (said["event"], said["wave"], said["schema_version"]) == ("wave-begins", 1, 0)
    assert said["switches"] == ["be-spine-01"]
    assert not any(value in told.read_text() for value in ENVIRONMENT.values())
