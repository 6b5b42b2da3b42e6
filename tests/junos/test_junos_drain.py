"""Lines that drain what stands on Junos, against the drained artifact; and who is seen to have sent the community."""

import re
from collections.abc import Iterable, Mapping

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.junos.live.drain import SIGNS, drain, draining_peers
from fabricgen.platforms.junos.live.text import statements
from tests.junos.planned import drained as switch

SWITCHES = (
    ("lossless", "be-spine-00"),
    ("unnumbered", "be-leaf-000"),
    ("front", "fe-leaf-000"),
    ("front", "fe-spine-00"),
)


def applied(lines: str, text: str) -> set[tuple[str, ...]]:
    """Statements of a configuration after `set` and `delete`: a list that is set grows, as Junos has it."""
    found: dict[tuple[str, ...], list[str]] = {}
    for one in statements(text):
        at = next((at for at, word in enumerate(one.words) if word in ("import", "export")), len(one.words))
        found[one.words[: at + 1]] = list(one.words[at + 1 :])
    for row in lines.splitlines():
        verb, *words = row.split()
        if verb == "delete":
            del found[tuple(words)]  # a statement that is not there is a warning, and refused by PyEZ
        else:
            assert verb == "set"
            found.setdefault(tuple(words[:-1]), []).append(words[-1])
    return {(*words, *values) for words, values in found.items()}


def effective(found: Iterable[tuple[str, ...]]) -> Mapping[tuple[str, str, str], tuple[str, ...]]:
    """(group, neighbor, import or export) → policies, a group's own where the neighbor has none."""
    rows = [words[3:] for words in found if words[:3] == ("protocols", "bgp", "group")]
    groups = {(words[0], words[1]): words[2:] for words in rows if words[1] in ("import", "export")}
    peers = {(words[0], words[2]) for words in rows if words[1] == "neighbor"}
    own = {(words[0], words[2], words[3]): words[4:] for words in rows if words[1] == "neighbor"}
    ways = ("import", "export")
    links = {(words[0], "") for words in rows if words[1] == "dynamic-neighbor"}
    return {
        (group, peer, way): own.get((group, peer, way), groups[group, way])
        for group, peer in peers | links
        for way in ways
    }


@pytest.mark.parametrize(("plan", "name"), SWITCHES)
def test_what_drains_gives_each_session_the_policies_of_the_drained_artifact(plan: str, name: str) -> None:
    one = switch(plan, name)
    lines = drain(one.device, one.healthy)
    before = {(*found.words,) for found in statements(one.healthy)}
    after = effective(applied(lines, one.healthy))
    wanted = effective({found.words for found in statements(one.drained)})
    assert after == wanted
    assert after != effective(before)
    assert any("DRAINED" in policy for way in wanted.values() for policy in way)


@pytest.mark.parametrize(("plan", "name"), SWITCHES)
def test_what_is_drained_stays_as_it_is(plan: str, name: str) -> None:
    """A drain that is sent again changes nothing."""
    one = switch(plan, name)
    lines = drain(one.device, one.drained)
    assert effective(applied(lines, one.drained)) == effective({found.words for found in statements(one.drained)})
    again = applied(lines, one.healthy) if plan == "unnumbered" else applied(lines, one.drained)
    assert effective(again)


@pytest.mark.parametrize(("plan", "name"), SWITCHES)
def test_what_is_drained_gets_no_policy_of_a_neighbor_s_own(plan: str, name: str) -> None:
    """A file that is declared drained says what a drain has told: to load it resets no session."""
    one = switch(plan, name)
    if plan != "unnumbered":
        assert drain(one.device, one.healthy) == drain(one.device, one.drained)
    assert not [row for row in statements(one.drained) if row.words[4:5] == ("neighbor",) and "DRAINED" in row.line]


def test_a_group_is_told_where_that_reaches_all_and_else_each_session() -> None:
    one = switch("lossless", "be-spine-00")
    lines = drain(one.device, one.healthy).splitlines()
    assert lines[:5] == [
        "delete protocols bgp group LEAVES-IPV4 import",
        "set protocols bgp group LEAVES-IPV4 import RM-LEAVES-IPV4-DRAINED-IN",
        "delete protocols bgp group LEAVES-IPV4 export",
        "set protocols bgp group LEAVES-IPV4 export ORIGINATED",
        "set protocols bgp group LEAVES-IPV4 export RM-LEAVES-IPV4-DRAINED-OUT",
    ]
    assert not [line for line in lines if "neighbor" in line]
    stranger = one.healthy.replace(
        "group LEAVES-IPV4 {", "group LEAVES-IPV4 {\n neighbor 10.9.9.9 { peer-as 65000; }", 1
    )
    lines = drain(one.device, stranger).splitlines()
    assert "set protocols bgp group LEAVES-IPV4 neighbor 10.64.0.64 import RM-LEAVES-IPV4-DRAINED-IN" in lines
    assert not [line for line in lines if "10.9.9.9" in line or "group LEAVES-IPV4 import" in line]


def test_only_sessions_that_stand_are_drained() -> None:
    one = switch("unnumbered", "be-leaf-000")
    gone = re.sub(r"group SPINES-UNNUMBERED-et-0-0-32 \{.*?(?= group SPINES-UNNUMBERED-et-0-0-33 )", "", one.healthy,
                  count=1, flags=re.DOTALL)  # fmt: skip
    assert gone != one.healthy
    lines = drain(one.device, gone)
    assert "et-0-0-32 " not in lines
    assert "et-0-0-33 " in lines
    assert drain(one.device, "system { host-name x; }") == ""


BREAKS = {
    "no policy": ("policy-statement RM-LEAVES-IPV4-DRAINED-IN ", "policy-statement RM-OTHER "),
    "no term": ("term 20 ", "term 25 "),
    "no preference": ("local-preference 0;", "local-preference 100;"),
    "no community": ("community add CL-GRACEFUL-SHUTDOWN;", ""),
    "another community": ("members 65535:0;", "members 65000:0;"),
    "no list": ("route-filter-list PL-FABRIC-IPV4 {", "route-filter-list PL-OTHER {"),
    "nothing originated": ("policy-statement ORIGINATED ", "policy-statement OTHER "),
    "turned": ("accept;", "reject;"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_where_a_policy_does_not_stand_whole_nothing_is_merged(name: str) -> None:
    one = switch("lossless", "be-spine-00")
    broken = one.healthy.replace(*BREAKS[name])
    assert broken != one.healthy
    assert drain(one.device, broken) == ""


def test_the_words_of_the_well_known_community_are_known() -> None:
    one = switch("lossless", "be-spine-00")
    named = one.healthy.replace("members 65535:0;", "members graceful-shutdown;")
    assert drain(one.device, named) == drain(one.device, one.healthy) != ""


def test_the_driver_drains() -> None:
    profile = COMMIT_PROFILES["junos"]
    assert (profile.drain, profile.draining_peers, profile.signs, profile.proven) == (drain, draining_peers, SIGNS, "")


def test_who_sent_the_community_is_seen() -> None:
    (sign,) = SIGNS
    path = (
        "<rt><rt-destination>10.76.0.8/32</rt-destination><rt-entry><active-tag>*</active-tag>"
        "<protocol-name>BGP</protocol-name>{}</rt-entry></rt>"
    )
    rows = (
        path.format("<learned-from>10.0.0.1</learned-from><nh><to>10.0.0.1</to><via>a.0</via></nh>"
                    "<nh><to>10.0.0.3</to><via>b.0</via></nh>")
        + path.format("<nh><to>10.0.0.5</to><via>c.0</via></nh>")
        + path.format("<nh><to>fe80::7</to><via>et-0/0/7.0</via></nh>")
        + path.format("<nh><to>10.0.0.9</to><via>d.0</via></nh>").replace("BGP", "Static")
    )  # fmt: skip
    table = "<route-table><table-name>{}</table-name>{}</route-table>"
    shown = f"<rpc-reply><route-information>{table.format('inet.0', rows)}{table.format('red.inet.0', rows)}"
    answer = f"{shown}</route-information></rpc-reply>"
    assert draining_peers({sign.command: Output(answer)}) == {"10.0.0.1", "10.0.0.5", "et-0/0/7"}
    for broken in (
        Output(None, "lost"),
        Output("error: x"),
        Output(answer[:99]),
        Output(answer.replace("10.0.0.5", "x")),
    ):
        assert draining_peers({sign.command: broken}) == frozenset()
    assert draining_peers({}) == frozenset()
