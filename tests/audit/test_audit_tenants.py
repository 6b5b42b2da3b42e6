"""Faults in routes of tenants, seeded in the text of one switch, are named there by what each VLAN and VRF takes."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import pytest

from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.properties import violations
from fabricgen.audit.reach import exported, reach
from fabricgen.audit.representatives import sample
from fabricgen.audit.switch import audited
from fabricgen.audit.violations import ViolationGroup
from fabricgen.readback.policy import PERMIT_ALL, Policy, PrefixRange, Term
from fabricgen.readback.rows import Key
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from tests.audit.planned import ROOT, Change, Rows, site_rows, site_view, violated
from tests.pairs.sites import planned
from tests.some import some

LEAF, SPINE, BORDER = "fe-leaf-000", "fe-spine-00", "fe-border-00"
DEMO = ROOT / "inventories/demo/intent.yaml"
SMALL = ROOT / "tests/golden/cases/small/intent.yaml"
Edit = tuple[str, str]
"""Regular expression of lines, and what its matches become."""


class Fault(NamedTuple):
    """One fault in the words of each system, and what must be said of it at the switch."""

    switch: str
    says: str
    kind: str
    edits: Mapping[str, Edit]


FRR_VLAN = (r"^(   route-target import) 65000:10004$", r"\1 65000:99")
FRR_LEAK = (r"^(  route-target import) 65000:10003$", r"\g<0>\n\1 65000:10001")
LINES = r"(?:.*\n){%d}"
REACHED = "PL-RESEARCH-REACHED-IPV4"
TEXT_FAULTS: Mapping[str, Fault] = {
    "a VLAN does not import its target": Fault(
        LEAF,
        "VLAN 20: does not import 65000:10004",
        "frontend",
        {
            "eos": (r"^      route-target both (65000:10004)$", r"      route-target export \1"),
            "frr": FRR_VLAN,
            "sonic": FRR_VLAN,
            "cumulus": (r"(import:\n +'?)65000:10004", r"\g<1>65000:99"),
            "junos": (
                r"vrf-target target:65000:10004;",
                "vrf-target {\nimport target:65000:99;\nexport target:65000:10004;\n}",
            ),
            "srlinux": (r'("import-rt": "target:65000:)10004"', r'\g<1>99"'),
            "nxos": (r"^(    route-target import) 65000:10004$", r"\1 65000:99"),
        },
    ),
    "a subnet is not announced": Fault(
        LEAF,
        "VRF storage: 172.17.0.0/20 is not announced",
        "frontend",
        {
            "eos": (r"^ +network 172.17.0.0/20\n", ""),
            "frr": (r"(STORAGE-ORIGINATED-IPV4 seq 10 permit) 172.17.0.0/20", r"\1 172.99.0.0/20"),
            "sonic": (r"(STORAGE-ORIGINATED-IPV4 seq 10 permit) 172.17.0.0/20", r"\1 172.99.0.0/20"),
            "cumulus": (r"'172.17.0.0/20': \{\}", "'172.99.0.0/20': {}"),
            "junos": (r"172.17.0.0/20 exact;", "172.99.0.0/20 exact;"),
            "srlinux": (r'"172.17.0.0/20",(\n +"mask-length-range": "exact")', r'"172.99.0.0/20",\1'),
            "nxos": (r"^      network 172.17.0.0/20\n", ""),
        },
    ),
    "a tenant imports another one": Fault(
        LEAF,
        "VRF storage: imports 65000:10001 of tenant research",
        "frontend",
        {
            "eos": (r"^( +route-target import evpn) 65000:10003$", r"\g<0>\n\1 65000:10001"),
            "frr": FRR_LEAK,
            "sonic": FRR_LEAK,
            "cumulus": (r"(from-evpn: \{route-target: \{)'65000:10003'", r"\1'65000:10001': {}, '65000:10003'"),
            "junos": (
                r"vrf-target target:65000:10003;",
                "vrf-target {\nimport target:65000:10001;\nexport target:65000:10003;\n}",
            ),
            "srlinux": (r'("import-rt": "target:65000:)10003"', r'\g<1>10001"'),
            "nxos": (r"^(    route-target import) 65000:10003 evpn$", r"\g<0>\n\1 65000:10001 evpn"),
        },
    ),
    "a leaf announces a default route": Fault(
        LEAF,
        "VRF storage: the default route 0.0.0.0/0 begins here",
        "frontend",
        {
            "eos": (r"^( +network) 172.17.0.0/20$", r"\g<0>\n\1 0.0.0.0/0"),
            "frr": (r"^(ip prefix-list \S+-STORAGE-ORIGINATED-IPV4) seq 10.*$", r"\g<0>\n\1 seq 20 permit 0.0.0.0/0"),
            "sonic": (r"^(ip prefix-list \S+_STORAGE-ORIGINATED-IPV4) seq 10.*$", r"\g<0>\n\1 seq 20 permit 0.0.0.0/0"),
            "cumulus": (r"^( +)'172.17.0.0/20': \{\}$", r"\g<0>\n\1'0.0.0.0/0': {}"),
            "junos": (r"172.17.0.0/20 exact;", r"\g<0>\n0.0.0.0/0 exact;"),
            "srlinux": (
                r'\{\n +"ip-prefix": "172.17.0.0/20",\n +"mask-length-range": "exact"\n +\}',
                r'\g<0>, {"ip-prefix": "0.0.0.0/0", "mask-length-range": "exact"}',
            ),
            "nxos": (r"^(      network) 172.17.0.0/20$", r"\g<0>\n\1 0.0.0.0/0"),
        },
    ),
    "an import policy drops a subnet": Fault(
        LEAF,
        "VRF research: does not let 172.17.0.0/20 of tenant storage in",
        "imports",
        {
            "eos": (rf"({REACHED}\n   seq 10 permit) 172.17", r"\1 172.99"),
            "frr": (rf"({REACHED} seq 10 permit) 172.17", r"\1 172.99"),
            "sonic": (r"(RESEARCH-REACHED-IPV4 seq 10 permit) 172.17", r"\1 172.99"),
            "cumulus": (rf"({REACHED}:\n{LINES % 4} +')172.17", r"\g<1>172.99"),
            "junos": (rf"({REACHED} {{\n +)172.17", r"\g<1>172.99"),
            "srlinux": (rf'("{REACHED}",\n{LINES % 2} +"ip-prefix": ")172.17', r"\g<1>172.99"),
        },
    ),
    "an import policy lets one prefix more in": Fault(
        LEAF,
        "VRF research: lets the default route 0.0.0.0/0 of tenant storage in",
        "imports",
        {
            "eos": (rf"({REACHED}\n   seq 10 permit) 172.17.0.0/20", r"\1 0.0.0.0/0"),
            "frr": (rf"^(ip prefix-list {REACHED} seq) 10 .*$", r"\g<0>\n\1 20 permit 0.0.0.0/0"),
            "sonic": (r"^(ip prefix-list \S+RESEARCH-REACHED-IPV4 seq) 10 .*$", r"\g<0>\n\1 20 permit 0.0.0.0/0"),
            "cumulus": (rf"({REACHED}:\n{LINES % 4} +')172.17.0.0/20", r"\g<1>0.0.0.0/0"),
            "junos": (rf"({REACHED} {{\n +172.17.*)", r"\1\n0.0.0.0/0 exact;"),
            "srlinux": (
                rf'("{REACHED}",\n{LINES % 2} +"ip-prefix": ")172.17.0.0/20",\n +"mask-length-range": "20',
                r'\g<1>0.0.0.0/0", "mask-length-range": "0',
            ),
        },
    ),
    "a spine holds all routes back": Fault(
        SPINE,
        f"do not get from {SPINE} to",
        "frontend",
        {
            "eos": (r"^(route-map RM-LEAVES-EVPN-OUT) permit", r"\1 deny"),
            "frr": (r"^(route-map RM-LEAVES-EVPN-OUT) permit", r"\1 deny"),
            "sonic": (r'("RM-LEAVES-EVPN-OUT\|10": \{\n(?:.*\n)*? +"route_operation": )"permit"', r'\1"deny"'),
            "cumulus": (r"^( +route-map RM-LEAVES-EVPN-OUT) permit", r"\1 deny"),
            "junos": (rf"(policy-statement RM-LEAVES-EVPN-OUT {{\n{LINES % 3} +)accept", r"\1reject"),
            "srlinux": (rf'("name": "RM-LEAVES-EVPN-OUT",\n{LINES % 7} +"policy-result": )"accept"', r'\1"reject"'),
            "nxos": (r"^(route-map RM-LEAVES-EVPN-OUT) permit", r"\1 deny"),
        },
    ),
    "a spine holds one tenant back": Fault(
        SPINE,
        f"with 65000:10003 do not get from {SPINE} to",
        "frontend",
        {
            "frr": (
                r"^route-map RM-LEAVES-EVPN-OUT permit 10$",
                "bgp extcommunity-list standard EC-X seq 10 permit rt 65000:10003\n"
                r"route-map RM-LEAVES-EVPN-OUT deny 5\n match extcommunity EC-X\nexit\n\g<0>",
            ),
            "eos": (
                r"^route-map RM-LEAVES-EVPN-OUT permit 10$",
                "ip extcommunity-list EC-X permit rt 65000:10003\n"
                r"route-map RM-LEAVES-EVPN-OUT deny 5\n   match extcommunity EC-X\n!\n\g<0>",
            ),
        },
    ),
}


@cache
def rendered(system: str, kind: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
    """Files of every switch of a small site."""
    renderer = Renderer()
    plan = planned(system, system, kind)
    return tuple((device.name, {file.name: file.text for file in renderer.render(device)}) for device in devices(plan))


def said(system: str, kind: str, switch: str, edit: Edit) -> list[ViolationGroup]:
    """What properties say after an edit of the text of one switch."""
    plan, site, count = planned(system, system, kind), GatheredSite(), 0
    texts = dict(rendered(system, kind))
    for device in devices(plan):
        files = texts[device.name]
        if device.name == switch:
            made = {name: re.subn(edit[0], edit[1], text, flags=re.MULTILINE) for name, text in files.items()}
            files, count = {name: text for name, (text, _) in made.items()}, sum(number for _, number in made.values())
        audit = audited(device, files, filled=False)
        assert not audit.unread, audit.unread[:3]
        site.add(plan.fabrics[device.fabric], device, audit, frozenset(texts))
    assert count, "the edit changes nothing"
    return [*violations(site.sides()[0])]


@pytest.mark.parametrize(
    ("name", "system"), some([(name, system) for name, fault in TEXT_FAULTS.items() for system in fault.edits])
)
def test_a_fault_in_a_text_is_named_at_its_switch(name: str, system: str) -> None:
    fault = TEXT_FAULTS[name]
    found = said(system, fault.kind, fault.switch, fault.edits[system])
    assert any(
        row.switch == fault.switch and row.at.line and any(fault.says in what for what in row.what) for row in found
    ), found[:6]


def _said(change: Change) -> list[tuple[str, str]]:
    """Switch and text of each violation of a small site after a change."""
    return [(row.switch, what) for row in violated(SMALL, change) for what in row.what]


OWN = Term(permit=True, route_targets=frozenset({"65000:10001"}))
"""Routes of tenant blue."""


def _range(prefix: str, shortest: int, longest: int) -> frozenset[PrefixRange]:
    return frozenset({PrefixRange(prefix, shortest, longest)})


SUBNETS_OF_RED = (
    Term(permit=True, prefixes_ipv4=_range("172.16.0.0/24", 24, 32)),
    Term(permit=True, prefixes_ipv6=_range("fd00:10::/64", 64, 128)),
)


def test_what_a_border_takes_from_the_outside_is_not_of_another_tenant() -> None:
    """Blue may import red's subnets; a wider import policy also takes what red has from its firewall."""
    wide = Term(permit=True, prefixes_ipv4=_range("10.0.0.0/8", 8, 24))
    accepts = Policy((Term(permit=True, prefixes_ipv4=_range("10.9.0.0/16", 16, 16)),))

    def change(rows: Rows) -> None:
        key = next(key for key in rows[BORDER] if key.thing == "session" and key.name.startswith("red "))
        rows[BORDER][key._replace(setting="policy-in.ipv4")] = accepts
        rows[LEAF][Key("vrf", "blue", "import-policy")] = Policy((OWN, *SUBNETS_OF_RED, wide))

    assert (LEAF, "VRF blue: lets 10.9.0.0/16 of tenant red in") in _said(change)


def test_an_import_policy_may_match_communities() -> None:
    """A spine marks what it hands down, so that a term with the mark decides on every route."""

    def change(rows: Rows) -> None:
        marked = Term(permit=False, communities=frozenset({"65000:1"}))
        rows[LEAF][Key("vrf", "blue", "import-policy")] = Policy((marked, OWN, *SUBNETS_OF_RED))

    assert (LEAF, "VRF blue: does not let 172.17.0.0/24, 172.17.1.0/24 in") in _said(change)


def test_a_tenants_own_routes_may_be_denied() -> None:
    def change(rows: Rows) -> None:
        rows[LEAF][Key("vrf", "blue", "import-policy")] = Policy(SUBNETS_OF_RED)

    assert (LEAF, "VRF blue: does not let 172.17.0.0/24, 172.17.1.0/24 in") in _said(change)


def test_addresses_of_a_tenants_own_servers_may_be_denied() -> None:
    """Routes of type 2 have the targets of their VLAN, too."""

    def change(rows: Rows) -> None:
        hosts = Term(permit=False, prefixes_ipv4=_range("172.17.0.0/24", 32, 32))
        rows[LEAF][Key("vrf", "blue", "import-policy")] = Policy((hosts, OWN, *SUBNETS_OF_RED))

    assert (LEAF, "VRF blue: does not let 172.17.0.254/32 in") in _said(change)


def test_a_leaf_that_exports_another_target_is_at_fault_itself() -> None:
    def change(rows: Rows) -> None:
        rows["fe-leaf-001"][Key("vrf", "red", "exports")] = frozenset({"65000:99"})

    said_of = [row for row in _said(change) if "which other leaves" in row[1]]
    assert said_of == [("fe-leaf-001", "VRF red: exports 65000:99, which other leaves do not import")]


def test_addresses_of_another_vlan_come_with_the_target_of_their_vrf() -> None:
    """A route of type 2 has the targets of its VLAN and of the VRF of its gateway."""

    def change(rows: Rows) -> None:
        rows[LEAF][Key("vlan", "20", "imports")] |= frozenset({"65000:10001"})  # type: ignore[operator]

    assert (LEAF, "VLAN 20: imports 65000:10001 of VLAN 21") in _said(change)


def test_routes_of_an_outside_with_the_as_number_of_the_spines_are_lost() -> None:
    asn = site_rows(SMALL, SPINE)[Key("bgp", "", "asn")]

    def change(rows: Rows) -> None:
        key = next(key for key in rows[BORDER] if key.thing == "session" and key.name.startswith("red "))
        rows[BORDER][key._replace(setting="remote-as")] = asn

    assert any(
        switch == BORDER and f"its EVPN routes with {asn} reach none of" in what for switch, what in _said(change)
    )


@pytest.mark.parametrize(("limit", "is_enough"), [(13, False), (14, True)])
def test_evpn_routes_that_texts_imply_fit_a_limit(limit: int, *, is_enough: bool) -> None:
    """A leaf has 3 VLANs, 3 gateways, 4 subnets and 4 segments: a spine has 14 routes of it, and those of servers."""

    def change(rows: Rows) -> None:
        for key in [key for key in rows[SPINE] if key.setting == "maximum-routes.evpn"]:
            rows[SPINE][key] = limit

    wanted = f"14 evpn routes come in, and its limit is {limit}"
    assert any(wanted in what for _, what in _said(change)) is not is_enough


def test_a_sample_has_leaves_of_a_tenant_that_a_policy_names() -> None:
    """Else nobody announces in it what a spine holds back."""
    target = frozenset({"65000:10004"})
    deny = Policy((Term(permit=False, route_targets=target), PERMIT_ALL))

    def change(rows: Rows) -> None:
        for key in [key for key in rows[SPINE] if key.setting == "policy-out.evpn"]:
            rows[SPINE][key] = deny

    as_planned, site = (sample(site_view(DEMO, made), whole=1).site for made in (lambda rows: None, change))
    assert not any(target & exported(switch) for switch in as_planned.switches.values())
    assert any(row.switch == SPINE and "with 65000:10004" in row.what for row in reach(site))


@pytest.mark.parametrize("way", ["in", "out"])
def test_a_sample_has_the_far_ends_of_the_one_session_that_is_unlike_others(way: str) -> None:
    def change(rows: Rows) -> None:
        *_, last = [key for key in rows["fe-leaf-005"] if key.setting == f"policy-{way}.evpn"]
        rows["fe-leaf-005"][last] = Policy(())

    site = sample(site_view(DEMO, change), whole=1).site
    assert any("do not get from" in row.what and "fe-spine-03" in row.what for row in reach(site))


def test_a_sample_has_switches_whose_prefixes_a_policy_names() -> None:
    """Their like are in the sample without, and their prefixes pass."""
    prefix = next(key.name for key in site_rows(DEMO, "fe-leaf-004") if key.thing == "network" and ":" not in key.name)

    def change(rows: Rows) -> None:
        own = rows["fe-leaf-005"]
        for key in [key for key in own if key.setting == "policy-in.ipv4"]:
            policy = own[key]
            assert isinstance(policy, Policy)
            own[key] = Policy((Term(permit=False, prefixes_ipv4=_range(prefix, 32, 32)), *policy.terms))

    site = sample(site_view(DEMO, change), whole=1).site
    assert any(f"{prefix} reaches none of" in row.what for row in reach(site))
