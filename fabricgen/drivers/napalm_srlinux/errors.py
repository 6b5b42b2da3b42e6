"""What the driver raises: NAPALM's exceptions, each with the kind that a push sorts it under."""

from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    ConnectAuthError,
    ConnectionException,
    MergeConfigException,
    ReplaceConfigException,
)

from fabricgen.drivers.handling import HandlingError


class AwayError(HandlingError, ConnectionException):  # type: ignore[misc]  # NAPALM has no types
    """Nobody answers, or no longer, or somebody else: unreachable, lost, host-key."""


class LoginError(HandlingError, ConnectAuthError):  # type: ignore[misc]
    """Not let in: login."""


class AnswerError(HandlingError, CommandErrorException):  # type: ignore[misc]
    """The switch refused, or its answer is none: refused, unable."""


class ReplaceError(HandlingError, ReplaceConfigException):  # type: ignore[misc]
    """A whole configuration that is none, or that the switch does not take: refused."""


class MergeError(HandlingError, MergeConfigException):  # type: ignore[misc]
    """The same of a part of one."""


class CommitFailedError(HandlingError, CommitError):  # type: ignore[misc]
    """Not committed, or not kept: refused, locked, unsaved, unable."""


class ConfirmError(HandlingError, CommitConfirmException):  # type: ignore[misc]
    """No commit waits: gone; or it still does: lost."""
