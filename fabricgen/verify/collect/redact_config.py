"""Remove secrets from a running configuration in any form: lines, JSON, YAML, text in braces.

Secrets are recognised by keywords and names of leaves: those that our templates write, and those of the vendors' models
and manuals. A secret in clear text and its hash become the same text, so that two texts can be compared. Free text (a
description, a location) is never a secret and stays unchanged.

Sources, read 2026-11-22: the running configurations of recorded switches (EOS, NX-OS 9.2 and 10.3); models of SONiC
202505 to master (sonic-system-tacacs, -radius, -ldap, sonic-snmp, sonic-bgp-common, sonic-ntp, sonic-macsec); leaves
of SR Linux 25.3.1 whose type is a password (srl_nokia-common: routing-password, user-password, macsec-password) with
srl_nokia-system-snmp and -tls; leaves of Junos 24.4R1 whose type is `unreadable`; NVIDIA's NVUE reference (AAA, BGP,
OSPF, SNMP Server, System Security: what it enciphers begins with `$nvsec$`). Read 2026-11-29: PyAVD's documents of
switches (TerminAttr, VRRP); Cisco's list of the commands of N9K 9.3 (key-octet-string).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

REMOVED = "<removed>"
LEAVES = frozenset(
    {
        # SONiC: TACPLUS, RADIUS, LDAP, BGP, SNMP_USER, MACSEC_PROFILE.
        "passkey",
        "bind_password",
        "auth_password",
        "SNMP_USER_AUTH_PASSWORD",
        "SNMP_USER_ENCRYPTION_PASSWORD",
        "primary_cak",
        "fallback_cak",
        # SR Linux: users, TACACS+ and RADIUS, BGP, IS-IS, key chains, gNSI.
        "password",
        "secret-key",
        "auth-password",
        "authentication-key",
        "cak",
        "shared-secret",
        "private-key",
        # NVUE: users, TACACS+, RADIUS and LDAP, OSPF, SNMP.
        "hashed-password",
        "secret",
        "md5-key",
        "auth-md5",
        "auth-sha",
        "encryption-aes",
        "encryption-des",
        "community-password",
    }
)
"""Leaves of JSON and YAML that hold a secret, at any place."""
INSIDE = frozenset(
    {
        ("NTP_KEY", "value"),  # SONiC
        ("SNMP_TRAP_CONFIG", "Community"),  # SONiC, config/main.py of sonic-utilities
        ("server-profile", "key"),  # SR Linux: TLS
        ("snmp", "community"),  # SR Linux
    }
)
"""Leaves that hold a secret below another name, at any depth."""
NAMED = ("SNMP_COMMUNITY", "readonly-community", "readonly-community-v6")
"""Objects whose keys are secrets: SONiC's table and NVUE's keys of SNMP communities."""
FREE = frozenset({"description", "location", "contact", "system-location", "system-contact", "banner", "login-banner"})
"""Leaves with free text written by people."""

# Words between the keyword and the secret: its encoding or hash.
_KIND = r"(?:(?:0|3|5|6|7|8a?|9|clear|encrypted|md5|sha(?:-?\d+)*|3?des|aes(?:-?\d+)?)[ ]+)"
# The end of a statement in braces is not part of a text in quotation marks.
_VALUE = rf'(?:{REMOVED}(?=;)|"(?:[^"\\\n]|\\.)*"(?=[ ]*;|[ ]|$)|\S+)'
_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_FREE = "|".join(sorted(FREE))
_LEAF = "|".join(sorted(LEAVES, key=lambda name: (-len(name), name)))
_SECRET = re.compile(
    rf"""(?P<kept>
        # Free text: a line, a statement in braces, a leaf of JSON.
        ^[ \t]*(?:neighbor[ ]\S+[ ])?description\b[^\n]*
        | ^[ \t]*snmp-server[ ](?:location|contact)\b[^\n]*
        | \b(?:{_FREE})[ ]+{_TEXT}
        | "(?:{_FREE})"[ \t]*:[ \t]*{_TEXT}
        )
    | (?P<json>(?:^[ \t]*)?"(?:[\w-]+:)?(?:{_LEAF})"[ \t]*:[ \t]*){_TEXT}
    | (?P<yaml>^[ \t]*(?:-[ ]+)?['"]?(?:{_LEAF})['"]?:[ \t]+)(?![{{}}[\n])[^\n]+
    # Other leaves of JSON without lines in them, and of YAML, hold no words of a command.
    | (?P<leaf>
        ^[ \t]*(?:"[^"\n]*"[ \t]*:[ \t]*)?"(?:[^"\\\n]|\\[^n])*"[ \t]*,?[ \t]*$
        | ^[ \t]*(?!(?:inactive|replace|protect|delete):|[^\n]*\\n)(?:-[ ]+)?['"]?[\w./-]+['"]?:[ \t]+[^\n]*$
        )
    | (?P<words> \bpassword[ ]+(?!minimum|policy|strength-check|[];{{}}]){_KIND}*
        # Of a shared-secret profile: name of the secret, its type, the secret.
        | ^[ ]*secret[ ]+\S+[ ]+(?:0|7|8a)[ ]+
        | (?<!shared-)\bsecret[ ]+{_KIND}*
        | \b(?:passphrase|key-string|key-octet-string)[ ]+(?!lifetime\b){_KIND}*
        | \b(?:ascii-text|hexadecimal)[ ]+
        | \bpre-shared-key[ ]+(?!(?:ckn|cak|ascii-text|hexadecimal)\b|[{{]){_KIND}*
        | \bcak[ ]+
        | \bisakmp[ ]+key[ ]+{_KIND}*
        | ^[ \t]*token[ ]+{_KIND}*
        # TerminAttr on EOS: the kind of the secret, the secret.
        | [ ]-\w*auth=\w+,
        | \bvrrp[ ]+\d+[ ]+(?:peer[ ]+)?authentication[ ]+(?!text\b)(?:ietf-md5[ ]+key-string[ ]+)?{_KIND}*
        | \bauthentication[ ]+text[ ]+
        # Junos: NTP.
        | \bauthentication-key[ ]+\d+[ ]+(?:type[ ]+\S+[ ]+)?value[ ]+
        | \bvalue[ ]+(?=")
        | \b(?:tacacs|radius)-server[ ](?:.*[ ])?key[ ]+{_KIND}*
        | \b(?:authentication|message-digest|privacy)-key[ ]+(?!(?:\d+[ ]+)?(?:(?:type|value)\b|[{{]))
          (?:\d+[ ]+)?{_KIND}*
        | \b(?:key|auth|priv)[ ]+{_KIND}+
        # NX-OS shows keys that it has localized so.
        | \b(?:auth|priv)[ ]+(?=0x)
        # Junos: a key of a protocol or of a key chain.
        | \bkey[ ]+(?=")
        | \bmd5[ ]+\d+[ ]+key[ ]+
        # Of a MACsec profile: name of the key (CKN), its type, the key (CAK).
        | ^[ ]*key[ ]+[0-9a-fA-F]+[ ]+(?:0|7|8a)[ ]+
        | \bnhrp[ ]+authentication[ ]+
        | \brip[ ]+authentication[ ]+string[ ]+
        | \btcp-md5-auth[ ]+
        | \bsnmp-server[ ]+community[ ]+
        | \bset[ ]+snmp[ ]+community[ ]+
        # Junos: a community of SNMP is a block, and says at once what it may; one of BGP has members.
        | ^[ \t]*community[ ]+(?=[^\s;{{]+[ ]*{{\s*(?:authorization|client|view|routing-instance)\b)
        # Junos: traps carry the name of their group as the community.
        | \btrap-group[ ]+
        # curl
        | (?<!\S)(?:-u|--user)[ ]+[^\s:]+:
        # Of version 3 it is the name of a user.
        | \bsnmp-server[ ]+host[ ]+\S+[ ]+(?:vrf[ ]+\S+[ ]+)?(?:(?:traps|informs)[ ]+)?(?:version[ ]+(?:1|2c)[ ]+)?
          (?!(?:vrf|traps|informs|version|use-vrf|filter-vrf|source-interface|udp-port)\b)
        ){_VALUE}""",
    re.VERBOSE | re.MULTILINE,
)
_HINTS = (
    *("pass", "PASS", "secret", "key", "cak", "auth", "priv"),
    *(
        "community",
        "ascii-text",
        "hexadecimal",
        "encryption",
        "snmp-",
        "token",
        "value",
        "trap-group",
        "-u ",
        "--user ",
    ),
)
"""Every line in which _SECRET finds anything contains one of them."""
_HASH = re.compile(r"""(?<![\w$])\$(?:nvsec|aes\d|ar2|y|[15689]|2[aby])\$[^\s"',;:{}\[\]]{6,}""")
"""A hash, or an enciphered value, recognised by its beginning, under any name."""
_MARK = re.compile(r"(?<=;)[ \t]+\#\#[ ]SECRET-DATA[ \t]*$", re.MULTILINE)
"""Junos' mark of a secret; our text has none."""
_MARKED = re.compile(rf"(?:{_TEXT}|[^\s;]+)(?=;[ \t]+\#\#[ ]SECRET-DATA[ \t]*$)", re.MULTILINE)
_KEY = re.compile(r"""^([ \t]*)(['"]?)([^\s'"]+)\2:""")
_PRIVACY = re.compile(rf"(\bauth[ ]+{_KIND}+{REMOVED}[ ]+priv[ ]+{_KIND}*){_VALUE}")
"""The second secret of a user of SNMP, whose kind is not always said."""
_IN_URL = re.compile(r"""(?<=://)([^\s:/@"']+):[^\s"']+@""")
_PRIVATE_KEY = re.compile(r"-----BEGIN ([A-Z ]*PRIVATE KEY)-----(?:.*?-----END \1-----|.*\Z)", re.DOTALL)
_LIKE_A_NAME = re.compile(
    r"""(?:pas+(?!s*iv)|secret|trap-group|token|community(?!-list)|key|auth|priv(?!ate-)|\bcak\b|psk|credential|cert|md5
        |\bvalue(?="?:?[ ]+"))[\w+/-]*["']?(?:[:=]|(?=[ \t]))""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that a secret may follow at any distance, also mistyped, or where a block begins."""
_HASHED = re.compile(rf"[ ]+(?:[3-9]|8a)[ ]+{REMOVED}(?=[ ])")
"""A secret that is hashed or enciphered is one word: what follows is not part of it."""
_PLAIN = re.compile(
    rf"""["']?(?:\d{{1,2}}|\d+(?:\.\d+){{3}}(?:/\d+)?|[0-9a-f]*:[0-9a-f]*:[0-9a-f:]*(?:/\d+)?|\d+:\d+
        |key-?(?:id|string|octet-string|chain)?|pre-shared-key|auth|priv|community|login|default|group|local|tacacs\+?|radius
        |exec|commands|console|type|mode|value|text|string|md5|sha(?:-?\d+)*|hmac-[\w-]+|3?des|aes(?:-?\d+)?|clear|encrypted
        |ascii-text|hexadecimal|address|area|vrf|host|server|permit|deny|in|out|timeout|version|extended|standard|both
        |additive|localized(?:v2)?key|{REMOVED})?["']?[\[\]{{}};,]*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What stays behind such a word: words of commands, short numbers, addresses, communities of BGP."""
_LIKE_A_KEY = re.compile(
    r"""-----BEGIN[ ][^"]*
        |(?<![\w/.-])(?=[A-Za-z+/=]*\d)(?=[\d+/=]*[A-Za-z])[A-Za-z0-9+][A-Za-z0-9+/]{31,}={0,2}(?![\w.-])
        |(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{12,}={1,2}(?=["';\s]|$)""",
    re.VERBOSE,
)
"""Text of a certificate or key: its beginning, or a line of it."""


def is_hash(word: str) -> bool:
    """Whether a word is a hash or an enciphered value, by its beginning."""
    return _HASH.search(word) is not None


def without_secrets(value: object) -> object:
    """Return a running configuration, as text or parsed JSON, without its secrets."""
    return _without(value, ())


def without_likely_secrets(line: str) -> str:
    """One line that no parser understood, without its secrets and without what may be one."""
    clean = _LIKE_A_KEY.sub(REMOVED, str(without_secrets(line)))
    name = _LIKE_A_NAME.search(clean)
    while name is not None and (hashed := _HASHED.match(clean, name.end())) is not None:
        name = _LIKE_A_NAME.search(clean, hashed.end())
    if name is None:
        return clean
    return clean[: name.end()] + re.sub(r"\S+", _unless_plain, clean[name.end() :])


def _unless_plain(word: re.Match[str]) -> str:
    bare = word.group().strip("\"'[]{};,")
    return word.group().replace(bare, REMOVED) if bare and not _PLAIN.fullmatch(word.group()) else word.group()


def _without(value: object, above: tuple[str, ...]) -> object:
    match value:
        case str():
            if value.lstrip()[:1] in ("{", "["):
                try:
                    parsed = json.loads(value)
                except (ValueError, RecursionError):
                    return _lines(value)
                return _written(_without(parsed, ()), value)
            return _lines(value)
        case dict():
            return dict(_members(value, above))
        case list():
            return [_without(item, above) for item in value]
        case _:
            return value


def _members(members: Mapping[object, object], above: tuple[str, ...]) -> Iterator[tuple[str, object]]:
    """Members of an object, below the names in `above`. In an object of NAMED, the keys themselves are secrets."""
    has_secret_keys = bool(above) and above[-1] in NAMED
    for index, (key, item) in enumerate(members.items()):
        name = str(key).rpartition(":")[2]
        if has_secret_keys:
            yield (REMOVED if index == 0 else f"{REMOVED} {index + 1}"), _without(item, (*above, REMOVED))
        elif (name in LEAVES or any((holder, name) in INSIDE for holder in above)) and _is_plain(item):
            yield str(key), [REMOVED] * len(item) if isinstance(item, list) else REMOVED
        elif isinstance(item, str) and name in FREE:
            yield str(key), item
        else:
            yield _lines(str(key)), _without(item, (*above, name))


def _is_plain(item: object) -> bool:
    """Whether it is a value, or a list of values."""
    return isinstance(item, str | int) or (isinstance(item, list) and all(map(_is_plain, item)))


def _written(parsed: object, text: str) -> str:
    """JSON with the indentation and the final line break of the original text."""
    lines = text.splitlines()
    indent = len(lines[1]) - len(lines[1].lstrip()) if len(lines) > 1 else None
    return json.dumps(parsed, indent=indent, ensure_ascii=False) + ("\n" if text.endswith("\n") else "")


def _lines(text: str) -> str:
    """Clean text in any form except whole JSON."""
    clean = _MARK.sub("", _MARKED.sub(REMOVED, text)) if "SECRET-DATA" in text else text
    clean = _HASH.sub(REMOVED, _sifted(_IN_URL.sub(rf"\1:{REMOVED}@", clean) if "://" in clean else clean))
    clean = _PRIVATE_KEY.sub(REMOVED, clean) if "-----BEGIN" in clean else clean
    return _without_names(clean) if any(f"{name}:" in clean for name in NAMED) else clean


def _sifted(text: str) -> str:
    """Remove what _SECRET finds, only in lines with one of _HINTS: _SECRET takes a hundred times as long per line."""
    hints = tuple(hint for hint in _HINTS if hint in text)
    if not hints:
        return text
    lines = text.split("\n")
    is_near = [any(hint in line for hint in hints) for line in lines]
    # The kind of a community is decided by the line after it.
    follows = [False, *("community" in line for line in lines[:-1])]
    parts = groupby(zip(lines, is_near, follows, strict=True), lambda row: row[1] or row[2])
    cleaned = ("\n".join(line for line, *_ in rows) if not near else _searched(rows) for near, rows in parts)
    return "\n".join(cleaned)


def _searched(rows: Iterable[tuple[str, bool, bool]]) -> str:
    return _PRIVACY.sub(rf"\1{REMOVED}", _SECRET.sub(_removed, "\n".join(line for line, *_ in rows)))


def _removed(match: re.Match[str]) -> str:
    if match["kept"] or match["leaf"]:
        return match.group()
    if match["json"]:
        return f'{match["json"]}"{REMOVED}"'
    return f"{match['yaml'] or match['words']}{REMOVED}"


def _without_names(text: str) -> str:
    """YAML without the keys that are secrets themselves: those one level below one of NAMED."""
    lines: list[str] = []
    holder = step = -1
    for line in text.split("\n"):
        key = _KEY.match(line)
        depth = len(key[1]) if key else -1
        if key and holder >= 0 and depth > holder:
            step = depth if step < 0 else step
            lines.append(f"{key[1]}{REMOVED}{line[key.end() - 1 :]}" if depth == step else line)
            continue
        if key:
            holder, step = (depth, -1) if key[3] in NAMED else (-1, -1)
        lines.append(line)
    return "\n".join(lines)
