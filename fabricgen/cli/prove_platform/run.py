"""`fabricgen prove-platform`, from its options to its exit code."""

import getpass
import json
import secrets
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.cli.common.interrupts import stopping
from fabricgen.cli.prove_platform.command import ProveOptions
from fabricgen.cli.prove_platform.site import one_host, subject_of
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.inventory import open_inventory, placed_problems
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.run_marks import armed_words, lease_words
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.prove.bench import ProofBench
from fabricgen.prove.bundle import ProofBundle, keep, made, open_bundle, replayed
from fabricgen.prove.killing import Killing
from fabricgen.prove.redact import DOMAIN, HOST, SITE, USER, Redactor
from fabricgen.prove.report import plan_text, result_text
from fabricgen.prove.run import Ended, prove
from fabricgen.prove.steps import PlannedStep, planned, seconds_of, steps_of
from fabricgen.prove.values import BROKEN, STOPPED, ClaimOutcome, ProofSettings, ProofSubject
from fabricgen.prove.whole_config import touching
from fabricgen.push.act.leases import OLD_SECONDS
from fabricgen.push.act.work import Fleet as Reach
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import SwitchError
from fabricgen.verify.collect.inventory import SiteInventory

SHOWN, FAILED, UNREACHED, INTERRUPTED = 3, 4, 5, 130
NOTE = "prove-platform"
WAIT = "wait until it has ended, or choose another switch"
TAKE = "wait until it has ended; if it was killed, add --take-over"
STOPS = "stops: the armed commit is rolled back first. A second Ctrl-C leaves that to the switch's timer"


def run(options: ProveOptions) -> int:
    """Run the command. Raises FabricError."""
    if options.show is not None:
        bundle = open_bundle(options.show)
        differs = replayed(bundle)
        if options.as_json:
            click.echo(json.dumps(bundle.manifest, indent=1))
        else:
            click.echo("\n".join(result_text(bundle.manifest, differs)))
        return FAILED if differs or bundle.manifest["outcome"] != ClaimOutcome.HELD else 0
    site = open_inventory(options.inventory or Path())
    with placed_problems():
        host = one_host(site, options.device)
    with stopping(STOPS) as stop, NapalmFleet(site, {host.name: host.driver, **host.others}, 4) as fleet:
        subject = subject_of(options, site, host, fleet)
        settings = ProofSettings(
            hold=options.hold,
            port=options.port,
            session=options.session,
            confirm=options.confirm,
            skip=frozenset(options.skip),
        )
        with NapalmFleet(site, {host.name: host.driver}, 1) as other:
            try:
                return _Verb(options, site, subject, settings, (fleet, other), stop).run()
            except SwitchError as error:
                click.echo(f"{subject.name}: {error.reason}; nothing was changed", err=True)
                return UNREACHED


class _Verb:
    """The command for one switch."""

    def __init__(
        self,
        options: ProveOptions,
        site: SiteInventory,
        subject: ProofSubject,
        settings: ProofSettings,
        reach: tuple[Reach, Reach],
        stop: Event,
    ) -> None:
        self._options, self._site, self._subject, self._settings = options, site, subject, settings
        owner = f"{getpass.getuser()}@{socket.gethostname()}"
        claim = RunClaim(secrets.token_hex(6), owner, NOTE, 0 if options.take_over else OLD_SECONDS)
        self._bench = ProofBench(subject, settings, reach, claim, stop, lambda line: click.echo(line, err=True))

    def run(self) -> int:
        """Print the plan, or execute it."""
        bench, options = self._bench, self._options
        self._refuse_busy()
        profile = commit_profile_of(self._subject.driver)
        steps = steps_of(Killing(self._site.folder))
        plan = tuple(map(self._with_changes, planned(steps, self._subject, profile, self._settings)))
        if not options.commit or not options.as_json:
            self._show_plan(plan)
        if not options.commit:
            return SHOWN
        out = options.out or Path(f"prove-{self._subject.table.system}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        if out.exists():
            raise FabricError.of(
                code="prove-bundle",
                what=f"{out} already exists",
                why="a bundle is the evidence of one run and is not overwritten",
                fix="use another folder or file with -o",
            )
        began = datetime.now(UTC).isoformat(timespec="seconds")
        ended = prove(bench, plan)
        manifest, bundle = made(bench, ended, began, self._redactor())
        keep(out, bundle)
        self._print_result(bundle, ended, out)
        return {ClaimOutcome.HELD.value: 0, STOPPED: INTERRUPTED, BROKEN: UNREACHED}.get(manifest.outcome, FAILED)

    def _refuse_busy(self) -> None:
        """Raise FabricError if somebody works on the switch, or an earlier run left its lines there."""
        marks = self._bench.act(lambda box: box.run_marks())
        if marks.armed is not None:
            raise FabricError([_busy(self._subject.name, armed_words(marks.armed), WAIT)])
        lease = marks.lease
        if lease is not None and lease.seconds < OLD_SECONDS and not (self._options.take_over and lease.note == NOTE):
            raise FabricError([_busy(self._subject.name, lease_words(lease), TAKE if lease.note == NOTE else WAIT)])
        probe = self._subject.table.probe
        if probe.adds and self._bench.act(lambda box: box.compare(self._bench.test_lines())) == "":
            raise FabricError.of(
                code="prove-leftover",
                what=f"{self._subject.name} already has the test lines",
                why="an earlier test left them, interrupted between its two confirmations",
                fix=f"remove them there: {probe.removes}",
            )

    def _with_changes(self, step: PlannedStep) -> PlannedStep:
        """Return a step with the lines that it changes. Raises FabricError if one would affect management access."""
        subject = self._subject
        name, probe, whole = step.step.name, subject.table.probe, subject.whole
        if step.reason:
            return step
        if name == "port" and probe.port is not None:
            return step._replace(changes=_added(probe.port(self._settings.port)))
        if name == "session" and probe.session is not None:
            return step._replace(changes=_added(probe.session(self._settings.session, self._local_as())))
        if name != "whole" or whole is None:
            return step
        difference = self._bench.act(lambda box: box.compare(whole.candidate))
        line = touching(difference, subject.table.access)
        if line:
            raise FabricError.of(
                code="prove-access",
                what=f"the rendered configuration of {subject.name} would change how it is managed: {line!r}",
                why="the switch would be unreachable until the timer expires",
                fix="write the management settings of the switch into the intent, or use --skip whole",
            )
        return step._replace(
            changes=tuple(difference.splitlines()) or ("it already runs this configuration: nothing changes",)
        )

    def _local_as(self) -> int:
        state = self._bench.state("bgp")
        return state.bgp.asn if state.bgp is not None else 0

    def _show_plan(self, plan: tuple[PlannedStep, ...]) -> None:
        bench, probe = self._bench, self._subject.table.probe
        limit = bench.act(lambda box: box.limit())
        seconds = [seconds_of(step, bench.hold, limit) for step in plan]
        if self._options.as_json:
            value = VERSIONED | {
                "platform": self._subject.table.system,
                "release": self._release(),
                "hold": bench.hold,
                "adds": list(probe.adds),
                "removes": probe.removes,
                "steps": [_row(step, longest) for step, longest in zip(plan, seconds, strict=True)],
            }
            click.echo(json.dumps(value, indent=1))
            return
        click.echo("\n".join(plan_text(self._subject, seconds, bench.hold, plan, self._release())))
        click.echo("" if self._options.commit else "\nDry run, nothing was changed. Add --commit to run the test.")

    def _release(self) -> str:
        facts = self._bench.state("facts", "running").facts
        return facts.version if facts is not None else ""

    def _redactor(self) -> Redactor:
        """Return a redactor that knows the names of the inventory."""
        hosts = self._site.nornir.hosts
        redactor = Redactor()
        redactor.know(HOST, self._subject.name)
        for host in hosts.values():
            redactor.know(HOST, host.name, host.hostname or "")
            redactor.know(USER, host.username or "")
        if self._subject.whole is not None:
            site, domain = self._subject.whole.names
            redactor.know(SITE, site)
            redactor.know(DOMAIN, domain)
        return redactor

    def _print_result(self, bundle: ProofBundle, ended: Ended, out: Path) -> None:
        if self._options.as_json:
            click.echo(json.dumps(bundle.manifest, indent=1))
        else:
            click.echo("\n".join(result_text(bundle.manifest)))
            click.echo("")
            click.echo(
                f"{out}: secrets are removed; read it before you share it, as it has free text such as descriptions"
            )
        if ended.leftover:
            click.echo(
                f"{self._subject.name} does NOT have its original configuration: type on it: {ended.leftover}", err=True
            )


def _row(planned_step: PlannedStep, seconds: int) -> Mapping[str, object]:
    step = planned_step.step
    return {
        "name": step.name,
        "does": step.does,
        "risk": step.risk,
        "changes": list(planned_step.changes),
        "seconds": seconds,
        "left_out": planned_step.reason,
    }


def _added(lines: str) -> tuple[str, ...]:
    return tuple(f"+ {line}" for line in lines.splitlines())


def _busy(name: str, owner: str, fix: str) -> Problem:
    return Problem(
        code="prove-busy",
        what=f"another push or test is running on {name}",
        why=f"{owner}; the results would be mixed",
        fix=fix,
    )
