"""Elements of Junos' replies, for its doubles."""

from xml.sax.saxutils import escape


def element(name: str, *parts: object, **attributes: str) -> str:
    """One element; what is no text with an element in it is escaped."""
    inner = "".join(part if isinstance(part, str) and part.startswith("<") else escape(str(part)) for part in parts)
    words = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{words}>{inner}</{name}>"


def reply(*parts: str) -> str:
    """As NAPALM has it: the whole of it."""
    return element("rpc-reply", *parts, **{"message-id": "urn:uuid:1"})
