"""A push that a second person approves: real ssh-keygen, doubles of EOS; and approvals that grow old.

The switches are asked without TLS: who signed does not depend on it, and test_push_eos.py has it.
"""

import json
import pwd
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.push import operator as push_who
from fabricgen.cli.push import run as push_run
from fabricgen.cli.push.operator import account, accounts
from fabricgen.push.journal.journal import read_journal
from fabricgen.push.model import Approval
from fabricgen.push.plan.signature import NAMESPACE, SignaturePolicy, expired
from tests.host import require
from tests.push.eos.test_push_eos import FAST
from tests.push.eos_fabric import ECN, ENVIRONMENT, INTENT, Fabric, fabric, rendered
from tests.some import LONG, some

BOB, ME = "bob@example.net", f"{account()}@example.net"
Push = Callable[..., Result]


class Site:
    """Switches, an inventory that asks for approvals, and who may sign."""

    def __init__(self, folder: Path, found: Fabric) -> None:
        self.folder, self.fabric = folder, found
        self.intent, self.inventory = folder / "intent.yaml", folder / "doubles"
        self.plain = (self.inventory / "defaults.yaml").read_text()
        for name in ("bob", "me", "mallory"):
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
            subprocess.run(words, check=True)
        rows = (f"{who} {(folder / f'{key}.pub').read_text()}" for who, key in ((BOB, "bob"), (ME, "me")))
        (self.inventory / "allowed_signers").write_text("".join(rows))
        self.asks("{signers: allowed_signers}")

    def asks(self, policy: str) -> None:
        """Write what the inventory asks for."""
        (self.inventory / "defaults.yaml").write_text(f"{self.plain}data: {{approval: {policy}}}\n")

    def push(self, *words: object) -> Result:
        """Run the verb."""
        against = ["--against", str(self.folder / "runs/intent.yaml")]
        given = ["push", str(self.intent), "-i", str(self.inventory), "--i-have-tested-this", *against]
        given += map(str, words)
        return CliRunner().invoke(main, given, catch_exceptions=False)

    def shown(self) -> str:
        """The approval of a dry run."""
        found = self.push("--json")
        assert found.exit_code == 3, found.output
        return str(json.loads(found.stdout)["approval"])

    def sign(self, approval: str, key: str, namespace: str = NAMESPACE) -> None:
        """As the dry run says it."""
        text = self.inventory / f"approval-{approval}.txt"
        Path(f"{text}.sig").unlink(missing_ok=True)
        words = ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(self.folder / key), str(text)]
        subprocess.run(words, check=True, capture_output=True)

    @property
    def changed(self) -> bool:
        """Whether anything was committed."""
        return any(" commit" in one for name in self.fabric.switches for one in self.fabric.asked(name))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    require("ssh-keygen")
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(push_run, "RunSettings", FAST)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/intent.yaml").write_text(INTENT)
    (tmp_path / "intent.yaml").write_text(INTENT)
    with fabric(tmp_path / "doubles", rendered(tmp_path / "intent.yaml"), is_tls=False) as found:
        (tmp_path / "intent.yaml").write_text(ECN)
        yield Site(tmp_path, found)


def refused(site: Site, code: str, *words: object) -> str:
    done = site.push("--commit", *words)
    assert (done.exit_code, f"error[{code}]" in done.stderr) == (1, True), done.output
    assert not site.changed
    return done.stderr


def test_what_a_second_person_signed_is_done_and_the_journal_says_who(site: Site) -> None:
    told = site.push().stderr
    assert f"ssh-keygen -Y sign -n {NAMESPACE} -f KEY {site.inventory}/approval-" in told
    approval = site.shown()
    site.sign(approval, "bob")
    assert site.shown() == approval  # the same again keeps the signature
    done = site.push("--commit", "--approval", approval[:8], "--json")
    assert done.exit_code == 0, done.output
    assert site.changed
    (event,) = [one for one in json.loads(done.stdout)["events"] if one["step"] == "approve"]
    assert event["detail"] == {"by": BOB}
    with read_journal(site.inventory / "push.sqlite") as journal:
        record = journal.last()
    assert record is not None
    assert record.events[0].detail == {"by": BOB}
    assert f"approve ended: signed by {BOB}" in site.push("--show", "-v").stdout


def test_what_nobody_signed_is_refused(site: Site) -> None:
    refused(site, "approval-missing")
    approval = site.shown()
    assert "there is no" in refused(site, "approval-unsigned", "--approval", approval)


def begun(site: Site, monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    """Leave a run in the journal as one that was killed before it had changed anything."""

    def killed(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(push_run, "push", killed)
        site.push("--commit", *words)
    with read_journal(site.inventory / "push.sqlite") as journal:
        assert journal.unfinished() is not None


@pytest.mark.parametrize("is_shown", some([True, False]))
def test_a_run_that_nobody_signed_does_not_go_on(
    site: Site, monkeypatch: pytest.MonkeyPatch, *, is_shown: bool
) -> None:
    """As one that somebody wrote into the journal: it stands there unfinished."""
    site.asks("{}")
    if is_shown:
        site.shown()
    begun(site, monkeypatch)
    site.asks("{signers: allowed_signers}")
    refused(site, "approval-unsigned")
    done = site.push("--commit", "--abandon")
    assert "error[approval-missing]" in done.stderr
    with read_journal(site.inventory / "push.sqlite") as journal:
        assert journal.unfinished() is None


@pytest.mark.long
def test_a_run_that_was_signed_goes_on_with_the_same_signature(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    approval = site.shown()
    site.sign(approval, "bob")
    begun(site, monkeypatch, "--approval", approval)
    signature = site.inventory / f"approval-{approval}.txt.sig"
    kept = signature.rename(site.folder / "kept.sig")
    assert "there is no" in refused(site, "approval-unsigned")
    kept.rename(signature)
    done = site.push("--commit")
    assert (done.exit_code, site.changed) == (0, True), done.output


@pytest.mark.parametrize(
    ("key", "namespace", "told"),
    some(
        [
            ("mallory", NAMESPACE, "by a signer in"),
            ("bob", "git", "is not a signature of this approval"),
            ("me", NAMESPACE, "who runs the push: another person has to sign"),
        ],
        of=2,
    ),
)
def test_a_signature_of_another_kind_or_person_is_refused(site: Site, key: str, namespace: str, told: str) -> None:
    approval = site.shown()
    site.sign(approval, key, namespace)
    assert told in refused(site, "approval-unsigned", "--approval", approval)


@pytest.mark.parametrize("said", some([str.upper, str.capitalize, str]))
def test_who_types_is_no_second_person_whatever_the_environment_says(
    site: Site, monkeypatch: pytest.MonkeyPatch, said: Callable[[str], str]
) -> None:
    for name in ("LOGNAME", "USER", "SUDO_USER"):
        monkeypatch.setenv(name, "mallory")
    signers = site.inventory / "allowed_signers"
    signers.write_text(signers.read_text().replace(ME, said(ME)))
    approval = site.shown()
    site.sign(approval, "me")
    assert "who runs the push: another person has to sign" in refused(site, "approval-unsigned", "--approval", approval)


def test_the_login_behind_sudo_is_no_second_person(site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    approval = site.shown()
    site.sign(approval, "bob")
    monkeypatch.setenv("SUDO_USER", "Bob")
    assert "is from bob@example.net, who runs" in refused(site, "approval-unsigned", "--approval", approval)
    monkeypatch.delenv("SUDO_USER")
    monkeypatch.setattr(push_who, "LOGIN", tmp_path / "loginuid")
    (tmp_path / "loginuid").write_text("1\n")
    one = pwd.getpwuid(1).pw_name
    assert one in accounts()
    (tmp_path / "loginuid").write_text(f"{2**32 - 1}\n")
    assert one not in accounts()
    assert account() in accounts()


def test_a_signature_of_something_else_is_refused(site: Site) -> None:
    other = site.shown()
    site.sign(other, "bob")
    signature = site.inventory / f"approval-{other}.txt.sig"
    site.intent.write_text(ECN.replace("640000", "650000"))
    approval = site.shown()
    assert approval != other
    refused(site, "approval-unsigned", "--approval", approval, "--signature", signature)
    (site.folder / "junk.sig").write_text("no signature\n")
    refused(site, "approval-unsigned", "--approval", approval, "--signature", site.folder / "junk.sig")


def test_the_text_beside_the_journal_is_not_believed(site: Site) -> None:
    approval = site.shown()
    text = site.inventory / f"approval-{approval}.txt"
    text.write_text(text.read_text().replace("be-spine-00 ", "be-spine-00 0"))
    site.sign(approval, "bob")
    refused(site, "approval-unsigned", "--approval", approval)


@pytest.mark.long
def test_an_approval_grows_old(site: Site) -> None:
    site.asks("{hours: 8}")
    refused(site, "approval-missing")
    approval = site.shown()
    site.asks("{hours: 0.000001}")
    told = refused(site, "approval-expired", "--approval", approval)
    assert "are valid for 1e-06 hours" in told
    site.asks("{hours: 8}")
    done = site.push("--commit", "--approval", approval)
    assert (done.exit_code, site.changed) == (0, True), done.output


@pytest.mark.parametrize(
    ("minutes", "holds"), [(481, False), (479, True), (-0.5, True), (-2, False), (-600_000, False)]
)
def test_an_approval_of_a_time_to_come_is_not_taken(minutes: float, *, holds: bool) -> None:
    """It would hold for as much longer: a clock was wrong when it was shown, or is now."""
    now = datetime(2026, 11, 28, 12, tzinfo=UTC)
    approval = Approval("0123456789abcdef", now - timedelta(minutes=minutes), {})
    found = expired(approval, SignaturePolicy(None, 8), now)
    assert [one.code for one in found] == ([] if holds else ["approval-expired"])
    assert all(("in the future" in one.what) is (minutes < 0) for one in found)
    assert expired(approval, SignaturePolicy(None, None), now) == ()


RULES = """\
soak: 1
freeze: [{from: "2998-12-20T18:00+01:00", until: "2999-01-04T06:00+01:00", why: year end}]
counters: {window: 1, limits: {crc: {revert: 5}}}
"""
UNFROZEN = RULES.replace("freeze", "freeze: []  #")
HITLESS = "interruption: {hitless: 5}"
LOOSE = ("revert: 5", "revert: 500000", "push.yaml: counters.limits.crc.revert was 5, and is 500000")
SHORTER = ("2999-01-04T06:00", "2998-12-21T00:00", "until 2999-01-04T06:00:00+01:00 (year end) no longer applies")
LONGER = (HITLESS, "interruption: {hitless: 50000}", "interruption: be-leaf-000.hitless was 5, and is 50000")


@pytest.mark.parametrize(
    ("change", "is_begun"),
    some([(LOOSE, False), (LONGER, False), (SHORTER, False), (SHORTER, True), (LOOSE, True)], of=6),
    ids=["limit", "interruption", "freeze", "killed, freeze", "killed"],
)
def test_who_changes_the_rules_of_a_push_behind_the_signature_is_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str, str], *, is_begun: bool
) -> None:
    """A second person has signed a push that goes back at 5 broken frames a second; not one that never does."""
    approval = ruled(site)
    site.sign(approval, "bob")
    if is_begun:
        begun(site, monkeypatch, "--approval", approval)
    old, new, told = change
    for path in (site.inventory / "push.yaml", site.inventory / "defaults.yaml"):
        path.write_text(path.read_text().replace(old, new))
    words = () if is_begun else ("--approval", approval)
    found = refused(site, "push-unfinished" if is_begun else "approval-rules", *words)
    assert told in found
    assert f"they are in {site.inventory / 'push.yaml'}" in found  # the file to open


def ruled(site: Site) -> str:
    """The approval of a dry run in an inventory with rules."""
    (site.inventory / "push.yaml").write_text(RULES)
    site.asks(f"{{signers: allowed_signers}}, {HITLESS}")
    return site.shown()


@LONG
def test_what_changes_no_rule_is_no_matter_of_an_approval(site: Site) -> None:
    approval = ruled(site)
    assert '"push.yaml": {"counters"' in (site.inventory / f"approval-{approval}.txt").read_text()
    site.sign(approval, "bob")
    more = '[{from: "2020-01-01T00:00+00:00", until: "2020-01-02T00:00+00:00", why: over}, {from'
    (site.inventory / "push.yaml").write_text(f"# as last year\n{RULES.replace('[{from', more)}")
    assert site.shown() == approval  # it keeps its signature
    done = site.push("--commit", "--approval", approval)
    assert (done.exit_code, site.changed) == (0, True), done.output


@pytest.mark.parametrize("said", some([{"freeze": []}, {}]))
def test_the_freezes_of_the_journal_are_not_believed(site: Site, said: dict[str, object]) -> None:
    """Who types a push may write to its journal."""
    approval = ruled(site)
    site.sign(approval, "bob")
    (site.inventory / "push.yaml").write_text(UNFROZEN)
    with closing(sqlite3.connect(site.inventory / "push.sqlite")) as database:
        (text,) = database.execute("SELECT terms FROM terms").fetchone()
        terms = json.loads(text)
        assert terms.pop("freeze")
        database.execute("UPDATE terms SET terms = ?", (json.dumps({**terms, **said}),))
        database.commit()
    refused(site, "approval-unsigned", "--approval", approval)


@LONG
def test_a_freeze_that_was_lifted_before_a_run_began_is_no_rule_of_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dry run of the same push was in front of that."""
    site.asks("{}")
    (site.inventory / "push.yaml").write_text(RULES)
    site.shown()
    (site.inventory / "push.yaml").write_text(UNFROZEN)
    begun(site, monkeypatch)
    done = site.push("--commit")
    assert (done.exit_code, site.changed) == (0, True), done.output


def test_a_freeze_that_came_before_a_run_began_is_a_rule_of_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.asks("{}")
    (site.inventory / "push.yaml").write_text(UNFROZEN)
    site.shown()
    (site.inventory / "push.yaml").write_text(RULES)
    begun(site, monkeypatch)
    (site.inventory / "push.yaml").write_text(UNFROZEN)
    assert SHORTER[2] in refused(site, "push-unfinished")


def test_a_freeze_that_was_signed_is_a_rule_of_the_run_whatever_the_journal_has_of_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    approval = ruled(site)
    site.sign(approval, "bob")
    begun(site, monkeypatch, "--approval", approval)
    (site.inventory / "push.yaml").write_text(UNFROZEN)
    with closing(sqlite3.connect(site.inventory / "push.sqlite")) as database:
        database.execute("DELETE FROM terms WHERE approval IN (SELECT token FROM runs)")
        database.commit()
    assert SHORTER[2] in refused(site, "push-unfinished")


def test_a_renewed_approval_is_signed_again(site: Site) -> None:
    """Its age is in what is signed: showing it again does not make an old signature young."""
    approval = site.shown()
    site.sign(approval, "bob")
    site.asks("{signers: allowed_signers, hours: 0.000001}")
    assert site.shown() == approval
    site.asks("{signers: allowed_signers, hours: 8}")
    refused(site, "approval-unsigned", "--approval", approval)


@pytest.mark.parametrize(
    "policy",
    some(["signers", "{signer: allowed_signers}", "{signers: none}", "{signers: 1}", "{hours: 0}", "{hours: soon}",
          "{hours: true}", "{hours: -1}", "{hours: .nan}"]),
)  # fmt: skip
def test_a_slip_in_the_inventory_turns_nothing_off(site: Site, policy: str) -> None:
    site.asks(policy)
    refused(site, "approval-policy")


def test_without_ssh_keygen_nothing_is_believed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    approval = site.shown()
    site.sign(approval, "bob")
    monkeypatch.setenv("PATH", str(site.folder))
    refused(site, "approval-keygen", "--approval", approval)


def test_what_is_to_be_signed_and_can_not_be_written_is_a_problem(site: Site) -> None:
    path = site.inventory / f"approval-{site.shown()}.txt"
    path.unlink()
    path.mkdir()
    done = site.push()
    assert (done.exit_code, f"error[approval-write]: {path} cannot be written" in done.stderr) == (1, True)


def test_a_signature_goes_with_an_approval(site: Site) -> None:
    done = site.push("--commit", "--signature", "x")
    assert (done.exit_code, "--signature requires --approval" in done.stderr) == (2, True)
