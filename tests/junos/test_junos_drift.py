"""Junos' configuration against the artifact: what means the same is no drift, and what does not is."""

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.junos.live.reader import JUNOS
from fabricgen.platforms.junos.live.text import is_whole, statements
from fabricgen.verify.collect.redact_config import without_secrets
from tests.doubles.junos_answers import running
from tests.junos.sites import sample

SHOWING = ("front leaf", "front border-leaf", "unnumbered spine", "plain spine")
"""Samples with everything that is rendered: overlay, outside, sessions over links, free lines."""
OURS = """\
## leaf of front at dc1
system {
    host-name leaf;
    root-authentication {
        encrypted-password "*";
    }
    tacplus-server {
        10.0.0.7 {
            secret "${env:TACACS_KEY}";
        }
    }
}
policy-options {
    policy-statement A {
        term 10 {
            from {
                protocol [ direct static ];
                community [ ONE ];
            }
            then {
                local-preference 0;
                accept;
            }
        }
        term 20 {
            then accept;
        }
        then reject;
    }
    community ONE members 65535:0;
}
protocols {
    bgp {
        group X {
            description "underlay";
            export [ ORIGINATED A ];
            family inet;
        }
    }
}
"""
SHOWN = """
## Last commit: 2026-11-22 05:30:00 UTC by push
version 24.4R1.9-EVO;
system {
    host-name leaf;
    root-authentication {
        encrypted-password "*"; ## SECRET-DATA
    }
    tacplus-server {
        10.0.0.7 secret "$9$c4n4ry"; ## SECRET-DATA
    }
}
policy-options {
    policy-statement A {
        term 10 {
            from {
                protocol [ static direct ];
                community ONE;
            }
            then {
                local-preference 0;
                accept;
            }
        }
        term 20 {
            then {
                accept;
            }
        }
        then reject;
    }
    community ONE {
        members 65535:0;
    }
}
protocols {
    bgp {
        /* by hand
           on a Sunday { ; } */
        group X {
            description underlay;
            export [ ORIGINATED A ];
            family inet {
            }
        }
    }
}
"""


def test_blocks_lists_quotation_marks_remarks_and_secrets_make_no_difference() -> None:
    assert JUNOS.drift(OURS, SHOWN) == ()
    assert JUNOS.drift(str(without_secrets(OURS)), str(without_secrets(SHOWN))) == ()
    assert JUNOS.drift(SHOWN, OURS) == ()


def test_a_secret_that_took_its_semicolon_along_ends_its_statement() -> None:
    eaten = SHOWN.replace('"$9$c4n4ry"; ## SECRET-DATA', "<removed> ## SECRET-DATA").replace('"*"; ##', "<removed> ##")
    assert JUNOS.drift(OURS, eaten) == ()
    two = [one.words for one in statements("system {\n a secret <removed>\n b;\n}\n")]
    assert two == [("system", "a", "secret", "<removed>"), ("system", "b")]


@pytest.mark.parametrize("name", SHOWING)
def test_a_rendered_file_as_junos_shows_it_is_no_drift(name: str) -> None:
    text = sample(name).text
    assert JUNOS.drift(text, running(text)) == ()
    assert len(list(statements(text))) > 50


def line(section: tuple[str, ...], text: str, present: bool) -> Drift:
    return Drift(section, text, present)


BGP = ("protocols", "bgp", "group X")
TERM = ("policy-options", "policy-statement A", "term 10")
EDITS = {
    "another value": (
        "host-name leaf;",
        "host-name leef;",
        [line(("system",), "host-name leaf", False), line(("system",), "host-name leef", True)],
    ),
    "one away": ("local-preference 0;", "", [line((*TERM, "then"), "local-preference 0", False)]),
    "one more": ("host-name leaf;", "host-name leaf; services telnet;", [line(("system",), "services telnet", True)]),
    "order of policies": (
        "export [ ORIGINATED A ]",
        "export [ A ORIGINATED ]",
        [line(BGP, "export ORIGINATED A", False), line(BGP, "export A ORIGINATED", True)],
    ),
    "another list": (
        "[ static direct ]",
        "[ static bgp ]",
        [line((*TERM, "from"), "protocol direct static", False), line((*TERM, "from"), "protocol bgp static", True)],
    ),
    "off": (
        "description underlay",
        "inactive: description underlay",
        [line(BGP, "description underlay", False), line(BGP, "inactive: description underlay", True)],
    ),
    "other case": (
        "community ONE;",
        "community One;",
        [line((*TERM, "from"), "community ONE", False), line((*TERM, "from"), "community One", True)],
    ),
    "secret away": (
        '10.0.0.7 secret "$9$c4n4ry"; ## SECRET-DATA',
        "",
        [
            line(("system", "tacplus-server", "10.0.0.7"), "secret <removed>", False),
            line(("system",), "tacplus-server", True),
        ],
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_differs_is_told_with_its_section(name: str) -> None:
    old, new, wanted = EDITS[name]
    changed = SHOWN.replace(old, new)
    assert changed != SHOWN
    assert list(JUNOS.drift(OURS, changed)) == wanted


def test_what_looks_like_a_remark_inside_of_a_text_is_none() -> None:
    text = 'a {\n    description "x /* y";\n    b;\n    c "*/ ## SECRET-DATA";\n}\n'
    assert [one.words[1:] for one in statements(text)] == [
        ("description", "x /* y"),
        ("b",),
        ("c", "*/ ## SECRET-DATA"),
    ]
    assert JUNOS.drift(text, text.replace("    b;\n", "")) == (line(("a",), "b", False),)


@pytest.mark.parametrize(
    ("text", "whole"),
    [("", True), (SHOWN, True), ("a {", False), ("a {\n}\n}", False), ('a "{";', True), ("/* { */ # {\n## {\n", False)],
)
def test_a_cut_text_has_a_block_that_is_not_closed(text: str, whole: bool) -> None:
    assert is_whole(text) is whole


def test_the_order_of_terms_is_compared() -> None:
    """Terms are asked one after the other; the first that takes a route decides."""
    first, second = SHOWN.index("        term 10"), SHOWN.index("        term 20")
    end = SHOWN.index("        then reject")
    turned = SHOWN[:first] + SHOWN[second:end] + SHOWN[first:second] + SHOWN[end:]
    section = ("policy-options", "policy-statement A")
    assert JUNOS.drift(OURS, turned) == (
        Drift(section, "terms in the order 10 20", present=False),
        Drift(section, "terms in the order 20 10", present=True),
    )


@pytest.mark.parametrize(
    "text", ["", "}", "}}} x;", "{", 'a "b', "[ a", "a [ b c", "## x", "<removed>", "a { b { c;", "/* x"]
)
def test_no_text_is_too_broken(text: str) -> None:
    found = JUNOS.drift(OURS, text)
    assert sum(not one.present for one in found) == len({one.words for one in statements(OURS)})


def test_no_secret_is_told() -> None:
    told = repr(JUNOS.drift("", SHOWN) + JUNOS.drift(SHOWN, ""))
    assert "c4n4ry" not in told
