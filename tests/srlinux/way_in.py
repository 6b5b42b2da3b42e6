"""SR Linux: the way in from the management network, read from a rendered document."""

import json
import re
from typing import Any

from tests.platform_case import ADDRESS


def missing(text: str) -> list[str]:
    """Parts of the way in that a file does not have: ssh, port, address, route."""
    return missing_in_document(json.loads(text))


def missing_in_document(document: dict[str, Any]) -> list[str]:
    """The same of a parsed file."""
    servers = document["srl_nokia-system:system"]["srl_nokia-ssh:ssh-server"]
    instances = {one["name"]: one for one in document["srl_nokia-network-instance:network-instance"]}
    mgmt = instances["mgmt"]
    ports = {one["name"]: one for one in document["srl_nokia-interfaces:interface"]}
    address = ports["mgmt0"]["subinterface"][0]["ipv4"]["address"][0]["ip-prefix"]
    routes = mgmt["srl_nokia-static-routes:static-routes"]["route"]
    groups = mgmt["srl_nokia-next-hop-groups:next-hop-groups"]["group"]
    hops = {one["name"]: one["nexthop"][0]["ip-address"] for one in groups}
    found = {
        "ssh": any(one["network-instance"] == "mgmt" and one["admin-state"] == "enable" for one in servers),
        "port": [one["name"] for one in mgmt["interface"]] == ["mgmt0.0"],
        "address": re.fullmatch(ADDRESS, address) is not None,
        "route": {one["prefix"]: hops[one["next-hop-group"]] for one in routes}.get("0.0.0.0/0") == "10.0.0.1",
    }
    return [what for what, is_there in found.items() if not is_there]
