"""How every Reader makes a State: part by part, so that what is not understood takes nothing else with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from fabricgen.platforms.base.live.reader import Outputs
from fabricgen.platforms.base.live.values import NotUnderstoodError

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """What could be read of one switch. unread: part → why it is None, at first what its platform never shows."""

    unread: dict[str, str]

    def take(self, part: str, read: Callable[P, T], *given: P.args, **named: P.kwargs) -> T | None:
        """What `read` makes of its arguments; None, and why in `unread`, where it does not understand them."""
        try:
            return read(*given, **named)
        except (ValueError, RecursionError) as reason:  # NotUnderstoodError, and those of json and ipaddress
            self.unread[part] = str(reason) or type(reason).__name__
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
