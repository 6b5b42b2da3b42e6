"""The benchmarks run, and both programs of each system write the same bytes; how fast is `make bench`'s to say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench import streams
from bench.child import Run
from bench.sites import SIZES
from tests.some import LONG

BENCH = Path(__file__).parent.parent / "bench"


def ran(name: str) -> str:
    """What a benchmark prints at its smallest size. It must end well."""
    found = subprocess.run([sys.executable, str(BENCH / name), "--quick"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout


@LONG
def test_both_programs_of_the_benchmark_write_the_same_bytes() -> None:
    told = ran("render.py")

    assert told.count("every file the same") == 2
    assert "tool / f-string" in told
    assert "-- EOS" in told
    assert "-- SONiC" in told


@pytest.mark.long
def test_failures_are_counted_and_timed() -> None:
    """128 servers on 16 leaves and 8 spines: links down and up, NICs, cages of two ports, servers, switches, units."""
    told = ran("what_if.py")

    parts = 3 * 1024 + 4 * 512 + 128 + 16 + 8 + 2
    assert told.startswith("goals at 102,400 GPUs: 5 s of CPU beyond reading, 200 MiB\n")
    assert f" {parts:,} parts " in told
    assert told.endswith("every goal met\n")


@pytest.mark.long
def test_a_render_that_reads_back_is_held_against_one_that_does_not() -> None:
    told = ran("audit.py")

    assert told.startswith("goal: at most 3 x the CPU of a render\nsuperpod-b300 ")
    assert re.search(r" \d\.\d\d x the CPU .* x the time .* MiB\n", told)


@pytest.mark.long
def test_memory_of_each_verb_is_measured() -> None:
    told = ran("streams.py")

    for verb in ("validate", "plan --cables", "explain", "export nornir", "export gnmic", "diff every", "diff moved"):
        assert f"\n{verb} " in told
    assert re.search(r"\nexport hosts .* goal: at most 4096 a server\n", told)


@pytest.mark.long
@pytest.mark.parametrize(("megabytes", "missed"), [(53, []), (153, ["plan: 29257 octets a switch, at most 4096"])])
def test_a_verb_that_keeps_switches_misses_its_goal(
    megabytes: int, missed: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sizes = tuple(size for size in SIZES if size.gpus in (16_384, 102_400))
    runs = iter([Run(1.0, 1.0, 53.0), Run(6.0, 6.0, megabytes)])
    monkeypatch.setattr(streams, "_verbs", lambda *_: [("plan", streams.Verb(("plan",)))])
    monkeypatch.setattr(streams, "_run", lambda *_: next(runs))
    assert list(streams._measured(tmp_path, sizes)) == missed


@pytest.mark.long
def test_a_push_to_64_doubles_ends_well_and_tells_its_time_and_memory() -> None:
    """Two pods of 8 leaves and 8 spines, 8 core groups of 4.

    Hitless at half of the uplinks: a canary and two halves of superspines and of spines, a canary and all leaves.
    Drained, of eight spines one at a time in each pod: a canary and eight more.
    """
    told = ran("push.py")

    assert "push to 64 doubles that answer in 1 s and commit in 3 s; the clock is virtual\n" in told
    rows = re.findall(r"^(hitless|all spines).* (\d+) switches +(\d+) waves .* MiB, .*goals", told, re.M)
    assert rows == [("hitless", "64", "8"), ("all spines", "16", "9")]
    assert told.endswith("every goal met\n")


@pytest.mark.long
def test_what_stands_is_held_against_a_render_of_all() -> None:
    told = ran("edits.py")

    for what in ("nothing", "drain a leaf", "settings of a leaf", "whole processes"):
        assert f"\n{what}" in f"\n{told}"


@pytest.mark.long
def test_what_goes_through_servers_is_told_of_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sizes = tuple(size for size in SIZES if size.gpus in (16_384, 102_400))
    runs = iter([Run(1.0, 1.0, 50.0), Run(6.0, 6.0, 155.0)])
    verb = streams.Verb(("export", "hosts"), device="server")
    monkeypatch.setattr(streams, "_verbs", lambda *_: [("export hosts", verb)])
    monkeypatch.setattr(streams, "_run", lambda *_: next(runs))
    assert list(streams._measured(tmp_path, sizes)) == ["export hosts: 10240 octets a server, at most 4096"]
