"""The generated pages of docs/: verbs, intent, checks, findings, platforms, what changes cost: `make docs`."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from docs.claims import claims
from docs.examples import examples_page
from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.checks.engine.check import Check, by_proof
from fabricgen.cli import VERBS, main
from fabricgen.device.references import FIELDS
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.intent.model import Intent
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Cost
from fabricgen.platforms.base.platform import Capability, FeatureScope, Platform
from fabricgen.platforms.base.secret_shape import SecretShape, Shapes
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.platforms.readers import READERS
from fabricgen.state.counts import PortCounter

FOLDER = Path(__file__).parent
Schema = dict[str, Any]


def intent_page() -> str:
    """Every key of the intent, model by model."""
    schema = Intent.model_json_schema()
    models = {"Intent": schema, **dict(sorted(schema.get("$defs", {}).items()))}
    lines = [
        "# The intent, key by key",
        "",
        "Made from the schema by `make docs`. The same schema, `schema/intent.schema.json`, completes",
        "keys in an editor.",
    ]
    for name, model in models.items():
        lines += _model(name, model)
    return "\n".join(lines) + "\n"


def _model(name: str, model: Schema) -> Iterator[str]:
    if "properties" not in model:
        return
    yield from ("", f"## {name}", "", model.get("description", "").splitlines()[0], "")
    yield from ("| key | what | default |", "|---|---|---|")
    required = set(model.get("required", ()))
    for key, value in model["properties"].items():
        default = "required" if key in required else _default(value)
        what = " ".join(part for part in (_kind(value), value.get("description", "")) if part)
        yield f"| `{key}` | {what.replace('|', chr(92) + '|')} | {default} |"


def _default(value: Schema) -> str:
    default = value.get("default")
    return f"`{default}`" if default not in (None, "", [], {}) else ""


def _kind(value: Schema) -> str:
    choices = value.get("anyOf") or value.get("oneOf")
    if choices:
        *first, last = dict.fromkeys(filter(None, map(_kind, choices)))
        return " or ".join((*(kind.rstrip(".") for kind in first), last))
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in value or "const" in value:
        return ", ".join(f"`{choice}`" for choice in value.get("enum", [value.get("const")]))
    return _container(value) or _scalar(value)


def _container(value: Schema) -> str:
    if value.get("type") == "array":
        return f"list of {_kind(value.get('items', {})) or 'values'}"
    named = (*value.get("patternProperties", {}).values(), value.get("additionalProperties"))
    return " or ".join(f"name → {_kind(part)}" for part in named if isinstance(part, dict))


def _scalar(value: Schema) -> str:
    kind = str(value.get("type", "")).replace("null", "")
    low, high = value.get("minimum"), value.get("maximum")
    if low is not None and high is not None:
        kind = f"{kind} {low}-{high}"
    if "examples" in value:
        # Text without a pattern has a form of its own, which the example shows.
        shows_form = kind == "string" and "pattern" not in value
        return f"{'' if shows_form else f'{kind}, '}e.g. `{value['examples'][0]}`."
    return f"{kind}." if kind else ""


def checks_page() -> str:
    """Every check with its codes, rule and source."""
    lines = [
        "# Checks",
        "",
        "What must hold of a plan before anything is written. Made from the docstrings by `make docs`.",
        "",
        *HOLDS_LINES,
        "",
        "| check | codes | holds |",
        "|---|---|---|",
    ]
    lines += (f"| [{check.name}](#{check.name}) | {_codes(check)} | {_holds(check)} |" for check in CHECKS)
    lines += (line for check in CHECKS for line in _check(check))
    lines += ["", "# Warnings", "", "What `validate` and `plan` tell of a sound plan; none of it stops anything."]
    lines += (line for check in NOTES for line in _check(check))
    return "\n".join(lines) + "\n"


HOLDS_LINES = (
    "Every rule holds for a fabric of any size. *Proven*: from dimensions, lines of the lock, settings and",
    "exceptions, without a look at each switch or cable. What a rule says of a chassis or of settings it says of",
    "all switches that have them; a switch that overrides give others is judged by these. Where that is not all,",
    "the rule says why it is enough, and the tests compare it with a count of all on small fabrics. *Streamed*:",
    "every switch or cable is looked at, one at a time, and what is kept does not grow with cables. `validate` says",
    "how many rules held in which way.",
)


def _holds(check: Check) -> str:
    return (
        check.usual_coverage if check.must_stream is by_proof else f"{check.usual_coverage}; streamed where it says so"
    )


def _codes(check: Check) -> str:
    return ", ".join(f"`{code}`" for code in check.codes)


def _check(check: Check) -> Iterator[str]:
    codes = _codes(check)
    doc = "\n".join(line.strip() for line in (check.run.__doc__ or "").strip().splitlines())
    yield from ("", f"## {check.name}", "", f"Codes: {codes}", "", doc)


def findings_page() -> str:
    """Every check of a live fabric, with the codes of its findings."""
    lines = [
        "# Findings of verify",
        "",
        "What each check of a live fabric compares, what each of its findings means, and what usually causes or mends",
        "it. Made by `make docs`; `fabricgen explain CODE` says the same.",
    ]
    for check in LIVE_CHECKS:
        lines += ["", f"## {check.name}", "", check.compares, ""]
        lines += ["| code | means | cause and remedy |", "|---|---|---|"]
        lines += (f"| `{found.code}` | {found.means} | {found.fix} |" for found in check.codes)
    return "\n".join(lines) + "\n"


def platforms_page() -> str:
    """Every feature on every platform, and then each platform's capability table."""
    lines = ["# What each platform can do", "", "Made from the capability tables by `make docs`.", *_matrix()]
    for platform in PLATFORMS.values():
        lines += ["", f"## {platform.title} (`{platform.name}`)", *_release_tables(platform), ""]
        lines += ["| feature | can | limit or refusal | needed by | judged by | source |", "|---|---|---|---|---|---|"]
        for row in platform.capabilities:
            can = ("left" if row.instead else "no") if row.refusal else "yes"
            limit = f": {row.limit}" if row.refusal and row.limit else ""
            but = f"; models whose file says `{row.vouched}` can{limit}" if row.vouched else ""
            judge = "unproven" if row.unproven else row.judge or ("-" if row.refusal else "nobody but us")
            own = f"; instead: {row.instead}" if row.instead else ""
            by = row.scope.value + (f": {row.alike}" if row.alike else "")
            doubt = f"; **unproven**: {row.unproven}" if row.unproven else ""
            since = f"; from {row.since} on" if row.since else ""
            said = f"{row.refusal or row.limit or row.always}{own}{but}{doubt}{since}".removeprefix("; ")
            lines.append(f"| {row.feature} | {can} | {said} | {by} | {judge} | {row.source} |")
    lines += [*_counters(), *_pushes(), *_not_read_back(), *claims(FOLDER / "evidence")]
    return "\n".join(lines).rstrip("\n") + "\n"


MATRIX_LINES = (
    "- *Judged*: the feature is written as the intent asks, and a tool that is not ours has accepted its lines: the",
    "  vendor's own model, real daemons, or another program's rendering.",
    "- *Cited*: it is written and each line has a source, but only we have checked it.",
    "- *Unproven*: a source requires something in addition to the lines.",
    "- *Refused*: an intent that needs the feature is an error, before anything is written.",
    "- *Left*: the setting is not rendered on this system. For a default of ours that is no error: `validate` counts",
    "  such settings, and `plan` says what applies instead. An intent that asks for one by name is refused.",
    "- A dash: no table has the feature. An intent that needs it there is refused, too.",
    "- *Link*, *pair*, *fabric*: the far ends of links, the other leaf of a server, or every switch of the fabric must",
    "  have it, too.",
    "",
    "Limits, judges, reasons and sources are in the tables below. The matrix shows what the newest release of a",
    "platform can; its table says from which release on.",
    "",
    "A release that is named here covers its maintenance releases. One between two that are named is accepted with a",
    "warning, if no line is known that differs between the two. Any other is refused, and may be waived",
    "(`unsupported-version`).",
)


def _release_tables(platform: Platform) -> Iterator[str]:
    """The releases of a platform with their judges, and what differs between them."""
    yield from ("", "| release | judged by | source |", "|---|---|---|")
    for release in platform.releases:
        yield f"| {release.name} | {release.judge or 'nobody but us'} | {release.source} |"
    if platform.differences:
        yield from ("", "| from release | what | before | after | source |", "|---|---|---|---|---|")
    for row in platform.differences:
        before, after = (f"`{words}`" if words else "-" for words in (row.before, row.after))
        yield f"| {row.since} | {row.what} | {before} | {after} | {row.source} |"


def _matrix() -> Iterator[str]:
    """Feature by platform: judged by whom, cited, refused, or in no table."""
    platforms = tuple(PLATFORMS.values())
    features = dict.fromkeys(row.feature for platform in platforms for row in platform.capabilities)
    yield from ("", "## Support matrix", "")
    yield from MATRIX_LINES
    heads = (f"{platform.title} {', '.join(platform.versions)}" for platform in platforms)
    yield from ("", f"| feature | {' | '.join(heads)} |")
    yield f"|---|{'---|' * len(platforms)}"
    for feature in sorted(features):
        yield f"| {feature} | {' | '.join(_support(platform.can(feature)) for platform in platforms)} |"


def _support(found: Capability | None) -> str:
    if found is None:
        return "-"
    if found.instead:
        return "left"
    wide = "" if found.scope is FeatureScope.SWITCH else f", *{found.scope.value}*"
    if found.refusal:
        return f"refused, but for models with `{found.vouched}`{wide}" if found.vouched else "refused"
    if found.unproven:
        return f"unproven{wide}"
    return ("judged" if found.judge else "cited") + wide


def verbs_page() -> str:
    """Every verb with its arguments and options, as --help has them."""
    lines = [
        "# Verbs",
        "",
        "Made from the command line by `make docs`. Results go to standard output, messages to standard error.",
        "`--json` prints the result as JSON. Exit codes: 0 fine or no change, 1 problems in the intent, 2 usage,",
        "3 differences found, 4 verification failed, 5 device or transport failed, 70 a bug of fabricgen,",
        "130 interrupted.",
    ]
    for name, what in VERBS.items():
        command = main.get_command(click.Context(main), name)
        if command is None:
            raise LookupError(name)
        context = click.Context(command, info_name=f"fabricgen {name}")
        lines += ["", f"## {name}", "", f"{what[0].upper()}{what[1:]}.", *_verb(context)]
    return "\n".join(lines) + "\n"


def _verb(context: click.Context) -> Iterator[str]:
    """One command; of a group all that it has."""
    command = context.command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from ("", f"### {context.info_name} {name}".replace("### fabricgen ", "### "))
            yield from _verb(click.Context(below, info_name=f"{context.info_name} {name}"))
        return
    usage = " ".join(command.collect_usage_pieces(context))
    text = inspect.cleandoc(command.help or "").replace("\b", "")
    yield from ("", f"    {context.info_name} {usage}", "", *text.splitlines(), "")
    yield from ("| option | what |", "|---|---|")
    for option in command.params:
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None:
            yield f"| `{record[0].replace('|', chr(92) + '|')}` | {record[1].replace('|', chr(92) + '|')} |"


def _counters() -> Iterator[str]:
    """Which counters of ports each reader has."""
    yield from ("", "## Counters of ports, by platform", "")
    yield from (
        "What a push compares around each wave ([push](push.md#counters)). What no reader has is `not compared` in the",
        "report, with the reason.",
        "",
        "| counter | platform | read | source, or why not |",
        "|---|---|---|---|",
    )
    for count in PortCounter:
        for name, platform in PLATFORMS.items():
            source = READERS[name].counts[count]
            yield f"| {count} | {platform.title} | {'yes' if source.is_read else 'no'} | {source.words} |"


def _pushes() -> Iterator[str]:
    """How each NAPALM driver is pushed through."""
    yield from ("", "## Push, by NAPALM driver", "")
    for profile in COMMIT_PROFILES.values():
        yield f"`{profile.driver}`: push: {f'proven by {profile.proven}' if profile.proven else 'unproven'}"
        yield ""
        back = f"in steps of {profile.step} s" if profile.timed else "no: refused by `push --commit`"
        files = ", ".join(sorted(profile.files)) or "none"
        yield f"- goes back unless it is confirmed: {f'yes, {back}' if profile.timed else back}"
        yield f"- replaces a whole configuration: {'yes' if profile.replaces else 'no'}"
        yield f"- files beside the main one: {files}"
        yield "- none and hitless: nothing that was up may be lost"
        for risk, found in profile.interrupts.items():
            if not found.seconds:
                continue
            often = f"{found.seconds:g} s{' (unsure: 90 s at least)' if found.unsure else ''}: {found.source}"
            yield f"- {risk.words}: what was up may be lost for {often}"
        for row in profile.respelled:
            yield f"- no difference though it shows as one: a secret in `{row.line.replace('|', ', ')}`: {row.source}"
        yield from (f"- {limit}" for limit in profile.limits)
        yield ""


def _not_read_back() -> Iterator[str]:
    """Settings that the text of a platform does not show, so that `audit` cannot compare them."""
    yield from ("", "## What `audit` cannot see, by platform", "")
    yield "An audit compares the settings that the files show. These they do not show: the system has them by itself,"
    yield "or says them by another setting. Names are those of [the audit](audit.md)."
    yield from ("", "| platform | setting | why |", "|---|---|---|")
    for name, readback in READBACKS.items():
        for setting, why in readback.not_shown.items():
            yield f"| {PLATFORMS[name].title} | {setting} | {why} |"


def costs_page() -> str:
    """Every kind of change with what its changes cost on each platform."""
    lines = [
        "# What changes cost",
        "",
        "The kinds of change that `fabricgen diff` reports and an `expect:` file names, and what each costs on a",
        "platform while its configuration is replaced. A dash: no such change. Short names of sources:",
        "`templates/<platform>/NOTES.md`.",
        "`make risks` holds these tables against changes whose labels come from sources. Made by `make docs`.",
    ]
    for platform in PLATFORMS.values():
        lines += ["", f"## {platform.title} (`{platform.name}`)", ""]
        said = {(cost.source, cost.unsure) for cost in platform.costs.values()}
        if len(said) == 1:  # one sentence for all of them
            lines += [f"Every kind: unknown, which counts as traffic loss; {next(iter(said))[1]}."]
            continue
        lines += ["| kind | added | changed | removed | source |", "|---|---|---|---|---|"]
        lines += (_cost(cost) for cost in platform.costs.values())
    return "\n".join(lines) + "\n"


def _cost(cost: Cost) -> str:
    changed = cost.changed.words if cost.changed is not None else "-"
    ways = (("raised", cost.raised), ("lowered", cost.lowered))
    changed += "".join(f", {way}: {risk.words}" for way, risk in ways if risk is not None)
    added, removed = (risk.words if risk is not None else "-" for risk in (cost.added, cost.removed))
    source = "; ".join(filter(None, (cost.source, f"unsure: {cost.unsure}" if cost.unsure else "")))
    return f"| {cost.kind} | {added} | {changed} | {removed} | {source.replace('|', chr(92) + '|')} |"


SECRET_LINES = (
    "An intent has no secret. It says where one is: `${env:NAME}`, a variable of the environment, or `${file:PATH}`,",
    "a file below the folder of the intent. `render --with-secrets`, `push` and `export containerlab --with-secrets`",
    "put the values in. Before they write or send anything, they check each value against what its field takes, on",
    "every switch that gets it. A switch accepts a password in place of a hash, but then nobody can log in. An error",
    "has the place of the field, the reference, what the system takes and what to type. It never has the value or its",
    "length.",
    "",
    "`fabricgen secret hash --for eos` asks for a password and prints its hash in the form that the system takes. With",
    "several `--for` it prints a form that all of them take.",
    "",
    'A shell replaces the dollar signs of a hash in double quotes. `export ADMIN_HASH="$(openssl passwd -6)"`',
    "asks for the password and keeps the hash as it is. Or put the hash in single quotes.",
    "",
    "Every value is one word of printable ASCII: it is not empty and has no blank and no line end. Some characters",
    "cannot be written into the file of a system, such as a quotation mark on Junos: they are refused with the reason.",
    "Blanks around the text of a file are cut off; a variable is used as it is. Secrets in raw lines are not checked",
    "further.",
    "",
    "An account on switches of two systems needs a hash that both take. The error says which one that is. If there",
    "is none (EOS takes only `$6$`, NX-OS takes `$5$`), give the switches of one system a reference of their own:",
    "`overrides: {backend/leaf: {management: {users: {admin: {password: ...}}}}}`.",
    "",
    "*Unsure*: no source says that the field takes this format; the parentheses have the reason for the doubt.",
    "fabricgen accepts it. `gnmi.certificate` and `eapi.certificate` are no secrets: they name a TLS profile that the",
    "switch already has.",
    "",
    "containerlab fills in the variables of a topology without secrets when it is deployed, and checks nothing: the",
    "topology's README.md says what each variable must be.",
)


def secrets_page() -> str:
    """What the value of a secret must be, field by field, on each system."""
    lines = ["# Secrets", "", "Made from the tables of the platforms by `make docs`.", "", *SECRET_LINES]
    for platform in PLATFORMS.values():
        for versions, shapes in _releases(platform):
            lines += [
                "",
                f"## {platform.title} {versions}",
                "",
                "| field | takes | rule | source |",
                "|---|---|---|---|",
            ]
            lines += (
                f"| `{field}` | {_taken(shape)} | {shape.rule} | {shape.source} |" for field, shape in shapes.items()
            )
            absent = ", ".join(f"`{field}`" for field in FIELDS if field not in shapes)
            lines += ["", f"Not written on this system: {absent}."] if absent else []
    return "\n".join(lines) + "\n"


def _releases(platform: Platform) -> Iterator[tuple[str, Shapes]]:
    """Releases that take the same, and what."""
    tables = [(version, platform.secrets(version)) for version in platform.versions]
    for version, shapes in tables:
        alike = [other for other, found in tables if found == shapes]
        if alike[0] == version:
            yield ", ".join(alike), shapes


def _taken(shape: SecretShape) -> str:
    return "; ".join(f"{one.title}{f' (*unsure*: {one.unsure})' if one.unsure else ''}" for one in shape.values)


PAGES = {
    "intent.md": intent_page,
    "checks.md": checks_page,
    "costs.md": costs_page,
    "findings.md": findings_page,
    "platforms.md": platforms_page,
    "secrets.md": secrets_page,
    "verbs.md": verbs_page,
    "../fabricgen/explain/examples.json": examples_page,
}


def write() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page())


if __name__ == "__main__":
    write()
