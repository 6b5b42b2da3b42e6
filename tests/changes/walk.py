"""Every single change of a Device: one field of one value in it at a time, found by reflection, never by our tables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from ipaddress import ip_interface
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

from fabricgen.base.addresses import Prefix
from fabricgen.base.secret import secret
from fabricgen.base.ssh_key import SshKey
from fabricgen.device.device import Device, RawLines
from fabricgen.device.evpn import DuplicateMac
from fabricgen.device.management import Gnmi, Login, ServiceAccess, Sflow, Snmp, Tacacs, User
from fabricgen.device.qos import Cluster
from fabricgen.device.routing import BgpVrf, PathsList
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

INVENTORIES = Path(__file__).parents[2] / "inventories"

AUTH, PRIVACY = secret("${env:AUTH}"), secret("${env:PRIVACY}")
MOST = 8
"""So many values of a small collection are changed one by one; of a large one only two."""

Field = tuple[str, str]
"""Type and field."""
Wanted = Callable[[tuple[Field, ...]], bool]
"""Whether changes of a field, from the outermost, or of anything below it are looked for."""


Value = Any
"""Whatever a field may hold: this walk looks before it touches."""


class Edit(NamedTuple):
    """A value that differs in one field. `path` says which, from the outermost; `how` what was done to it."""

    path: tuple[Field, ...]
    how: str
    value: Value

    @property
    def field(self) -> Field:
        """The field that differs."""
        return self.path[-1]


@cache
def fleet(inventory: str) -> dict[str, Device]:
    """Every switch of an inventory of ours, as it is rendered, by name."""
    return {device.name: device for device in devices(open_workspace(INVENTORIES / inventory / "intent.yaml").plan)}


@cache
def samples() -> tuple[Device, ...]:
    """The richest switch of every fabric and role, and those with what no inventory of ours says."""
    best: dict[tuple[str, str, str], Device] = {}
    for inventory in ("demo", "frr"):
        for device in fleet(inventory).values():
            key = (inventory, device.fabric, device.role)
            if key not in best or _size(device) > _size(best[key]):
                best[key] = device
    return (*best.values(), *map(_full, best.values()))


def _size(device: Device) -> int:
    vrfs = device.routing.bgp.vrfs
    return len(device.interfaces.subinterfaces) + sum(len(vrf.imports) + len(vrf.networks_ipv4) for vrf in vrfs)


def _full(device: Device) -> Device:
    management = device.management._replace(
        tacacs=Tacacs(("192.0.2.21", "192.0.2.22"), secret("${env:TACACS}")),  # type: ignore[arg-type]
        snmp=Snmp("ops", AUTH, PRIVACY, "hall 1", "ops@example.net", ("192.0.2.23",)),  # type: ignore[arg-type]
        sflow=Sflow(("192.0.2.24",), 4096, 20),  # type: ignore[arg-type]
        users=(User("ops", "network-admin", AUTH, (SshKey("ssh-ed25519", "AAAA", "ops"),)),),
        gnmi=Gnmi(6030, "SELF"),
        login=Login("Authorised access only.", 10, only_keys=True, strong=True),
        access=(ServiceAccess("ssh", (Prefix("192.0.2.0/25"), Prefix("198.51.100.7/32"))),),
    )
    bgp = device.routing.bgp
    guarded = tuple(one._replace(ttl_security="check", password=secret("${env:BGP}")) for one in bgp.groups)
    routing = device.routing._replace(
        policy=device.routing.policy._replace(paths_lists=(PathsList("SHORT", 4),)),
        bgp=bgp._replace(vrfs=tuple(map(_with_passwords, bgp.vrfs)), groups=guarded),
    )
    balancing = device.load_balancing._replace(cluster=Cluster(24, 300, ("Ethernet1/1", "Ethernet2/1")))
    raw = (RawLines("", ("one", "two"), "raw[0]"), RawLines("other", ("three",), "raw[1]"))
    idle = device.interfaces.ethernet[0]._replace(name="Ethernet99/1", description="dead", enabled=False)
    interfaces = device.interfaces._replace(idle=(idle,))
    evpn = device.evpn._replace(duplicate_mac=DuplicateMac(4, 120, 300)) if device.evpn else None
    return device._replace(
        management=management, raw=raw, routing=routing, load_balancing=balancing, interfaces=interfaces, evpn=evpn
    )


def _with_passwords(vrf: BgpVrf) -> BgpVrf:
    return vrf._replace(neighbors=tuple(one._replace(password=secret("${env:FW}")) for one in vrf.neighbors))


def edits(device: Device, wanted: Wanted = lambda _: True) -> Iterator[Edit]:
    """Every change of one field, in at most MOST values of each collection; where a path is not wanted, none of it."""
    return _inside(device, (), wanted)


def types(found: Value = Device) -> set[Any]:
    """Device and every type of a value in it."""
    inner = {one for hint in get_type_hints(found).values() for one in _parts(hint)}
    return {found}.union(*(types(one) for one in inner))


def _parts(hint: Value) -> Iterator[Any]:
    for one in get_args(hint) or (hint,):
        if get_args(one):
            yield from _parts(one)
        elif _is_thing(one):
            yield one


def _is_thing(found: Value) -> bool:
    return isinstance(found, type) and (is_dataclass(found) or hasattr(found, "_fields"))


def names(found: Value) -> tuple[str, ...]:
    """Fields of a type."""
    return tuple(field.name for field in fields(found)) if is_dataclass(found) else tuple(found._fields)


def _inside(thing: Value, path: tuple[Field, ...], wanted: Wanted) -> Iterator[Edit]:
    kind: Value = type(thing)
    hints = _hints(kind)
    for name in names(kind):
        here = (*path, (kind.__name__, name))
        for edit in _changed(getattr(thing, name), hints[name], here, wanted) if wanted(here) else ():
            yield edit._replace(value=_with(thing, name, edit.value))


@cache
def _hints(found: Value) -> dict[str, Any]:
    return get_type_hints(found)


def _with(thing: Value, name: str, value: Value) -> Value:
    edit = thing._replace if hasattr(thing, "_replace") else partial(replace, thing)
    return edit(**{name: value})


def _changed(value: Value, hint: Value, path: tuple[Field, ...], wanted: Wanted) -> Iterator[Edit]:
    if _is_thing(type(value)):
        yield from _inside(value, path, wanted)
        if NoneType in get_args(hint):
            yield Edit(path, "none", None)
    elif isinstance(value, tuple):
        yield from _tuple(value, get_args(hint)[0], path, wanted)
    elif isinstance(value, Mapping):
        yield Edit(path, "more", {**value, "more": "words"})
        for key in list(value)[:1]:
            yield Edit(path, "other", {**value, key: "other words"})
            yield Edit(path, "fewer", {word: text for word, text in value.items() if word != key})
    elif value is not None:
        yield Edit(path, "other", other(value))


def _tuple(value: tuple[Any, ...], hint: Value, path: tuple[Field, ...], wanted: Wanted) -> Iterator[Edit]:
    for at, one in list(enumerate(value))[: MOST if len(value) <= MOST else 2]:
        yield Edit(path, "fewer", value[:at] + value[at + 1 :])
        for edit in _changed(one, hint, path, wanted):
            yield edit._replace(value=(*value[:at], edit.value, *value[at + 1 :]))
    if len(value) > 1:
        yield Edit(path, "order", value[::-1])
    if not value and not _is_thing(hint):
        yield Edit(path, "more", (7 if hint is int else "192.0.2.9",))


def other(value: Value) -> Value:
    """Another value of the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if not value:
        return "192.0.2.1"
    try:
        own = ip_interface(value)
    except ValueError:
        return f"{value}x"
    return f"{own.ip + 2}/{own.network.prefixlen}" if "/" in value else str(own.ip + 2)
