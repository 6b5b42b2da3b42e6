"""YAML of the exports: sorted where the order says nothing, without aliases and line breaks of its own."""

from typing import Any

import yaml


class _Plain(yaml.SafeDumper):
    """Values that stand twice are written twice: other readers of YAML do not all know aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ANN401 - PyYAML's own signature
        """Write no anchor."""
        del data
        return True


def yaml_text(value: object) -> str:
    """Text of a value; mappings in the order that they have."""
    return yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=1000)


def commented(lines: list[str]) -> str:
    """Lines as remarks in front of a YAML document."""
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)
