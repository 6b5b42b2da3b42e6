"""`--templates DIR`: a user's files in front of ours, one by one, and every mistake in them told with its line."""

import json
from pathlib import Path

import pytest

from fabricgen.render.folder import templates_folder
from tests.cli.conftest import Run
from tests.cli.sites import backend_only, rendered, tree


@pytest.fixture
def folder(intent: Path, tmp_path: Path) -> Path:
    """Return an empty folder of templates for the platform of the demo, whose intent is cut short."""
    backend_only(intent)
    folder = tmp_path / "mine/eos"
    folder.mkdir(parents=True)
    return folder


def test_one_file_is_replaced_and_the_others_are_ours(intent: Path, folder: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    ours = rendered(out)
    keys = json.loads((out / ".fabricgen/manifest.json").read_text())["devices"]
    text = (templates_folder() / "eos/hostname.j2").read_text()
    (folder / "hostname.j2").write_text(text + "! {{ device.name }} is watched\n")
    result = run("render", intent, "-o", out, "--templates", folder.parent, "--json")
    assert result.exit_code == 0
    mine = rendered(out)
    assert set(json.loads(result.stdout)["written"]) == mine.keys() - {"cabling.csv"}
    for path in mine.keys() - {"cabling.csv"}:
        line = f"! {path.partition('/')[0]} is watched\n".encode()
        assert line in mine[path]
        assert mine[path].replace(line, b"") == ours[path]
    changed = json.loads((out / ".fabricgen/manifest.json").read_text())["devices"]
    assert all(changed[device] != key for device, key in keys.items())
    run("render", intent, "-o", out)
    assert rendered(out) == ours


def test_a_template_may_include_one_of_the_users_own(intent: Path, folder: Path, tmp_path: Path, run: Run) -> None:
    (folder / "hostname.j2").write_text('{% include "shared/banner.j2" %}\n')
    (folder.parent / "shared").mkdir()
    (folder.parent / "shared/banner.j2").write_text("! one banner\n")
    (folder / "NOTES.md").write_text("not a template: read by people")
    out = tmp_path / "out"
    assert run("render", intent, "-o", out, "--templates", folder.parent).exit_code == 0
    assert b"! one banner\n" in rendered(out)["be-leaf-000/startup-config"]
    keys = json.loads((out / ".fabricgen/manifest.json").read_text())["devices"]
    (folder.parent / "shared/banner.j2").write_text("! another banner\n")
    assert run("render", intent, "-o", out, "--templates", folder.parent).exit_code == 0
    changed = json.loads((out / ".fabricgen/manifest.json").read_text())["devices"]
    assert all(changed[device] != key for device, key in keys.items())


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("hostnam.j2", "hostname x\n", ("template-unread", 1)),
        ("hostname.j2", "!\n{% if %}\n", ("template-fault", 2)),
        ("hostname.j2", "!\nname \u00ad${env:TOKEN}\n", ("template-fault", 2)),
        ("hostname.j2", '!\n!\n{{ "\\xad${env:TOKEN}" }}\n', ("template-fault", 3)),
        ("hostname.j2", '{% include "eos/banner.txt" %}\n', ("template-fault", 1)),
        ("hostname.j2", '!\n{% include "eos/banner" ~ ".txt" %}\n', ("template-fault", 2)),
        ("hostname.j2", "!\n!\n{{ device.hostname }}\n", ("template-fault", 3)),
        ("hostname.j2", "!\n{{ device.name | nofilter }}\n", ("template-fault", 2)),
        ("hostname.j2", "!\n{% if device.name is notest %}{% endif %}\n", ("template-fault", 2)),
        ("hostname.j2", "!\n{% break %}\n", ("template-fault", 2)),
        ("hostname.j2", "{% for a in [1] %}" * 25 + "{% endfor %}" * 25, ("template-fault", 1)),
        ("hostname.j2", "!\n{{ nothing.at.all }}\n", ("template-fault", 2)),
        ("hostname.j2", "{{ 1 / 0 }}\n", ("template-fault", 1)),
        ("hostname.j2", "!\n{{ device.name + 1 }}\n", ("template-fault", 2)),
        ("hostname.j2", '{% include "eos/none.j2" %}\n', ("template-fault", 1)),
        ("hostname.j2", '{% include "eos/hostname.j2" %}\n', ("template-fault", 1)),
        ("hostname.j2", b"!\n\xff\n", ("file-encoding", 2)),
    ],
)
def test_a_mistake_is_told_with_its_line_and_nothing_is_written(  # noqa: PLR0917 - fixtures and a row
    intent: Path, folder: Path, tmp_path: Path, run: Run, name: str, content: str | bytes, told: tuple[str, int]
) -> None:
    (folder / "banner.txt").write_text("! \u00ad${env:TOKEN}\n")
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = tree(tmp_path)
    result = run("render", intent, "-o", tmp_path / "out", "--templates", folder.parent, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert result.exit_code == 1
    assert (problem["file"], (problem["code"], problem["line"])) == (str(folder / name), told)
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("content", "code", "sign"),
    [
        ('{{ "%c" % 173 }}${env:TOKEN}\n', "secret-forged", "U+00AD"),
        ('{{ "%c" % 173 }}x\n', "secret-forged", "U+00AD"),
        ('{{ (device.management.users[0].password ~ "").replace("ADMIN", "OTHER") }}\n', "secret-forged", "U+00AD"),
        ('hostname a{{ "%c" % 8203 }}\n', "template-fault", "U+200B"),
        ("! {{ '%c' | format(0x202e) }}\n", "template-fault", "U+202E"),
    ],
)
def test_a_sign_that_a_template_computes_is_refused(  # noqa: PLR0917 - fixtures and a row
    intent: Path, folder: Path, tmp_path: Path, run: Run, content: str, code: str, sign: str
) -> None:
    """Nobody sees it, and before a reference it would be the mark of a secret."""
    (folder / "hostname.j2").write_text(f"hostname {{{{ device.name }}}}\n{content}")
    before = tree(tmp_path)
    for words in (["-o", tmp_path / "out"], ["--device", "be-leaf-000"]):
        result = run("render", intent, *words, "--templates", folder.parent)
        assert result.exit_code == 1
        assert f"error[{code}]" in result.output
        assert f"remove the source of {sign}: " in result.output
    assert tree(tmp_path) == before


def test_a_template_may_print_a_secret_of_the_switch(intent: Path, folder: Path, tmp_path: Path, run: Run) -> None:
    (folder / "hostname.j2").write_text("! {{ device.management.users[0].password }} {{ device.name }}é\n")
    assert run("render", intent, "-o", tmp_path / "out", "--templates", folder.parent).exit_code == 0
    assert "! ${env:ADMIN_HASH} be-leaf-000é\n" in (tmp_path / "out/be-leaf-000/startup-config").read_text()


def test_a_folder_that_is_a_link_is_refused(intent: Path, folder: Path, tmp_path: Path, run: Run) -> None:
    """Templates behind it would be no input: a change of them would leave files as they are."""
    (folder / "hostname.j2").write_text("hostname {{ device.name }}\n")
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "eos").symlink_to(folder)
    before = tree(tmp_path)
    result = run("render", intent, "-o", tmp_path / "out", "--templates", linked, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert result.exit_code == 1
    assert (problem["code"], problem["file"]) == ("template-fault", str(linked / "eos"))
    assert tree(tmp_path) == before


def test_a_mistake_of_ours_passes_as_it_is(intent: Path, folder: Path, tmp_path: Path, run: Run) -> None:
    """Our own template fails under the user's: the fault is not told as the user's."""
    (folder / "hostname.j2").write_text('{% include "eos/raw.j2" %}\n')
    assert run("render", intent, "-o", tmp_path / "out", "--templates", folder.parent).exit_code == 0
    # raw.j2 of fabricgen reads `raw`; hidden from it, the failing frame is in our folder.
    (folder / "hostname.j2").write_text('{% include "eos/raw.j2" without context %}\n')
    with pytest.raises(Exception, match="raw"):
        run("render", intent, "-o", tmp_path / "out2", "--templates", folder.parent)
    assert not (tmp_path / "out2").exists()


def test_a_folder_that_is_not_there_is_a_usage_error(intent: Path, tmp_path: Path, run: Run) -> None:
    result = run("render", intent, "-o", tmp_path / "out", "--templates", tmp_path / "none")
    assert result.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_they_are_kept_among_the_inputs(intent: Path, folder: Path, tmp_path: Path, run: Run) -> None:
    (folder / "hostname.j2").write_text("hostname {{ device.name }}\n")
    out = tmp_path / "out"
    run("render", intent, "-o", out, "--templates", folder.parent)
    kept = out / ".fabricgen/inputs/user-templates/eos/hostname.j2"
    assert kept.read_bytes() == (folder / "hostname.j2").read_bytes()
    assert "user-templates/eos/hostname.j2" in json.loads((out / ".fabricgen/manifest.json").read_text())["inputs"]
    assert run("diff", intent, "--against", out, "--templates", folder.parent).exit_code == 0
    assert run("diff", intent, "--against", out).exit_code == 3
    run("render", intent, "-o", out)
    assert not kept.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["diff", "--against", "."],
        ["lab", "up"],
        ["export", "containerlab", "-o", "clab"],
        ["verify", "--from", "kept"],
        ["push", "-i", "inventory"],
    ],
)
def test_every_verb_that_renders_refuses_what_nothing_reads(
    intent: Path, folder: Path, run: Run, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(intent.parent)
    at = 2 if words[0] in ("export", "lab") else 1
    gone = run(*words[:at], intent.name, *words[at:], "--templates", "none")
    assert (gone.exit_code, "does not exist" in gone.stderr) == (2, True)
    if words[0] in ("verify", "push"):  # these ask for a collection or an inventory first
        return
    (folder / "hostnam.j2").write_text("hostname x\n")
    monkeypatch.setattr("os.geteuid", lambda: 1000)  # a lab cannot be built then, and the templates are told first
    result = run(*words[:at], intent.name, *words[at:], "--templates", folder.parent, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"], problem["fix"]) == (
        1,
        "template-unread",
        "did you mean eos/hostname.j2?",
    )
