"""An exception for each status of tensorsmith.h, with the library's text: field, value and what is allowed."""


class Error(Exception):
    """Something that the library refused."""


class NoLibrary(Error):
    """The library was not found, or has another interface than this package."""


class Missing(Error):
    """TENSORSMITH_STATUS_NULL: something is missing."""


class WrongLength(Error):
    """TENSORSMITH_STATUS_LENGTH: an array has the wrong length."""


class NotUtf8(Error):
    """TENSORSMITH_STATUS_TEXT: a text is not UTF-8."""


class UnknownName(Error):
    """TENSORSMITH_STATUS_NAME: the catalogue has no such unit or instruction."""


class WrongFile(Error):
    """TENSORSMITH_STATUS_FILE: a unit file or an instruction file is not accepted."""


class WrongValue(Error, ValueError):
    """TENSORSMITH_STATUS_VALUE: a value is not among those that are allowed."""


class InternalFault(Error):
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
