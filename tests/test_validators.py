"""Schemas that are kept: they validate as the models do, and never one of an older source, or of half a file."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from fabricgen import validators
from fabricgen.documents import read_document
from fabricgen.hardware.catalog import OURS
from fabricgen.hardware.model import Asic, Media, Server, Switch
from fabricgen.intent.model import Intent
from fabricgen.validators import validator_of

INVENTORIES = Path(__file__).parents[1] / "inventories"


def forget() -> None:
    """What the next process does not know."""
    validators.validator_of.cache_clear()
    validators._stamp.cache_clear()


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where Python keeps bytecode, and schemas as soon as they are made."""
    found = tmp_path / "bytecode"
    monkeypatch.setattr(sys, "pycache_prefix", str(found))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(validators, "SETTLED_SECONDS", 0)
    forget()
    yield found
    forget()


def kept(base: Path) -> list[Path]:
    return sorted(base.glob("fabricgen/schemas-*/*"))


def no_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a schema that is worked out is a mistake."""

    def rebuilt(*_: object, **__: object) -> None:
        pytest.fail("a schema was worked out")

    monkeypatch.setattr(BaseModel, "model_rebuild", rebuilt)
    forget()


def complaints(model: type[BaseModel], value: object, *, own: bool) -> list[object]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value) if own else validator_of(model).validate_python(value)
    return list(caught.value.errors(include_url=False))


def test_a_schema_is_worked_out_once(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = read_document(INVENTORIES / "lab/intent.yaml").value
    first = validator_of(Intent).validate_python(value)
    (file,) = kept(base)
    assert not file.parent.stat().st_mode & 0o077
    no_schema(monkeypatch)
    assert validator_of(Intent).validate_python(value) == first


@pytest.mark.parametrize("path", sorted(INVENTORIES.glob("*/intent.yaml")), ids=lambda path: path.parent.name)
def test_what_is_kept_reads_an_intent_as_the_model_does(base: Path, path: Path) -> None:
    value = read_document(path).value
    validator_of(Intent)
    forget()
    read = validator_of(Intent).validate_python(value)
    assert read == Intent.model_validate(value)
    assert read.model_dump_json() == Intent.model_validate(value).model_dump_json()


@pytest.mark.parametrize(("model", "folder"), [(Switch, "switches"), (Asic, "asics"), (Server, "servers")])
def test_what_is_kept_reads_hardware_as_the_model_does(base: Path, model: type[BaseModel], folder: str) -> None:
    validator_of(model)
    forget()
    for path in (OURS / folder).glob("*.yaml"):
        value = read_document(path).value
        assert validator_of(model).validate_python(value) == model.model_validate(value)


@pytest.mark.parametrize(
    "value", [None, {}, {"site": 1, "unheard": 2}, {"fabricgen": "1", "fabrics": {"a": {"kind": 7}}}]
)
def test_what_is_kept_complains_as_the_model_does(base: Path, value: object) -> None:
    validator_of(Intent)
    forget()
    assert complaints(Intent, value, own=False) == complaints(Intent, value, own=True)


def test_a_schema_of_an_older_source_is_none(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    validator_of(Media)
    (file,) = kept(base)
    before = file.read_bytes()
    forget()
    stamp = validators._stamp

    @cache
    def touched(name: str) -> tuple[int, int]:
        written, octets = stamp(name)
        return written + name.endswith("hardware/model.py"), octets

    monkeypatch.setattr(validators, "_stamp", touched)
    assert validators._kept(file) is None
    validator_of(Media)
    assert kept(base) == [file]
    assert file.read_bytes() != before
    assert validators._kept(file) is not None


def test_a_source_that_is_gone_is_another(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validators, "_sources", lambda: {str(base / "gone.py"): (0, 0)})
    validator_of(Media)
    (file,) = kept(base)
    assert validators._kept(file) is None


def test_a_file_that_is_cut_short_or_changed_is_none(base: Path) -> None:
    validator_of(Media)
    (file,) = kept(base)
    whole = file.read_bytes()
    for octets in (b"", whole[:10], whole[:-1], whole[:40] + bytes([whole[40] ^ 1]) + whole[41:]):
        file.write_bytes(octets)
        assert validators._kept(file) is None
    forget()
    validator_of(Media)
    assert file.read_bytes() == whole


def test_a_source_that_was_only_just_written_is_not_believed(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validators, "SETTLED_SECONDS", 2)
    monkeypatch.setattr(validators, "_sources", lambda: {__file__: (time.time_ns(), 1)})
    validator_of(Media)
    assert not kept(base)


def test_where_python_writes_no_bytecode_nothing_is_kept(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    validator_of(Media)
    assert not base.exists()


def test_without_a_safe_folder_schemas_are_worked_out(base: Path) -> None:
    (base / "fabricgen").mkdir(parents=True)
    (base / "fabricgen").chmod(0o777)
    assert validator_of(Media).validate_python({"sources": {}}) == Media(sources={})
    assert not kept(base)


def test_a_folder_that_can_not_be_written_to_keeps_nothing(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(Path, "replace", full)
    assert validator_of(Media).validate_python({"sources": {}}) == Media(sources={})
    assert not kept(base)


def test_models_of_others_are_not_kept(base: Path) -> None:
    class Mine(BaseModel):
        """Of this test."""

        size: int

    assert validator_of(Mine).validate_python({"size": 3}) == Mine(size=3)
    assert not kept(base)


def test_a_field_may_be_called_as_a_part_of_schemas_is() -> None:
    fields = {"type": {"type": "str", "metadata": {}}, "metadata": {"type": "int", "serialization": {}}}
    read = {"type": "model-fields", "fields": {"type": {"type": "str"}, "metadata": {"type": "int"}}}
    assert validators._to_read({"type": "model-fields", "fields": fields, "metadata": {}}) == read


def test_an_edit_of_the_source_holds_in_the_next_process(tmp_path: Path) -> None:
    package = tmp_path / "fabricgen"
    shutil.copytree(Path(validators.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for source in package.rglob("*.py"):
        os.utime(source, (1_000_000_000, 1_000_000_000))
    program = (
        "from fabricgen.validators import __file__ as where, validator_of; from fabricgen.hardware.model import Mode\n"
        "try: print(where, validator_of(Mode).validate_python(dict(parts=0, speed_gbps=1, lanes=1)).parts)\n"
        "except ValueError: print(where, 'refused')"
    )
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(tmp_path), "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}

    def told() -> list[str]:
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    where = str(package / "validators.py")
    assert (told(), told()) == ([where, "refused"], [where, "refused"])
    assert len(kept(tmp_path / "bytecode")) == 1
    model = package / "hardware/model.py"
    model.write_text(model.read_text().replace("Parts = Annotated[int, Whole(1, 16)]",
                                               "Parts = Annotated[int, Whole(0, 16)]"))  # fmt: skip
    os.utime(model, (1_000_000_001, 1_000_000_001))
    assert (told(), told()) == ([where, "0"], [where, "0"])
