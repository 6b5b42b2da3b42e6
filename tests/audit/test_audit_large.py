"""The account of a large fabric: it holds where all is as planned, and nothing that two ends share escapes it."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from fabricgen.audit.folder import ConfigFolder
from fabricgen.audit.large import LargeFabric
from fabricgen.audit.properties import PROPERTIES, violations
from fabricgen.audit.representatives import sample
from fabricgen.audit.site_view import SiteView
from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.plan.fabric import name_of, present_places
from fabricgen.plan.plan import Plan
from fabricgen.readback.intended import intended
from fabricgen.readback.policy import Policy
from fabricgen.readback.rows import Key, Value
from fabricgen.workers.audit import FolderAudit, audit_folder
from tests.audit.planned import ROOT, audit_by_rows, site_devices, site_plan, site_view
from tests.audit.seeded.sites import render
from tests.some import some

DEMO = ROOT / "inventories/demo/intent.yaml"
UNNUMBERED = ROOT / "inventories/superpod-b300/intent.yaml"
FABRIC = "backend"
Change = Callable[[dict[str, dict[Key, Value]]], None]
SHARED = frozenset({"bgp", "loopback", "network", "port", "session", "static-route"})
"""Things of which another switch, or a NIC, must know."""
BY_REPRESENTATIVES = frozenset({"reach", "no-buffer-cycle"})
"""Properties that no account judges."""


def _roles(plan: Plan) -> dict[str, str]:
    fabrics = plan.fabrics.values()
    return {name_of(fabric, place): place.tier.value for fabric in fabrics for place in present_places(fabric)}


def _backend() -> list[Device]:
    return [device for device in site_devices(DEMO) if device.fabric == FABRIC]


def _account(device: Device, rows: Mapping[Key, Value]) -> LargeFabric:
    """The account of one switch."""
    account, plan = LargeFabric(), site_plan(DEMO)
    account.add(plan.fabrics[FABRIC], device, audit_by_rows(device, rows), _roles(plan))
    return account


@cache
def _accounts() -> dict[str, LargeFabric]:
    return {device.name: _account(device, intended(device)) for device in _backend()}


def _whole(changed: Mapping[str, LargeFabric] | None = None) -> LargeFabric:
    """The account of the fabric, with those of some switches as they are after a change."""
    whole = LargeFabric()
    for account in {**_accounts(), **(changed or {})}.values():
        whole.join(account)
    return whole


def test_it_holds_as_planned_and_has_the_representatives_of_a_sample() -> None:
    whole = _whole()
    assert whole.holds
    assert whole.has_nics
    part = sample(_planned_site(), whole=1).site
    assert whole.representatives() == {switch.name for switch in part.fabrics[FABRIC]}


def test_a_lost_or_doubled_switch_is_no_match() -> None:
    for name, account in _accounts().items():
        lost = _whole({name: LargeFabric()})
        twice = _whole()
        twice.join(account)
        assert not lost.holds
        assert not twice.holds


def _others(value: Value) -> Iterator[Value | None]:
    """Other values in place of one; None: the row is lost."""
    yield None
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield f"{value}x"
        yield from (
            (re.sub(r"\d+(?=\D*$)", lambda found: str(int(found[0]) ^ 1), value),) if value[-1:].isdigit() else ()
        )
    elif isinstance(value, frozenset) and value:
        yield value - {min(value)}
    elif isinstance(value, tuple) and value:
        yield value[:-1]


def _edits() -> Iterator[tuple[Device, dict[Key, Value]]]:
    """Each row of a leaf and of a spine, once for each of its settings, lost or with another value."""
    for name in ("be-leaf-001", "be-spine-01"):
        device = next(device for device in _backend() if device.name == name)
        rows = intended(device)
        seen: set[tuple[str, str, str]] = set()
        for key, value in rows.items():
            kind = ("host" if _is_host(device, key) else "link") if key.thing == "port" else str(":" in key.name)
            if key.thing not in SHARED or isinstance(value, Policy) or (key.thing, kind, key.setting) in seen:
                continue
            seen.add((key.thing, kind, key.setting))
            for other in _others(value):
                changed = {**rows, key: other} if other is not None else {k: v for k, v in rows.items() if k != key}
                yield device, changed


def _is_host(device: Device, key: Key) -> bool:
    return any(port.name == key.name and port.profile.role == "host" for port in device.interfaces.ethernet)


def _site(device: Device, rows: Mapping[Key, Value]) -> SiteView:
    """The backend with other rows of one switch."""
    whole, view = _planned_site(), audit_by_rows(device, rows).view
    assert view is not None
    switches = [view if switch.name == view.name else switch for switch in whole.fabrics[FABRIC]]
    return SiteView(switches, whole.cables, whole.outside, whole.leaks, whole.nics, whole.absent)


@cache
def _planned_site() -> SiteView:
    return site_view(DEMO, lambda _: None)


def test_what_breaks_a_property_is_no_match() -> None:
    judges = [prove for name, (_, prove) in PROPERTIES.items() if name not in BY_REPRESENTATIVES]
    broken = 0
    for device, rows in _edits():
        site = _site(device, rows)
        if any(any(prove(site)) for prove in judges):
            broken += 1
            assert not _whole({device.name: _account(device, rows)}).holds
    assert broken > 40


def _network(rows: dict[str, dict[Key, Value]]) -> None:
    """Two leaves announce one prefix, which both have on a loopback."""
    for name in ("be-leaf-000", "be-leaf-001"):
        rows[name][Key("loopback", "9", "ipv4")] = frozenset({f"10.99.0.{name[-1]}/24"})
        rows[name][Key("network", "10.99.0.0/24", "originated")] = True


def _address(rows: dict[str, dict[Key, Value]]) -> None:
    """Two leaves have one address."""
    for name in ("be-leaf-000", "be-leaf-001"):
        rows[name][Key("loopback", "9", "ipv4")] = frozenset({"10.99.0.1/32"})


def _stranger(rows: dict[str, dict[Key, Value]]) -> None:
    """Two leaves have a session with an address that no switch has."""
    for name in ("be-leaf-000", "be-leaf-001"):
        rows[name][Key("session", "192.0.2.1", "remote-as")] = 65000


def _overlay(rows: dict[str, dict[Key, Value]]) -> None:
    """Every session of two switches carries EVPN routes, without the communities that are their targets."""
    for own in rows.values():
        for key in [key for key in own if key.thing == "session" and key.setting == "families"]:
            own[key] = frozenset({"ipv4", "evpn"})


def _own_as(rows: dict[str, dict[Key, Value]]) -> None:
    """Sessions of a spine take the own AS number, and those of another one put it in place of the peer's."""
    for name, setting, value in (("be-spine-00", "own-as", 1), ("be-spine-01", "as-override", True)):
        for key in [key for key in rows[name] if key.thing == "session" and key.setting == "families"]:
            rows[name][key._replace(setting=f"{setting}.ipv4")] = value


@pytest.mark.parametrize("change", [_stranger, _overlay, _own_as])
def test_what_only_views_can_judge_is_left_open(change: Change) -> None:
    changed = _changed(change)
    assert all(account.is_open for account in changed.values())
    assert not _whole(changed).holds


def _changed(change: Change) -> dict[str, LargeFabric]:
    rows = {device.name: dict(intended(device)) for device in _backend()}
    before = {name: dict(row) for name, row in rows.items()}
    change(rows)
    return {
        device.name: _account(device, rows[device.name])
        for device in _backend()
        if rows[device.name] != before[device.name]
    }


def _router_id(rows: dict[str, dict[Key, Value]]) -> None:
    """Two leaves have one router id."""
    for name in ("be-leaf-000", "be-leaf-001"):
        rows[name][Key("bgp", "", "router-id")] = "10.99.0.1"


@pytest.mark.parametrize("change", [_network, _address, _router_id])
def test_what_two_switches_must_not_both_have_is_no_match(
    change: Callable[[dict[str, dict[Key, Value]]], None],
) -> None:
    changed = _changed(change)
    assert all(not account.is_open for account in changed.values())
    assert _whole({name: account for name, account in changed.items() if name == "be-leaf-000"}).holds
    assert not _whole(changed).holds


def _audit(intent: Path, folder: Path, whole: int) -> FolderAudit:
    plan = site_plan(intent)
    return audit_folder(plan, ConfigFolder(folder), _roles(plan), jobs=1, whole=whole)


def _said(found: FolderAudit) -> set[tuple[object, ...]]:
    read, planned = found.site.sides()
    representatives, _ = found.representatives.sides()
    return {(*row,) for row in violations(read, planned, representatives)}


@pytest.mark.parametrize("intent", some([UNNUMBERED, DEMO]))
def test_an_audit_with_accounts_says_what_one_without_them_says(intent: Path, tmp_path: Path) -> None:
    render(intent, tmp_path)
    plain, short = _audit(intent, tmp_path, 1000), _audit(intent, tmp_path, 1)
    assert plain.total == short.total
    assert _said(plain) == _said(short) == set()
    # The backend is not gathered; a fabric with an overlay is.
    gathered = {audit.fabric for audit in short.site.audits}
    assert gathered == set(site_plan(intent).fabrics) - {FABRIC}
    assert {audit.fabric for audit in short.representatives.audits} == {FABRIC}

    path = next(path for path in sorted(tmp_path.glob("be-leaf-*/*")) if "mtu" in path.read_text())
    path.write_text(re.sub(r"mtu \d+", "mtu 1500", path.read_text(), count=1))
    plain, short = _audit(intent, tmp_path, 1000), _audit(intent, tmp_path, 1)
    assert plain.shown == short.shown != ()
    assert _said(plain) == _said(short) != set()
    assert not short.representatives.audits


class _ChangingFolder(ConfigFolder):
    """A folder in which the files of one switch are others when they are read again."""

    def __init__(self, path: Path, switch: str, later: Mapping[str, str] | None) -> None:
        super().__init__(path)
        self._switch, self._later, self._read = switch, later, 0

    def files(self, device: str, main: str) -> Mapping[str, str] | None:
        self._read += device == self._switch
        return self._later if device == self._switch and self._read > 1 else super().files(device, main)


@pytest.mark.parametrize("later", [None, {"startup-config": "hostname other"}])
def test_a_folder_that_changes_while_it_is_read_is_refused(later: Mapping[str, str] | None, tmp_path: Path) -> None:
    render(DEMO, tmp_path)
    plan = site_plan(DEMO)
    folder = _ChangingFolder(tmp_path, "be-leaf-000", later)
    with pytest.raises(FabricError) as caught:
        audit_folder(plan, folder, _roles(plan), jobs=1, whole=1)
    assert [problem.code for problem in caught.value.problems] == ["config-changed"]
