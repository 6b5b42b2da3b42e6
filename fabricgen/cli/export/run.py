"""`fabricgen export`: the plan for other tools. A folder holds one export, and other files there are not touched.

JSON: `written`, `unchanged`, `removed`, `edited` as for render; of `containerlab` also `topology` (its file),
`needs` (`switches`, `servers`, `links`, `memory_mib`, and by use `nodes`, `memory_mib`, `source`), `hints`, `variables`
(names that containerlab fills in at deploy) and `skipped` (each with `feature`, `where`, `reason`).
"""

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from itertools import chain
from pathlib import Path

import click

from fabricgen import __version__
from fabricgen.cli.common.output import echo_pieces, json_object, print_outcome
from fabricgen.cli.common.problems import reporting_problems
from fabricgen.cli.export.command import ExportOptions
from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.export.ansible import ansible_files
from fabricgen.export.containerlab import ContainerlabWriter, ExportRequest
from fabricgen.export.inventory import make_hosts, username
from fabricgen.export.nodes import LINUX, SERVER
from fabricgen.export.nornir import nornir_files
from fabricgen.export.readme import TopologySummary
from fabricgen.export.words import Text
from fabricgen.lab.model.containers import release_text
from fabricgen.lab.model.subset import parse_subset
from fabricgen.output.commit import AllFiles, commit
from fabricgen.output.finish import finish
from fabricgen.output.manifest import Maker, read_manifest
from fabricgen.output.paths import output_folder
from fabricgen.output.secret_trees import IGNORE, NOTHING, keep_private, private_tree, require_without_secrets
from fabricgen.output.stage import CommitSummary
from fabricgen.output.staging import Content
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.containerlab import RELEASES
from fabricgen.platforms.containerlab_nodes import exported
from fabricgen.push.switch.secrets import places
from fabricgen.resolve.device import devices
from fabricgen.site.checked import LoadRequest, load_checked
from fabricgen.site.workspace import Workspace, folders_read

MADE_BY = "export {}"
"""`made_by` of a folder's manifest: a rendered tree and an export never overwrite each other."""
IMAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:@-]*")


def run_containerlab(options: ExportOptions) -> None:
    """Write a topology."""
    with reporting_problems(as_json=options.as_json, writes=True):
        require_place(options.out, options.intent, options.templates)
        subset = parse_subset(options.subset)
        images = parse_images(options.images)
        workspace = load_checked(LoadRequest(options.intent, options.overlay), options.scenario)
        request = ExportRequest(
            subset=subset,
            release=next(release for release in RELEASES if release_text(release) == options.containerlab),
            images=images,
            digest=digest(workspace),
            secrets=workspace.path.parent if options.with_secrets else None,
            places=places(workspace.document),
            templates=options.templates,
        )
        writer = ContainerlabWriter(workspace.plan, request)
        outcome = _write_containerlab(writer, options)
    if options.as_json:
        paths = {part: list(paths) for part, paths in outcome.parts.items()}
        click.echo(json.dumps(_plain(writer.summary) | paths, indent=1))
        return
    _print_summary(writer.summary)
    print_outcome(outcome, options.out)


def run_inventory(kind: str, intent: Path, out: Path, overlay: Path | None, scenario: str, *, as_json: bool) -> None:
    """Write an inventory for Nornir or Ansible."""
    with reporting_problems(as_json=as_json, writes=True):
        require_place(out, intent)
        plan = load_checked(LoadRequest(intent, overlay), scenario).plan
        site, hosts = plan.intent.site, make_hosts(plan, devices(plan))
        login = dict.fromkeys(PLATFORMS, username(plan))
        is_nornir = kind == "nornir"
        files = nornir_files(site, hosts, login, {}, {}) if is_nornir else ansible_files(site, hosts, login)
        outcome = commit_export(out, kind, files)
    if as_json:
        echo_pieces(json_object(outcome.parts, {}))
    else:
        print_outcome(outcome, out)


def digest(workspace: Workspace) -> str:
    """First 16 digits of the SHA-256 of the intent and the files next to it."""
    sha = sha256()
    for name, octets in workspace.inputs.items():
        sha.update(name.encode() + b"\0" + sha256(octets).digest())
    return sha.hexdigest()[:16]


def parse_images(texts: Iterable[str]) -> dict[str, str]:
    """Parse KIND=IMAGE: platform, or `server`, → image. Raises FabricError with all that is refused."""
    kinds_by_platform = exported()
    uses = {name: name for name in (*kinds_by_platform, SERVER)}
    uses |= {kind.name: name for name, kinds in kinds_by_platform.items() for kind in kinds if kind.name != LINUX}
    images: dict[str, str] = {}
    problems: list[Problem] = []
    for text in texts:
        key, _, image = text.partition("=")
        if key not in uses:
            problems.append(_bad_image(text, f"{key!r} is no kind", did_you_mean(key, uses)))
        elif uses[key] in images:
            problems.append(_bad_image(text, f"{key} already has an image", "name each once"))
        elif not IMAGE.fullmatch(image):
            problems.append(_bad_image(text, f"{image!r} cannot be an image", f"write e.g. {key}=name:tag"))
        else:
            images[uses[key]] = image
    if problems:
        raise FabricError(problems)
    return images


def _bad_image(text: str, reason: str, fix: str) -> Problem:
    return Problem(code="bad-image", what=f"invalid --image {text}", why=reason, fix=fix)


def _write_containerlab(writer: ContainerlabWriter, options: ExportOptions) -> CommitSummary:
    if not options.with_secrets:
        return commit_export(options.out, "containerlab", writer.files())
    with private_tree(options.out):
        outcome = _committed(options.out, "containerlab", chain(((IGNORE, NOTHING.decode()),), writer.files()))
    keep_private(options.out, outcome)
    return outcome


def require_place(out: Path, intent: Path, templates: Path | None = None) -> None:
    """Raise FabricError if the export would be in a folder of hardware or templates, which the next run reads."""
    output_folder(out, read=folders_read(intent, templates))


def commit_export(out: Path, what: str, texts: Iterable[tuple[str, Text]]) -> CommitSummary:
    """Write a complete export or nothing. Raises FabricError where the folder holds another tree, or secrets."""
    require_without_secrets(out)
    return _committed(out, what, texts)


def _committed(out: Path, what: str, texts: Iterable[tuple[str, Text]]) -> CommitSummary:
    finish(out)
    made_by = MADE_BY.format(what)
    if _maker_of(out) not in (None, made_by):
        raise FabricError.of(
            code="export-folder",
            what=f"{out} has files that are not from a {what} export",
            why="its files would be removed",
            fix="use another folder with -o",
        )
    octets = ((path, _octets(text)) for path, text in texts)
    return commit(out, AllFiles(octets), {}, Maker(__version__, made_by))


def _maker_of(out: Path) -> str | None:
    """`made_by` of the files in `out`. The rest of the manifest, which may be large, is dropped."""
    manifest = read_manifest(out)
    return manifest.made_by if manifest is not None else None


def _octets(text: Text) -> Content:
    return text.encode() if isinstance(text, str) else (piece.encode() for piece in text)


def _print_summary(summary: TopologySummary) -> None:
    needs = summary.needs
    click.echo(f"{needs.switches} switches, {needs.servers} servers, {needs.links} links", err=True)
    click.echo(f"memory to deploy it: about {needs.memory} MiB", err=True)
    for line in needs.lines():
        click.echo(f"  {line}", err=True)
    if summary.variables:
        click.echo(f"set these variables when deploying: {', '.join(summary.variables)}", err=True)
    click.echo("left out, or not testable in containerlab:", err=True)
    for row in summary.skipped:
        click.echo(f"  {row.feature} ({row.where}): {row.reason}", err=True)


def _plain(summary: TopologySummary) -> dict[str, object]:
    needs = summary.needs
    by_use = {
        use: {"nodes": count, "memory_mib": mib, "source": source} for use, (count, mib, source) in needs.by_use.items()
    }
    return {
        "topology": summary.file,
        "needs": {
            "switches": needs.switches,
            "servers": needs.servers,
            "links": needs.links,
            "memory_mib": needs.memory,
            "by_use": by_use,
        },
        "hints": list(needs.hints),
        "variables": list(summary.variables),
        "skipped": [row._asdict() for row in summary.skipped],
    }
