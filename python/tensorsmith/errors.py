"""What is refused, and what does not work: every text names what is wrong and what is allowed.

A wrong value is a ValueError, a wrong type a TypeError, an engine that is not there or fails a RuntimeError; all are `Error`.
"""


class Error(Exception):
    """Something that the library refused."""


class NoLibrary(Error):
    """The library was not found, or has another interface than this package."""


class Missing(Error):
    """TENSORSMITH_STATUS_NULL: something is missing."""


class WrongLength(Error, ValueError):
    """TENSORSMITH_STATUS_LENGTH: an array has the wrong length."""


class WrongType(Error, TypeError):
    """An argument or the type of its elements is not among those that are allowed."""


class NotUtf8(Error):
    """TENSORSMITH_STATUS_TEXT: a text is not UTF-8."""


class UnknownName(Error, ValueError):
    """TENSORSMITH_STATUS_NAME: there is no such unit, instruction, device or engine."""


class WrongFile(Error, ValueError):
    """TENSORSMITH_STATUS_FILE: a unit file or an instruction file is not accepted."""


class WrongValue(Error, ValueError):
    """TENSORSMITH_STATUS_VALUE: a value is not among those that are allowed."""


class AbsentEngine(Error, RuntimeError):
    """This machine lacks the engine, or the engine does not compute that."""


class EngineFault(Error, RuntimeError):
    """An engine failed."""


class InternalFault(Error, RuntimeError):
    """TENSORSMITH_STATUS_INTERNAL: a fault of the library itself."""


OF_STATUS = {
    1: Missing,
    2: WrongLength,
    3: NotUtf8,
    4: UnknownName,
    5: WrongFile,
    6: WrongValue,
    7: InternalFault,
}
