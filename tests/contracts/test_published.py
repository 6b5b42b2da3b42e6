"""The schemas of --json are the committed ones, say the version, and refuse a key more, a key less and another type.

That what verbs print is as they say is held in each test that runs a verb with --json: tests/held_outputs.py.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, TypedDict

import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from fabricgen.base.schema_version import SCHEMA_VERSION
from fabricgen.cli import main
from fabricgen.cli.contracts.form import schema_text
from fabricgen.cli.contracts.published import DOCUMENTS, output_schema
from fabricgen.cli.schema.command import VERBS
from fabricgen.push.report.json import plain as plain_run
from fabricgen.push.report.model import report
from fabricgen.verify.report.text import plain as plain_round
from tests.held_outputs import FOLDER, hold, validator
from tests.plan_page.sites import backend, frontend, intent_value
from tests.push.push_records import broken, cut, done, killed, stopped, waiting
from tests.some import POINTS
from tests.verify.test_reports import VERDICTS

OPTIONAL = {"port", "family", "prefix", "far", "heard", "unexpected", "unused"}
"""Keys that are printed only where there is something to say, or where it was asked for."""

FREE = {
    "passed", "device_changes", "hunks", "bisection", "counts", "detail", "by_check", "properties", "lines",
    "not_judged",
}  # fmt: skip
"""Objects whose keys are names of the site, or of the journal: each is of any size."""


class Sample(NamedTuple):
    """A verb, and a document as it printed it. rows: a list of it that is not empty."""

    verb: str
    rows: str
    document: Any


def printed(*words: object) -> Any:  # noqa: ANN401 - JSON
    return json.loads(CliRunner().invoke(main, [*map(str, words), "--json"], catch_exceptions=False).stdout)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    """One of each kind of document that needs no switch."""
    folder = tmp_path_factory.mktemp("site")
    fabrics = {"backend": backend(), "frontend": frontend()}
    new, old, bad = folder / "intent.yaml", folder / "old.yaml", folder / "bad.yaml"
    new.write_text(yaml.safe_dump(intent_value(fabrics=fabrics)))
    old.write_text(new.read_text().replace("oob: 10.0.0.0/20", "oob: 10.0.0.0/21"))
    bad.write_text(new.read_text().replace("site: dc1", "sites: dc1"))
    fewer = folder / "fewer.yaml"
    fewer.write_text(new.read_text())
    runs = (broken(), cut(), killed(), done(), stopped(), waiting())
    return [
        Sample("plan", "fabrics", printed("plan", new)),
        Sample("plan", "cables", printed("plan", new, "--cables")),
        Sample("plan", "problems", printed("plan", bad)),
        Sample("list", "switches", printed("list", "hardware")),
        Sample("list", "systems", printed("list", "systems")),
        Sample("list", "checks", printed("list", "checks")),
        Sample("diff", "meaning", printed("diff", new, "--against", old)),
        Sample("what-if", "fabrics", printed("what-if", new, "--floor", "0.9", "--against", fewer)),
        Sample("audit", "switches", printed("audit", new, "--configs", folder)),
        Sample("verify", "switches", json.loads(json.dumps(plain_round(VERDICTS)))),
        *(Sample("push", "waves", json.loads(json.dumps(plain_run(report(run))))) for run in runs),
    ]


@pytest.mark.parametrize("verb", VERBS)
def test_the_committed_schema_is_current(verb: str) -> None:
    committed = (FOLDER / f"{verb}.schema.json").read_text(encoding="utf-8")
    assert committed == output_schema(verb), "make schema; and is it another version?"
    assert CliRunner().invoke(main, ["schema", "--json-of", verb]).stdout == committed


def test_every_verb_with_a_contract_has_a_schema() -> None:
    assert set(DOCUMENTS) == set(VERBS)
    both = CliRunner().invoke(main, ["schema", "--intent", "--json-of", "plan"])
    assert (both.exit_code, "use either --intent or --json-of" in both.stderr) == (2, True)


@pytest.mark.parametrize("verb", VERBS)
def test_each_document_says_its_version(verb: str) -> None:
    schema = validator(verb).schema
    assert isinstance(schema, dict)
    jsonschema.Draft202012Validator.check_schema(schema)
    for reference in schema["anyOf"]:
        document = schema["$defs"][reference["$ref"].rpartition("/")[2]]
        assert document["properties"]["schema_version"] == {"enum": [SCHEMA_VERSION]}
        assert "schema_version" in document["required"]


def objects(value: object, key: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a document with the key that it stands under; of a list the first one."""
    if isinstance(value, dict):
        yield key, value
        for name, below in value.items():
            yield from objects(below, name)
    elif isinstance(value, list):
        for below in value[:1]:
            yield from objects(below, key)


def trimmed(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A document with only the first of its rows: of each form there is one."""
    if isinstance(value, dict):
        return {name: trimmed(below) for name, below in value.items()}
    if isinstance(value, list):
        return [trimmed(below) for below in value if not isinstance(below, dict)] or [
            trimmed(below) for below in value[:1]
        ]
    return value


def faults(document: object) -> Iterator[str]:
    """Spoil each object in each way, one after the other, and put it right again: say how while it is spoilt."""
    for key, found in [*objects(document)]:
        if key in FREE and "tiers" not in found:  # `counts` of a plan is of one form
            continue
        found["surplus"] = 1
        yield f"{key}: one key more"
        del found["surplus"]
        for name, value in [*found.items()]:
            found[name] = {"of": ["another type"]}
            if name not in FREE:
                yield f"{key}: {name} of another type"
            del found[name]
            if name not in OPTIONAL:
                yield f"{key}: without {name}"
            found[name] = value


@POINTS
def test_a_key_more_or_less_or_of_another_type_is_refused(samples: list[Sample], stride: int) -> None:
    tried = 0
    for verb, rows, whole in samples:
        assert whole[rows]
        document = trimmed(whole)
        assert validator(verb).is_valid(document)
        for at, fault in enumerate(faults(document)):
            if at % stride == 0:
                assert not validator(verb).is_valid(document), f"{verb}: {fault}"
                tried += 1
        assert validator(verb).is_valid(document)
    assert tried > 1000 // stride


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("verify", "i", "--json"), 0, '{"summary": {}, "switches": []}'),
        (("verify", "i", "--json"), 4, ""),
        (("diff", "i", "--json"), 3, '{"schema_version": 1, "problems": []}'),
        (("push", "i", "--json"), 3, '{"schema_version": 0, "problems": [], "more": 1}'),
    ],
)
def test_another_output_turns_the_test_red_that_printed_it(words: tuple[str, ...], code: int, text: str) -> None:
    with pytest.raises((jsonschema.ValidationError, AssertionError)):
        hold(words, code, text)


def test_two_classes_of_one_name_are_refused() -> None:
    """Else one of them would stand for both."""

    class Outer(TypedDict):
        """Has a Row."""

        one: "tuple[Row, ...]"

    with pytest.raises(ValueError, match="have the same name in a schema"):
        schema_text("x", (Outer, _other_row()))


class Row(TypedDict):
    """A row."""

    name: str


def _other_row() -> type:
    class Row(TypedDict):
        """Another row."""

        number: int

    return Row
