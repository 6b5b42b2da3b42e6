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

from fabricgen.platforms.base.live.commit_operations import CommitOperationError


class AwayError(CommitOperationError, ConnectionException):  # type: ignore[misc]  # NAPALM has no types
    """Nobody answers, or no longer, or somebody else: unreachable, lost, host-key."""


class LoginError(CommitOperationError, ConnectAuthError):  # type: ignore[misc]
    """Not let in: login."""


class AnswerError(CommitOperationError, CommandErrorException):  # type: ignore[misc]
    """The switch refused, or its answer is none: refused, unable."""


class ReplaceError(CommitOperationError, ReplaceConfigException):  # type: ignore[misc]
    """A whole configuration that is none, or that the switch does not take: refused."""


class MergeError(CommitOperationError, MergeConfigException):  # type: ignore[misc]
    """The same of a part of one."""


class CommitFailedError(CommitOperationError, CommitError):  # type: ignore[misc]
    """Not committed, or not kept: refused, locked, unsaved, unable."""


class ConfirmError(CommitOperationError, CommitConfirmException):  # type: ignore[misc]
    """No commit waits: gone; or it still does: lost."""
