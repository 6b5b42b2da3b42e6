"""Exceptions of the driver: NAPALM's, each with the kind by which a push classifies it."""

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
    """No answer, connection lost, or another host key: unreachable, lost, host-key."""


class LoginError(CommitOperationError, ConnectAuthError):  # type: ignore[misc]
    """The switch refused the login: login."""


class AnswerError(CommitOperationError, CommandErrorException):  # type: ignore[misc]
    """The switch refused, or its answer has another form: refused, unable."""


class ReplaceError(CommitOperationError, ReplaceConfigException):  # type: ignore[misc]
    """A whole configuration that is invalid, or that the switch refuses: refused."""


class MergeError(CommitOperationError, MergeConfigException):  # type: ignore[misc]
    """A part of a configuration that is invalid, or that the switch refuses: refused."""


class CommitFailedError(CommitOperationError, CommitError):  # type: ignore[misc]
    """Not committed, or not kept: refused, locked, unsaved, unable."""


class ConfirmError(CommitOperationError, CommitConfirmException):  # type: ignore[misc]
    """No commit is pending: gone; or it still is: lost."""
