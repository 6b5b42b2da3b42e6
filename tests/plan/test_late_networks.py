"""A network that one branch gave a tenant while another renamed the tenant: it keeps the number that it was given."""

import json
from typing import Any

import pytest

from fabricgen.intent.tenants import Tenant
from fabricgen.plan.lock import Id
from fabricgen.plan.tenants import renamed_ids
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate

NETWORKS = {"hosts": {"vlan": 110, "subnets": ["172.18.0.0/24"]}, "more": {"vlan": 111, "subnets": ["172.18.1.0/24"]}}
MERGED = (
    Id("frontend", "vrf", "infer", 1),
    Id("frontend", "network", "infer/hosts", 2),
    Id("frontend", "network", "serving/more", 7),
)


def tenants(was: str, *others: str) -> dict[str, Tenant]:
    def tenant(**fields: Any) -> Tenant:  # noqa: ANN401
        return validate(Tenant, load_document(json.dumps({"servers": [], "networks": NETWORKS, **fields}), "x.yaml"))

    return {"infer": tenant(was=was), **{name: tenant() for name in others}}


def names(ids: tuple[Id, ...]) -> list[tuple[str, int]]:
    return [(line.name, line.id) for line in ids]


def test_it_follows_its_tenant() -> None:
    assert names(renamed_ids(MERGED, {}, tenants("serving"))) == [("infer", 1), ("infer/hosts", 2), ("infer/more", 7)]


@pytest.mark.parametrize(
    "recorded",
    [
        (*MERGED, Id("frontend", "network", "infer/more", 8)),
        (Id("frontend", "vrf", "serving", 9), *MERGED),
    ],
    ids=["the new name has one", "the former name stands for another tenant"],
)
def test_it_stays_where_the_number_may_be_anothers(recorded: tuple[Id, ...]) -> None:
    others = ("serving",) if recorded[0].name == "serving" else ()
    assert ("serving/more", 7) in names(renamed_ids(recorded, {}, tenants("serving", *others)))


def test_another_fabric_is_left_alone() -> None:
    elsewhere = Id("other", "network", "serving/more", 3)
    assert ("serving/more", 3) in names(renamed_ids((*MERGED, elsewhere), {}, tenants("serving")))
