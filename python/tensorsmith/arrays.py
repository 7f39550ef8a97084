"""Arrays as encodings, and encodings as arrays: which types of NumPy and ml_dtypes are which formats.

Knows nothing of arithmetic. An array that lies in memory row by row is never copied, unless its numbers have to be converted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _native
from .errors import WrongLength, WrongType, WrongValue

try:
    import ml_dtypes
except ImportError:  # Its formats are then there as encodings only.
    ml_dtypes = None

#: Types of elements by the format that they are.
_OF_NUMPY = {
    "binary16": "float16",
    "binary32": "float32",
    "binary64": "float64",
    "int8": "int8",
    "uint8": "uint8",
    "int32": "int32",
}
_OF_ML_DTYPES = {
    "bfloat16": "bfloat16",
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e5m2fnuz": "float8_e5m2fnuz",
    "e3m2": "float6_e3m2fn",
    "e2m3": "float6_e2m3fn",
    "e2m1": "float4_e2m1fn",
    "ue8m0": "float8_e8m0fnu",
    "int4": "int4",
    "uint4": "uint4",
}
_DTYPES = {name: np.dtype(dtype) for name, dtype in _OF_NUMPY.items()}
if ml_dtypes is not None:
    _DTYPES |= {name: np.dtype(getattr(ml_dtypes, d)) for name, d in _OF_ML_DTYPES.items() if hasattr(ml_dtypes, d)}
_FORMATS = {dtype: name for name, dtype in _DTYPES.items()}

#: Formats whose name torch spells as ml_dtypes does, without a type of NumPy of their own.
_OF_TORCH = {name: dtype for name, dtype in _OF_ML_DTYPES.items() if name not in ("int4", "uint4")}

#: Rules for numbers that a format does not hold.
RULES = ("exact", "nearest", "cut")

_WORDS: dict[int, np.dtype] = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16), 4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


@dataclass(frozen=True)
class Format:
    """A format of numbers: its name as in unit files, its width in bits, and how many last bits of a word it ignores. `container` is
    the named format of such words: of tf32, with 13 ignored bits, it is binary32."""

    name: str
    width: int
    padding: int = 0
    integer: bool = False
    container: Optional[str] = None

    @property
    def words(self) -> np.dtype:
        """The type of its encodings."""
        return _WORDS[max(1, 1 << (self.width - 1 >> 3).bit_length())]

    @property
    def dtype(self) -> Optional[np.dtype]:
        """The type of NumPy or ml_dtypes that holds its words, if there is one: it has exactly its numbers, unless bits are ignored."""
        return _DTYPES.get(self.container or "")


def format_of(dtype: np.dtype) -> Optional[str]:
    """The name of the format that a type of NumPy or ml_dtypes is, in any order of bytes, if it is one."""
    return _FORMATS.get(dtype if dtype.isnative else dtype.newbyteorder("="))


def format_named(value: Any) -> Optional[str]:
    """The name of the format that is meant by its name, by that of a type of NumPy or ml_dtypes, or by such a type, if it is one."""
    named = {"tf32": "tf32"} | _OF_NUMPY | _OF_ML_DTYPES
    name = str(value).strip().removeprefix("torch.")
    if name in named:
        return name
    found = next((own for own, dtype in named.items() if dtype == name), None)
    try:
        # NumPy takes None for float64.
        return found if found or value is None else format_of(np.dtype(value))
    except TypeError:
        return None


def is_torch(value: Any) -> bool:
    """Whether a value is a tensor of torch, which need not be installed."""
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "__dlpack__")


def _of_torch(name: str, tensor: Any) -> np.ndarray:
    """The array of a tensor, in its memory where that is the processor's, else in a copy; numbers that NumPy has no type for go
    through DLPack as integers."""
    import torch

    try:
        tensor = tensor.detach().cpu()
    except (NotImplementedError, RuntimeError) as error:
        raise WrongValue(f"{name} is a tensor on {tensor.device}: {error}; allowed: tensors that .cpu() copies") from None
    own = str(tensor.dtype).removeprefix("torch.")
    if own not in _OF_TORCH.values():
        return np.from_dlpack(tensor)
    if ml_dtypes is None:
        raise WrongType(f"{name} is a tensor of {own}; allowed where ml_dtypes is installed")
    whole = torch.int16 if tensor.element_size() == 2 else torch.uint8
    return np.from_dlpack(tensor.view(whole)).view(np.dtype(getattr(ml_dtypes, own)))


def as_array(name: str, value: Any) -> np.ndarray:
    """What was given as an array, in its own memory where it has one."""
    if isinstance(value, np.ma.MaskedArray):
        raise WrongType(f"{name} is a masked array; allowed: arrays without a mask, such as {name}.filled(0)")
    if isinstance(value, np.ndarray):
        return value
    if is_torch(value):
        return _of_torch(name, value)
    try:
        lends = hasattr(value, "__dlpack__") and not isinstance(value, np.generic)
        array = np.from_dlpack(value) if lends else np.asarray(value)
    except (BufferError, TypeError, ValueError, RuntimeError) as error:
        raise WrongType(f"{name} is no array: {error}; allowed: arrays, tensors, and lists of numbers") from None
    return array


def is_plain(value: Any) -> bool:
    """Whether a value is a number of Python or a list of them, which has no type of elements."""
    return not hasattr(value, "dtype") and not hasattr(value, "__dlpack__")


def words(subject: Any, operand: str, value: Any, rule: Optional[str]) -> np.ndarray:
    """The encodings of an operand of a subject, in any shape: the memory of `value` itself where that holds them.

    Types are those of the format, or unsigned integers of its width, which are encodings. Other numbers need a rule:
    "exact" takes those that the format holds and refuses others, "nearest" rounds, ties to even, "cut" drops what lies below the
    last place. Numbers of Python, and lists of them, have the rule "exact" without one.
    """
    if rule is not None and rule not in RULES:
        raise WrongValue(f"operands is {rule!r}; allowed: {', '.join(map(repr, RULES))}, or None, which refuses other types")
    form: Format = subject.formats[operand]
    plain = is_plain(value)
    array = as_array(operand, value)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    dtype = array.dtype
    is_own = form.dtype is not None and dtype == form.dtype
    if is_own and form.padding:
        found = subject.native.narrow(operand, operand, contiguous(array.view(form.words)), rule or "exact")
        return back(found).reshape(array.shape)
    if is_own:
        return _viewed(array, form)
    if dtype == form.words and not plain:
        return array
    is_number = dtype.kind in "fi" or dtype in _FORMATS or (plain and dtype.kind == "u")
    if not is_number or (rule is None and not plain):
        raise WrongType(_refusal(operand, form, dtype, is_number))
    numbers = array.astype(np.float64)
    if dtype.kind in "iu" and dtype.itemsize == 8 and not np.array_equal(numbers.astype(dtype), array):
        raise WrongValue(f"{operand} has integers beyond 2^53; allowed: numbers that float64 holds exactly, or encodings")
    found = subject.native.encode(operand, operand, contiguous(numbers), rule or "exact")
    return back(found).reshape(array.shape)


def _refusal(operand: str, form: Format, dtype: np.dtype, is_number: bool) -> str:
    own = [str(form.dtype)] if form.dtype is not None else []
    own += [f"{form.words} as encodings"] if form.words != form.dtype else []
    by_rule = ', or operands="exact", "nearest" or "cut" for numbers of other types' if is_number else ""
    return f"{operand} has elements of type {dtype}; allowed: {', '.join(own)}, for {form.name}{by_rule}"


def _viewed(array: np.ndarray, form: Format) -> np.ndarray:
    found = array.view(form.words)
    # Bits beyond the width, as int4 has them, which stands in a byte.
    return found & found.dtype.type((1 << form.width) - 1) if form.integer and form.width < 8 else found


def contiguous(array: np.ndarray) -> np.ndarray:
    """The elements row by row in one dimension, in place where they lie so and are aligned."""
    return np.require(array, requirements=["C", "A"]).reshape(-1)


def back(found: "_native.Words") -> np.ndarray:
    """The memory of some words as an array."""
    dtype = _WORDS[found.item_size]
    return np.frombuffer(memoryview(found), dtype=dtype) if len(found) else np.empty(0, dtype=dtype)


def results(found: "_native.Words", form: Format, shape: tuple, encodings: bool, like: Any = None) -> Any:
    """Results in a shape: of the format's type where it has one, else encodings; where `like` is a tensor one on its device."""
    array = back(found).reshape(shape)
    if not encodings and form.dtype is not None:
        array = array.view(form.dtype)
    if not is_torch(like):
        return array
    tensor = _to_torch(array, form)
    try:
        return tensor.to(like.device)
    except (TypeError, RuntimeError) as error:
        raise WrongType(f"the result cannot be on {like.device}: {error}; allowed: operands that .cpu() gave") from None


def _to_torch(array: np.ndarray, form: Format) -> Any:
    import torch

    own = getattr(torch, _OF_TORCH.get(form.container or "", ""), None)
    if own is None or array.dtype != form.dtype:
        return torch.from_dlpack(array)
    whole = np.int16 if array.dtype.itemsize == 2 else np.uint8
    return torch.from_dlpack(array.view(whole)).view(own)


def broadcast(name: str, array: np.ndarray, shape: tuple) -> np.ndarray:
    """An array in another shape, by NumPy's rule."""
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise WrongLength(f"{name} has shape {array.shape}; allowed: {shape}, or what NumPy broadcasts to it") from None
