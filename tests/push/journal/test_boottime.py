"""The time since this host was started, written down and read again."""

import time
from pathlib import Path

import pytest

from fabricgen.push.journal import boottime
from fabricgen.push.journal.boottime import Since, Stamp, read_stamp, since_start, write_stamp


def test_it_goes_on_and_names_the_start_and_the_namespace() -> None:
    first = since_start()
    time.sleep(0.01)
    second = since_start()
    assert first is not None
    assert second is not None
    assert first.start == second.start
    assert first.start.split()[0] == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert 0.01 <= second.seconds - first.seconds < 5
    up = float(Path("/proc/uptime").read_text().split()[0])
    assert abs(second.seconds - up) < 5


def test_a_host_without_such_a_clock_has_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = since_start()
    assert here is not None
    monkeypatch.setattr(boottime, "NAMESPACE", tmp_path / "none")
    plain = since_start()
    assert plain is not None
    assert plain.start == here.start.split()[0]
    with monkeypatch.context() as patched:
        patched.delattr(time, "CLOCK_BOOTTIME")
        assert since_start() is None
    monkeypatch.setattr(boottime, "BOOT_ID", tmp_path / "none")
    assert since_start() is None


def test_what_was_written_down_is_read_again(tmp_path: Path) -> None:
    stamp = Stamp(Since("a b", 12.5), 1e9)
    write_stamp(tmp_path / "clock", stamp)
    assert read_stamp(tmp_path / "clock") == stamp


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"start": "a", "seconds": null, "calendar": 1}', "\x00"])
def test_what_is_none_of_ours_is_nothing(tmp_path: Path, text: str) -> None:
    assert read_stamp(tmp_path / "clock") is None
    (tmp_path / "clock").write_text(text)
    assert read_stamp(tmp_path / "clock") is None
