"""The fan-out: what is kept of each switch, whatever the others do."""

import socket
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from threading import Event

import pytest
from napalm.base.base import NetworkDriver
from napalm.base.exceptions import CommandErrorException, CommandTimeoutException

from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.reader import JSON, Output, ReadCommand
from fabricgen.verify.collect.collect import Collection, collect
from fabricgen.verify.collect.inventory import read_inventory
from fabricgen.verify.collect.store import PACKED, PLAIN, Collected, Failure, Target, read
from tests.doubles.certificate import authority, certificate
from tests.doubles.eapi import eapi
from tests.verify.doubles import install, inventory, targets, well

CANARY = "c4n4ry-7f3a9"
OTHER = "0822455D0A16"


def run(site: Path, wanted: Mapping[str, Target], out: Path, **words: object) -> list[str]:
    """Collect into a folder; return the names in the order in which they were done."""
    out.mkdir(exist_ok=True)
    done: list[str] = []
    settings = {"suffix": PLAIN, "workers": 4, "stop": Event(), "done": lambda kept: done.append(kept.device)} | words
    collect(Collection(site=read_inventory(site), folder=out, **settings), wanted)  # type: ignore[arg-type]
    return done


def kept(out: Path, name: str) -> Collected:
    found = read(out, name)
    assert found is not None
    return found


def test_what_each_command_gave_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {"one": well})
    assert run(inventory(tmp_path / "site", "one"), targets("one"), tmp_path / "out") == ["one"]
    assert kept(tmp_path / "out", "one") == Collected(
        device="one",
        system="double",
        vrfs={"blue": "red"},
        outputs={
            "show version": Output({"version": "1"}),
            "show routes": Output("show routes\n"),
            "show running-config": Output("show running-config\n"),
        },
    )


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (CommandErrorException("no such command"), "no such command"),
        (CommandTimeoutException("too slow"), "too slow"),
        (KeyError("output"), "'output'"),  # drivers raise what they like
        (RuntimeError(), "RuntimeError"),
        (ValueError("two\n  lines\t and more"), "two lines and more"),
        (OSError("x" * 1000), "x" * 300 + "…"),
    ],
)
def test_a_command_that_fails_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: Exception, told: str
) -> None:
    install(monkeypatch, {"one": lambda command: raised if command == "show routes" else well(command)})
    run(inventory(tmp_path / "site", "one"), targets("one"), tmp_path / "out")
    found = kept(tmp_path / "out", "one")
    assert found.failure is None
    assert found.outputs["show routes"] == Output(None, told)
    assert found.outputs["show running-config"] == Output("show running-config\n")


def test_a_value_that_is_neither_json_nor_text_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {"one": lambda command: None if command == "show version" else well(command)})
    run(inventory(tmp_path / "site", "one"), targets("one"), tmp_path / "out")
    assert kept(tmp_path / "out", "one").outputs["show version"].error == ("the driver gave NoneType instead of json")


def test_dead_switches_hide_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One refuses the connection, one every command, one is not in the inventory; neither log nor error is printed."""
    install(monkeypatch, {"good": well, "mute": lambda _: CommandErrorException("locked")})
    names = ("good", "mute", "dead", "lost")
    done = run(inventory(tmp_path / "site", "good", "mute", "dead"), targets(*names), tmp_path / "out")
    assert sorted(done) == sorted(names)
    assert len(kept(tmp_path / "out", "good").outputs) == 3
    failures = {name: kept(tmp_path / "out", name).failure for name in ("mute", "dead", "lost")}
    assert failures == {
        "mute": Failure("no-answer", "locked"),
        "dead": Failure("unreachable", "verify:None is not let in to dead"),
        "lost": Failure("host-missing", "it was not queried"),
    }
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.glob("**/*.log"))
    assert not Path("nornir.log").exists()


def test_a_secret_is_neither_kept_nor_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []

    def shows(command: str) -> object:
        return f"neighbor 10.0.0.1 password 7 {OTHER}\n! {CANARY}\n" if "running" in command else well(command)

    driver = install(monkeypatch, {"one": shows, "two": lambda _: RuntimeError(f"login {CANARY} failed")})
    opened = driver.open

    def noted(self: NetworkDriver) -> None:
        seen.append(self.password)
        opened(self)

    monkeypatch.setattr(driver, "open", noted)
    monkeypatch.setenv("VERIFY_PASSWORD", CANARY)
    site = inventory(tmp_path / "site", "one", "two", "three", defaults='password: "${env:VERIFY_PASSWORD}"\n')
    run(site, targets("one", "two", "three"), tmp_path / "out")
    assert seen == [CANARY] * 3
    everything = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert CANARY not in everything
    assert OTHER not in everything
    assert kept(tmp_path / "out", "one").outputs["show running-config"].value == (
        "neighbor 10.0.0.1 password 7 <removed>\n! <removed>\n"
    )
    assert kept(tmp_path / "out", "two").failure == Failure("no-answer", "login <removed> failed")
    assert kept(tmp_path / "out", "three").failure == Failure("unreachable", "None:<removed> is not let in to three")
    assert capfd.readouterr() == ("", "")


def test_drivers_are_told_to_check_whom_they_talk_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the inventory says otherwise."""
    seen: dict[str, tuple[int, dict[str, object]]] = {}
    driver = install(monkeypatch, {"safe": well, "told": well})
    monkeypatch.setattr(
        driver, "open", lambda self: seen.__setitem__(self.hostname, (self.timeout, self.optional_args))
    )
    site = inventory(tmp_path / "site", "safe")
    with (site / "hosts.yaml").open("a") as file:
        extras = "{timeout: 5, optional_args: {ssh_strict: false, port: 8443}}"
        file.write(
            f"told: {{hostname: told, platform: double, connection_options: {{napalm: {{extras: {extras}}}}}}}\n"
        )
    run(site, targets("safe", "told"), tmp_path / "out")
    safe = {
        "enforce_verification": True,
        "ssl_verify": True,
        "ssh_strict": True,
        "system_host_keys": True,
        "probe": False,
    }
    assert seen == {"safe": (30, safe), "told": (5, safe | {"ssh_strict": False, "port": 8443})}


def test_our_own_fault_is_no_fault_of_a_switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {"one": well})

    def broken(kept: Collected) -> None:
        raise ZeroDivisionError(kept.device)

    with pytest.raises(ZeroDivisionError):
        run(inventory(tmp_path / "site", "one"), targets("one"), tmp_path / "out", done=broken)


def test_a_folder_that_takes_no_file_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    names = [f"s{number}" for number in range(20)]

    def says(command: str) -> object:
        asked.append(command)
        return well(command)

    install(monkeypatch, dict.fromkeys(names, says))
    site = inventory(tmp_path / "site", *names)
    (tmp_path / "out").write_text("")
    with pytest.raises(FabricError) as caught:
        collect(
            Collection(
                site=read_inventory(site),
                folder=tmp_path / "out",
                suffix=PLAIN,
                workers=1,
                stop=Event(),
                done=lambda _: None,
            ),
            targets(*names),
        )
    assert [problem.code for problem in caught.value.problems] == ["collection-write"]
    assert len(asked) == 3, "after the first file that could not be written no switch is asked"


def test_what_was_there_when_it_was_stopped_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third switch is being asked: of it, and of those behind it, nothing is kept."""
    stop = Event()
    names = [f"s{number}" for number in range(6)]

    def third(command: str) -> object:
        stop.set()
        return well(command)

    driver = install(monkeypatch, {name: well for name in names} | {"s2": third})
    opened: list[str] = []
    monkeypatch.setattr(driver, "open", lambda self: opened.append(self.hostname))
    done = run(inventory(tmp_path / "site", *names), targets(*names), tmp_path / "out", stop=stop, workers=1)
    assert (done, opened) == (["s0", "s1"], ["s0", "s1", "s2"])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["s0.json", "s1.json"]


def test_a_slow_switch_is_asked_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("fabricgen.verify.collect.collect.time.monotonic", lambda: now[0])

    def slow(command: str) -> object:
        now[0] += 200
        return well(command)

    install(monkeypatch, {"one": slow})
    run(inventory(tmp_path / "site", "one"), targets("one"), tmp_path / "out")
    outputs = kept(tmp_path / "out", "one").outputs
    assert {command: output.error for command, output in outputs.items()} == {
        "show version": "",
        "show routes": "",
        "show running-config": "not queried: the switch took more than 240 s until here",
    }


def test_memory_does_not_grow_with_the_number_of_switches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 switches say 200 kB each, 100 MB in all; a few at once are in memory."""
    names = [f"s{number:03}" for number in range(500)]
    routes = "\n".join(f"B>* 10.{number >> 8}.{number & 255}.0/24" for number in range(11_000))
    assert len(routes) > 200_000

    def says(command: str) -> object:
        return f"{command}\n{routes}" if command == "show routes" else well(command)  # new text at each call

    install(monkeypatch, dict.fromkeys(names, says))
    site = inventory(tmp_path / "site", *names)
    tracemalloc.start()
    try:
        done = run(site, targets(*names), tmp_path / "out", suffix=PACKED, workers=32)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sorted(done) == names
    assert len(list((tmp_path / "out").glob("*.json.gz"))) == 500
    assert peak < 60e6, f"{peak / 1e6:.0f} MB"


EOS_READS = (ReadCommand("facts", "show hostname", JSON), ReadCommand("running", "show running-config", "text"))


def eos_site(folder: Path, port: int, more: str = "") -> Path:
    """One EOS switch on loopback, read by NAPALM's own driver."""
    folder.mkdir(exist_ok=True)
    (folder / "hosts.yaml").write_text(f"leaf: {{hostname: 127.0.0.1, port: {port}, platform: eos}}\n")
    extras = f"{{timeout: 2, optional_args: {{{more}}}}}"
    (folder / "defaults.yaml").write_text(
        f'username: verify\npassword: "${{env:EOS_PASSWORD}}"\nconnection_options: {{napalm: {{extras: {extras}}}}}\n'
    )
    return folder


def eos_failure(site: Path, out: Path) -> Failure:
    run(site, {"leaf": Target("leaf", "eos", "eos", {}, EOS_READS)}, out)
    failure = kept(out, "leaf").failure
    assert failure is not None
    return failure


def test_a_port_on_which_no_one_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EOS_PASSWORD", CANARY)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    found = eos_failure(eos_site(tmp_path / "site", port), tmp_path / "out")
    assert found.code == "unreachable"
    assert "Connection refused" in found.reason


def test_a_switch_that_takes_the_connection_and_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EOS_PASSWORD", CANARY)
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = eos_failure(eos_site(tmp_path / "site", server.getsockname()[1]), tmp_path / "out")
    assert found.code == "unreachable"
    assert "timed out" in found.reason


def test_a_certificate_that_no_authority_gave_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NAPALM's driver by itself takes any; a switch is not told the password before it has proved who it is."""
    monkeypatch.setenv("EOS_PASSWORD", CANARY)
    tls = certificate(tmp_path / "switch.pem", authority(tmp_path / "authority.pem"))
    with eapi({}, {}, tls=tls) as double:
        found = eos_failure(eos_site(tmp_path / "site", double.port), tmp_path / "out")
    assert found.code == "unreachable"
    assert "CERTIFICATE_VERIFY_FAILED" in found.reason
    assert double.heard == []


@pytest.mark.parametrize("more", ["ca_file: ../authority.pem", "enforce_verification: false"])
def test_a_switch_whose_certificate_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str) -> None:
    """Of the inventory's own authority, or where the inventory says that none is needed."""
    monkeypatch.setenv("EOS_PASSWORD", CANARY)
    tls = certificate(tmp_path / "switch.pem", authority(tmp_path / "authority.pem"))
    says = {"show version": {"version": "4.34.1F"}, "show hostname": {"hostname": "leaf"}}
    with eapi(says, {"show running-config": "hostname leaf\n"}, tls=tls) as double:
        target = Target("leaf", "eos", "eos", {}, (*EOS_READS, ReadCommand("bgp", "show nothing", JSON)))
        run(eos_site(tmp_path / "site", double.port, more), {"leaf": target}, tmp_path / "out")
    assert kept(tmp_path / "out", "leaf").outputs == {
        "show hostname": Output({"hostname": "leaf"}),
        "show running-config": Output("hostname leaf\n"),
        "show nothing": Output(None, "{'show nothing': 'Invalid command: \"show nothing\"'}"),
    }
    assert double.heard == [f"verify:{CANARY}"] * 4  # with the driver's own `show version`
