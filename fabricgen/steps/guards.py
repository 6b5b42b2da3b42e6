"""Known sequence: sessions of fabrics check the TTL of packets, or no longer do."""

from collections.abc import Mapping

from fabricgen.errors import FabricError, IntentPath, Problem
from fabricgen.intent.model import Intent
from fabricgen.source.yaml_events import path_text
from fabricgen.steps.model import Base, Draft, Intents, KnownSequence

SEND = "bgp: {ttl_security: send}"
FALLS = "A switch's sessions fall when it changes, and come up again by themselves: let push wait for each wave."
SENT = f"Apply this state: sessions send a TTL of 255, which an end that does not check it takes as well. {FALLS}"
USE = f"Apply the new intent: every far end sends a TTL of 255, so each switch may begin to check it, or stop. {FALLS}"
LAST = f"Apply the new intent. {FALLS}"
UP = "All BGP sessions are up."


def guards(intents: Intents, where: IntentPath) -> KnownSequence:
    """Let sessions send a TTL of 255 first, where one end would else check what the other does not send yet."""
    ways = {
        name: (before, after)
        for name, after in _ways(intents.after.intent).items()
        if (before := _ways(intents.before.intent).get(name, after)) != after
    }
    between = {name: SEND for name, way in ways.items() if set(way) == {"none", "check"}}
    sent = Draft(Base.AFTER, "sent", {}, SENT, UP, settings=between)
    texts = (f"{name} from {before} to {after}" for name, (before, after) in ways.items())
    return KnownSequence(
        kind="guards",
        title=f"TTL security of {', '.join(texts)}",
        where=where,
        drafts=(*([sent] if between else []), Draft(Base.AFTER, "active", {}, USE if between else LAST, UP)),
    )


def _ways(intent: Intent) -> Mapping[str, str]:
    return {name: fabric.bgp.ttl_security for name, fabric in intent.fabrics.items()}


def no_password(path: IntentPath) -> FabricError:
    """The reason why a password of sessions has no steps."""
    return FabricError(
        [
            Problem(
                code="steps-unknown",
                what=f"{path_text(path)} differs, and no state in between carries all traffic",
                where=path,
                why="a session is down while one end alone has the password (RFC 2385), and no system here takes two",
                fix="push it in a maintenance window: sessions between a switch that has it and one that has not are "
                "down until both have it",
            )
        ]
    )
