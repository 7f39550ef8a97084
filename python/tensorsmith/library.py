"""libtensorsmith by ctypes: the functions and structures of tensorsmith.h. Only `model` uses it."""

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from importlib.util import find_spec

from .errors import OF_STATUS, Error, NoLibrary

ABI_MAJOR = 1
ABI_MINOR = 0

#: Names a libtensorsmith to use instead of the one in the wheel, or the one that the loader finds.
VARIABLE = "TENSORSMITH_LIBRARY"


class Shape(ctypes.Structure):
    """tensorsmith_shape."""

    _fields_ = [
        (name, c_uint32)
        for name in (
            "products",
            "scales",
            "a_width",
            "b_width",
            "c_width",
            "d_width",
            "scale_a_width",
            "scale_b_width",
            "flags_width",
            "m",
            "n",
        )
    ] + [("reserved", c_uint32 * 5)]


class Operands(ctypes.Structure):
    """tensorsmith_operands. The arrays have to outlive it."""

    _fields_ = [
        field
        for name in ("a", "b", "c", "scale_a", "scale_b")
        for field in ((name, POINTER(c_uint64)), (f"{name}_length", c_size_t))
    ]


_UNIT = c_void_p
_RUN = [_UNIT, c_size_t, POINTER(Operands), POINTER(c_uint64), c_size_t, POINTER(c_uint8), c_size_t]
_FUNCTIONS = {
    "tensorsmith_version": (c_char_p, []),
    "tensorsmith_abi_version": (c_uint32, []),
    "tensorsmith_last_error": (c_char_p, []),
    "tensorsmith_catalogue_name": (c_char_p, [c_size_t]),
    "tensorsmith_open": (c_int, [c_char_p, POINTER(_UNIT)]),
    "tensorsmith_open_toml": (c_int, [c_char_p, c_size_t, POINTER(_UNIT)]),
    "tensorsmith_close": (None, [_UNIT]),
    "tensorsmith_shape_of": (c_int, [_UNIT, POINTER(Shape)]),
    "tensorsmith_name_of": (c_char_p, [_UNIT]),
    "tensorsmith_format_of": (c_char_p, [_UNIT, c_uint32]),
    "tensorsmith_run": (c_int, _RUN),
    "tensorsmith_run_counted": (c_int, _RUN),
    "tensorsmith_event": (c_int, [_UNIT, c_size_t, POINTER(c_char_p), POINTER(c_uint64)]),
    "tensorsmith_trace": (c_int, [_UNIT, POINTER(Operands), c_char_p, c_size_t, POINTER(c_size_t)]),
    "tensorsmith_multiply": (
        c_int,
        [_UNIT, c_size_t, c_size_t, c_size_t, POINTER(Operands), POINTER(c_uint64), c_size_t],
    ),
}

_loaded = None


def _names():
    """Where the library may be: the wheel's extension module has its functions too, and where that is, it is the one."""
    if os.environ.get(VARIABLE):
        return [os.environ[VARIABLE]]
    own = find_spec("tensorsmith._native")
    if own is not None and own.origin:
        return [own.origin]
    found = ctypes.util.find_library("tensorsmith")
    return ([found] if found else []) + [f"libtensorsmith.so.{ABI_MAJOR}", "libtensorsmith.dylib", "tensorsmith.dll"]


def load():
    """The library, loaded once.

    Raises NoLibrary where there is none, or one with another interface.
    """
    global _loaded
    if _loaded is not None:
        return _loaded
    said = []
    for name in _names():
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as error:
            said.append(str(error))
    else:
        raise NoLibrary(f"libtensorsmith was not found; {VARIABLE} may name it; {'; '.join(said)}")
    try:
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise NoLibrary(f"{name} of libtensorsmith: {error}; allowed: interface {ABI_MAJOR}.{ABI_MINOR}") from None
    version = library.tensorsmith_abi_version()
    major, minor = version >> 16, version & 0xFFFF
    if major != ABI_MAJOR or minor < ABI_MINOR:
        allowed = f"{ABI_MAJOR}.{ABI_MINOR} or a later {ABI_MAJOR}"
        raise NoLibrary(f"the interface of libtensorsmith is {major}.{minor}; allowed: {allowed}")
    _loaded = library
    return library


def check(status):
    """Raises the exception of a status but OK."""
    if status != 0:
        raise OF_STATUS.get(status, Error)(load().tensorsmith_last_error().decode())
