"""What words may mean: several readings, kinds, codes of checks, and what nothing is known of."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.checks.catalogue import CHECKS
from fabricgen.checks.engine.check import Check
from fabricgen.cli import main
from fabricgen.explain.answer import Answer, AnswerLine, Origin
from fabricgen.explain.meanings import REASONS
from fabricgen.explain.parse import Question, read_words
from fabricgen.explain.text import WIDTH, answers_text
from tests.explain.asking import DEMO, INVENTORIES, asked, one, refused
from tests.some import some

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("be-leaf-003",), Question("", "be-leaf-003")),
        (("be-leaf-003", "Ethernet7/1"), Question("", "be-leaf-003/Ethernet7/1")),
        (("vlan110",), Question("vlan", "110")),
        (("VLAN", "110"), Question("vlan", "110")),
        (("as4201000003",), Question("asn", "4201000003")),
        (("vni:10110",), Question("vni", "10110")),
        (("device", "vlan"), Question("device", "vlan")),
        (("tenant",), Question("", "tenant")),
    ],
)
def test_words_are_read(words: tuple[str, ...], expected: Question) -> None:
    assert read_words(words) == expected


def test_a_number_with_several_meanings_is_told_as_each(tmp_path: Path) -> None:
    """VLAN, VNI and the AS number of a peer are 900; a word before it picks one."""
    text = (
        DEMO.read_text()
        .replace("asn: 64601", "asn: 900")
        .replace("networks: {data: {vlan: 20", "networks: {data: {vni: 900, vlan: 20")
    )
    path = tmp_path / "intent.yaml"
    path.write_text(text)
    assert [told.title for told in asked("900", intent=path)] == [
        "AS 900: external peers",
        "VNI 900: L2 VNI of storage/data on frontend",
        "VLAN 900: external session of research on frontend",
    ]
    told = one("vni", "900", intent=path)
    assert told.facts["L2 VNI"][0][1] == ""  # the user wrote it: no formula, but a place
    assert told.facts["L2 VNI"][0][2].startswith("intent.yaml:")


def test_a_word_that_is_a_server_group_and_a_check_is_both() -> None:
    assert one("rails").kind == "code"
    assert one("fabric", "backend").kind == "fabric"


@pytest.mark.parametrize("check", some(CHECKS), ids=lambda check: check.name)
def test_every_code_is_explained_as_its_page_does(check: Check) -> None:
    """docs/checks.md is made from the same docstrings: every word of the rule is printed."""
    page = (ROOT / "docs" / "checks.md").read_text().split(f"\n## {check.name}\n")[1]
    page = page.split("\n## ")[0].split("\n# ")[0]
    body = page.split("\n\n", 1)[1]
    for word in check.codes:
        told = asked("code", word)
        facts = [
            fact for each in told for label in ("requires", "note", "why", "source") for fact in each.values(label)
        ]
        if word in REASONS:
            assert told[0].values("why") == [REASONS[word]]
        else:
            # Why a check is complete is for those who change it: only the page says so.
            rule = re.sub(r"Proof: .*?(?=Source:|\n\n|$)", "", body, flags=re.DOTALL)
            assert set(rule.replace("Source:", "").split()) <= set(" ".join(facts).split())
        assert check.name in told[0].title
        assert word in told[0].values("codes")[0].split(", ")


def test_a_code_is_explained_though_the_intent_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text("fabricgen: 1\n")
    assert one("ecn-after-pfc", intent=path).title == "ecn-after-pfc: a code of the check thresholds"
    result = CliRunner().invoke(main, ["explain", str(path), "be-leaf-003"])
    assert result.exit_code == 1
    assert "error[missing-key]" in result.stderr


def test_numbers_without_meaning_are_not_explained(tmp_path: Path) -> None:
    """Two fabrics with one prefix: an address would have two owners."""
    path = tmp_path / "intent.yaml"
    path.write_text(DEMO.read_text().replace("ipv4: 10.128.0.0/12", "ipv4: 10.64.0.0/12"))
    result = CliRunner().invoke(main, ["explain", str(path), "10.64.0.1"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[prefixes-overlap]" in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "fix"),
    [
        (("be-laef-003",), "unknown-name", "did you mean be-leaf-003?"),
        (("be-leaf-099",), "unknown-name", "use a planned name, e.g. be-leaf-000"),
        (("be-leaf-00",), "unknown-name", "did you mean be-leaf-000?"),
        (("be-leaf-17",), "unknown-name", "did you mean be-leaf-017?"),
        (("train[192]",), "unknown-name", "use a planned name, e.g. train[0]"),
        (("train-192",), "unknown-name", "use a planned name, e.g. train[0]"),
        (("reserch",), "unknown-name", "did you mean research?"),
        (("ecn-before-pfc",), "unknown-name", "did you mean ecn-after-pfc?"),
        (("tenant", "backend"), "unknown-name", "did you mean backend?"),
        (("be-leaf-003", "Ethernet99/1"), "unknown-port", "did you mean Ethernet9/1?"),
        (("be-leaf-003/Ethernet7",), "unknown-port", "did you mean Ethernet7/1 or Ethernet7/5?"),
        (("train-003", "OSFP9P1"), "unknown-port", "did you mean OSFP1P1, OSFP2P1, OSFP3P1 or OSFP4P1?"),
        (("12345",), "unknown-number", "use one of these numbers"),
        (("vni", "10"), "unknown-number", "use one of these numbers"),
    ],
)
def test_what_is_unknown_names_the_nearest(words: tuple[str, ...], code: str, fix: str) -> None:
    problem = refused(*words)
    assert (problem["code"], problem["fix"]) == (code, fix)


@pytest.mark.parametrize("text", ["8.8.8.8", "8.8.8.0/24", "2001:db8::1"])
def test_an_address_of_others(text: str) -> None:
    problem = refused(text)
    assert problem["code"] == "address-outside"
    assert "10.64.0.0/12" in problem["why"]
    assert "172.17.0.0/20" in problem["fix"]


@pytest.mark.parametrize("text", ["fe80::1%eth0", "10.64.0.300", "10.64.0.0/33", "x" * 500, "[", "a/b/c/d", "\u0663"])
def test_nonsense_is_refused_without_a_traceback(text: str) -> None:
    assert refused(text)["code"] in ("unknown-name", "address-outside")


def test_an_as_number_out_of_every_range_names_the_ranges() -> None:
    problem = refused("asn", "64999")
    assert problem["what"] == "no AS number 64999 on this site"
    assert "backend 4201000000-4201999999" in problem["why"]


def test_json_has_the_facts_of_the_text() -> None:
    found = json.loads(CliRunner().invoke(main, ["explain", str(DEMO), "be-leaf-003", "--json"]).stdout)
    text = CliRunner().invoke(main, ["explain", str(DEMO), "be-leaf-003"]).stdout
    (answer,) = found["answers"]
    assert (found["asked"], answer["kind"]) == ("be-leaf-003", "device")
    words = set(text.split())
    for fact in answer["facts"]:
        assert set(f"{fact['value']} {fact['formula']}".split()) <= words | {f"{word}[1]" for word in words} | words
        if fact["origin"]:
            assert fact["origin"]["at"] in text


def test_text_keeps_to_its_width_and_numbers_the_places() -> None:
    origin = Origin("fabricgen.lock:4:3", "segment backend leaf train")
    facts = (
        AnswerLine("ASN", "4201000003", "asn + n = 4201000000 + 3", origin),
        AnswerLine("uplinks", "a value that is much longer than the column that values have", "u mod 4", origin),
        AnswerLine("uplinks", "word " * 60),
    )
    lines = list(answers_text([Answer("device", "be-leaf-003: leaf", facts)] * 2))
    assert max(map(len, lines)) <= WIDTH
    assert lines[:4] == [
        "be-leaf-003: leaf",
        "  ASN            4201000003  asn + n = 4201000000 + 3 [1]",
        "  uplinks        a value that is much longer than the column that values have",
        "                   = u mod 4 [1]",
    ]
    assert lines.count("  [1] fabricgen.lock:4:3: segment backend leaf train") == 2
    assert lines.count("") == 1


def test_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "intent.yaml").write_text(DEMO.read_text())
    one("be-leaf-003", intent=tmp_path / "intent.yaml")
    assert [path.name for path in tmp_path.iterdir()] == ["intent.yaml"]


@pytest.mark.parametrize("words", [[], [""], [" "], ["be-leaf-003", ""]])
def test_no_word_is_a_usage_error(words: list[str]) -> None:
    assert CliRunner().invoke(main, ["explain", str(DEMO), *words]).exit_code == 2


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["no-account"], "no-account: a code of the check lost-accounts"),
        (["lost-accounts"], "lost-accounts: a check"),
        (["code", "no-account"], "no-account: a code of the check lost-accounts"),
        (["check", "lost-accounts"], "lost-accounts: a check"),
        (["lock-clash"], "lock-clash: an error message"),
        (["session-down"], "session-down: a finding of verify, check sessions"),
    ],
)
def test_a_code_needs_no_intent(words: list[str], title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["explain", *words])
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == title
    assert json.loads(CliRunner().invoke(main, ["explain", *words, "--json"]).stdout)["answers"][0]["title"] == title


@pytest.mark.parametrize(
    ("word", "fix"),
    [("no-acount", "did you mean no-account?"), ("be-leaf-003", "write fabricgen explain INTENT WHAT, or a code")],
)
def test_what_is_no_code_is_refused_without_an_intent(word: str, fix: str) -> None:
    result = CliRunner().invoke(main, ["explain", word, "--json"])
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"]) == (1, "unknown-name")
    assert problem["fix"].startswith(fix)


def test_a_plane_is_a_thing_of_the_site() -> None:
    """superpod-b300 has two, of 64 leaves and 32 spines planned each; what-if names them so."""
    site = INVENTORIES / "superpod-b300/intent.yaml"
    (plane,) = asked("plane:backend/1", intent=site)
    assert plane.kind == "plane"
    assert plane.values("leaf") == ["8: be-leaf-064 to be-leaf-071"]
    assert plane.values("spine") == ["4: be-spine-32 to be-spine-35"]
    assert plane.values("rails of train") == ["0, 1, 2, 3, 4, 5, 6, 7"]
    unknown = CliRunner().invoke(main, ["explain", str(site), "plane:backend/2"])
    assert "did you mean plane:backend/0?" in unknown.output
