"""How old a lease is, by the switch's own shell: no calendar has a part in it that somebody could set."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from napalm_frr.device_lease import LEASE
from tests.frr.leases import BOOT, UPTIME, aged

OTHER = "00000000-0000-4000-8000-000000000000"
DAY = 86_400
CALENDARS = {
    "right": "",
    "a day ahead": f"date() {{ echo {int(time.time()) + DAY}; }}",
    "of 1970": "date() { echo 0; }",
}
"""What the switch's calendar says."""


def shell(folder: Path, *words: str, calendar: str = "") -> subprocess.CompletedProcess[str]:
    """Run a function of the script in a folder."""
    script = f'cd "$1"; shift\n{LEASE}\n{calendar}\n"$@"\n'
    command = ["sh", "-c", script, "lease", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def taken(folder: Path, who: str = "aaaa", age: str = "", calendar: str = "") -> int:
    return shell(folder, "take_lease", who, f"{who}@desk", "drains it", age, calendar=calendar).returncode


def age(folder: Path, calendar: str = "") -> int:
    said = shell(folder, "leased", calendar=calendar).stdout.split()
    assert said[0] == "lease"
    return int(said[1])


def up() -> int:
    return int(float(UPTIME.read_text().split()[0]))


@pytest.mark.parametrize("calendar", CALENDARS.values(), ids=CALENDARS)
def test_an_age_is_of_the_uptime_whatever_the_calendar_says(tmp_path: Path, calendar: str) -> None:
    assert taken(tmp_path, calendar=calendar) == 0
    assert age(tmp_path, calendar) < 5
    assert taken(tmp_path, "bbbb", "900", calendar=calendar) == 81
    aged(tmp_path / "lease", 1000)
    assert 1000 <= age(tmp_path, calendar) < 1005
    assert taken(tmp_path, "bbbb", "2000", calendar=calendar) == 81
    assert taken(tmp_path, "bbbb", "", calendar=calendar) == 81
    assert taken(tmp_path, "bbbb", "900", calendar=calendar) == 0
    assert (tmp_path / "lease").read_text().splitlines()[:3] == ["bbbb", "bbbb@desk", "drains it"]
    assert age(tmp_path, calendar) < 5


@pytest.mark.parametrize("calendar", CALENDARS.values(), ids=CALENDARS)
def test_one_of_another_start_is_as_old_as_this_start_at_least(tmp_path: Path, calendar: str) -> None:
    """Nobody knows for how long the switch was off."""
    taken(tmp_path)
    aged(tmp_path / "lease", -5 * DAY, OTHER)
    assert up() - 5 <= age(tmp_path, calendar) <= up()
    assert taken(tmp_path, "bbbb", str(up() + 100), calendar=calendar) == 81
    assert taken(tmp_path, "bbbb", str(up() - 5), calendar=calendar) == 0


def test_an_uptime_that_began_anew_beside_the_same_start_is_another_start(tmp_path: Path) -> None:
    """As in a container whose uptime is its own, and whose kernel runs on."""
    taken(tmp_path)
    aged(tmp_path / "lease", -5 * DAY)
    assert up() - 5 <= age(tmp_path) <= up()


def test_what_an_earlier_release_wrote_is_as_old_as_its_file(tmp_path: Path) -> None:
    (tmp_path / "lease").write_text("aaaa\nalice@jump\ndrains it\n")
    old = time.time() - 1000
    os.utime(tmp_path / "lease", (old, old))
    assert 1000 <= age(tmp_path) < 1005
    assert taken(tmp_path, "bbbb", "900") == 0
    assert (tmp_path / "lease").read_text().splitlines()[3].split()[1] == BOOT.read_text().strip()


@pytest.mark.parametrize("said", ["soon", "soon never", "-7 ", "9e9 x"])
def test_what_a_hand_wrote_there_is_no_age(tmp_path: Path, said: str) -> None:
    (tmp_path / "lease").write_text(f"aaaa\nalice@jump\ndrains it\n{said}\n")
    assert up() - 5 <= age(tmp_path) <= up()
