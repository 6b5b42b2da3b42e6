"""The benchmark runs, and its two programs write the same bytes; how fast is `make bench`'s to say."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent.parent / "bench" / "render.py"


def test_both_programs_of_the_benchmark_write_the_same_bytes() -> None:
    found = subprocess.run([sys.executable, str(BENCH), "--quick"], capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stderr
    assert "every file the same" in found.stdout
    assert "tool / f-string" in found.stdout
