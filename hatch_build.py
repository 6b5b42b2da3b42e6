"""Puts a bill of materials (SBOM) into the wheel: what requirements.txt pins, with hashes, as CycloneDX 1.6.

It lies in `fabricgen-VERSION.dist-info/sboms/` (PEP 770). It has no time and no random number: one commit, one file.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")
HASH = re.compile(r"--hash=sha256:(?P<digest>[0-9a-f]{64})")


class BillOfMaterials(BuildHookInterface):  # type: ignore[type-arg]
    """The hook that hatchling calls before and after it builds a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file and name it to hatchling. An editable install has none."""
        if version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp())
        path = self.folder / "fabricgen.cdx.json"
        text = (Path(self.root) / "requirements.txt").read_text()
        path.write_text(json.dumps(bill(self.metadata.version, text), indent=1) + "\n")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the file away: it is in the wheel."""
        del version, build_data, artifact_path
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)


def bill(version: str, pins: str) -> dict[str, Any]:
    """The document. pins: the text of requirements.txt."""
    own = {"type": "application", "bom-ref": "fabricgen", "name": "fabricgen", "version": version}
    components = list(_components(pins))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [{"ref": "fabricgen", "dependsOn": [row["bom-ref"] for row in components]}],
    }


def _components(pins: str) -> Iterator[dict[str, Any]]:
    for part in re.split(r"\n(?=\S)", pins):
        pin = PIN.match(part)
        if pin is None:
            continue
        purl = f"pkg:pypi/{pin['name']}@{pin['version']}"
        digests = [{"alg": "SHA-256", "content": digest} for digest in HASH.findall(part)]
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": pin["name"],
            "version": pin["version"],
            "purl": purl,
            # Every file of the release: which of them is installed depends on Python and the processor.
            "externalReferences": [{"type": "distribution", "url": purl, "hashes": digests}],
        }
