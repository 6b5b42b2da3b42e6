"""What is applied against the rendered file: ranges, order, secrets, what the system comes with; and what differs."""

import pytest
import yaml

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.cumulus.live.drift import drift
from fabricgen.platforms.cumulus.live.tree import masked, tree
from fabricgen.platforms.linux.live.decode import Misread
from fabricgen.verify.collect.redact_config import without_secrets
from tests.cumulus.fleet import sample
from tests.cumulus.reading import tree as read
from tests.doubles.cumulus_shown import HEADER

WANTED = """- set:
    interface:
      swp1:
        link:
          mtu: 9216
        type: swp
      swp2:
        link:
          mtu: 9216
        type: swp
    system:
      hostname: leaf01
"""
COMES_WITH = """- set:
    system:
      aaa:
        user:
          cumulus:
            full-name: cumulus,,,
            hashed-password: '*'
            role: system-admin
      api:
        state: enabled
      config:
        auto-save:
          state: enabled
      control-plane:
        acl:
          acl-default-dos:
            inbound: {}
      reboot:
        mode: cold
      ssh-server:
        state: enabled
      wjh:
        channel:
          forwarding:
            trigger:
              l2: {}
"""


@pytest.mark.parametrize("name", ["site fe-leaf-000", "site fe-border-00", "shared be-leaf-000"])
def test_nothing_differs_where_the_file_is_applied(name: str) -> None:
    """As NVUE may print it: behind a header, in another order and style, with what the system comes with."""
    text = sample(name).text
    shown = yaml.safe_dump([{"set": read(text)}], sort_keys=True, default_flow_style=False)
    assert drift(text, HEADER + shown + COMES_WITH) == ()
    assert drift(str(without_secrets(text)), str(without_secrets(masked(HEADER + shown)))) == ()


@pytest.mark.parametrize("key", ["swp1-2", "swp1,2", "swp1,swp2"])
def test_interfaces_may_share_a_key(key: str) -> None:
    shown = f"""- set:
    interface:
      {key}:
        link:
          mtu: 9216
        type: swp
    system:
      hostname: leaf01
"""
    assert drift(WANTED, shown) == ()
    assert drift(shown, WANTED) == ()


def test_part_of_them_shared_and_part_of_their_own() -> None:
    """As the reference shows bond1 and bond1-3."""
    shown = tree(
        "- set:\n    interface:\n      bond1: {bond: {mlag: {id: 1}}}\n      bond1-3: {type: bond, link: {mtu: 9000}}"
    )
    rest = {"type": "bond", "link": {"mtu": "9000"}}
    assert shown == {"interface": {"bond1": {"bond": {"mlag": {"id": "1"}}, **rest}, "bond2": rest, "bond3": rest}}


def test_numbers_may_share_a_key_and_other_names_keep_their_dashes() -> None:
    shown = tree(
        "- set:\n    bridge:\n      domain: {br_default: {vlan: {'10-12,20': {}}}}\n    vrf: {a-1: {table: auto}}"
    )
    assert sorted(shown["bridge"]["domain"]["br_default"]["vlan"]) == ["10", "11", "12", "20"]
    assert shown["vrf"] == {"a-1": {"table": "auto"}}


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (
            "hostname: leaf01",
            "hostname: leaf02",
            (Drift(("system",), "hostname: leaf01", False), Drift(("system",), "hostname: leaf02", True)),
        ),
        ("      hostname: leaf01\n", "      timezone: UTC\n", (
            Drift(("system",), "hostname: leaf01", False), Drift(("system",), "timezone: UTC", True))),
        (
            "      swp2:\n        link:\n          mtu: 9216\n",
            "      swp2:\n        link:\n          mtu: 1500\n",
            (
                Drift(("interface", "swp2", "link"), "mtu: 9216", False),
                Drift(("interface", "swp2", "link"), "mtu: 1500", True),
            ),
        ),
        ("        type: swp\n    system", "        ip: {address: {10.9.9.9/31: {}}}\n        type: swp\n    system", (
            Drift(("interface", "swp2", "ip", "address"), "10.9.9.9/31", True),)),
        ("    system:\n", "    system:\n      aaa: {user: {mallory: {role: system-admin}}}\n", (
            Drift(("system", "aaa", "user", "mallory"), "role: system-admin", True),)),
    ],
)  # fmt: skip
def test_a_leaf_that_differs_is_told_under_its_keys(before: str, after: str, found: tuple[Drift, ...]) -> None:
    assert WANTED.count(before) == 1
    assert drift(WANTED, WANTED.replace(before, after)) == found


def test_a_key_without_a_value_stands_where_there_is_more_below_it() -> None:
    wanted, more = "- set:\n    evpn: {}\n", "- set:\n    evpn: {multihoming: {mac: {x: on}}}\n"
    assert drift(wanted, more) == (Drift(("evpn", "multihoming", "mac"), "x: on", present=True),)
    assert drift(more, wanted) == (Drift(("evpn", "multihoming", "mac"), "x: on", present=False),)


def test_lines_of_a_snippet_are_told_one_by_one() -> None:
    above = "- set:\n    system:\n      config:\n        snippet:\n          frr.conf: |\n"
    text = f"{above}            route-map A permit 10\n            exit\n"
    (found,) = drift(text, text.replace("A permit 10", "A permit 20\n            route-map A permit 10"))
    assert found == Drift(("system", "config", "snippet", "frr.conf"), "route-map A permit 20", present=True)


def test_what_is_unset_behind_is_not_wanted() -> None:
    """A user's raw lines may take away what is rendered."""
    wanted = WANTED + "- unset:\n    interface:\n      swp2:\n"
    assert [one for one in drift(wanted, WANTED) if not one.present] == []
    assert {one.section[:2] for one in drift(wanted, WANTED)} == {("interface", "swp2")}


HIDING = """- set:
    system:
      aaa:
        tacacs:
          server:
            '1': {secret: canary-1}
        user:
          admin:
            hashed-password: $6$canary$2
    vrf:
      RED:
        router:
          bgp:
            neighbor:
              172.31.0.1:
                password: canary-3
                remote-as: external
"""


def test_secrets_equal_each_other_and_are_never_told() -> None:
    other = HIDING.replace("canary", "$nvsec$abc")
    assert drift(HIDING, other) == ()
    found = drift("- set:\n    system: {hostname: a}\n", HIDING)
    assert len(found) == 5
    assert "canary" not in str(found)
    gone = drift(HIDING, HIDING.replace("                password: canary-3\n", ""))
    assert gone == (Drift(("vrf", "RED", "router", "bgp", "neighbor", "172.31.0.1"), "password: <secret>", False),)


def test_no_secret_is_in_a_masked_text_and_the_rest_is() -> None:
    block = yaml.safe_dump(yaml.safe_load(HIDING), default_flow_style=False)
    assert block.count("canary") == 3
    kept = masked(block)
    assert "canary" not in kept
    assert kept.count("<removed>") == 3
    assert [line.split(":")[0] for line in kept.splitlines()] == [line.split(":")[0] for line in block.splitlines()]
    above = "- set:\n    service:\n      snmp-server:\n        readonly-community:\n"
    community = f"{above}          canary:\n            access: any\n        state: on\n"
    assert masked(community) == community.replace("canary", "<removed>")
    assert masked("    note: $nvsec$canary$1\n") == "    note: <removed>\n"


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "{", "- set: [", "- set:\n  a: b\n c: d\n", "[]\n- set: 1\n\t- x", "null", "- header: {}\n- 1"],
)
def test_what_is_no_configuration_never_counts_as_right(text: str) -> None:
    found = drift(WANTED, text)
    assert len(found) > 4
    assert any("cannot be read" in one.line for one in found)
    assert drift(text, WANTED)[0].present is False


def test_a_range_that_is_too_long_is_no_range() -> None:
    shown = tree("- set:\n    interface: {swp1-99999: {type: swp}, swp9-1: {type: swp}}")
    assert len(shown["interface"]) <= 2 + 4096
    with pytest.raises(Misread):
        tree("no list")
