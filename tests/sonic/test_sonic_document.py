"""config_db.json against a second making of it from the same Device, and every template line missed when it is gone."""

import json
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FunctionLoader, StrictUndefined, TemplateError

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.platforms.base.platform import Section
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.sonic.document import document as joined
from fabricgen.platforms.sonic.platform import CONFIG_DB, FRR_CONF, SONIC
from fabricgen.render.folder import templates_folder
from tests.some import some
from tests.sonic import sites
from tests.sonic.expected import document
from tests.sonic.expected_qos import BOXES

FOLDER = templates_folder() / "sonic"


def lanes_hidden(found: dict[str, Any], device: Device) -> dict[str, Any]:
    """Lanes of ports that `expected` does not copy from the box's own table are looked at elsewhere."""
    known = BOXES[device.hardware.model].lanes
    for name, row in found["PORT"].items():
        if name not in known:
            row["lanes"] = "?"
    return found


@pytest.mark.parametrize(("name", "release"), sites.CASES)
def test_the_whole_file(name: str, release: str) -> None:
    for index, device in enumerate(sites.fleet(name, release)):
        found = json.loads(sites.files(name, release, index)["config_db.json"])
        assert lanes_hidden(found, device) == document(device)


def test_a_routed_port_of_a_tenant() -> None:
    """A NIC of a backend that tenants share: its port is in the tenant's VRF, by SONiC's name of it."""
    device = sites.fleet("tenants", "master")[1]
    assert device.evpn is not None
    uplink = next(row for row in device.interfaces.ethernet if row.ipv4)
    found = json.loads(sites.rendered(in_vrf(device))["config_db.json"])["INTERFACE"]
    assert found[uplink.name] == {"vrf_name": f"Vrf_{device.evpn.vrfs[0].name}"}
    assert f"{uplink.name}|{uplink.ipv4}" in found


def in_vrf(device: Device) -> Device:
    """A VTEP whose first routed port is a tenant's."""
    assert device.evpn is not None
    uplink, vrf = next(row for row in device.interfaces.ethernet if row.ipv4), device.evpn.vrfs[0].name
    rows = tuple(row._replace(vrf=vrf) if row is uplink else row for row in device.interfaces.ethernet)
    return device._replace(interfaces=device.interfaces._replace(ethernet=rows))


def test_a_subinterface_whose_name_is_too_long_takes_the_short_form() -> None:
    """sonic-vlan-sub-interface.yang: 15 letters at most, Eth in place of Ethernet; swss lib/subintf.cpp reads both."""
    device = sites.fleet("tenants", "master")[0]
    rows = tuple(row._replace(parent="Ethernet192", vlan_id=1000) for row in device.interfaces.subinterfaces)
    changed = device._replace(interfaces=device.interfaces._replace(subinterfaces=rows))
    found = json.loads(sites.rendered(changed)["config_db.json"])["VLAN_SUB_INTERFACE"]
    assert set(found) == {"Eth192.1000", "Eth192.1000|172.31.0.0/31"}
    assert found["Eth192.1000"]["vlan"] == "1000"


def test_the_management_vrf_s_name_takes_no_tenant_s() -> None:
    """It is mgmt on every switch, so a tenant keeps its own name whatever the intent calls management's."""
    device = sites.fleet("tenants", "master")[0]
    routes = tuple(row._replace(vrf="Vrf_storage") if row.vrf else row for row in device.routing.static_routes)
    changed = device._replace(
        management=device.management._replace(vrf="Vrf_storage"),
        routing=device.routing._replace(static_routes=routes),
    )
    assert sites.rendered(changed) == sites.rendered(device)


def test_the_sites_differ_in_what_they_say() -> None:
    """Each field that may be left out is there in one site and not in another."""
    every = [sites.tables(*sample) for sample in sites.samples()]
    for table in ("QUEUE", "CABLE_LENGTH", "BGP_GLOBALS", "SNMP_USER", "BGP_NEIGHBOR_AF", "SFLOW_SESSION"):
        assert {table in found for found in every} == {True, False}, table
    groups = [row for found in every for row in found.get("BGP_PEER_GROUP", {}).values()]
    for field in ("bfd", "ebgp_multihop", "local_addr", "capability_ext_nexthop"):
        assert {field in row for row in groups} == {True, False}, field


MUTATED = [
    ("best-effort", "master", 0),
    ("managed", "master", 0), ("managed", "202505", 2), ("bare", "master", 1), ("broadcom", "master", 0),
    ("drained", "master", 2), ("drained", "master", 0), ("tiers", "master", 0), ("frontend", "master", 0),
    ("tenants", "master", 0), ("tenants", "master", 1),
]  # fmt: skip
"""Switches that between them print every line of every template."""


def without(names: tuple[str, ...], gone: tuple[str, int] | None, device: Device) -> str:
    """A file of a switch by templates of which one has lost a line."""

    def source(name: str) -> str:
        lines = (FOLDER.parent / name).read_text().splitlines(keepends=True)
        return "".join(line for at, line in enumerate(lines) if (name, at) != gone)

    environment = Environment(
        loader=FunctionLoader(source),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    spell = SONIC.template_context(device)
    texts = [environment.get_template(f"sonic/{name}").render(device=device, context=spell, raw=()) for name in names]
    return joined(tuple(map(Section, [*texts, ""])))


@pytest.mark.parametrize("name", some([one for one in CONFIG_DB if one not in ("header.j2", "raw.j2")], of=4))
def test_no_line_of_a_section_is_idle(name: str) -> None:
    """What a section says of these switches changes with the loss of any line, and `test_the_whole_file` holds it."""
    devices = [sites.fleet(site, release)[index] for site, release, index in MUTATED]
    devices.append(in_vrf(devices[-1]))
    whole = [parts(name, None, device) for device in devices]
    for at in range(len((FOLDER / name).read_text().splitlines())):
        assert any(
            part != right for part, right in zip((parts(name, at, device) for device in devices), whole, strict=True)
        ), f"{name}:{at + 1}"


def parts(name: str, at: int | None, device: Device) -> object:
    """What one section says; what it cannot say without the line that is gone, or says as no JSON, is None."""
    try:
        return json.loads(without((name,), None if at is None else (f"sonic/{name}", at), device))
    except (TemplateError, FabricError, ValueError):
        return None


def test_the_file_of_frr_is_empty_where_tables_are_read() -> None:
    for name, release, index in sites.samples():
        text = sites.files(name, release, index)["frr.conf"]
        said = [line for line in text.splitlines() if not line.startswith("!")]
        in_tables = is_at_least(release, "202605") and sites.fleet(name, release)[index].evpn is None
        assert bool(said) != in_tables
        assert text.startswith("! ")


def test_every_template_is_listed() -> None:
    assert sorted({*CONFIG_DB, *FRR_CONF}) == sorted(path.name for path in Path(FOLDER).glob("*.j2"))
