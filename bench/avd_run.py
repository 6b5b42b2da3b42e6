"""What bench/against.py runs in AVD's environment: inputs of every switch → its configuration, by pyavd's own steps.

Everything that pyavd's documentation asks for and no more, in one process: validate, facts of the whole fabric, then
switch by switch the structured configuration and its text, which is written and forgotten.
"""

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyavd


def main(inputs: Path, out: Path) -> None:
    """Write NAME.cfg of every NAME.json, and tell on stderr what each step took."""
    validated = read(inputs)
    told("validate")
    facts = pyavd.get_avd_facts(validated)
    told("facts")
    for name, config in validated.items():
        structured = pyavd.get_device_structured_config(name, config, facts)
        (out / f"{name}.cfg").write_text(pyavd.get_device_config(structured))
    told("configurations")


def read(inputs: Path) -> dict[str, Mapping[str, Any]]:
    """Validated inputs by name. Ends the process at the first that AVD's schema refuses."""
    found: dict[str, Mapping[str, Any]] = {}
    for path in sorted(inputs.glob("*.json")):
        checked = pyavd.validate_inputs(json.loads(path.read_text()))
        if checked.validated_data is None or checked.validation_result.violations:
            told = [
                f"{path.stem}: {'.'.join(map(str, row.path))}: {row.message}"
                for row in checked.validation_result.violations
            ]
            raise SystemExit("\n".join(told))
        found[path.stem] = checked.validated_data
    return found


def told(step: str) -> None:
    print(f"{step}: {time.process_time():.1f} s so far", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
