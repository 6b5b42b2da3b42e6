"""The generated pages of docs/: intent, checks, findings, what each platform can do, what changes cost: `make docs`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fabricgen.checks.catalogue import CHECKS
from fabricgen.drivers.manners import MANNERS
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.intent.model import Intent
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.cost import Cost

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
        return " or ".join(dict.fromkeys(filter(None, (_kind(part) for part in choices))))
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
    if "examples" in value:
        return f"e.g. `{value['examples'][0]}`."
    low, high = value.get("minimum"), value.get("maximum")
    return f"{kind} {low}-{high}." if low is not None and high is not None else f"{kind}." if kind else ""


def checks_page() -> str:
    """Every check with its codes, rule and source."""
    lines = [
        "# Checks",
        "",
        "What must hold of a plan before anything is written. Made from the docstrings by `make docs`.",
    ]
    for check in CHECKS:
        codes = ", ".join(f"`{code}`" for code in check.codes)
        doc = "\n".join(line.strip() for line in (check.run.__doc__ or "").strip().splitlines())
        lines += ["", f"## {check.name}", "", f"Codes: {codes}", "", doc]
    return "\n".join(lines) + "\n"


def findings_page() -> str:
    """Every check of a live fabric, with the codes of its findings."""
    lines = [
        "# Findings of verify",
        "",
        "What each check of a live fabric compares, what each of its findings means, and what usually causes or mends",
        "it. Made by `make docs`; `fabricgen explain INTENT CODE` says the same.",
    ]
    for check in LIVE_CHECKS:
        lines += ["", f"## {check.name}", "", check.compares, ""]
        lines += ["| code | means | cause and remedy |", "|---|---|---|"]
        lines += (f"| `{found.code}` | {found.means} | {found.mend} |" for found in check.codes)
    return "\n".join(lines) + "\n"


def platforms_page() -> str:
    """Every platform's capability table."""
    lines = ["# What each platform can do", "", "Made from the capability tables by `make docs`."]
    for platform in PLATFORMS.values():
        versions = ", ".join(platform.versions)
        lines += ["", f"## {platform.title} (`{platform.name}`)", "", f"Releases: {versions}.", ""]
        lines += ["| feature | can | limit or refusal | source |", "|---|---|---|---|"]
        for row in platform.capabilities:
            can = "no" if row.refusal else "yes"
            lines.append(f"| {row.feature} | {can} | {row.refusal or row.limit} | {row.source} |")
    return "\n".join([*lines, *_pushes()]).rstrip("\n") + "\n"


def _pushes() -> Iterator[str]:
    """How each NAPALM driver is pushed through."""
    yield from ("", "## Push, by NAPALM driver", "")
    for manner in MANNERS.values():
        yield f"`{manner.driver}`: push: {f'proven by {manner.proven}' if manner.proven else 'unproven'}"
        yield ""
        back = f"in steps of {manner.step} s" if manner.timed else "no: refused by `push --commit`"
        files = ", ".join(sorted(manner.files)) or "none"
        yield f"- goes back unless it is confirmed: {f'yes, {back}' if manner.timed else back}"
        yield f"- replaces a whole configuration: {'yes' if manner.replaces else 'no'}"
        yield f"- files beside the main one: {files}"
        yield from (f"- {limit}" for limit in manner.limits)
        yield ""


def costs_page() -> str:
    """Every kind of fact with what its changes cost on each platform."""
    lines = [
        "# What changes cost",
        "",
        "The kinds of fact that `fabricgen diff` tells and an `expect:` file names, and what each costs on a platform",
        "while its configuration is replaced. A dash: it can not be. Tags of sources: templates/<platform>/NOTES.md.",
        "`make risks` holds these tables against changes whose labels come from sources. Made by `make docs`.",
    ]
    for platform in PLATFORMS.values():
        lines += ["", f"## {platform.title} (`{platform.name}`)", ""]
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


PAGES = {
    "intent.md": intent_page,
    "checks.md": checks_page,
    "costs.md": costs_page,
    "findings.md": findings_page,
    "platforms.md": platforms_page,
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page())


if __name__ == "__main__":
    main()
