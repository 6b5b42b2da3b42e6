"""Edits of a site as `init` writes it, as somebody types them who has not read the manual: literal data.

A name says what is edited: S servers, B the backend, F the frontend.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.checks.searching import CATALOG, GONE, Document, Edit

SERVERS = "servers.train"
BACK, FRONT = "fabrics.backend", "fabrics.frontend"
B, F = f"{BACK}.topology", f"{FRONT}.topology"


def of_spine(fabric: str) -> Callable[[Document], object]:
    """The spine's own model and system."""
    return lambda document: document["fabrics"][fabric]["spine"]


def another(fabric: str, role: str, at: int) -> Callable[[Document], object]:
    """Another model that runs the same system, by its place in the alphabet."""

    def model(document: Document) -> object:
        switch: dict[str, Any] = document["fabrics"][fabric][role]
        system = switch["os"].partition("-")[0]
        known = (name for name, one in CATALOG.switches.items() if system in one.port_names and name != switch["model"])
        return sorted(known)[at]

    return model


def beside(model: str, nics: str, fabric: str = "backend") -> Edit:
    """A second server group."""
    return {
        "servers.more": {"model": model, "slots": "0-3", "planned": 8},
        f"fabrics.{fabric}.connects.more": nics,
    }


def pods(fabric: str, **keys: object) -> Edit:
    """Superspines of the spine's model, with keys of the topology."""
    topology = {f"fabrics.{fabric}.topology.{key}": value for key, value in keys.items()}
    return {f"fabrics.{fabric}.superspine": of_spine(fabric), **topology}


OF_SERVERS: Mapping[str, Edit] = {
    **{f"S stand at {slots}": {f"{SERVERS}.slots": slots} for slots in ("0-15", "0-63", "0-255", "8-15", "0-0")},
    **{f"S are planned {n}": {f"{SERVERS}.planned": n} for n in (8, 64, 128, 256, 512, 1024, 2048, 8192)},
    **{f"S stand, {n}": {f"{SERVERS}.slots": f"0-{n - 1}", f"{SERVERS}.planned": n} for n in (128, 1024)},
    **{
        f"S are {model}": {f"{SERVERS}.model": model}
        for model in ("dgx-h100", "dgx-b300", "gb200-nvl72", "mi300x-thor2", "cpu-2x100")
    },
    **{f"S beside {model}": beside(model, "compute") for model in ("dgx-h100", "dgx-b300", "gb200-nvl72")},
    **{f"S beside dgx-b300, {n}G": {**beside("dgx-b300", "compute"), f"{B}.uplink_gbps": n} for n in (400, 800)},
    "S beside storage": beside("storage-2x200", "frontend", "frontend"),
    "S beside storage, no such NICs": beside("storage-2x200", "data", "frontend"),
    "S beside CPUs": beside("cpu-2x100", "frontend", "frontend"),
}
OF_BACKEND: Mapping[str, Edit] = {
    **{f"B {ratio}": {f"{B}.oversubscription": ratio} for ratio in ("2:1", "3:1", "1:2")},
    **{f"B unit of {n}": {f"{B}.servers_per_unit": n} for n in (1, 2, 4, 8, 16, 64)},
    "B unit by group": {f"{B}.servers_per_unit": {"train": 4}},
    **{f"B spines {now}": {f"{B}.spines": {"now": now}} for now in (1, 3)},
    **{
        f"B spines {now} of {planned}": {f"{B}.spines": {"now": now, "planned": planned}}
        for now, planned in ((2, 2), (4, 7), (8, 8), (8, 4), (16, 16), (2, 64), (64, 64))
    },
    "B spines left out": {f"{B}.spines": GONE},
    **{f"B planes {n}": {f"{B}.planes": n} for n in (1, 2, 4)},
    "B pairs of leaves": {f"{B}.leaves_per_rail": 2},
    **{f"B rails a leaf {n}": {f"{B}.rails_per_leaf": n} for n in (2, 3, 8)},
    **{f"B rails a plane {n}": {f"{B}.rails_per_plane": n} for n in (1, 2, 3)},
    "B rails a plane 1, a leaf 2": {f"{B}.rails_per_plane": 1, f"{B}.rails_per_leaf": 2},
    "B rails a plane 1, no spine": {f"{B}.rails_per_plane": 1, f"{BACK}.spine": GONE},
    "B rails a plane 1, planned 2048": {f"{B}.rails_per_plane": 1, f"{SERVERS}.planned": 2048},
    "B rails a plane 2, planes 2": {f"{B}.rails_per_plane": 2, f"{B}.planes": 2},
    **{f"B uplinks of {n}": {f"{B}.uplink_gbps": n} for n in (100, 200, 400, 800, 1600)},
    **{f"B is {design}": {f"{B}.design": design} for design in ("tor", "rail-only", "leaf-spine", "rail-optimized")},
    "B is rail-only, no spines": {f"{B}.design": "rail-only", f"{B}.spines": GONE, f"{BACK}.spine": GONE},
    "B no spine": {f"{BACK}.spine": GONE},
    "B pods, no superspine": {f"{B}.units_per_pod": 2},
    "B superspine, no pods": pods("backend"),
    **{f"B pods of {n}": pods("backend", units_per_pod=n) for n in (1, 2, 8)},
    **{
        f"B pods of 1, planned {n}": {**pods("backend", units_per_pod=1), f"{SERVERS}.planned": n} for n in (1024, 8192)
    },
    "B superspines 3": pods("backend", units_per_pod=1, superspines={"now": 3}),
    "B superspines, no superspine": {f"{B}.superspines": {"now": 2}},
    "B spine ratio, no superspine": {f"{B}.spine_oversubscription": "2:1"},
    "B spine ratio": pods("backend", units_per_pod=1, spine_oversubscription="3:1"),
    **{f"B another leaf {n}": {f"{BACK}.leaf.model": another("backend", "leaf", n)} for n in (0, 1)},
    **{f"B another spine {n}": {f"{BACK}.spine.model": another("backend", "spine", n)} for n in (0, 1)},
    "B runs FRR": {f"{BACK}.leaf.os": "frr-8.4", f"{BACK}.spine.os": "frr-8.4"},
    "B small IPv4": {f"{BACK}.addressing.ipv4": "10.64.0.0/26"},
    "B another IPv4": {f"{BACK}.addressing.ipv4": "10.208.0.0/12"},
    "B no IPv6": {f"{BACK}.addressing.ipv6": GONE},
    "B unnumbered": {f"{BACK}.addressing.links": ["unnumbered"]},
    "B hosts of IPv6": {f"{BACK}.addressing.hosts": "ipv6"},
    "B few AS numbers": {f"{BACK}.asns": "4201000000-4201000003"},
    **{f"B MTU {n}": {f"{BACK}.mtu": n} for n in (1500, 9400)},
    **{f"B {mode}": {f"{BACK}.load_balancing": mode} for mode in ("ecmp", "dlb-per-packet", "dlb-flowlet", "cluster")},
    "B weighted": {f"{BACK}.link_loss": "weighted"},
    "B lossless": {f"{BACK}.transport": "roce-lossless"},
    "B marking": {f"{BACK}.roce": {"marking": "broadcom"}},
}
OF_FRONTEND: Mapping[str, Edit] = {
    **{f"F {ratio}": {f"{F}.oversubscription": ratio} for ratio in ("1:1", "2:1", "6:1", "12:1")},
    **{f"F borders {n}": {f"{F}.border_leaves": n} for n in (1, 2, 4, 40)},
    **{f"F spines {now}": {f"{F}.spines": {"now": now}} for now in (1, 3, 5)},
    **{
        f"F spines {now} of {planned}": {f"{F}.spines": {"now": now, "planned": planned}}
        for now, planned in ((2, 7), (4, 4), (4, 2), (16, 16))
    },
    **{f"F uplinks of {n}": {f"{F}.uplink_gbps": n} for n in (100, 200, 400)},
    "F uplinks of 100, long ones": {f"{F}.uplink_gbps": 100, "cables.default.leaf_spine": 500},
    "F pods of 1": pods("frontend", units_per_pod=1),
    "F pods, no superspine": {f"{F}.units_per_pod": 2},
    "F no spine": {f"{FRONT}.spine": GONE},
    **{f"F another leaf {n}": {f"{FRONT}.leaf.model": another("frontend", "leaf", n)} for n in (0, 1)},
    **{f"F another spine {n}": {f"{FRONT}.spine.model": another("frontend", "spine", n)} for n in (0, 1)},
    "F small IPv4": {f"{FRONT}.addressing.ipv4": "10.128.0.0/28"},
    "F MTU 1500": {f"{FRONT}.mtu": 1500},
    **{f"F {mode}": {f"{FRONT}.server_ports.multihoming": mode} for mode in ("active-backup", "evpn-esi")},
}
OF_SITE: Mapping[str, Edit] = {
    "small management": {"management.oob": "10.0.0.0/27"},
    "another management": {"management.oob": "10.9.0.0/16"},
    **{f"links of {n} m": {"cables.default.leaf_spine": n} for n in (150, 2000)},
    "servers at 150 m": {"cables.default.server_leaf": 150},
}
EDITS: Mapping[str, Edit] = {**OF_SERVERS, **OF_BACKEND, **OF_FRONTEND, **OF_SITE}
