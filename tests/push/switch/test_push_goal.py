"""What a switch is to run: files sorted, secrets in place, and a digest of what is pushed without them."""

from typing import cast

import pytest

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.push.switch.candidate import Goal, goal_of
from fabricgen.render.render import RenderedFile
from tests.marks import all_marked
from tests.push.paper import MANNER

DEVICE = cast("Device", None)
TWO = MANNER._replace(files={"interfaces": "/etc/network/interfaces", "sysctl.conf": "/etc/sysctl.d/fabric.conf"})
SECRETS = {"${env:KEY}": "c4n4ry"}
FILES = {
    "main.conf": all_marked("key ${env:KEY}\n"),
    "interfaces": "auto a\n",
    "sysctl.conf": "x = 1\n",
    "daemons": "bgpd=yes\n",
}


def goal(files: dict[str, str], profile: CommitProfile = TWO, secrets: dict[str, str] = SECRETS) -> Goal:
    """The goal of a switch with these rendered files."""
    return goal_of(
        DEVICE, [RenderedFile(f"sw/{name}", text) for name, text in files.items()], "main.conf", profile, secrets
    )


def test_files_are_sorted_into_pushed_and_left() -> None:
    found = goal(FILES)
    assert found.candidate.text == "key c4n4ry\n"
    assert found.candidate.files == {"/etc/network/interfaces": "auto a\n", "/etc/sysctl.d/fabric.conf": "x = 1\n"}
    assert not found.candidate.merge
    assert found.left == ("daemons",)


def test_what_can_not_be_replaced_is_merged() -> None:
    assert goal(FILES, MANNER._replace(replaces=False)).candidate.merge


def test_a_manner_without_files_leaves_all_but_the_main_one() -> None:
    found = goal(FILES, MANNER)
    assert found.candidate.files == {}
    assert found.left == ("daemons", "interfaces", "sysctl.conf")


def test_a_file_that_is_not_rendered_is_not_pushed() -> None:
    assert set(goal({"main.conf": "a\n", "interfaces": "b\n"}).candidate.files) == {"/etc/network/interfaces"}


def test_secrets_are_put_into_the_files_too() -> None:
    found = goal(FILES | {"interfaces": all_marked("wpa ${env:KEY}\n")})
    assert found.candidate.files["/etc/network/interfaces"] == "wpa c4n4ry\n"


def test_the_digest_is_of_what_is_pushed_and_not_of_secrets() -> None:
    digest = goal(FILES).digest
    assert len(digest) == 64
    assert goal(FILES, secrets={"${env:KEY}": "another"}).digest == digest
    assert goal(dict(reversed(FILES.items()))).digest == digest
    assert goal(FILES | {"daemons": "bgpd=no\n"}).digest == digest


@pytest.mark.parametrize("name", ["main.conf", "interfaces", "sysctl.conf"])
def test_the_digest_moves_with_each_pushed_file(name: str) -> None:
    assert goal(FILES | {name: FILES[name] + "\n"}).digest != goal(FILES).digest


def test_the_digest_knows_which_text_is_which_files() -> None:
    swapped = FILES | {"interfaces": FILES["sysctl.conf"], "sysctl.conf": FILES["interfaces"]}
    assert goal(swapped).digest != goal(FILES).digest
    moved = TWO._replace(files={"interfaces": "/other", "sysctl.conf": "/etc/sysctl.d/fabric.conf"})
    assert goal(FILES, moved).digest != goal(FILES).digest
    one = MANNER._replace(files={"interfaces": "/p"})
    assert (
        goal({"main.conf": "A/pB", "interfaces": "C"}, one).digest
        != goal({"main.conf": "A", "interfaces": "B/pC"}, one).digest
    )
    joined = FILES | {"main.conf": FILES["main.conf"] + FILES["interfaces"], "interfaces": ""}
    assert goal(joined).digest != goal(FILES).digest
    lacking = {name: text for name, text in FILES.items() if name != "interfaces"}
    assert goal(lacking).digest != goal(FILES | {"interfaces": ""}).digest


def test_a_candidate_names_the_secrets_in_it_so_that_none_is_shown() -> None:
    """By their values, as the word in front of one may be known to nobody."""
    files = {"main.conf": all_marked("frobnicate ${env:ONE}\n"), "interfaces": all_marked("x ${env:TWO}\n")}
    found = goal(files, secrets={"${env:ONE}": "c4n4ry-1", "${env:TWO}": "c4n4ry-2"})
    assert set(found.candidate.hidden) == {"c4n4ry-1", "c4n4ry-2"}
