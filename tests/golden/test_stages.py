"""One small site on every platform, stage by stage: intent, plan page, Devices, files. `make golden` rewrites them.

Per platform a folder has `intent.yaml` with its hardware, and in `expected/` what becomes of it: `plan.txt`, and of one
leaf of each fabric the Device as YAML and every file. Empty values of a Device are left out.
"""

import os
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

STAGES = Path(__file__).parent / "stages"
EXPECTED = "expected"
READ = ("be-leaf-000", "fe-leaf-000")


def plain(value: object) -> object:
    """A Device, or a part of it, as YAML knows values."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        parts = {name: plain(part) for name, part in value._asdict().items()}
        return {name: part for name, part in parts.items() if part not in (None, "", [], {})}
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in sorted(value.items())}
    if isinstance(value, frozenset | set):
        return sorted(plain(part) for part in value)  # type: ignore[type-var]
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value if isinstance(value, bool | int | float | None) else str(value)


class _WithoutAnchors(yaml.SafeDumper):
    """Parts that rows share are written in each."""

    def ignore_aliases(self, data: object) -> bool:
        """Nothing is an alias."""
        return True


def stages(case: Path, folder: Path) -> dict[str, str]:
    """Everything that is made of a copy of the case, by its path below `expected`."""
    site, out = folder / "site", folder / "out"
    shutil.copytree(case, site, ignore=shutil.ignore_patterns(EXPECTED))
    for words in (["render", site / "intent.yaml", "-o", out], ["plan", site / "intent.yaml"]):
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert result.exit_code == 0, result.output
    found = {"plan.txt": result.stdout}
    for device in devices(open_workspace(site / "intent.yaml").plan):
        if device.name in READ:
            found[f"{device.name}/Device.yaml"] = yaml.dump(
                plain(device),
                Dumper=_WithoutAnchors,
                sort_keys=False,
                default_flow_style=None,
                width=140,
                allow_unicode=True,
            )
            found |= {f"{device.name}/{path.name}": path.read_text() for path in (out / device.name).iterdir()}
    return found


def test_every_platform_has_its_stages() -> None:
    assert {case.name for case in STAGES.iterdir()} == set(PLATFORMS)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_stages_are_as_read(platform: str, tmp_path: Path) -> None:
    folder = STAGES / platform / EXPECTED
    files = stages(STAGES / platform, tmp_path)
    if os.environ.get("FABRICGEN_GOLDEN") == "write":
        shutil.rmtree(folder, ignore_errors=True)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return
    assert sorted(files) == sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    for path, text in files.items():
        assert text == (folder / path).read_text(), f"{platform}: {path} differs"
