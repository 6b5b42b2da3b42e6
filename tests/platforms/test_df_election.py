"""Election of the designated forwarder: preferences alternate by server, and a drained leaf is the last (RFC 9785)."""

import re
from collections import defaultdict
from collections.abc import Mapping

import pytest

from fabricgen.intent.completion import completed
from fabricgen.intent.defaults import values_at
from fabricgen.intent.fabric import Frontend
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import FeatureScope
from fabricgen.push.act.work import shut_down
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from tests.pairs import sites

WORDS: Mapping[str, str] = {
    "eos": r"designated-forwarder election algorithm preference (\d+)",
    "cumulus": r"df-preference: (\d+)",
    "frr": r"evpn mh es-df-pref (\d+)",
    "junos": r"df-election-type \{\s+preference \{\s+value (\d+);",
    "srlinux": r'"preference-value": (\d+)',
}
"""System → the preference of one segment in its file: PyAVD 6.4.0; Cumulus Linux 5.11, EVPN Multihoming; FRR's
`evpn mh`; Juniper's YANG of QFX 24.4R1; Nokia's YANG of 25.3.1."""
OWN_DRAIN = ("cumulus", "frr")
"""Systems without another election, whose drained leaf lowers its preference in version 1 of the defaults, too."""
RENDERER = Renderer()


def bonds(system: str, version: int) -> Intent:
    return completed(sites.intent(system, system, "bonds"), version, values_at(version))


def planned(intent: Intent, drained: str = "") -> Plan:
    exceptions = Exceptions(devices={drained: "drained"} if drained else {})
    return make_plan(intent, sites.catalog(), make_shapes(intent, sites.catalog()), Lock(), exceptions)


def told(system: str, plan: Plan) -> dict[str, dict[str, int]]:
    """Server → leaf → the preference in the leaf's file. Segments without one are left out."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for device in devices(plan):
        lags = device.interfaces.lags
        values = [int(one) for file in RENDERER.render(device) for one in re.findall(WORDS[system], file.text)]
        assert len(values) in (0, len(lags)), device.name
        for lag, value in zip(lags, values, strict=False):
            found[lag.description][device.name] = value
    return found


@pytest.mark.parametrize("system", WORDS)
def test_healthy_leaves_share_the_servers(system: str) -> None:
    found = told(system, planned(bonds(system, 2)))
    assert len(found) > 2
    assert {tuple(sorted(row.values())) for row in found.values()} == {(32766, 32767)}
    firsts = [max(row, key=row.__getitem__) for row in found.values()]
    leaves = {leaf for row in found.values() for leaf in row}
    counts = [firsts.count(leaf) for leaf in leaves]
    assert len(leaves) > 1
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("system", WORDS)
def test_a_drained_leaf_is_the_last_and_its_mate_changes_nothing(system: str) -> None:
    healthy = told(system, planned(bonds(system, 2)))
    leaf = min(leaf for row in healthy.values() for leaf in row)
    found = told(system, planned(bonds(system, 2), drained=leaf))
    lowered = [row for row in found.values() if leaf in row]
    assert lowered
    assert {row[leaf] for row in lowered} == {1}
    assert found == {
        server: {name: 1 if name == leaf else value for name, value in row.items()} for server, row in healthy.items()
    }


@pytest.mark.parametrize("system", WORDS)
def test_a_leaf_is_the_last_before_a_push_shuts_its_ports(system: str) -> None:
    healthy = {device.name: device for device in devices(planned(bonds(system, 2))) if device.interfaces.lags}
    leaf = min(healthy)
    drained = next(device for device in devices(planned(bonds(system, 2), leaf)) if device.name == leaf)
    marked = shut_down(healthy[leaf], drained)
    assert {row.enabled for row in marked.interfaces.ethernet if row.lag} == {True}
    text = "".join(file.text for file in RENDERER.render(marked))
    assert set(re.findall(WORDS[system], text)) == {"1"}


@pytest.mark.parametrize("system", WORDS)
def test_version_1_of_the_defaults_says_no_preference(system: str) -> None:
    intent = bonds(system, 1)
    assert told(system, planned(intent)) == {}
    leaf = min(device.name for device in devices(planned(intent)) if device.interfaces.lags)
    values = {value for row in told(system, planned(intent, leaf)).values() for value in row.values()}
    assert values == ({1} if system in OWN_DRAIN else set())


def test_a_site_may_say_the_other() -> None:
    value = sites.intent("eos", "eos", "bonds").model_dump(mode="json", exclude_unset=True)
    value["fabrics"]["frontend"]["server_ports"]["df_election"] = "platform"
    intent = completed(Intent.model_validate(value), 2, values_at(2))
    frontend = intent.fabrics["frontend"]
    assert isinstance(frontend, Frontend)
    assert frontend.server_ports.df_election == "platform"
    assert told("eos", planned(intent)) == {}


@pytest.mark.parametrize("system", PLATFORMS)
def test_who_has_segments_has_preferences_and_so_has_the_other_leaf(system: str) -> None:
    segments, preference = (PLATFORMS[system].can(feature) for feature in ("esi-multihoming", "df-preference"))
    assert segments is not None
    assert preference is not None
    if not segments.refusal:
        assert (preference.refusal, preference.scope) == ("", FeatureScope.PAIR)
