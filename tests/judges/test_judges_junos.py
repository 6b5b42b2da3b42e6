"""Junos' models take a right configuration and refuse wrong ones; what they do not see is written down here."""

import pytest

from tests.judges import junos, junos_text
from tests.judges.junos_sample import BRACES, LINES

needs_models = pytest.mark.skipif(junos.available() is not None, reason=f"judge: {junos.available()}")

# (what is wrong, part of LINES, what stands there instead, what is said)
REFUSED = (
    ("unknown keyword", "group SPINES peer-as", "group SPINES peeras", "'peeras' is no statement of group"),
    ("PFC's keyword", "code-point 011010 pfc", "code-point 011010 pause", "'pause' is no statement of code-point"),
    ("fill level over 100", "fill-level [ 10 50 ]", "fill-level [ 10 140 ]", 'value "140'),
    ("VNI over 24 bits", "v20 vxlan vni 20", "v20 vxlan vni 16777216", "16777216"),
    ("type that is none", "instance-type mac-vrf", "instance-type macvrf", "macvrf"),
    ("loss priority that is none", "loss-priority low code", "loss-priority lowest code", "lowest"),
    ("share over 100", "transmit-rate percent 50", "transmit-rate percent 150", 'value "150'),
    ("family that is none", "family inet address 10.1.0.1/31", "family inet5 address 10.1.0.1/31", "inet5"),
    ("value left out", "SPINES peer-as 4200000100\n", "SPINES peer-as\n", "peer-as needs a value"),
    (
        "key left out",
        "set interfaces lo0 unit 0 family inet address 10.255.0.1/32",
        "set interfaces lo0 unit",
        "needs a",
    ),
    ("word of the top that is none", "set chassis fpc", "set chasis fpc", "'chasis' is no statement of configuration"),
    ("word behind the last", "lo0 unit 0 family inet address", "lo0 unit 0 disabled family inet address", "'disabled'"),
    ("word behind a value", "host-name leaf-1", "host-name leaf-1 leaf-2", "'leaf-2' is no statement of system"),
    ("keyword where none is", "server-group DHCP", "servergroup DHCP", "'servergroup' is no statement of dhcp-relay"),
    ("second value", "vrf-target target:65000:20", "vrf-target target:65000:20 target:65000:21", "no statement of vrf"),
    ("interface without its keyword", "lldp interface all", "lldp all", "'all' is no statement of lldp"),
    ("match that is none", "LOCAL orlonger", "LOCAL orshorter", "orshorter"),
    ("speed that is none", "port 0 speed 400g", "port 0 speed 450g", "450g"),
    ("BGP type that is none", "type external", "type outside", "outside"),
    ("action that is none", "community add GSHUT", "community put GSHUT", "put"),
    ("list without its end", "[ direct static ]", "[ direct static", "line 36: [ without ]"),
    ("word without its mark", '"spine-1 et-0/0/0"', '"spine-1 et-0/0/0', "line 8: a quotation mark"),
    ("line that takes away", "set system host-name", "delete system host-name", "line 2: delete"),
)

# (what is wrong, part of LINES, what stands there instead)
ACCEPTED = (
    ("prefix that is none", "inet address 10.1.0.1/31", "inet address 10.1.0.1/33"),
    ("AS number over 32 bits", "autonomous-system 4200000001", "autonomous-system 99999999999"),
    ("VLAN over 4094", "v20 vlan-id 20", "v20 vlan-id 5000"),
    ("MTU out of range", "mtu 9216", "mtu 99999999"),
    ("queue that is none", "queue-num 3", "queue-num 99"),
    ("code point that is none", "code-points 011010", "code-points 211010"),
    ("route target that is none", "target:65000:20", "65000:20"),
    ("policy that is not there", "export TO-FABRIC", "export NOPE"),
    ("scheduler that is not there", "LOSSLESS scheduler ROCE", "LOSSLESS scheduler NOPE"),
    (
        "profile that is not there",
        "et-0/0/0 congestion-notification-profile ROCE",
        "et-0/0/0 congestion-notification-profile NOPE",
    ),
    ("prefix list that is not there", "prefix-list-filter LOCAL", "prefix-list-filter NOPE"),
)

BAD_BRACES = (
    (
        "unknown keyword",
        "peer-as 4200000100; }\n            neighbor 10.1.0.2",
        "peeras 1; }\n neighbor 10.1.0.2",
        "'peeras'",
    ),
    ("semicolon left out", "type external;", "type external", "line 14: no ; behind external"),
    ("semicolon left out at an end", "{ ssh; }", "{ ssh }", "line 4: } after a statement without ;"),
    (
        "brace too many",
        "    services { netconf { ssh; } }\n}",
        "    services { netconf { ssh; } }\n}}",
        "closes nothing",
    ),
    ("brace left out", "[ 011010 011011 ]; } }", "[ 011010 011011 ]; }", "the text ends inside a statement"),
    (
        "statement that is not active",
        "inactive: et-0/0/9 { disable; }",
        "inactive: et-0/0/9 { disabled; }",
        "'disabled'",
    ),
)

# Every form without a keyword that LISTS and LEAVES have and the samples do not.
BARE = (
    'set policy-options as-path LONG "65000 .*"',
    "set policy-options policy-statement P then metric 10",
    "set policy-options policy-statement P then preference 10",
    "set policy-options policy-statement P then tag 10",
    "set policy-options policy-statement P then next-hop 10.0.0.1",
    "set policy-options route-filter-list R 10.0.0.0/8 upto /24",
    "set routing-options confederation 65000 members 65001",
    "set routing-options static route 10.0.0.0/8 preference 5",
    "set routing-options static route 10.0.0.0/8 metric 5",
    "set routing-options static route 10.0.0.0/8 tag 5",
    "set class-of-service schedulers S transmit-rate 10g",
    "set class-of-service schedulers S shaping-rate 10g",
    "set interfaces et-0/0/0 unit 0 family inet filter input F",
    "set interfaces et-0/0/0 unit 0 family inet filter output F",
    "set interfaces et-0/0/0 unit 0 family ethernet-switching storm-control PROFILE",
    "set system backup-router 192.0.2.1",
    "set system syslog user * any emergency",
    "set system services netconf traceoptions file netconf.log",
    'set security certificates local NAME "TEXT"',
    "set protocols sflow source-ip 10.255.0.1",
)


@needs_models
@pytest.mark.parametrize("text", [LINES, BRACES], ids=["lines", "braces"])
def test_a_leaf_is_accepted(text: str) -> None:
    assert junos.faults(text) == []


@needs_models
@pytest.mark.parametrize(("old", "new", "said"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_the_models_refuse(old: str, new: str, said: str) -> None:
    assert said in "\n".join(junos.faults(_spoilt(LINES, old, new)))


@needs_models
@pytest.mark.parametrize(
    ("old", "new", "said"), [case[1:] for case in BAD_BRACES], ids=[case[0] for case in BAD_BRACES]
)
def test_braces_are_refused(old: str, new: str, said: str) -> None:
    assert said in "\n".join(junos.faults(_spoilt(BRACES, old, new)))


@needs_models
@pytest.mark.parametrize(("old", "new"), [case[1:] for case in ACCEPTED], ids=[case[0] for case in ACCEPTED])
def test_the_models_do_not_see(old: str, new: str) -> None:
    """A known gap: should it close, this says so, and a check of ours can go."""
    assert junos.faults(_spoilt(LINES, old, new)) == []


@needs_models
@pytest.mark.parametrize("line", BARE)
def test_a_keyword_may_be_left_out(line: str) -> None:
    assert junos.faults(line) == []


@needs_models
def test_a_fault_is_told_by_its_line_and_not_at_length() -> None:
    (said,) = junos.faults(f"set system host-name leaf-1\nset system {'x' * 200}\n")
    assert said.startswith("line 2: 'xxx")
    assert len(said) < 100


def test_both_forms_are_the_same_statements() -> None:
    lines = "set a b c\nset a d [ e f ]\nset a g\n"
    braces = "a {\n b c; /* g\n */ d [ e f ]; # g\n g { }\n}\n"
    words = [("a", "b", "c"), ("a", "d", ("e", "f")), ("a", "g")]
    assert [found.words for found in junos_text.statements(lines)] == words
    assert [tuple(found) for found in junos_text.statements(braces)] == list(zip((2, 3, 4), words, strict=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('set a "b c"', ("a", "b c")),
        (r'set a "b \"c\""', ("a", 'b "c"')),
        ('set a ""', ("a", "")),
        ("a ( b && c );", ("a", "( b && c )")),
        ('inactive: a "{;}";', ("a", "{;}")),
    ],
)
def test_words_of_a_statement(text: str, words: tuple[str, ...]) -> None:
    assert [found.words for found in junos_text.statements(text)] == [words]


def _spoilt(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"the example holds {old!r} {text.count(old)} times"
    return text.replace(old, new)
