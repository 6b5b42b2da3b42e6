"""`fabricgen push` of lines that would not let the push in again: refused before a switch changes."""

from pathlib import Path

import pytest

from fabricgen.platforms.base.live import entry
from tests.push.eos.test_push_eos import COMMIT, Push, intent, is_at, is_tls, push, site
from tests.push.eos_fabric import INTENT, Fabric, rendered

__all__ = ("intent", "is_tls", "push", "site")

ACCESS = "  eapi: {certificate: fabric}\n"
USERS = "users: {admin:"


@pytest.fixture(autouse=True)
def from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doubles listen on loopback, from where a switch would see nobody come."""
    monkeypatch.setattr(entry, "local_address", lambda hostname: "10.9.9.9")


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (
            (ACCESS, f"{ACCESS}  access: {{sources: [10.0.0.0/28]}}\n"),
            (
                "error[push-source]: the new configuration of",
                "refuses the HTTP API from 10.9.9.9, from where this push comes",
                "add 10.9.9.9/32 to management.access.api, or to management.access.sources if it has no api",
            ),
        ),
        (
            (USERS, "users: {boss:"),
            (
                "error[push-account]: the new configuration of",
                "removes the account admin, by which this push logs in",
                'write management.users.admin: {role: network-admin, password: "${env:ADMIN_HASH}"}, or log in as boss',
            ),
        ),
        (
            (ACCESS, ""),
            (
                "error[push-service]: the new configuration of",
                "turns the HTTP API off, by which this push comes",
                "write management.eapi: {certificate: NAME}",
            ),
        ),
    ],
    ids=["source", "account", "service"],
)
def test_what_would_lock_the_push_out_is_refused_with_what_to_type(
    site: Fabric, push: Push, intent: Path, edit: tuple[str, str], told: tuple[str, ...]
) -> None:
    before = rendered(intent)
    assert edit[0] in INTENT
    intent.write_text(INTENT.replace(*edit))
    for words in ((), COMMIT):
        result = push(*words)
        assert result.exit_code == 1, result.output
        shown = " ".join(result.output.split())
        assert [line for line in told if line not in shown] == []
        assert is_at(site, before)


@pytest.mark.usefixtures("site")
def test_a_source_that_is_listed_is_let_in(push: Push, intent: Path) -> None:
    intent.write_text(INTENT.replace(ACCESS, f"{ACCESS}  access: {{sources: [10.0.0.0/28], api: [10.9.9.0/24]}}\n"))
    result = push()
    assert result.exit_code == 3, result.output


def test_a_certificate_that_is_not_on_the_switches_is_refused_with_the_line_that_makes_it(
    site: Fabric, push: Push, intent: Path
) -> None:
    before = rendered(intent)
    intent.write_text(INTENT.replace("certificate: fabric", "certificate: rest"))
    for words in ((), COMMIT):
        result = push(*words)
        assert result.exit_code == 1, result.output
        shown = " ".join(result.output.split())
        assert shown.count("push-missing") == 1
        assert "the certificate rest.crt is not on" in shown
        assert "management.eapi.certificate names it" in shown
        assert "security pki certificate generate self-signed rest.crt key rest.key generate rsa 2048" in shown
        assert is_at(site, before)
    site.files = frozenset({"fabric.crt", "rest.crt"})
    assert push().exit_code == 3


def test_where_certificates_are_not_listed_that_is_said_and_refuses_nothing(
    site: Fabric, push: Push, intent: Path
) -> None:
    site.files = None
    intent.write_text(INTENT.replace("certificate: fabric", "certificate: rest"))
    result = push()
    assert result.exit_code == 3, result.output
    assert "cannot check the certificate rest.crt:" in " ".join(result.output.split())
