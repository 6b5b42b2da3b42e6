"""Verb → the JSON Schema of what its --json prints, as schema/VERB.schema.json has it."""

from collections.abc import Mapping

from fabricgen.cli.contracts import diff, plan, prove_platform, push, verify
from fabricgen.cli.contracts import list as listed
from fabricgen.cli.contracts.form import schema_text

DOCUMENTS: Mapping[str, tuple[type, ...]] = {
    "plan": plan.DOCUMENTS,
    "diff": diff.DOCUMENTS,
    "verify": verify.DOCUMENTS,
    "push": push.DOCUMENTS,
    "prove-platform": prove_platform.DOCUMENTS,
    "list": listed.DOCUMENTS,
}


def output_schema(verb: str) -> str:
    """The text of its schema: any of its documents."""
    return schema_text(f"fabricgen {verb} --json", DOCUMENTS[verb])
