"""What `explain` tells of tenants on a shared backend, worked out from the intent by hand."""

from pathlib import Path

import pytest

from tests.explain.asking import Told, asked
from tests.tenancy import site


@pytest.fixture(scope="module")
def intent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site.write(site.backend_only(), tmp_path_factory.mktemp("shared"))


def _one(intent: Path, word: str) -> Told:
    (told,) = asked(word, intent=intent)
    return told


def test_a_tenant_names_its_nics(intent: Path) -> None:
    """train[0-1] but for rails 4-7 of train[1]: 8 and 4 NICs."""
    told = _one(intent, "research")
    assert told.title == "research: tenant on backend"
    (nics,) = told.values("NICs")
    assert nics.startswith("train-000 rail 0, train-001 rail 0, ")
    assert nics.endswith(" and 5 more")  # of twelve
    assert told.values("leaves") == ["be-leaf-000, be-leaf-001"]
    assert told.values("L3 VNI") == ["10001"]
    assert told.values("VRF target") == ["65000:10001"]
    assert told.values("reaches") == ["none"]
    assert "network" not in told.facts
    assert "single NICs" not in told.facts


def test_single_nics_are_told_with_their_place(intent: Path) -> None:
    (fact,) = _one(intent, "serving").facts["single NICs"]
    assert fact[:2] == ("train[1]/4-7", "precedence over whole servers")
    assert fact[2].startswith("intent.yaml:")


def test_a_server_of_two_tenants(intent: Path) -> None:
    told = _one(intent, "train[1]")
    assert told.values("tenant") == ["research on backend, rails 0, 1, 2, 3", "serving on backend, rails 4, 5, 6, 7"]


def test_a_port_says_whose_it_is_and_why_it_is_shut(intent: Path) -> None:
    assert _one(intent, "10.64.1.3").values("tenant") == ["serving"]
    nobodys = _one(intent, "10.64.0.9")  # train[4], rail 0
    assert nobodys.values("tenant") == ["no tenant owns the NIC"]
    assert nobodys.values("state") == ["shut down: no tenant owns the NIC"]


def test_a_leaf_has_a_vtep_and_announces_no_aggregate(intent: Path) -> None:
    told = _one(intent, "be-leaf-001")
    assert told.values("VTEP") == ["10.64.192.3"]
    assert told.values("tenants") == ["research, serving"]
    assert "aggregate" not in told.facts


@pytest.mark.parametrize(("word", "kind"), [("65000:10002", "route-target"), ("vni:10002", "vni")])
def test_numbers_lead_to_the_tenant(intent: Path, word: str, kind: str) -> None:
    told = _one(intent, word)
    assert (told.kind, told.values("VRF id")) == (kind, ["2"])
