"""No text of any kind costs more than two seconds or 200 MiB with libyaml's parser."""

import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen.source.yaml_events import MAX_VALUES
from tests.some import some

ROOT = Path(__file__).parents[1]

BOMBS = {
    "brackets": "'[' * 100_000",
    "braces": "'{' * 100_000",
    "dashes": "'- ' * 100_000",
    "questions": "'? ' * 100_000",
    "keys": "''.join(' ' * depth + 'a:\\n' for depth in range(1_900))",
    "laughs": "'a: &a [x]\\n' + ''.join(f'{k}: &{k} [' + ','.join(['*a'] * 9) + ']\\n' for k in 'bcdefghij')",
    "items": "'[' + 'a,' * 1_000_000 + ']'",
    "duplicates": "'a: 1\\n' * 400_000",
    "aliases": "'- *a\\n' * 400_000",
    "tags": "'- !a b\\n' * 290_000",
    "directives": "''.join(f'%TAG !{n}! x\\n' for n in range(130_000))",
    "controls": "chr(7) * 2_000_000",
    "digits": "'9' * 2_000_000",
    "documents": "'---\\n' * 500_000",
    "lines": "'a\\n' * 1_000_000",
    "most values": f"'- a\\n' * {MAX_VALUES - 1}",
    "most keys": f"''.join(f'k{{n}}: 1\\n' for n in range({MAX_VALUES - 1}))",
}

LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))
from fabricgen.source.document import load_document
from fabricgen.errors import FabricError
from tests.yardstick import limited_to
text = {text}
with limited_to(2):
    try:
        load_document(text, "bomb")
    except FabricError as error:
        assert error.problems and error.problems[-1].at
"""


@pytest.mark.parametrize("name", some(BOMBS, of=6))
def test_bombs_cost_two_seconds_and_200_mib_at_most(name: str) -> None:
    program = LIMITED.format(text=BOMBS[name])
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr[-2000:]
