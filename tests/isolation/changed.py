"""A configuration with one line that lets hosts through, system by system, and which test must see it."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tests.cumulus.reading import tree

Files = dict[str, str]
Change = Callable[[Files], Files]
Tree = dict[str, Any]


class Fault(NamedTuple):
    """A change of a leaf's files, and where it shows.

    shows  others: the server of storage reaches what is not its own; gateway: a service answers it; in band: one
           answers a GPU server; broadcast: a broadcast of research leaves by ports of others; manager: one who is not
           listed gets in
    leaf   of the tenant storage, of research, or of the backend
    """

    shows: str
    change: Change
    leaf: str = "storage"
    anybody: bool = False


class Numbers(NamedTuple):
    """Route targets of L3 VNIs of storage and research, and of the L2 VNI of each."""

    own: str
    other: str
    own_vlan: str
    other_vlan: str


def edit(*pairs: tuple[str, str], file: str = "") -> Change:
    """Each pattern is replaced wherever it is found, which must be at least once."""

    def change(files: Files) -> Files:
        (name,) = [key for key in files if file in key] if file else list(files)
        text = files[name]
        for pattern, instead in pairs:
            text, count = re.subn(pattern, instead, text, flags=re.MULTILINE)
            assert count, pattern
        return {**files, name: text}

    return change


def with_tree(act: Callable[[Tree], None], file: str = "") -> Change:
    """An edit of a document: JSON, or the YAML of NVUE, which is written as JSON."""

    def change(files: Files) -> Files:
        (name,) = [key for key in files if file in key] if file else list(files)
        if name.endswith(".yaml"):
            found = tree(files[name])
            act(found)
            return {**files, name: json.dumps([{"set": found}])}
        found = json.loads(files[name])
        act(found)
        return {**files, name: json.dumps(found)}

    return change


def eos(of: Numbers) -> Mapping[str, Fault]:
    above = r"(^ip route vrf mgmt .*$)"
    return {
        "the gateway is in the default VRF": Fault(
            "others", edit((r"(^interface Vlan20\n(?:   .*\n)*?)   vrf storage\n", r"\1"))
        ),
        "a foreign route target": Fault(
            "others", edit((rf"(route-target import evpn ){of.own}$", rf"\g<0>\n      \g<1>{of.other}"))
        ),
        "a static route out of the VRF": Fault(
            "others", edit((above, r"\1\nip route vrf storage 10.128.0.0/16 egress-vrf default 10.128.0.33"))
        ),
        "a leak": Fault(
            "others",
            edit(
                (r"\Z", "router general\n   vrf storage\n      leak routes source-vrf default subscribe-policy ALL\n")
            ),
        ),
        "SSH in a tenant's VRF": Fault(
            "gateway", edit((r"(^management ssh\n)", r"\1   vrf storage\n      no shutdown\n"))
        ),
        "SSH in the default VRF": Fault(
            "in band", edit((r"(^management ssh\n(?:   .*\n)*?)   shutdown\n", r"\1")), "backend"
        ),
        "eAPI in the default VRF": Fault(
            "in band", edit((r"   vrf mgmt\n      no shutdown\n      ip access-group MANAGEMENT-API\n", "")), "backend"
        ),
        "gNMI in the default VRF": Fault(
            "in band", edit((r"^      vrf mgmt\n      ip access-group MANAGEMENT-GNMI\n", "")), "backend"
        ),
        "SNMP in the default VRF": Fault("in band", edit((r"^no snmp-server vrf default\n", "")), "backend"),
        "NTP serves": Fault("in band", edit((r"(^ntp local-interface)", r"ntp serve\n\1")), "backend"),
        "a foreign L2 VNI": Fault(
            "broadcast",
            edit((rf"route-target both {of.own_vlan}$", rf"\g<0>\n      route-target import {of.other_vlan}")),
        ),
        "a port in another's VLAN": Fault(
            "broadcast", edit((r"switchport access vlan 120", "switchport access vlan 110")), "research"
        ),
        "no list of SSH": Fault("manager", edit((r"^   ip access-group MANAGEMENT-SSH vrf mgmt in\n", ""))),
    }


def nxos(of: Numbers) -> Mapping[str, Fault]:
    context = r"(^vrf context storage\n)"
    return {
        "the gateway is in the default VRF": Fault(
            "others", edit((r"(^interface Vlan20\n(?:  .*\n)*?)  vrf member storage\n", r"\1"))
        ),
        "a foreign route target": Fault(
            "others", edit((rf"(route-target import ){of.own} evpn$", rf"\g<0>\n    \g<1>{of.other} evpn"))
        ),
        "a static route out of the VRF": Fault(
            "others", edit((context, r"\1  ip route 10.128.0.0/16 10.128.0.33 vrf default\n"))
        ),
        "a leak": Fault(
            "others",
            edit(
                (
                    r"(^vrf context storage\n(?:  .*\n)*?  address-family ipv4 unicast\n)",
                    r"\1    import vrf default map ALL\n",
                )
            ),
        ),
        "no list of SSH": Fault("gateway", edit((r"^  access-class .*\n", ""), (r"^  ipv6 access-class .*\n", ""))),
        "SSH in band": Fault("in band", edit((r"^  access-class .*\n", "")), "backend"),
        "SNMP in band": Fault("in band", edit((r"^snmp-server user monitor use-ipv4acl .*\n", "")), "backend"),
        "NX-API in band": Fault("in band", edit((r"^nxapi use-vrf management\n", "")), "backend"),
        "gRPC in band": Fault("in band", edit((r"(^grpc port .*$)", r"\1\ngrpc use-vrf default")), "backend"),
        "a foreign L2 VNI": Fault(
            "broadcast", edit((rf"(route-target import ){of.own_vlan}$", rf"\g<0>\n    \g<1>{of.other_vlan}"))
        ),
        "a port in another's VLAN": Fault(
            "broadcast", edit((r"switchport access vlan 120", "switchport access vlan 110")), "research"
        ),
        "no list at mgmt0": Fault("manager", edit((r"^  ip access-group MANAGEMENT in\n", ""))),
    }


INTO_MAIN = """
routing-instances { storage { routing-options { static { route 10.128.0.0/16 next-table inet.0; } } } }
"""
FOREIGN = """
policy-options {
    policy-statement LEAK { term 1 { from { instance master; } then accept; } }
}
routing-instances { storage { routing-options { instance-import LEAK; } } }
"""


def junos(of: Numbers) -> Mapping[str, Fault]:
    lo0 = r"(unit {} \{{\n\s+description .*\n\s+family inet \{{\n)\s+filter \{{\n\s+input PROTECT-RE;\n\s+\}}\n"
    return {
        "the gateway is in the default VRF": Fault("others", edit((r"^        interface irb\.20;\n", ""))),
        "a foreign route target": Fault(
            "others",
            edit(
                (rf"vrf-target target:{of.own};", f"vrf-target {{ import target:{of.other}; export target:{of.own}; }}")
            ),
        ),
        "a static route out of the VRF": Fault("others", edit((r"\Z", INTO_MAIN))),
        "a leak": Fault("others", edit((r"\Z", FOREIGN))),
        "no filter in the VRF": Fault("gateway", edit((lo0.format(r"1\d"), r"\1"))),
        "no filter in band": Fault("in band", edit((lo0.format("0"), r"\1")), "backend"),
        "the last term accepts": Fault(
            "in band", edit((r"(term OTHERS \{\n\s+then \{\n\s+count DENIED;\n\s+)discard;", r"\1accept;")), "backend"
        ),
        "a term without an address": Fault(
            "in band",
            edit((r"(term MANAGEMENT-SSH \{\n\s+from \{\n(?:.*\n)*?)\s+destination-address \{\n.*\n\s+\}\n", r"\1")),
            "backend",
            anybody=True,
        ),
        "a foreign L2 VNI": Fault(
            "broadcast",
            edit(
                (
                    rf"vrf-target target:{of.own_vlan};",
                    f"vrf-target {{ import target:{of.other_vlan}; export target:{of.own_vlan}; }}",
                )
            ),
        ),
        "sources of SSH": Fault(
            "manager", edit((r"(prefix-list MANAGEMENT-SSH \{\n\s+)10\.0\.0\.0/28;", r"\g<1>0.0.0.0/0;"))
        ),
    }


def _instance(found: Tree, name: str) -> Tree:
    rows: list[Tree] = found["srl_nokia-network-instance:network-instance"]
    return next(row for row in rows if row["name"] == name)


def _to_default(found: Tree) -> None:
    own = _instance(found, "storage")["interface"]
    own.remove({"name": "irb0.20"})
    _instance(found, "default")["interface"].append({"name": "irb0.20"})


def _srl_import(name: str, target: str) -> Change:
    def act(found: Tree) -> None:
        (row,) = _instance(found, name)["protocols"]["srl_nokia-bgp-vpn:bgp-vpn"]["bgp-instance"]
        row["route-target"]["import-rt"] = f"target:{target}"

    return with_tree(act)


def _srl_leak(found: Tree) -> None:
    _instance(found, "default")["inter-instance-policies"] = {"apply-policy": {"export-policy": "ALL"}}
    _instance(found, "storage")["inter-instance-policies"] = {"apply-policy": {"import-policy": "ALL"}}


def _srl_servers(name: str) -> Change:
    def act(found: Tree) -> None:
        system = found["srl_nokia-system:system"]
        system["srl_nokia-ssh:ssh-server"][0]["network-instance"] = name
        system["srl_nokia-grpc:grpc-server"][0]["network-instance"] = name
        system["srl_nokia-system-snmp:snmp"]["network-instance"][0]["name"] = name

    return with_tree(act)


def _srl_no_filter(found: Tree) -> None:
    found["srl_nokia-system:system"]["control-plane-traffic"]["input"]["srl_nokia-acl:acl"]["acl-filter"] = []


def srlinux(of: Numbers) -> Mapping[str, Fault]:
    def open_in_default(files: Files) -> Files:
        return _srl_servers("default")(with_tree(_srl_no_filter)(files))

    def port_moved(found: Tree) -> None:
        rows = _instance(found, "VLAN-120")["interface"]
        moved = next(row for row in rows if row["name"].startswith("ethernet"))
        rows.remove(moved)
        _instance(found, "VLAN-110")["interface"].append(moved)

    return {
        "the gateway is in the default VRF": Fault("others", with_tree(_to_default)),
        "a foreign route target": Fault("others", _srl_import("storage", of.other)),
        "a leak": Fault("others", with_tree(_srl_leak)),
        "servers in a tenant's VRF": Fault("gateway", _srl_servers("storage"), anybody=True),
        "servers in the default instance": Fault("in band", _srl_servers("default"), "backend", anybody=True),
        "neither filter nor instance": Fault("in band", open_in_default, "backend"),
        "a foreign L2 VNI": Fault("broadcast", _srl_import("VLAN-20", of.other_vlan)),
        "a port in another's VLAN": Fault("broadcast", with_tree(port_moved), "research"),
        "no filter": Fault("manager", with_tree(_srl_no_filter)),
    }


def sonic(of: Numbers) -> Mapping[str, Fault]:
    def to_default(found: Tree) -> None:
        del found["VLAN_INTERFACE"]["Vlan20"]["vrf_name"]

    def opened(key: str) -> Change:
        def act(found: Tree) -> None:
            found["ACL_RULE"][key]["PACKET_ACTION"] = "ACCEPT"

        return with_tree(act, "config_db")

    def moved(found: Tree) -> None:
        key = next(key for key in found["VLAN_MEMBER"] if key.startswith("Vlan120|"))
        found["VLAN_MEMBER"][key.replace("Vlan120", "Vlan110")] = found["VLAN_MEMBER"].pop(key)

    block, family = r"(^vrf Vrf_storage\n)", r"(vrf Vrf_storage\n(?: .*\n)*? address-family ipv4 unicast\n)"
    return {
        "the gateway is in the default VRF": Fault("others", with_tree(to_default, "config_db")),
        "a foreign route target": Fault(
            "others", edit((rf"(  route-target import ){of.own}$", rf"\g<0>\n\g<1>{of.other}"), file="frr")
        ),
        "a static route out of the VRF": Fault(
            "others", edit((block, r"\1 ip route 10.128.0.0/16 10.128.0.33 nexthop-vrf default\n"), file="frr")
        ),
        "a leak": Fault("others", edit((family, r"\1  import vrf default\n"), file="frr")),
        "lookups do not end": Fault("others", edit((r"^ ip(v6)? route \S+ reject \d+\n", ""), file="frr")),
        "lookups end by a route that is never installed": Fault(
            "others", edit((r"(^ ip(?:v6)? route \S+ reject) \d+$", r"\1 255"), file="frr")
        ),
        "lookups of one family do not end": Fault("others", edit((r"^ ipv6 route \S+ reject \d+\n", ""), file="frr")),
        "the rule of SSH accepts": Fault("gateway", opened("MANAGEMENT-SSH|RULE_2")),
        "the rule of SSH over IPv6 accepts": Fault("gateway", opened("MANAGEMENT-SSH-IPV6|RULE_1")),
        "the rule of SSH accepts in band": Fault("in band", opened("MANAGEMENT-SSH|RULE_2"), "backend"),
        "a foreign L2 VNI": Fault(
            "broadcast",
            edit((rf"(   route-target import ){of.own_vlan}$", rf"\g<0>\n\g<1>{of.other_vlan}"), file="frr"),
        ),
        "a port in another's VLAN": Fault("broadcast", with_tree(moved, "config_db"), "research"),
        "any source": Fault("manager", opened("MANAGEMENT-SSH|RULE_2")),
    }


def _nv_to_default(found: Tree) -> None:
    found["interface"]["vlan20"]["ip"]["vrf"] = "default"


def _nv_routed(found: Tree) -> None:
    hop = {"via": {"10.128.0.33": {"type": "ipv4-address", "vrf": "default"}}}
    found["vrf"]["storage"]["router"]["static"] = {"10.128.0.0/16": hop}


def _nv_leaked(found: Tree) -> None:
    family = found["vrf"]["storage"]["router"]["bgp"]["address-family"]["ipv4-unicast"]
    family["route-import"] = {"from-vrf": {"enable": "on", "list": {"default": {}}}}


def _nv_unbound(found: Tree) -> None:
    del found["system"]["control-plane"]["acl"]["MANAGEMENT"]


def _nv_unbound_ipv6(found: Tree) -> None:
    del found["system"]["control-plane"]["acl"]["MANAGEMENT-IPV6"]


def _nv_served(found: Tree) -> None:
    found["service"]["ntp"]["default"] = found["service"]["ntp"]["mgmt"]


def _nv_moved(found: Tree) -> None:
    domains = [row.get("bridge", {}).get("domain", {}).get("br_default", {}) for row in found["interface"].values()]
    next(row for row in domains if str(row.get("access")) == "120")["access"] = 110


def _nv_any_source(found: Tree) -> None:
    for rule in found["acl"]["MANAGEMENT"]["rule"].values():
        rule["match"]["ip"].pop("source-ip", None)


def cumulus(of: Numbers) -> Mapping[str, Fault]:
    def imported(found: Tree) -> None:
        found["vrf"]["storage"]["router"]["bgp"]["route-import"]["from-evpn"]["route-target"][of.other] = {}

    def bridged(found: Tree) -> None:
        (vni,) = found["bridge"]["domain"]["br_default"]["vlan"]["20"]["vni"]
        found["evpn"]["vni"][vni]["route-target"]["import"][of.other_vlan] = {}

    return {
        "the gateway is in the default VRF": Fault("others", with_tree(_nv_to_default)),
        "a foreign route target": Fault("others", with_tree(imported)),
        "a static route out of the VRF": Fault("others", with_tree(_nv_routed)),
        "a leak": Fault("others", with_tree(_nv_leaked)),
        "a list that is not bound": Fault("gateway", with_tree(_nv_unbound)),
        "a list of IPv6 that is not bound": Fault("gateway", with_tree(_nv_unbound_ipv6)),
        "a list that is not bound, in band": Fault("in band", with_tree(_nv_unbound), "backend"),
        "NTP in the default VRF": Fault("in band", with_tree(_nv_served), "backend"),
        "a foreign L2 VNI": Fault("broadcast", with_tree(bridged)),
        "a port in another's VLAN": Fault("broadcast", with_tree(_nv_moved), "research"),
        "any source": Fault("manager", with_tree(_nv_any_source)),
    }


FAULTS: Mapping[str, Callable[[Numbers], Mapping[str, Fault]]] = {
    "eos": eos,
    "nxos": nxos,
    "junos": junos,
    "srlinux": srlinux,
    "cumulus": cumulus,
    "sonic": sonic,
}
SAMPLE = Numbers("1:1", "1:2", "1:3", "1:4")
NAMES = tuple((system, name) for system, faults in FAULTS.items() for name in faults(SAMPLE))
