"""Secrets with every sign that a form has for itself: each file, read by its system's reader, has the same secret."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
import yaml

from fabricgen.base.secret import WRITTEN, shown
from fabricgen.errors import FabricError, Source
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.forms import WORDS, YAML, Form, braces, json_text
from fabricgen.platforms.junos.platform import FORM as JUNOS
from fabricgen.platforms.nxos.platform import FORM as NXOS
from fabricgen.platforms.sonic.platform import FORM as SONIC
from fabricgen.push.switch.secrets import SecretPlace, SecretUse, check_shapes, filled, spellings, unfilled, uses
from fabricgen.resolve.device import devices
from tests.cumulus import fleet as cumulus
from tests.cumulus import reading
from tests.eos import fleet as eos
from tests.judges import frr, junos_text
from tests.judges import junos as junos_judge
from tests.judges import sonic as sonic_judge
from tests.judges import srlinux as srlinux_judge
from tests.junos import sites as junos
from tests.marks import all_marked
from tests.nxos import fleet as nxos
from tests.some import some
from tests.sonic import sites as sonic
from tests.srlinux import sites as srlinux
from tests.srlinux import xgs

NASTY = "p\"w\\n;d#$6$'{x}%&,!|: y".replace(" ", "")
"""What ends a text, a word, a line or a value somewhere, and an escape that is none."""


class Sample(NamedTuple):
    """A file of a platform, how it is read there, and a secret that it can hold."""

    system: str
    name: str
    text: Callable[[], str]
    read: Callable[[str], object]
    secret: str
    judge: Callable[[str], object] | None = None


def lines(text: str) -> list[list[str]]:
    """Words of each line."""
    return [line.split() for line in text.splitlines()]


def border_of_eos() -> str:
    return eos.render(next(one for one in eos.fleet("demo") if one.role == "border-leaf"))


def border_of_nxos() -> str:
    return nxos.render(next(one for one in devices(nxos.planned("demo")) if one.role == "border-leaf"))


SAMPLES = (
    Sample("eos", "startup-config", border_of_eos, lines, NASTY),
    Sample("sonic", "config_db.json", lambda: sonic.files("managed", "master", 0)["config_db.json"], json.loads,
           NASTY.translate({ord(sign): None for sign in "#,:@"}), lambda text: sonic_judge.faults(text, "master")),
    Sample("cumulus", "startup.yaml", lambda: cumulus.sample("site fe-border-01").text, reading.document, NASTY),
    Sample("junos", "juniper.conf", lambda: junos.sample("front border-leaf").text,
           lambda text: [one.words for one in junos_text.statements(text)],
           NASTY.translate({ord(sign): None for sign in '"\\'}), junos_judge.faults),
    Sample("srlinux", "config.json",
           lambda: srlinux.render(next(one for one in srlinux.fleet("demo") if one.role == "border-leaf")), json.loads,
           NASTY, xgs.faults),
    Sample("nxos", "running-config", border_of_nxos, lines, "p#w$6${x}%&,!:y"),
)  # fmt: skip
JUDGES: Mapping[str, Callable[[], str | None]] = {
    "sonic": sonic_judge.available,
    "junos": junos_judge.available,
    "srlinux": srlinux_judge.available,
}


def put(value: Any, secrets: Mapping[str, str]) -> Any:  # noqa: ANN401  # what a reader makes of any file
    """What was read, with secrets in place of references in its texts, keys too."""
    match value:
        case str():
            return WRITTEN.sub(lambda found: secrets[found.group()], value)
        case dict():
            return {put(key, secrets): put(item, secrets) for key, item in value.items()}
        case list() | tuple():
            return [put(item, secrets) for item in value]
        case _:
            return value


@pytest.mark.parametrize("sample", some(SAMPLES, of=2), ids=lambda sample: sample.system)
def test_a_file_holds_the_secret_that_was_put_into_it(sample: Sample) -> None:
    text = all_marked(sample.text())
    form = form_of(sample)
    names = {use.name for use in uses(text, form)}
    assert names == {found.group() for found in WRITTEN.finditer(text)}
    assert len(names) >= 3
    secrets = {name: f"{sample.secret}{at:08}" for at, name in enumerate(sorted(names))}
    ready = filled(text, secrets, form)
    assert put(sample.read(ready), {}) == put(sample.read(shown(text)), secrets)
    assert unfilled(ready, secrets) == shown(text)
    if sample.judge is not None and JUDGES[sample.system]() is None:
        assert sample.judge(ready) == []


def form_of(sample: Sample) -> Form:
    """The form of the file in every role that has it."""
    (form,) = {
        id(one.form): one.form
        for files in PLATFORMS[sample.system].artifacts.values()
        for one in files
        if one.name == sample.name
    }.values()
    return form


@pytest.mark.parametrize(
    "sample", [one for one in SAMPLES if one.system not in ("eos", "nxos")], ids=lambda one: one.system
)
def test_without_its_form_the_file_would_be_another(sample: Sample) -> None:
    """What is put in as it is breaks the file or makes another secret of it."""
    text = sample.text()
    secrets = {found.group(): NASTY for found in WRITTEN.finditer(text)}
    bare = filled(all_marked(text), secrets, WORDS)
    with suppress(ValueError, yaml.YAMLError):
        assert put(sample.read(bare), {}) != put(sample.read(text), secrets)


@pytest.mark.skipif(frr.available() is not None, reason=str(frr.available()))
def test_frr_takes_every_sign_in_a_word() -> None:
    head = "frr defaults datacenter\nrouter bgp 65001\n neighbor 10.0.0.1 remote-as 65002\n"
    text = filled(all_marked(f"{head} neighbor 10.0.0.1 password ${{env:KEY}}\nexit\n"), {"${env:KEY}": NASTY}, WORDS)
    with frr.load(text) as loaded:
        assert loaded.complaints == ()
        assert f" neighbor 10.0.0.1 password {NASTY}\n" in loaded.running


E1, E2 = "${env:ONE}", "${file:two}"
YAML_TEXT = all_marked(f"""\
# ümlaut and {E1} in a remark
- set:
    a: "in {E1} quotes" # {E1}
    b: 'in {E1} quotes'
    c: {E1}
    {E1}: key
    d: |
      a line "{E1}" of a block
""")


ODD, CANARY = "a\"b\\n'c#: {d}[e]*&!%@`", "c4n4ry-\"'\\x"


def test_every_way_of_yaml_to_write_a_text() -> None:
    found = yaml.safe_load(filled(YAML_TEXT, {E1: ODD}, YAML))
    inside = {"a": f"in {ODD} quotes", "b": f"in {ODD} quotes", "c": ODD, ODD: "key"}
    assert found == [{"set": {**inside, "d": f'a line "{ODD}" of a block\n'}}]
    assert f"and {E1} in a remark" in filled(YAML_TEXT, {E1: "x"}, YAML)
    assert yaml.safe_load(filled(YAML_TEXT, {E1: "0123"}, YAML))[0]["set"]["c"] == "0123", "a number stays text"


@pytest.mark.parametrize("sign", "\"'#:{}[]&*!|>%@`,\\")
def test_a_part_of_bare_yaml_can_not_have_its_signs(sign: str) -> None:
    assert shape(f"- set:\n    a: b-{E1}\n", YAML, f"a{sign}b") == [E1]
    assert shape(f"- set:\n    a: b-{E1}\n", YAML, "a$b-c=d/e+f") == []


def shape(text: str, form: Form, secret: str) -> list[str]:
    """References whose secret cannot stand where they do; none of what is told has it in it."""
    try:
        filled(all_marked(text), {E1: secret}, form)
    except FabricError as error:
        problems = error.problems
    else:
        return []
    assert {problem.code for problem in problems} == {"secret-shape"}
    assert not [part for one in problems for part in (one.what, one.why, one.fix) if secret in part]
    return [name for name in (E1, E2) if any(name in one.what for one in problems)]


REFUSED = [
    (SONIC, f'{{"passkey": "{E1}"}}', "#,", '":@\\'),
    (SONIC, f'{{"SNMP_USER_AUTH_PASSWORD": "{E1}"}}', "@:", '"#,\\'),
    (SONIC, f'{{"SNMP_USER_ENCRYPTION_PASSWORD": "{E1}"}}', "@:", '"#,\\'),
    (SONIC, f'{{"RAW": {{"x": ["a {E1}"]}}}}', "", '"@:#,\\'),
    (JUNOS, f'secret "{E1}";', '"\\', "#;{}[]()'$"),
    (JUNOS, f"secret {E1};", '"\\#;{}[]()', "'$%&"),
    (NXOS, f"tacacs-server host 10.0.0.1 key 0 {E1}", "\"'|;?<>\\", "#$%{}[]!"),
]


@pytest.mark.parametrize(("form", "text", "barred", "taken"), REFUSED)
def test_signs_that_a_place_can_not_hold(form: Form, text: str, barred: str, taken: str) -> None:
    assert [sign for sign in barred + taken if shape(text, form, f"ab{sign}cd")] == list(barred)


def test_a_variable_of_nxos_is_not_filled_in_by_the_switch() -> None:
    """Cisco, Configuring CLI Variables: SWITCHNAME and TIMESTAMP are there by themselves, `$(NAME)` stands for each."""
    text = f"tacacs-server host 10.0.0.1 key 0 {E1}"
    assert shape(text, NXOS, "ab$(SWITCHNAME)cd") == [E1]
    assert [value for value in ("$5$ab$cd", "a$b", "a(b)", "$[a]", "(a)$") if shape(text, NXOS, value)] == []


def test_all_that_can_not_stand_is_told_at_once() -> None:
    found = {SecretUse(name, rule) for name in (E1, E2) for rule in JUNOS.rules.values()}
    with pytest.raises(FabricError) as caught:
        check_shapes(found, {E1: 'a"', E2: "b\\"})
    assert [name for name in (E1, E2) for one in caught.value.problems if name in one.what] == [E1, E2]
    check_shapes(found, {E1: "a", E2: "b"})
    place = SecretPlace(("aaa", "key"), Source(file="intent.yaml", line=3, column=9))
    with pytest.raises(FabricError) as caught:
        check_shapes(found, {E1: "a", E2: "b\\"}, {E2: (place,)})
    assert [(problem.where, problem.at) for problem in caught.value.problems] == [place]


def test_nothing_is_put_into_remarks_of_braces() -> None:
    text = f'## raw {E1}\n/* "{E1}" */\na "#{E1}";\nb x{E1}y; # {E1}\n'
    expected = f'## raw {E1}\n/* "{E1}" */\na "#s";\nb xsy; # {E1}\n'
    assert filled(all_marked(text), {E1: "s"}, braces(("", ""), ("", ""))) == expected


def test_json_knows_the_key_of_a_value() -> None:
    form = json_text({"b": ("x", "no x")})
    assert [use.rule.barred for use in uses(all_marked(f'{{"a": "{E1}",\n"b" : "{E1}", "c": ["{E1}"]}}'), form)] == [
        "",
        "x",
        "",
    ]


def test_what_runs_shows_a_secret_in_any_spelling() -> None:
    assert spellings("plain") == ("plain",)
    for told in (CANARY, "c4n4ry-\\\"'\\\\x", "c4n4ry-\"''\\x"):
        assert told in spellings(CANARY)
        assert unfilled(f"key {told} end", {E1: CANARY}) == f"key {E1} end"
