"""Raw lines of a Junos file: whether they are whole statements in braces, like the file itself."""

import re

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|##[^\n]*|/\*.*?\*/|[{};]|[^\s{};"]+|"', re.DOTALL)
COMMANDS = ("set", "delete", "activate", "deactivate", "insert", "edit", "rename", "replace")


def lines_fault(artifact: str, lines: tuple[str, ...]) -> str:
    """Return why raw lines cannot follow the file's own lines; "" if they can. A platform's `raw_fault`.

    A statement ends with a semicolon, or has a block; Junos merges a block with an earlier one of the same name.
    """
    words = [word for word in _WORD.findall("\n".join(lines)) if not word.startswith(("##", "/*"))]
    if words and words[0] in COMMANDS:
        return f"{artifact} is text in braces, and {words[0]} is a command: write the statement with its blocks"
    depth = 0
    for word in words:
        depth += {"{": 1, "}": -1}.get(word, 0)
        if depth < 0:
            return f"{artifact} is text in braces, and a }} closes a block that these lines do not open"
    if depth:
        return f"{artifact} is text in braces, and {depth} of the blocks of these lines stay open"
    if '"' in words:
        return f"{artifact} is text in braces, and a quotation mark of these lines has no second one"
    if words and words[-1] not in ("}", ";"):
        return f"{artifact} is text in braces, and the statement {words[-1]!r} ends without a semicolon"
    return ""
