"""Command → the JSON Schema of its --json output, as in schema/VERB.schema.json."""

from collections.abc import Mapping

from fabricgen.cli.contracts import audit, diff, plan, prove_platform, push, verify, what_if
from fabricgen.cli.contracts import list as listed
from fabricgen.cli.contracts.form import schema_text

DOCUMENTS: Mapping[str, tuple[type, ...]] = {
    "plan": plan.DOCUMENTS,
    "audit": audit.DOCUMENTS,
    "diff": diff.DOCUMENTS,
    "what-if": what_if.DOCUMENTS,
    "verify": verify.DOCUMENTS,
    "push": push.DOCUMENTS,
    "prove-platform": prove_platform.DOCUMENTS,
    "list": listed.DOCUMENTS,
}


def output_schema(verb: str) -> str:
    """Text of the command's schema, for any of its documents."""
    return schema_text(f"fabricgen {verb} --json", DOCUMENTS[verb])
