"""What is secret in configurations of every platform goes, however it is written; all the rest stays."""

import json
import time

import pytest

from fabricgen.base.secret import WRITTEN
from fabricgen.platforms import SYSTEMS
from fabricgen.push.switch.redact import hidden_in
from fabricgen.verify.collect.redact_config import LEAVES, REMOVED, without_likely_secrets, without_secrets
from tests.judges import junos_text
from tests.junos import sites as junos
from tests.platform_cases import samples

SAMPLES = [name for name in SYSTEMS if hasattr(samples(name), "hidden")]
"""Systems whose running configuration shows something else than the secret that was loaded."""


@pytest.mark.parametrize("system", SAMPLES)
def test_clear_text_and_what_the_switch_makes_of_it_leave_the_same(system: str) -> None:
    sample = samples(system).hidden()
    text = sample.text
    ours = without_secrets(text)
    assert WRITTEN.search(text) is not None
    assert WRITTEN.search(str(ours)) is None
    assert without_secrets(WRITTEN.sub(sample.hashed, text)) == ours
    assert without_secrets(WRITTEN.sub("0pen-secret", text)) == ours
    assert without_secrets(ours) == ours


@pytest.mark.parametrize("system", SAMPLES)
def test_nothing_but_secrets_goes(system: str) -> None:
    sample = samples(system).hidden()
    text = sample.text
    read = sample.read
    if system != "junos":  # `*` of root is one to it
        assert read(str(without_secrets(text))) == read(WRITTEN.sub(REMOVED, text))
    lines, kept = text.splitlines(), str(without_secrets(text)).splitlines()
    assert len(lines) == len(kept)
    changed = [line for line, left in zip(lines, kept, strict=True) if line != left]
    assert [line for line in changed if WRITTEN.search(line) is None and '"*"' not in line] == []


@pytest.mark.parametrize("system", SAMPLES)
def test_each_line_alone_loses_the_same(system: str) -> None:
    """A report shows lines."""
    lines = [line for line in samples(system).hidden().text.splitlines() if WRITTEN.search(line)]
    assert lines
    assert [line for line in lines if WRITTEN.search(str(without_secrets(line)))] == []
    assert {word for line in lines for word in hidden_in(line)} >= {
        found.group() for line in lines for found in WRITTEN.finditer(line)
    }


def test_junos_stays_text_in_braces() -> None:
    text = junos.sample("front border-leaf").text
    assert len(list(junos_text.statements(str(without_secrets(text))))) == len(list(junos_text.statements(text)))


@pytest.mark.parametrize("leaf", sorted(LEAVES))
@pytest.mark.parametrize("form", ['    "{}": "c4n4ry",', "    {}: c4n4ry", '    "x:{}": "c4n4ry"'])
def test_every_leaf_goes_out_of_a_line_of_json_or_yaml(leaf: str, form: str) -> None:
    line = form.format(leaf)
    assert without_secrets(line) == line.replace("c4n4ry", REMOVED)
    assert without_secrets(f"a\n{line}\nb\n") == f"a\n{line}\nb\n".replace("c4n4ry", REMOVED)


@pytest.mark.parametrize("line", [
    *("nhrp authentication", " ip rip authentication string", " tcp-md5-auth", "set snmp community", " auth 0"),
    *("priv 7", " key 7", " secret a 7", " key 0a1b 7", " passphrase", " key-string 7", " ascii-text"),
    "snmp-server community",
    *("snmp-server host 10.0.0.9 traps version 2c", "ip ospf message-digest-key 1 md5", " authentication-key 5"),
    *("tacacs-server host 10.0.0.7 key", "radius-server key", " privacy-key"),
])  # fmt: skip
def test_every_word_before_a_secret_is_looked_for(line: str) -> None:
    """What is looked for first of all stands in each."""
    assert without_secrets(f"x\n{line} c4n4ry\n") == f"x\n{line} {REMOVED}\n"


# A line, and what is left of it; None where it stays. `*` stands for what is put there.
LINES = [
    # Cisco NX-OS 9.2 and 10.3, recorded switches; the manual's other types (configuring BGP, TACACS+, SNMP).
    ("username a password 5 $5$IAPCNP$XORJ2LUN.  role network-admin", "username a password 5 *  role network-admin"),
    ("  password 3 9125d59c18a9b015", "  password 3 *"),
    ("tacacs-server host 10.0.0.7 key 7 \"fewhg123\" timeout 3", "tacacs-server host 10.0.0.7 key 7 * timeout 3"),
    ("tacacs-server key 6 \"JDYk0jfl\"", "tacacs-server key 6 *"),
    ("snmp-server user admin network-admin auth md5 3772B6 priv aes-128 480BFF localizedV2key",
     "snmp-server user admin network-admin auth md5 * priv aes-128 * localizedV2key"),
    ("snmp-server user admin auth md5 0xb9d4 priv 0xb9d4 localizedkey engineID 128:0",
     "snmp-server user admin auth md5 * priv * localizedkey engineID 128:0"),
    ("snmp-server user m network-operator auth sha-256 0a priv aes-128 0b",
     "snmp-server user m network-operator auth sha-256 * priv aes-128 *"),
    ("snmp-server host 10.0.0.9 use-vrf management", None),
    ("snmp-server host 10.0.0.9 traps version 3 priv monitor", None),
    ("snmp-server community public group network-operator", "snmp-server community * group network-operator"),
    ("no password strength-check", None),
    ("username admin passphrase  lifetime 99999 warntime 14 gracetime 3", None),
    ("  description uplink, password in the safe", None),
    ("snmp-server location password room 7", None),
    # Junos: statements of jvd's configurations, and leaves whose type is unreadable.
    ('        encrypted-password "$6$ab$cd/e."; ## SECRET-DATA', "        encrypted-password *;"),
    ('            secret "$9$ab;cd"; ## SECRET-DATA', "            secret *;"),
    ("            secret plain;", "            secret *"),
    ('    authentication-key "$9$x"; ## SECRET-DATA', "    authentication-key *;"),
    ('    md5 1 key "$9$x.y-z12"; ## SECRET-DATA', "    md5 1 key *;"),
    ('    odd-word "$9$x.y-z12"; ## SECRET-DATA', "    odd-word *;"),
    ('    pre-shared-key ascii-text "$9$x.y-z12"; ## SECRET-DATA', "    pre-shared-key ascii-text *;"),
    ('    privacy-key "$9$x.y-z12";', "    privacy-key *;"),
    ('set system tacplus-server 10.0.0.7 secret "$9$abcDEF12"', "set system tacplus-server 10.0.0.7 secret *"),
    ("set snmp community public authorization read-only", "set snmp community * authorization read-only"),
    ('        description "password of secret rack";', None),
    ('set interfaces et-0/0/0 description "the secret port"', None),
    ("    authentication-order [ tacplus password ];", None),
    ("    community DRAIN members 65535:0;", None),
    ('    authentication-key 1 type md5 value "ab c";', "    authentication-key 1 type md5 value *;"),
    ("set system ntp authentication-key 1 value ab", "set system ntp authentication-key 1 value *"),
    ('        value "ab";', "        value *;"),
    ('    md5 1 key "ab";', "    md5 1 key *;"),
    ("set protocols ospf area 0 interface xe-0/0/0 authentication md5 1 key ab",
     "set protocols ospf area 0 interface xe-0/0/0 authentication md5 1 key *"),
    ('        cak "0a1b";', "        cak *;"),
    ("set security macsec connectivity-association a pre-shared-key cak 0a1b",
     "set security macsec connectivity-association a pre-shared-key cak *"),
    ("    pre-shared-key {", None),
    ("    trap-group ab {", "    trap-group * {"),
    ("set snmp trap-group ab targets 10.0.0.9", "set snmp trap-group * targets 10.0.0.9"),
    ("   action bash curl -u admin:ab http://x", "   action bash curl -u admin:* http://x"),
    ("        authentication-key 1 {", None),
    ('    archive-sites "ftp://u:a/b@c@10.0.0.1/x";', '    archive-sites "ftp://u:*@10.0.0.1/x";'),
    ('    archive-sites "scp://u@10.0.0.1:/x" password "ab";', '    archive-sites "scp://u@10.0.0.1:/x" password *;'),
    ('    local a "-----BEGIN RSA PRIVATE KEY-----\\nMII\\n-----END RSA PRIVATE KEY-----\\n";', '    local a "*\\n";'),
    # EOS; NX-OS.
    ("exec /usr/bin/TerminAttr -cvauth=key,ab -taillogs", "exec /usr/bin/TerminAttr -cvauth=key,* -taillogs"),
    ("   vrrp 1 peer authentication ab", "   vrrp 1 peer authentication *"),
    ("   vrrp 1 peer authentication ietf-md5 key-string 7 ab", "   vrrp 1 peer authentication ietf-md5 key-string 7 *"),
    ("   pre-shared-key ab", "   pre-shared-key *"),
    ("   token ab", "   token *"),
    ("crypto isakmp key ab address 10.0.0.1", "crypto isakmp key * address 10.0.0.1"),
    ("archive scp://u:ab@h/", "archive scp://u:*@h/"),
    ("snmp-server user a network-admin auth md5 ab priv cd localizedkey",
     "snmp-server user a network-admin auth md5 * priv * localizedkey"),
    ("snmp-server user a network-admin auth sha ab priv cd", "snmp-server user a network-admin auth sha * priv *"),
    ("    key-octet-string 7 ab", "    key-octet-string 7 *"),
    ("    authentication text ab", "    authentication text *"),
    # NVUE.
    ("          secret: $nvsec$e46935725a803cc4864d1c43e84011ef", "          secret: *"),
    ('            hashed-password: "$6$ab$cd" # a remark', "            hashed-password: *"),
    ("        'password': open sesame", "        'password': *"),
    ("            - secret: open", "            - secret: *"),
    ("          auth-md5: open", "          auth-md5: *"),
    ("        some-word: '$nvsec$e46935725a803cc4864d1c'", "        some-word: '*'"),
    ('        description: "password: open"', None),
    ("      password-hardening:", None),
    ("      system-location: password room 7", None),
    ("        secret: {}", None),
    # JSON that is a part of a difference.
    ('        "passkey": "ab\\"c\\\\",', '        "passkey": "*",'),
    ('  "srl_nokia-aaa:password": "$y$j9T$ab",', '  "srl_nokia-aaa:password": "*",'),
    ('{"a": {"secret-key": "ab"', '{"a": {"secret-key": "*"'),
    ('        "description": "password ab and secret cd",', None),
    ('        "login-banner": "tell no password to anybody",', None),
    ('        "password-hardening": "on",', None),
    ('    "bgpraw": "router bgp 1\\n neighbor x password ab',  '    "bgpraw": "router bgp 1\\n neighbor x password *'),
]  # fmt: skip


@pytest.mark.parametrize(("line", "left"), LINES)
def test_lines(line: str, left: str | None) -> None:
    expected = line if left is None else left.replace("*", REMOVED)
    assert without_secrets(line) == expected
    assert without_secrets(f"a\n{line}\nb\n") == f"a\n{expected}\nb\n"


LIKELY = [
    *("{}", "   vrrp 1 peer authentication {}", "pre-shared-key {}", "token {}", "crypto isakmp key {}", "scp://u:{}@h/"),
    *("exec /usr/bin/TerminAttr -cvauth=key,{}", "exec /usr/bin/agent -cvauth=token-secure,{}", "-apikey={}"),
    *("snmp-server user a b auth md5 x priv {} localizedkey", "snmp-server user a b priv {}"),
    *("key-octet-string 7 {}", "hsrp authentication text {}", "hsrp 1 authentication md5 {}", "neighbor X passwrd {}"),
    *('"community": "{}"', '"community": "{}",', '"srl_nokia-system-snmp:community": "{}"'),
    *('"value": "{}",', '"key": "{}"', "ssh-key ssh-rsa {}", "username a pasword 7 b secrets {}"),
    *('authentication-key 1 type md5 value "{}";', 'value "{}";', 'md5 1 key "{}";', "md5 1 key {};", 'cak "{}";'),
    *("trap-group {} {{ targets {{ 10.0.0.9; }} }}", "action bash curl -u admin:{} http://x", "curl --user admin:{} h"),
    *('"ftp://u:{}@h/x";', '"scp://u@h/" password "{}";', "    pasword: {}", "enable pasword 5 a b {}"),
    *('certificate "-----BEGIN CERTIFICATE-----\\n{}";', '"-----BEGIN RSA PRIVATE KEY-----\\n{}\\n";'),
]  # fmt: skip
CERTIFICATE = "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ"


@pytest.mark.parametrize("line", LIKELY)
def test_a_line_that_nobody_understood_loses_what_may_be_a_secret(line: str) -> None:
    secret = CERTIFICATE if line == "{}" else "c4n4ry"
    assert secret not in without_likely_secrets(line.format(secret))


@pytest.mark.parametrize("line", [
    *("interface Ethernet1/1", "   ip address 10.0.0.1/31", "switchport trunk allowed vlan 10,20-4000"),
    *("remove-private-as", "ip route 10.0.0.0/8 Ethernet1/49/1 10.1.1.1 200", "passive-interface Ethernet1"),
    "   neighbor 10.0.0.1 send-community extended",
    *("   set community 65535:0 additive", "ip community-list standard DRAIN permit 65535:0"),
    *("interface et-0/0/1", '"ip-address": "fd00::1/128",', "key-octet-string 7 <removed> cryptographic-algorithm X_1"),
    *("aaa authentication login default group tacacs+ local", "switchport private-vlan mapping 1234", "    mtu 9216;"),
    *("crypto isakmp key <removed> address 10.0.0.1", "ip ospf neighbor passive interface Ethernet1", "mtu 9214"),
    "   description be-spine-000_Ethernet1/1_0123456789_01234567890123456789",
])  # fmt: skip
def test_an_ordinary_line_that_nobody_understood_stays_as_it_is(line: str) -> None:
    assert without_likely_secrets(line) == line


@pytest.mark.parametrize("line", ["A" * 20000, "a.key-" * 4000, "key " * 5000, "://" + "a:" * 10000])
def test_time_grows_with_the_line(line: str) -> None:
    start = time.perf_counter()
    without_likely_secrets(line)
    assert time.perf_counter() - start < 1


TREES: list[tuple[dict[str, object], dict[str, object] | None]] = [
    ({"TACPLUS": {"global": {"passkey": "x", "src_ip": "10.0.0.1"}}},
     {"TACPLUS": {"global": {"passkey": REMOVED, "src_ip": "10.0.0.1"}}}),
    ({"SNMP_COMMUNITY": {"public": {"TYPE": "RO"}, "private": {"TYPE": "RW"}}},
     {"SNMP_COMMUNITY": {REMOVED: {"TYPE": "RO"}, f"{REMOVED} 2": {"TYPE": "RW"}}}),
    ({"NTP_KEY": {"1": {"value": "x", "type": "md5"}}}, {"NTP_KEY": {"1": {"value": REMOVED, "type": "md5"}}}),
    ({"DHCP_SERVER_IPV4_CUSTOMIZED_OPTIONS": {"1": {"value": "x"}}}, None),
    ({"PORT": {"Ethernet0": {"description": "secret sauce, password later"}}}, None),
    ({"BGP_ALLOWED_PREFIXES": {"a|1|b": {"community": "64612:64666"}}}, None),
    ({"srl_nokia-system-snmp:snmp": {"access-group": [{"security-entry": [{"community": "public"}]}]}},
     {"srl_nokia-system-snmp:snmp": {"access-group": [{"security-entry": [{"community": REMOVED}]}]}}),
    ({"tls": {"server-profile": [{"name": "fabric", "key": "-----BEGIN", "certificate": "c"}]}},
     {"tls": {"server-profile": [{"name": "fabric", "key": REMOVED, "certificate": "c"}]}}),
    ({"lacp": {"admin-key": 7, "key": "no secret"}}, None),
    ({"service": {"snmp-server": {"readonly-community": {"$nvsec$ab": {"access": {"any": {}}}}}}},
     {"service": {"snmp-server": {"readonly-community": {REMOVED: {"access": {"any": {}}}}}}}),
    ({"bgpraw": "router bgp 1\n neighbor 10.0.0.1 password x y\n"},
     {"bgpraw": f"router bgp 1\n neighbor 10.0.0.1 password {REMOVED} y\n"}),
    ({"a": {"secret": ["x", 7], "secret-key": []}}, {"a": {"secret": [REMOVED, REMOVED], "secret-key": []}}),
    ({"password": [{"state": "enabled", "secret": "x"}]}, {"password": [{"state": "enabled", "secret": REMOVED}]}),
    ({"password": {"state": "enabled"}, "secret": None, "a": [1, True, "b"]}, None),
]  # fmt: skip


@pytest.mark.parametrize(("tree", "left"), TREES)
def test_trees(tree: dict[str, object], left: dict[str, object] | None) -> None:
    expected = tree if left is None else left
    assert without_secrets(tree) == expected
    for indent, end in ((None, ""), (4, "\n"), (2, "")):
        text = json.dumps(tree, indent=indent) + end
        assert without_secrets(text) == json.dumps(expected, indent=indent) + end


COMMUNITIES = """\
      snmp-server:
        readonly-community:
          open:
            access:
              any: {}
          $nvsec$bc2dea2ea717f9e9aef0265a8f09f949:
            access: {}
        readonly-community-v6: {}
        state: enabled
"""


def test_communities_that_are_keys_of_yaml() -> None:
    clean = str(without_secrets(COMMUNITIES))
    assert clean == COMMUNITIES.replace("open:", f"{REMOVED}:").replace(
        "$nvsec$bc2dea2ea717f9e9aef0265a8f09f949", REMOVED
    )


def test_a_community_of_junos_that_is_a_block() -> None:
    text = "snmp {\n    community public {\n        authorization read-only;\n    }\n}\n"
    assert without_secrets(text) == text.replace("public", REMOVED)
    bgp = "    community DRAIN {\n        members 65535:0;\n    }\n"
    assert without_secrets(bgp) == bgp


def test_a_cut_answer_hides_what_is_left_of_it() -> None:
    text = json.dumps({"TACPLUS": {"global": {"passkey": "c4n4ry"}}, "PORT": {}}, indent=4)
    for end in range(text.index("c4n4ry") + 8, len(text)):
        assert "c4n4ry" not in str(without_secrets(text[:end]))
