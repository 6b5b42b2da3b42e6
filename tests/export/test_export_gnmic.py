"""`export gnmic`: targets are the plan's switches, paths those that Arista's models have, and no secret is written."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.platforms import PLATFORMS
from tests.export.conftest import Run, copied

LOSSLESS = {
    "/interfaces/interface/ethernet/pfc/priorities/priority/state",
    "/interfaces/interface/ethernet/pfc/watchdog/tx-queues/tx-queue/state",
}
EVERY = {
    "/qos/interfaces/interface/output/queues/queue/state",
    "/interfaces/interface/state/counters",
    "/interfaces/interface/state/oper-status",
    "/network-instances/network-instance/protocols/protocol/bgp/neighbors/neighbor/state/session-state",
}
"""Read off the YANG of EOS 4.34.2F: the augments of arista-intf-augments, and OpenConfig's own modules."""
SUBSCRIPTION = {"paths", "mode", "stream-mode", "sample-interval", "encoding"}
TARGET = {"address", "subscriptions", "event-tags"}
FILE = {"username", "password", "tls-ca", "skip-verify", "targets", "subscriptions"}
"""Keys that gnmic's user guide names (targets.md, subscriptions.md, configuration_file.md)."""


def exported(run: Run, intent: Path, *words: str) -> tuple[str, dict[str, Any]]:
    """Text and document."""
    out = intent.parent.parent / "out"
    result = run("export", "gnmic", intent, "-o", out, *words)
    assert result.exit_code == 0, result.output
    text = (out / "gnmic.yaml").read_text()
    return text, yaml.safe_load(text)


def paths_of(document: dict[str, Any], target: str) -> set[str]:
    named = document["targets"][target]["subscriptions"]
    assert len(set(named)) == len(named)
    return {path for name in named for path in document["subscriptions"][name]["paths"]}


def test_paths_follow_the_role(eos: Path, run: Run) -> None:
    _, document = exported(run, eos)
    for name in ("be-leaf-000", "be-spine-00"):
        assert paths_of(document, name) == LOSSLESS | EVERY
    for name in ("fe-leaf-000", "fe-spine-00", "fe-border-00"):
        assert paths_of(document, name) == EVERY


def test_only_keys_that_gnmic_knows(eos: Path, run: Run) -> None:
    _, document = exported(run, eos)
    assert set(document) == FILE
    assert {key for target in document["targets"].values() for key in target} == TARGET
    assert {key for found in document["subscriptions"].values() for key in found} == SUBSCRIPTION
    used = {name for target in document["targets"].values() for name in target["subscriptions"]}
    assert used == set(document["subscriptions"])


def test_every_switch_is_asked_where_it_listens(eos: Path, run: Run) -> None:
    _, document = exported(run, eos)
    run("export", "nornir", eos, "-o", eos.parent.parent / "nornir")
    hosts = yaml.safe_load((eos.parent.parent / "nornir/hosts.yaml").read_text())
    port = yaml.safe_load(eos.read_text())["management"]["gnmi"].get("port", 6030)
    assert {name: found["address"] for name, found in document["targets"].items()} == {
        name: f"{host['hostname']}:{port}" for name, host in hosts.items()
    }


def test_certificates_are_checked_and_no_secret_is_written(eos: Path, run: Run) -> None:
    text, document = exported(run, eos, "--ca", "/etc/ssl/fabric.pem")
    assert document["skip-verify"] is False
    assert document["tls-ca"] == "/etc/ssl/fabric.pem"
    assert document["password"] == "${SWITCH_PASSWORD}"  # noqa: S105 - a reference
    assert "insecure" not in text


def test_counters_are_sampled_and_events_are_sent(eos: Path, run: Run) -> None:
    _, document = exported(run, eos, "--every", "30")
    modes = {
        path: (found["stream-mode"], found.get("sample-interval"))
        for found in document["subscriptions"].values()
        for path in found["paths"]
    }
    events = {path for path, mode in modes.items() if mode == ("on-change", None)}
    assert {path.rpartition("/")[2] for path in events} == {"oper-status", "session-state"}
    assert {mode for path, mode in modes.items() if path not in events} == {("sample", "30s")}


def test_a_fabric_that_loses_nothing_on_purpose_has_no_path_of_pfc(eos: Path, run: Run) -> None:
    text = eos.read_text()
    assert "transport: roce-lossless" in text
    eos.write_text(text.replace("transport: roce-lossless", "transport: best-effort"))
    _, document = exported(run, eos)
    assert paths_of(document, "be-leaf-000") == EVERY


def test_a_site_without_a_server_of_gnmi_is_refused(frr: Path, run: Run) -> None:
    result = run("export", "gnmic", frr, "-o", frr.parent.parent / "out", "--json")
    assert result.exit_code == 1
    assert "no-gnmi" in result.output
    assert not (frr.parent.parent / "out").exists()


def test_switches_that_tell_nothing_are_named(tmp_path: Path, run: Run) -> None:
    intent = copied("demo", tmp_path)
    text = intent.read_text()
    intent.write_text(text + "\noverrides: {be-spine-00: {management: {gnmi: null}}}\n")
    assert "overrides:" not in text
    result = run("export", "gnmic", intent, "-o", tmp_path / "out", "--json")
    assert result.exit_code == 0, result.output
    (left,) = json.loads(result.stdout)["left_out"]
    assert left["devices"] == ["be-spine-00"]
    assert "management.gnmi" in left["why"]


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_every_path_has_a_source_and_a_page(platform: str) -> None:
    """docs/telemetry.md tells each path and the command that shows the same."""
    page = (Path(__file__).parents[2] / "docs/telemetry.md").read_text()
    streams = PLATFORMS[platform].streams
    assert len({stream.name for stream in streams}) == len(streams)
    for stream in streams:
        assert stream.source
        assert stream.path.startswith("/")
        assert f"`{stream.path}`" in page
        for command in stream.command.split("; "):
            assert f"`{command}`" in page
