"""How every Reader makes a State: part by part, so that an unreadable part does not affect the others."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from fabricgen.platforms.base.live.reader import Outputs
from fabricgen.platforms.base.live.values import NotUnderstoodError

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of one switch's state. unread: part → why it is None; at first the parts that its platform never shows."""

    unread: dict[str, str]

    def take(self, part: str, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """What `read` returns for its arguments; None, with the reason in `unread`, if it raises ValueError."""
        try:
            return read(*args, **kwargs)
        except (ValueError, RecursionError) as error:  # NotUnderstoodError, and those of json and ipaddress
            self.unread[part] = str(error) or type(error).__name__
            return None


def answer(outputs: Outputs, command: str, read: Callable[[object], T]) -> T:
    """What `read` makes of the output of one command. Raises NotUnderstoodError, naming the command."""
    output = outputs.get(command)
    if output is None or output.error or output.value is None:
        raise NotUnderstoodError(f"{command}: {output.error if output and output.error else 'not read'}")
    try:
        return read(output.value)
    except NotUnderstoodError as problem:
        raise NotUnderstoodError(f"{command}: {problem}") from None
