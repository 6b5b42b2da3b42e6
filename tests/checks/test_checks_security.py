"""Security profiles: what each sets, what deviates from it, and that without one nothing changes."""

from ipaddress import IPv4Network

import pytest

from fabricgen.checks.settings.security import deviating, strict_demands
from fabricgen.intent.completion import completed
from fabricgen.intent.defaults import NEWEST, values_at
from fabricgen.intent.security import PROFILES
from fabricgen.intent.site import ManagementAccess
from fabricgen.plan.fabric import present_places
from fabricgen.plan.plan import Plan
from fabricgen.resolve.security import deviations
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text
from tests.checks.intents import Edits, edited, plan

SWITCHES = {
    "cumulus": {"model": "nvidia-sn5600", "os": "cumulus-5.11"},
    "sonic": {"model": "dell-z9864f-on", "os": "sonic-202505"},
    "nxos": {"model": "cisco-n9364d-gx2a", "os": "nxos-10.5"},
    "eos": {"model": "arista-7060x6-64pe", "os": "eos-4.34"},
}
ANYBODY = {"sources": ["0.0.0.0/0"]}
NAMED = {"sources": ["10.0.0.0/28"]}
COLLECTORS = NAMED | {"snmp": ["0.0.0.0/0"]}


def site(system: str, **edits: object) -> Plan:
    """The demo's backend with switches of a system. Edits without a value are left out."""
    switch = SWITCHES[system]
    keys: Edits = {"leaf": switch, "spine": switch, "topology.spines": {"now": 2, "planned": 32}}
    backend = {f"fabrics.backend.{key}": value for key, value in keys.items()}
    chosen = {"security": "standard", **backend, **edits}
    absent = {"management.access", "security"}
    return plan({key: value for key, value in chosen.items() if value is not None or key not in absent})


@pytest.mark.parametrize(
    ("system", "access", "has_api", "services"),
    [
        # From the documents that `in_band` of each platform cites.
        ("eos", None, True, ""),
        ("cumulus", None, True, "SSH, the HTTP API and gNMI"),
        ("cumulus", ANYBODY, True, ""),
        ("sonic", None, True, "SSH, gNMI and SNMP"),
        ("sonic", ANYBODY, True, ""),
        ("nxos", None, True, "SSH and SNMP"),
        ("nxos", ANYBODY, True, "SSH and SNMP"),
        ("nxos", NAMED, True, ""),
        ("nxos", COLLECTORS, True, "SNMP"),
        ("nxos", NAMED, False, "the HTTP API"),
        ("nxos", ANYBODY, False, "SSH, SNMP and the HTTP API"),
    ],
)
def test_services_that_answer_in_band(system: str, access: object, has_api: bool, services: str) -> None:
    api = {"certificate": "fabric"} if has_api else None
    made = site(system, **{"management.access": access, "management.eapi": api})
    found = [one for one in deviations(made) if one.code == "security-in-band"]
    count = len([*present_places(made.fabrics["backend"])])
    assert [one.line for one in found] == ([f"{services} in band on {count} switches"] if services else [])
    if services:
        text = found[0].finding.fix
        assert ("eapi: {certificate" in text) == (not has_api and system == "nxos")
        assert ("access.sources" in text) == (services != "the HTTP API")


@pytest.mark.parametrize(("system", "demands"), [("nxos", True), ("cumulus", True), ("eos", False), ("sonic", False)])
def test_strict_demands_a_certificate_where_an_api_shows_its_own(system: str, demands: bool) -> None:
    """NX-OS: NX-API's default; Cumulus: `nv show system api` has self-signed. EOS has no API without the key."""
    for api in (None, {"certificate": "fabric"}):
        made = site(system, security="strict", **{"management.eapi": api})
        found = [problem.code for problem in strict_demands(made)]
        assert ("strict-certificate" in found) is (demands and api is None)


def test_without_a_profile_nothing_is_set_and_nothing_deviates() -> None:
    made = site("sonic", security=None)
    assert not deviations(made)
    assert not [*deviating(made), *strict_demands(made)]
    assert completed(edited({}), NEWEST, values_at(NEWEST)).management.access is None


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_fills_in_what_the_intent_leaves_out(profile: str) -> None:
    intent = completed(edited({"security": profile}), NEWEST, values_at(NEWEST))
    anybody = ManagementAccess(sources=(IPv4Network("0.0.0.0/0"),))
    assert intent.management.access == (anybody if profile == "standard" else None)
    own = completed(edited({"security": profile, "management.access": NAMED}), NEWEST, values_at(NEWEST))
    assert own.management.access == ManagementAccess(sources=(IPv4Network("10.0.0.0/28"),))


def test_an_override_is_judged_by_itself() -> None:
    """Deviations are counted for the switches that have them alone."""
    made = site("eos", **{"fabrics.frontend.server_ports.mac_limit": "none"})
    (found,) = deviations(made)
    assert found.line == "no MAC limit of server ports on 6 switches"
    assert found.switches == tuple(f"fe-leaf-{number:03}" for number in range(6))


def test_the_plan_page_has_a_line_for_each_deviation() -> None:
    made = site("sonic", **{"management.ntp": ["10.0.0.5"]})
    text = "\n".join(page_text(summarize(made)))
    assert "security      profile standard; 2 deviations:" in text
    assert "SSH, gNMI and SNMP in band on 6 switches (security-in-band)" in text
    assert "fewer than two NTP servers on 18 switches (security-clocks)" in text
    assert "security" not in "\n".join(page_text(summarize(plan())))
