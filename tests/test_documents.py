"""YAML is read as written, with places, and what would surprise or hurt is refused with its position."""

import re
import sys
from pathlib import Path
from unicodedata import combining, is_normalized

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.base import text as wording
from fabricgen.errors import FabricError, IntentPath, Problem, Source
from fabricgen.source import document as documents
from fabricgen.source.document import Document, load_document, read_document
from fabricgen.source.yaml_events import MAX_DEPTH, MAX_OCTETS, MAX_PROBLEMS, REFUSED_TEXT, is_plain, path_text

FILE = "site/intent.yaml"

SAMPLE = """\
# a comment
fabrics:
  backend:
    asns: 4201000000-4201999999
    links: [ipv4, ipv6]
empty:
tenants:
- name: "a"
  servers:
    - x
text: |
  one
  two
"""


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(documents, "LOADER", yaml.SafeLoader)


def at(line: int, column: int) -> Source:
    return Source(file=FILE, line=line, column=column)


def load(text: str) -> Document:
    return load_document(text, FILE)


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as caught:
        load(text)
    for problem in caught.value.problems:
        assert problem.at is not None
        assert problem.at.file == FILE
        assert problem.what
        assert problem.why
        assert problem.fix
    return caught.value.problems


def marks(text: str) -> list[tuple[str, int, int]]:
    return [(problem.code, problem.at.line, problem.at.column) for problem in problems_of(text) if problem.at]


# Left: what YAML 1.1 would read as something else (yaml.org/type/int.html, bool.html, float.html, timestamp.html).
@pytest.mark.parametrize(
    "text",
    ["65000:10", "10:20:30", "10:20:30:40:50:59", "off", "on", "no", "yes", "y", "n", "0123", "0o17", "0x1f", "0b1",
     "4.30", "1e3", ".inf", ".nan", "2024-01-01", "2024-01-01 10:00:00", "1_000", "+5", "-0", "00", "~", "Null",
     "NULL", "True", "FALSE", "TRUE", "=", "1" * 21, "١٢", "10.0.0.0/8", "2001:db8::1", "3:1", "fd5e:8c1f:2a00::/52"],
)  # fmt: skip
def test_all_else_is_the_text_as_written(text: str) -> None:
    assert load(f"key: {text}").value == {"key": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [("null", None), ("", None), ("true", True), ("false", False), ("0", 0), ("-7", -7), ("4201000000", 4201000000),
     ("18446744073709551615", 2**64 - 1), ("'12'", "12"), ('"true"', "true"), ("'null'", "null"), ('""', ""),
     ("[]", []), ("{}", {}), ("[1, '1', [true]]", [1, "1", [True]]), ('"\\t\\u00e9"', "\té")],
)  # fmt: skip
def test_what_resolves(text: str, value: object) -> None:
    found = load(f"key: {text}").value
    assert found == {"key": value}
    assert repr(found) == repr({"key": value})


def test_integer_keys_are_text() -> None:
    assert load("1: a\n'02': b\n-3: c").value == {"1": "a", "02": "b", "-3": "c"}
    assert marks("1: a\n'1': b") == [("yaml-duplicate-key", 2, 1)]


@pytest.mark.parametrize("text", ["", "# only words\n", "---\n", "null"])
def test_an_empty_document_is_none(text: str) -> None:
    document = load(text)
    assert document.value is None
    assert document.place(("fabrics", 0)).line >= 1


def test_places_and_keys() -> None:
    document = load(SAMPLE)
    assert document.value == {
        "fabrics": {"backend": {"asns": "4201000000-4201999999", "links": ["ipv4", "ipv6"]}},
        "empty": None,
        "tenants": [{"name": "a", "servers": ["x"]}],
        "text": "one\ntwo\n",
    }
    assert document.lines == (*SAMPLE.split("\n"),)
    assert document.places == {
        (): at(2, 1),
        ("fabrics",): at(3, 3),
        ("fabrics", "backend"): at(4, 5),
        ("fabrics", "backend", "asns"): at(4, 11),
        ("fabrics", "backend", "links"): at(5, 12),
        ("fabrics", "backend", "links", 0): at(5, 13),
        ("fabrics", "backend", "links", 1): at(5, 19),
        ("empty",): at(6, 1),
        ("tenants",): at(8, 1),
        ("tenants", 0): at(8, 3),
        ("tenants", 0, "name"): at(8, 9),
        ("tenants", 0, "servers"): at(10, 5),
        ("tenants", 0, "servers", 0): at(10, 7),
        ("text",): at(11, 7),
    }
    assert document.keys[("fabrics", "backend")] == at(3, 3)
    assert document.keys[("tenants", 0, "servers")] == at(9, 3)
    assert ("tenants", 0) not in document.keys


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ((), 2, 1),
        (("fabrics", "backend", "asns"), 4, 11),
        (("fabrics", "backend"), 3, 3),  # the key: the value begins on the next line
        (("fabrics", "backend", "links", 7), 5, 5),  # missing: the key of the nearest ancestor
        (("fabrics", "backend", "leaf", "links"), 3, 3),  # a missing ancestor is no union tag
        (("fabrics", "frontend", "asns"), 2, 1),
        (("absent", "deep"), 2, 1),
        (("tenants", 0, "a", "servers", 0), 10, 7),  # "a" is the name chosen there
        (("tenants", 0, "model"), 8, 3),
        (("empty", "deep"), 6, 1),
        (("text", 0), 11, 1),
    ],
)
def test_place(path: IntentPath, line: int, column: int) -> None:
    assert load(SAMPLE).place(path) == at(line, column)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("fabrics", "backend", "asns"), "fabrics.backend.asns"),
        (("tenants", "storage", "servers", 0), "tenants.storage.servers[0]"),
        (("overrides", "train[17]", "state"), 'overrides["train[17]"].state'),
        (("overrides", "be-leaf-003/Ethernet7/1"), "overrides.be-leaf-003/Ethernet7/1"),
        (("a.b", "c d", ""), '["a.b"]["c d"][""]'),
    ],
)
def test_spell(path: IntentPath, text: str) -> None:
    assert path_text(path) == text


def test_duplicate_keys_are_told_at_once_with_both_lines() -> None:
    text = "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na:\n  x: 1\n  x: 2\na: 4\n"
    assert marks(text) == [
        ("yaml-duplicate-key", 5, 3),
        ("yaml-duplicate-key", 6, 1),
        ("yaml-duplicate-key", 8, 3),
        ("yaml-duplicate-key", 9, 1),
    ]
    found = problems_of(text)
    assert [problem.why for problem in found] == [
        "first on line 3, again on line 5",
        "first on line 1, again on line 6",
        "first on line 7, again on line 8",
        "first on line 1, again on line 9",
    ]
    assert found[0].what == "key b.c is written twice"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x 1\nb: *x\nc: *x", [("yaml-alias", 1, 4)]),
        ("a: *nobody", [("yaml-alias", 1, 4)]),
        ("*leaf : 1", [("yaml-alias", 1, 1)]),
        ("a: [*b, *c]", [("yaml-alias", 1, 5), ("yaml-alias", 1, 9)]),
        ("a:\n  <<: {b: 1}", [("yaml-merge-key", 2, 3)]),
        ("a: !!str 1", [("yaml-tag", 1, 4)]),
        ("a: !env X\nb: !!python/object/apply:os.system [ls]", [("yaml-tag", 1, 4), ("yaml-tag", 2, 4)]),
        ("a: ! 1", [("yaml-tag", 1, 4)]),
        ("a: 1\n---\nb: 2", [("yaml-documents", 2, 1)]),
        ("%YAML 1.1\n---\na: on", [("yaml-directive", 1, 1)]),
        ("? [a, b]\n: 1", [("yaml-key", 1, 3)]),
        ("a: {[b]: 1, {c: 1}: 2}", [("yaml-key", 1, 5), ("yaml-key", 1, 13)]),
        ("true: 1\nnull: 2\n? \n: 3", [("yaml-key", 1, 1), ("yaml-key", 2, 1), ("yaml-key", 3, 2)]),
        ('"a\\nb": 1', [("yaml-key", 1, 1)]),
        ("a: 1\nb: \x07", [("yaml-control-character", 2, 4)]),
        ("a: x\u202ey\u2028", [("yaml-control-character", 1, 5), ("yaml-control-character", 1, 7)]),
        ('a: "x\\x07"', [("yaml-control-character", 1, 4)]),
        ('a: "\\x85\\u2028"', [("yaml-control-character", 1, 4)]),
        ("a: \ud800", [("yaml-control-character", 1, 4)]),
        ("a: 1\nb: x\u200by\u200e", [("yaml-control-character", 2, 5), ("yaml-control-character", 2, 7)]),
        ("# \u00ad\na: \u00a0", [("yaml-control-character", 1, 3), ("yaml-control-character", 2, 4)]),
        ('a: "\\u200b"', [("yaml-control-character", 1, 4)]),
        ('"a\\xad": 1', [("yaml-control-character", 1, 1), ("yaml-key", 1, 1)]),
        ("a: u\u0308", [("yaml-not-composed", 1, 4)]),
        ("\u212b: 1", [("yaml-not-composed", 1, 1)]),
        ("a: 1\na: 2\n<<: 3\nb: [1", [("yaml-duplicate-key", 2, 1), ("yaml-merge-key", 3, 1), ("yaml-syntax", 4, 6)]),
    ],
)
def test_refused(text: str, expected: list[tuple[str, int, int]]) -> None:
    found = marks(text)
    if expected[-1][0] == "yaml-syntax":  # the two parsers point at slightly different ends of the text
        assert [code for code, _, _ in found] == [code for code, _, _ in expected]
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("text", "line", "fix"),
    [
        ("a: b\n\tc: d", 2, "indent with spaces"),
        ("a: [1, 2\nb: 3", 2, "close the list with ]"),
        ("a: {b: 1\nc: 3", 2, "close the mapping with }"),
        ("a: b: c", 1, "': '"),
        ("a: @x", 1, "quotes"),
        ("a: *", 1, "quotes"),
        ('a: "\\z"', 1, "single quotes"),
        ("a: 1\n  b: 2", 2, "indentation"),
        ("a: 'x", 1, "close the quotes"),
        ("a: {b: 1,\n  c: ${env:NAME}}", 2, 'put it in quotes: "${env:NAME}"'),
        ("a: [train[0-7], b]", 1, 'put it in quotes: "train[0-7]"'),
        ("a: [x[0-7], b\nc: d", 1, 'put it in quotes: "x[0-7]"'),
        ("a: 1\nsite dc1\nb: 2", 3, "write site: dc1 on line 2"),
        ("site dc1\n# of ours\n\nb: 2", 4, "write site: dc1 on line 1"),
        (
            "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\n",
            2,
            "remove the lines <<<<<<<, ======= and >>>>>>>",
        ),
    ],
)
def test_syntax(text: str, line: int, fix: str) -> None:
    (problem,) = problems_of(text)
    assert problem.code == "yaml-syntax"
    assert problem.at is not None
    assert problem.at.line == line
    assert fix in problem.fix


def test_a_lock_with_conflict_markers_names_them() -> None:
    lock = "lock: 1\nsegments:\n- {a: 1}\n<<<<<<< HEAD\n- {a: 2}\n=======\n- {a: 3}\n>>>>>>> grow\n"
    with pytest.raises(FabricError) as caught:
        load_document(lock, "fabricgen.lock")
    (problem,) = caught.value.problems
    assert problem.what == "fabricgen.lock has git conflict markers (<<<<<<<)"
    assert problem.fix.startswith("git checkout BRANCH -- fabricgen.lock, where BRANCH is the one that is deployed")
    assert problem.at == Source("fabricgen.lock", 4, 1)


def test_a_near_name_is_offered_for_a_file_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "intent.yaml").write_text("a: 1\n")
    for name, fix in (("intnt.yaml", f"did you mean {tmp_path / 'intent.yaml'}?"), ("zzz", "check the path")):
        with pytest.raises(FabricError) as caught:
            read_document(tmp_path / name)
        assert caught.value.problems[0].fix == fix
    (tmp_path / "link").symlink_to("gone")
    with pytest.raises(FabricError) as caught:
        read_document(tmp_path / "link")
    assert caught.value.problems[0].why == "it is a symbolic link to gone, which does not exist"


def test_line_ends_and_byte_order_mark() -> None:
    document = load("\ufeffa: 1\r\nb: 2\rc: 3\n")
    assert document.value == {"a": 1, "b": 2, "c": 3}
    assert document.places[("c",)] == at(3, 4)
    assert document.lines == ("a: 1", "b: 2", "c: 3", "")


def test_problems_have_an_end() -> None:
    found = problems_of("".join(f"k: {number}\n" for number in range(200)))
    assert [problem.code for problem in found] == ["yaml-duplicate-key"] * MAX_PROBLEMS + ["yaml-too-many-problems"]


def test_the_limits_themselves_are_allowed() -> None:
    nested = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert load(nested).value is not None
    assert [code for code, _, _ in marks(f"[{nested}]")] == ["yaml-too-deep"]
    text = "a: 1\n#"
    assert load(text + "x" * (MAX_OCTETS - len(text))).value == {"a": 1}
    assert marks(text + "x" * (MAX_OCTETS - len(text) + 1)) == [("file-too-large", 1, 1)]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("too-large", b"a: 1\n" + b"#" * MAX_OCTETS, ("file-too-large", 1, 1)),
        ("latin", "a: 1\nb: größe\n".encode("latin-1"), ("file-encoding", 2, 6)),
        ("utf-16", "a: 1\n".encode("utf-16"), ("file-encoding", 1, 1)),
        ("cut", b"a: 1\r\nb: \xe2\x82", ("file-encoding", 2, 4)),
        ("nul", b"a: \x00", ("yaml-control-character", 1, 4)),
    ],
)
def test_refused_files(tmp_path: Path, name: str, content: bytes, expected: tuple[str, int, int]) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FabricError) as caught:
        read_document(path)
    (problem,) = caught.value.problems
    assert problem.at == Source(file=str(path), line=expected[1], column=expected[2])
    assert problem.code == expected[0]


def test_unreadable_files(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    expected = {tmp_path: "file-directory", tmp_path / "none": "file-missing", loop: "file-unreadable",
                tmp_path / ("x" * 300): "file-unreadable", Path("/dev/zero"): "file-too-large"}  # fmt: skip
    for path, code in expected.items():
        with pytest.raises(FabricError) as caught:
            read_document(path)
        (problem,) = caught.value.problems
        assert (problem.code, problem.at) == (code, Source(file=str(path), line=1, column=1))


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text("site: dc1 # größe\n", encoding="utf-8-sig")
    document = read_document(path)
    assert document.value == {"site": "dc1"}
    assert document.places[("site",)] == Source(file=str(path), line=1, column=7)


@given(st.text(alphabet=st.sampled_from("ab01 \n-:,[]{}#&*!|>'\"%@\t\\?~<."), max_size=40))
def test_any_text_is_a_document_or_problems(text: str) -> None:
    """And what is accepted agrees with PyYAML's reading wherever that keeps values as text."""
    try:
        document = load(text)
    except FabricError as error:
        assert all(problem.at and problem.at.line <= text.count("\n") + 2 for problem in error.problems)  # noqa: PT017
        return
    plain = yaml.BaseLoader if documents.LOADER is yaml.SafeLoader else yaml.CBaseLoader
    texts = yaml.load(text, Loader=plain)  # noqa: S506  # builds nothing but text, lists and mappings
    assert as_text(document.value) == ("" if texts is None else texts)
    for path, source in document.places.items():
        assert 1 <= source.line <= len(document.lines) + 1, path


def as_text(value: object) -> object:
    if isinstance(value, dict):
        return {key: as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_text(item) for item in value]
    return "" if value is None else str(value)


def test_what_is_not_searched_is_composed() -> None:
    """Unicode Standard Annex 15: what a letter is joined with are marks, of which none is plain."""
    plain = "".join(filter(is_plain, map(chr, range(sys.maxunicode + 1))))
    assert {"×", "é", "ß"} < set(plain)
    assert not any(map(combining, plain))
    assert is_normalized("NFC", plain)
    assert not is_plain("e\N{COMBINING ACUTE ACCENT}")


def test_nothing_that_is_refused_can_be_printed() -> None:
    """A plain text is not searched, and what is told is not where it can be printed."""
    signs = "".join(map(chr, range(sys.maxunicode + 1)))
    assert len(re.findall(REFUSED_TEXT, signs)) > 2000
    assert not any(map(is_plain, re.findall(REFUSED_TEXT, signs)))
    assert not any(sign.isprintable() for sign in re.findall(wording._UNPRINTABLE, signs))


SIGNS = (
    *"\u00ad\u034f\u061c\u115f\u1680\u17b4\u180e\u2003",
    *"\u200b\u200d\u200f\u202f\u2060\u2066\u2800\u3000",
    *"\u3164\ue000\ufe0f\ufeff\ufff9\U000e0041\U000e0101\U0010fffd",
)
"""One of each kind that nobody sees: Unicode's Cf, Zs and Co, and what has no form."""


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: f"U+{ord(sign):04X}")
def test_what_nobody_sees_is_told_with_its_code_point_and_place(sign: str) -> None:
    with pytest.raises(FabricError) as caught:
        load_document(f"a: 1\nb: fw{sign}1\n", "intent.yaml")
    (problem,) = caught.value.problems
    assert f"U+{ord(sign):04X}" in problem.what
    assert problem.at == Source(file="intent.yaml", line=2, column=6)
    with pytest.raises(FabricError) as caught:
        load_document(f'a: "fw\\U{ord(sign):08x}1"\n', "intent.yaml")
    assert f"U+{ord(sign):04X}" in caught.value.problems[0].what


def test_text_of_any_script_that_is_composed_is_taken() -> None:
    for text in ("Halle 2, Gerüst 7", "Москва", "東京", "Ελλάδα", "דאטה", "ข้อมูล", "1 \u2013 2 m²", "😀"):
        assert load_document(f"a: {text}\n", "x").value == {"a": text}


def test_what_is_not_composed_is_found_at_the_end_of_a_long_text_at_once() -> None:
    with pytest.raises(FabricError) as caught:
        load_document(f"a: {'ü' * 400_000}e\u0301\n", "x")
    (problem,) = caught.value.problems
    assert "U+0065, character 400001" in problem.what
    assert "U+00E9" in problem.fix


@pytest.mark.parametrize(
    ("text", "place", "why", "fix"),
    [
        # The next quote of the file ends the value, so the parser stops far below.
        (
            'site: "dc1\na: 1\nusers: {password: "${env:X}"}\n',
            (1, 7),
            "the quote that opens on line 1 is not closed there: the next quote is on line 3",
            'close the quotes on line 1, e.g. "dc1"',
        ),
        (
            'a: {b: "3:1, c: 1}\nd: {e: "x"}\n',
            (1, 8),
            "the quote that opens on line 1 is not closed there: the next quote is on line 2",
            'close the quotes on line 1, e.g. "3:1"',
        ),
        (
            'a: {b: "${env:X}}\nd: ["x[0-7]"]\n',
            (1, 8),
            "the quote that opens on line 1 is not closed there: the next quote is on line 2",
            'close the quotes on line 1, e.g. "${env:X}"',
        ),
        (
            "a: 1\nb: 'x\nc: 2\n",
            (2, 4),
            "the quote that opens on line 2 is not closed",
            "close the quotes on line 2, e.g. 'x'",
        ),
    ],
)
def test_an_open_quote_is_told_where_it_opens(text: str, place: tuple[int, int], why: str, fix: str) -> None:
    (problem,) = problems_of(text)
    assert problem.at == at(*place)
    assert (problem.why, problem.fix) == (why, fix)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a:\n  b: {x: 1}\n   c: 2\n", "line 3 is indented by 3 spaces, line 2 by 2"),
        ("a:\n  b: 1\n   c: 2\n", "line 3 is indented by 3 spaces, line 2 by 2"),
    ],
)
def test_a_line_indented_wrongly_is_compared_with_the_one_above(text: str, why: str) -> None:
    (problem,) = problems_of(text)
    assert (problem.why, problem.fix) == (why, "give all keys of one mapping the same indentation")


@pytest.mark.parametrize(
    ("text", "why", "fix"),
    [
        (
            "a:\n  b: {x: 1}\n\n  # c\n c: 2\n",
            "line 5 is indented by 1 space, line 2 by 2",
            "indent line 5 by 2 spaces, as line 2",
        ),
        (
            "f:\n  b:\n    k: 1\n    l: 2\n   c:\n    k: 1\n",
            "line 5 is indented by 3 spaces, line 2 by 2",
            "indent line 5 by 2 spaces, as line 2",
        ),
        (
            "f:\n  b:\n    k: 1\n   l: 2\n",
            "line 4 is indented by 3 spaces, line 3 by 4",
            "indent line 4 by 4 spaces, as line 3",
        ),
    ],
)
def test_a_line_between_two_levels_is_compared_with_its_own(text: str, why: str, fix: str) -> None:
    """A key without a value belongs to the outer level: its own keys follow on deeper lines."""
    (problem,) = problems_of(text)
    assert (problem.why, problem.fix) == (why, fix)
    lines = text.split("\n")
    line, spaces = map(int, re.findall("[0-9]+", fix)[:2])
    lines[line - 1] = " " * spaces + lines[line - 1].lstrip()
    assert load_document("\n".join(lines), "a.yaml").value
