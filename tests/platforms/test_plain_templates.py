"""Templates as plain Python: the text of jinja2's own generator, its errors and their lines, whatever they are handed.

That generator is the judge: of every template of ours with values made up, of templates made up, and of switches.
"""

import random
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from traceback import walk_tb
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, StrictUndefined, Template, meta
from jinja2.compiler import CodeGenerator

from fabricgen.platforms.eos.platform import EOS
from fabricgen.render import plain, render
from fabricgen.render.folder import templates_folder
from fabricgen.render.plain import PlainCode, is_plain
from fabricgen.render.render import Renderer, environment
from tests.eos.fleet import samples
from tests.some import some

OURS = {path.relative_to(templates_folder()).as_posix(): path.read_text() for path in templates_folder().rglob("*.j2")}
FOR_JINJA2 = {"hosts/netplan-network.j2", "hosts/netplan.j2", "hosts/networkd-bond.j2", "hosts/networkd-network.j2"}
FOR_JINJA2 |= {"hosts/nic-names.j2", "sonic/aaa.j2", "sonic/frr-conf.j2"}
"""Templates of ours that have more in them than a plain one."""
NAME = "made-up.j2"
SEEDS = 20
"""Sets of values that each template of ours is handed."""


class Judge(Environment):
    """Reads values as ours are read, and compiles as jinja2 does."""

    getattr = staticmethod(getattr)  # type: ignore[assignment]


class Plain(Judge):
    """The same, compiled as ours are."""

    code_generator_class = PlainCode


def reading(kind: type[Environment], texts: Mapping[str, str]) -> Environment:
    return kind(
        loader=DictLoader(texts),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def both(source: str) -> tuple[Template, Template]:
    """A template as ours are compiled, and as jinja2 does it."""
    plain_one, judge = (reading(kind, {NAME: source}).get_template(NAME) for kind in (Plain, Judge))
    return plain_one, judge


def told(template: Template, values: Mapping[str, object]) -> tuple[str, str, int]:
    """Text; or name, words and line of an error."""
    try:
        return template.render(values), "", 0
    except Exception as error:  # noqa: BLE001 - whatever it is, the judge has the same
        lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == "<template>"]
        return type(error).__name__, str(error), lines[-1]


class Anything:
    """Has every attribute. What is empty, and how many rows there are, is drawn by where it was read from."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        drawn = random.Random(seed)  # noqa: S311 - nothing secret
        self._full, self._rows = drawn.random() < 0.7, drawn.randrange(3)

    def __getattr__(self, name: str) -> "Anything":
        return Anything(f"{self._seed}.{name}")

    def __bool__(self) -> bool:
        return self._full

    def __iter__(self) -> Iterator["Anything"]:
        return (Anything(f"{self._seed}[{row}]") for row in range(self._rows))

    def __str__(self) -> str:
        return self._seed


@pytest.mark.parametrize("name", some(sorted(OURS.keys() - FOR_JINJA2)))
def test_ours_are_plain_and_say_the_same(name: str) -> None:
    tree = Plain().parse(OURS[name])
    assert is_plain(tree)
    names = meta.find_undeclared_variables(tree)
    template, judge = both(OURS[name])
    for seed in range(SEEDS):
        values = {given: Anything(f"{seed}{given}") for given in names}
        assert told(template, values) == told(judge, values)


def test_the_others_are_not() -> None:
    assert {name for name, text in OURS.items() if not is_plain(Plain().parse(text))} == FOR_JINJA2


@pytest.mark.parametrize("name", some(samples()))
def test_a_switch_has_the_same_text(name: str) -> None:
    device = samples()[name]
    values = {"device": device, "context": EOS.template_context(device), "raw": device.raw}
    judge = reading(Judge, OURS)
    (artifact,) = EOS.artifacts[device.role]
    texts = (judge.get_template(f"eos/{section}").render(values) for section in artifact.sections)
    (rendered,) = Renderer().render(device)
    assert rendered.marked == "".join(texts)


EMPTY = SimpleNamespace(p="", q="q of empty", rows=[])
FULL = SimpleNamespace(p="p of full", q="q of full", rows=[SimpleNamespace(p="first"), SimpleNamespace(p="second")])
TWO = {"empty": EMPTY, "full": FULL}


@pytest.mark.parametrize(
    "source",
    [
        "{% if empty.p %}{{ empty.q }}{% else %}{{ empty.rows }}{% endif %}{{ empty.q }}{{ empty.rows }}",
        "{% for row in empty.rows %}{{ full.q }}{% endfor %}{{ full.q }}",
        "{{ empty.p and full.q }}{{ full.q }}{{ full.p or full.rows }}{{ full.rows }}",
        "{{ full.p }}{{ full.p }}{% for full in full.rows %}{{ full.p }}{{ full.p }}{% endfor %}{{ full.p }}",
        "{{ (empty or full).q }}{{ (full or empty).q }}",
        "word\n{{ full.p }}\n{{ absent }}\n",
        "word\n{{ full.p }}\n{{ full.p or full.q }}\n{{ empty.p or absent }}\n",
        "{{ full.p }}\n{{ full.absent }}\n",
        "{{ full.p }}\n{% if absent %}\n{% endif %}\n",
        "{{ full.p }}\n{% for row in absent.rows %}\n{% endfor %}\n",
    ],
)
def test_what_is_read_more_than_once_and_what_is_not_there(source: str) -> None:
    template, judge = both(source)
    assert told(template, TWO) == told(judge, TWO)


NAMES = st.sampled_from(["a", "b", "row"] * 4 + ["absent"])
PATHS = st.builds(lambda name, more: ".".join((name, *more)), NAMES, st.lists(st.sampled_from("pqr"), max_size=3))
VALUES = PATHS | st.builds("({} {} {}).p".format, PATHS, st.sampled_from(["and", "or"]), PATHS)
TESTS = VALUES | st.builds("{} {} {}".format, PATHS, st.sampled_from(["and", "or"]), PATHS)
WORDS = st.sampled_from(["word", "\n", "'", '"', "\\n", "{", "}", "{}", "\0é", "%s"])


def blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, max_size=4).map("\n".join)
    choice = st.builds("{{% if {} %}}\n{}\n{{% endif %}}\n".format, TESTS, body)
    either = st.builds("{{% if {} %}}\n{}\n{{% else %}}\n{}\n{{% endif %}}\n".format, TESTS, body, body)
    loop = st.builds("{{% for {} in {} %}}\n{}\n{{% endfor %}}\n".format, st.sampled_from(["a", "row"]), VALUES, body)
    return choice | either | loop


LINES = st.recursive(st.builds("{{{{ {} }}}}".format, TESTS) | WORDS, blocks, max_leaves=8)
SOURCES = st.lists(LINES, max_size=6).map("\n".join)


def things(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    named = st.dictionaries(st.sampled_from("pqr"), inner).map(lambda held: SimpleNamespace(**held))
    return named | st.lists(inner, max_size=3)


THINGS = st.recursive(st.sampled_from([None, 0, 7, "", "text", True, 1.5]), things, max_leaves=12)
GIVEN = THINGS | st.sampled_from("abcdef").map(Anything)


@settings(deadline=None)
@given(source=SOURCES, a=GIVEN, b=GIVEN)
def test_a_template_made_up_says_the_same_or_fails_alike(source: str, a: object, b: object) -> None:
    assert is_plain(Plain().parse(source))
    values = {"a": a, "b": b, "row": SimpleNamespace(p=a, q=[a, b])}
    template, judge = both(source)
    assert told(template, values) == told(judge, values)


@pytest.mark.parametrize(
    "source",
    [
        "{{ a | upper }}",
        "{{ a['p'] }}",
        "{{ a() }}",
        "{{ a ~ b }}",
        "{{ a + b }}",
        "{{ a.class }}",
        "{{ a.ﬁeld }}",
        "{{ ångström }}",
        "{{ self }}",
        "{{ 1 }}",
        "{{ a if b }}",
        "{% if not a %}b{% endif %}",
        "{% if a is defined %}b{% endif %}",
        "{% if a %}b{% elif b %}c{% endif %}",
        "{% for row in a %}{{ loop.index }}{% endfor %}",
        "{% for row in a if row %}b{% endfor %}",
        "{% for row in a recursive %}b{% endfor %}",
        "{% for row in a %}b{% else %}c{% endfor %}",
        "{% for row, more in a %}b{% endfor %}",
        "{% set b = a %}",
        "{% include 'a' %}",
        "{% extends 'a' %}",
        "{% block a %}b{% endblock %}",
        "{% macro a() %}b{% endmacro %}",
        "{% filter upper %}b{% endfilter %}",
    ],
)
def test_what_has_more_in_it_is_left_to_jinja2(source: str) -> None:
    assert not is_plain(Plain().parse(source))
    assert Plain().compile(source, raw=True) == Judge().compile(source, raw=True)


@pytest.mark.parametrize(("release", "left"), [("3.1.0", False), ("3.1.6", False), ("3.1.60", True), ("3.2.0", True)])
def test_a_jinja2_that_it_was_not_tried_with_compiles_itself(
    release: str, left: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "version", lambda name: release)
    plain.is_tried.cache_clear()
    code = Plain().compile("{{ a.p }}", raw=True)
    plain.is_tried.cache_clear()
    assert (code == Judge().compile("{{ a.p }}", raw=True)) == left


@pytest.mark.parametrize(
    "source",
    [
        "{% include 'plain.j2' %}",
        "{% with full = empty %}{% include 'plain.j2' %}{% endwith %}",
        "{% for full in full.rows %}{% include 'plain.j2' %}{% endfor %}",
        "{% macro told() %}{% include 'plain.j2' %}{% endmacro %}{{ told() }}",
        "{% extends 'plain.j2' %}",
        "{% import 'plain.j2' as told with context %}{{ told }}",
        "{% include 'plain.j2' without context %}",
    ],
)
def test_a_template_may_take_in_a_plain_one(source: str) -> None:
    texts = {NAME: source, "plain.j2": "{{ full.p }}\n{% if full.p %}\n{{ full.p }}\n{% endif %}\n"}
    found, judge = (told(reading(kind, texts).get_template(NAME), TWO) for kind in (Plain, Judge))
    assert found == judge


def test_this_jinja2_is_one_of_them() -> None:
    """Where it is not: run these tests with its release in TRIED, and leave it there if they pass."""
    assert plain.is_tried()


def test_where_a_user_has_templates_jinja2_compiles_all(tmp_path: Path) -> None:
    """They may read the keys of a mapping, and hand one of ours what they like."""
    assert environment(tmp_path).code_generator_class is CodeGenerator
    assert environment(None).code_generator_class is PlainCode


def test_a_fault_of_ours_is_told_at_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(templates_folder(), tmp_path, dirs_exist_ok=True)
    fault = tmp_path / "eos/hostname.j2"
    fault.write_text("! {{ device.name }}\n! {{ device.role }}\n! {{ device.hostname }}\n")
    monkeypatch.setattr(render, "templates_folder", lambda: tmp_path)
    with pytest.raises(AttributeError, match="hostname") as found:
        next(Renderer().render(next(iter(samples().values()))))
    lines = [line for frame, line in walk_tb(found.value.__traceback__) if frame.f_code.co_filename == str(fault)]
    assert lines == [3]
