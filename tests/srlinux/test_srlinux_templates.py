"""The templates: no logic, all listed, every field of a Device printed or excused, and no line lost unseen."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment, Template, TemplateError

from fabricgen.platforms.base.json_sections import SectionError
from fabricgen.platforms.srlinux import bgp as srlinux_bgp
from fabricgen.platforms.srlinux import context as srlinux_words
from fabricgen.platforms.srlinux import control_plane as srlinux_filter
from fabricgen.platforms.srlinux import platform as srlinux
from fabricgen.platforms.srlinux import policy as srlinux_policy
from fabricgen.platforms.srlinux import ports as srlinux_ports
from fabricgen.platforms.srlinux import qos as srlinux_qos
from fabricgen.platforms.srlinux.context import TemplateContext
from fabricgen.platforms.srlinux.document import document
from fabricgen.platforms.srlinux.platform import SRLINUX
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import environment
from fabricgen.resolve.needs import needs
from tests.some import some
from tests.srlinux.expected import EXPECTED, leaves
from tests.srlinux.sites import intent, plan_of, sample, text_of
from tests.template_rules import fields, logic

FOLDER = templates_folder() / "srlinux"
FILES = sorted(path.name for path in FOLDER.glob("*.j2"))


@pytest.mark.parametrize("name", FILES)
def test_a_template_only_tests_loops_and_prints(name: str) -> None:
    source = (FOLDER / name).read_text()
    assert list(logic(source)) == []
    assert len(source.splitlines()) <= 60
    assert source.endswith("\n")


def test_every_template_is_listed_and_every_role_ends_alike() -> None:
    sections = [artifact.sections for artifacts in SRLINUX.artifacts.values() for artifact in artifacts]
    assert sorted({name for names in sections for name in names}) == FILES
    for names in sections:
        assert len(set(names)) == len(names)
        assert names[0] == "system.j2"
        assert names[-1] == "raw.j2"


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_files_say_what_is_expected(name: str) -> None:
    found = leaves(text_of(name))
    assert {path: found.get(path) for path in EXPECTED[name]} == EXPECTED[name]


def lines() -> Iterator[tuple[str, int, str]]:
    for name in FILES:
        for at, line in enumerate((FOLDER / name).read_text().splitlines(True)):
            if name != "raw.j2":
                yield name, at, line


@cache
def compiled() -> Environment:
    return environment(None)


@cache
def spelled(name: str) -> TemplateContext:
    return SRLINUX.template_context(sample(name))  # type: ignore[return-value]  # a platform's own type


def section(template: Template, name: str) -> Mapping[str, object]:
    """Leaves that one template prints for a sample."""
    return leaves(document(template.render(device=sample(name), context=spelled(name), raw=())))


@cache
def wanted(name: str) -> Mapping[str, Mapping[str, object]]:
    """Sample → the expected leaves that are this template's."""
    template = compiled().from_string((FOLDER / name).read_text())
    found = {sample: section(template, sample) for sample in EXPECTED}
    return {
        sample: ours
        for sample, rows in EXPECTED.items()
        if (ours := {path: found[sample][path] for path in rows if path in found[sample]})
    }


def is_seen(name: str, at: int) -> bool:
    """Whether a line that is lost breaks the template or the document, or takes an expected leaf with it."""
    source = (FOLDER / name).read_text().splitlines(True)
    try:
        cut = compiled().from_string("".join(source[:at] + source[at + 1 :]))
        for sample, whole in wanted(name).items():
            less = section(cut, sample)
            if any(less.get(path) != value for path, value in whole.items()):
                return True
    except (TemplateError, SectionError):
        return True
    return False


@pytest.mark.parametrize("name", some([name for name in FILES if name != "raw.j2"]))
def test_no_line_is_lost_unseen(name: str) -> None:
    lost = [f"{at + 1}: {line.strip()}" for found, at, line in lines() if found == name and not is_seen(name, at)]
    assert [line for line in lost if not line.endswith("{% else %}")] == []


@pytest.mark.parametrize(
    ("sample", "path"),
    [
        ("demo backend leaf", "/system/aaa/authentication/user[admin]/password"),
        ("demo frontend leaf", "/interface[ethernet-1/1/1]/mtu"),
        ("demo backend leaf", "/network-instance[mgmt]/next-hop-groups/group[via-10.0.0.1]/blackhole"),
        ("demo backend leaf", "/network-instance[default]/next-hop-groups/group[discard]/nexthop[1]/ip-address"),
    ],
)
def test_of_two_branches_one_prints(sample: str, path: str) -> None:
    assert path not in leaves(text_of(sample))


EXCUSED = {
    "multihop": "through multihop_ttl",
    "ttl_security": "through multihop_ttl",
    **dict.fromkeys(("banner", "idle_minutes", "only_keys"), "through context.login"),
    "strong": "refused: ssh-ciphers",
    "kind": "the fabric's, told by its parts",
    "site": "no remark stands in JSON",
    "fabric": "no remark stands in JSON",
    "role": "chooses the sections",
    "system": "chooses the platform",
    "version": "one spelling for the versions the platform names",
    "state": "in the route maps already",
    "model": "through spellings",
    "asic": "through spellings",
    "artifact": "SR Linux has one file",
    "dead": "the configuration stays for the box that comes; what is expected of the port is for verify",
    "gateway": "stands in the static routes",
    "vtep": "address of system0",
    "es_import": "SR Linux makes it of the identifier",
    "marks": "refused: roce-over-vxlan",
    "relays_ipv4": "refused: dhcp-relay",
    "relays_ipv6": "refused: dhcp-relay",
    "relay_source": "refused: dhcp-relay",
    "bpdu_guard": "refused: bpdu-guard",
    "ra_guard": "refused: ra-guard",
    "tracking": "refused: uplink-tracking",
    "match_paths_list": "refused: link-loss-withdraw",
    "paths_lists": "refused: link-loss-withdraw",
    "set_paths": "refused: link-loss-weighted and link-loss-withdraw",
    "marking": "its maps and queues are printed",
    "headroom": "of each port its own",
    "octets": "of headroom: per port, max of its profiles",
    "peer": "in the description",
    "raw": "raw.j2 is given the lines as `raw`",
    "telemetry": "what is left of it is refused",
    "headroom_octets": "of each port its own",
    "cells": "row of headroom",
    "basis": "row of headroom",
    "length_m": "row of headroom",
    "alpha": "NOTES.md: limits are parts of the box",
    "resume_octets": "NOTES.md: the leaf is for other chips",
    "polling_ms": "SR Linux has no interval of its own",
    "mode": "refused: dlb-flowlet, dlb-per-packet, cluster",
    "flowlet_gap_us": "refused: dlb-flowlet",
    "cluster": "refused: cluster",
    "destination_length": "refused: cluster",
    "aging_seconds": "refused: cluster",
    "peer_port": "in the description",
    "members": "each member names its group",
    "imports": "through import_targets and import_map",
    "next_hop_unchanged": "NOTES.md: what inter-as-vpn hands on keeps its next hop",
    "eapi_certificate": "left: eapi",
    "polling_seconds": "SR Linux has no interval of its own",
    "ecn_counters": "they count by themselves",
    "queue_monitor": "NOTES.md: depths are state",
    "high": "refused: queue-monitor",
    "low": "refused: queue-monitor",
    "latency": "refused: queue-latency",
    "streaming": "refused: queue-streaming",
    "captures": "refused: congestion-capture",
    "load_interval_seconds": "refused: load-interval",
    "sequence": "of a prefix list: a set has no order",
    "routed": "the other kind of subinterface has VLANs",
    "families": "of BGP: those of its groups",
    "multihomed": "each segment is said by itself",
}


def read() -> set[str]:
    """Names that the templates or the adapter read as attributes."""
    texts = [(FOLDER / name).read_text() for name in FILES]
    modules = (srlinux, srlinux_bgp, srlinux_filter, srlinux_policy, srlinux_ports, srlinux_qos, srlinux_words)
    texts += [Path(str(module.__file__)).read_text() for module in modules]
    return set(re.findall(r"\.([a-z_0-9]+)\b", "\n".join(texts)))


def test_every_field_of_a_device_is_printed_or_excused() -> None:
    assert sorted(fields() - read() - set(EXCUSED)) == []


def test_no_excuse_outlives_its_field() -> None:
    assert sorted(set(EXCUSED) - fields()) == []


def test_capabilities_are_named_once_and_sourced() -> None:
    names = [row.feature for row in SRLINUX.capabilities]
    assert len(set(names)) == len(names)
    assert all(row.source for row in SRLINUX.capabilities)
    assert all(not (row.limit and row.refusal) or row.vouched for row in SRLINUX.capabilities)


@pytest.mark.parametrize("name", ["demo", "bare", "pairs"])
def test_every_need_of_an_intent_is_in_the_table(name: str) -> None:
    asked = {need.feature for need in needs(plan_of(intent(name)))}
    assert len(asked) > 7
    lacking = [feature for feature in sorted(asked) if (row := SRLINUX.can(feature)) is None or row.refusal]
    assert lacking == ["evpn", "headroom"]
    assert all(SRLINUX.can(feature).vouched for feature in lacking)  # type: ignore[union-attr]  # both were found
