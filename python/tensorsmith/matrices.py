"""Products of matrices as a device computes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Optional, Union

import numpy as np

from . import _native
from .arrays import as_array, back, contiguous, format_named, format_of, is_plain, results, words
from .errors import WrongLength, WrongType, WrongValue
from .unit import Described, Unit, count, kind_of, thread_count


@lru_cache(maxsize=64)
def _of_catalogue(name: str) -> Unit:
    return Unit(name)


#: Formats of a and b: one name for both, or two; names as in unit files, or types of NumPy and ml_dtypes.
Formats = Any


def instruction_for(
    device: str, a: Any, b: Any, c: Any = None, dtype: Formats = None, operands: Optional[str] = None
) -> str:
    """The instruction that `matmul` takes on a device where none is named: the one that the device's libraries run for operands of these
    types. `tensorsmith devices --defaults` lists them all, and where each choice comes from. A result in float16 needs an addend in
    float16; numbers of Python choose nothing. `dtype` names the formats of a and b instead; with a rule for `operands`, float32 is tf32
    where the device has no unit of float32.

    >>> import numpy as np
    >>> half = np.ones((1, 1), np.float16)
    >>> instruction_for("H100", half, half)
    'hopper-wgmma-k16-fp16-fp32'
    >>> instruction_for("H100", half, half, half)
    'hopper-wgmma-k16-fp16-fp16'
    >>> instruction_for("Ada", half, half, dtype="e4m3")
    'ada-mma-m16n8k32-e4m3-fp32'
    """
    if not isinstance(device, str):
        raise WrongType(f"device is {device!r}; allowed: the name of a device, as devices() lists")
    if dtype is None:
        names = [_format_of("a", a), _format_of("b", b)]
    else:
        names = _named(dtype)
    third = None if c is None or is_plain(c) else as_array("c", c).dtype
    # Unsigned integers that are no format's numbers are encodings of any.
    known = None if third is None or (third.kind == "u" and format_of(third) is None) else format_of(third) or str(third)
    return _chosen(device, *names, known, operands is not None)


@lru_cache(maxsize=1024)
def _chosen(device: str, a: str, b: str, c: Optional[str], converts: bool) -> str:
    return _native.instruction_for(device, a, b, c, converts)


def _format_of(name: str, value: Any) -> str:
    dtype = as_array(name, value).dtype
    return format_of(dtype) or str(dtype)


def _named(dtype: Formats) -> list[str]:
    each = dtype.split(",") if isinstance(dtype, str) else list(dtype) if isinstance(dtype, (tuple, list)) else [dtype]
    names = [format_named(one) for one in each]
    if None in names or len(names) not in (1, 2):
        raise WrongValue(f"dtype is {dtype!r}; allowed: the name of a format or of a type of NumPy or ml_dtypes, or two of them")
    return [str(names[0]), str(names[-1])]


def _instruction(
    device: str, instruction: Optional[Described], dtype: Formats, arrays: tuple[Any, Any, Any], rule: Optional[str]
) -> Unit:
    if instruction is None:
        return _of_catalogue(instruction_for(device, *arrays, dtype=dtype, operands=rule))
    if dtype is not None:
        raise WrongValue(f"dtype is {dtype!r} beside an instruction, which has its formats; allowed: one of the two")
    is_name = isinstance(instruction, str) and kind_of(instruction) == "name"
    unit = _of_catalogue(instruction) if isinstance(instruction, str) and is_name else Unit(instruction)
    if unit.kind == "interface":
        raise WrongValue(f"instruction is {unit.name}, of which only the interface is known; allowed: a description")
    return unit


#: In which order blocks of K are added.
Order = Union[str, Sequence[int], np.ndarray]


def _order(k_order: Order, blocks: int) -> Optional[np.ndarray]:
    """The order of the blocks of K, none for the order in which they stand."""
    if isinstance(k_order, str):
        if k_order == "ascending":
            return None
        if k_order == "descending":
            return np.arange(blocks)[::-1]
        raise WrongValue(f"k_order is {k_order!r}; allowed: 'ascending', 'descending', or each of 0 to {blocks - 1} once")
    order = np.asarray(k_order)
    if order.ndim != 1 or order.dtype.kind not in "iu" or not np.array_equal(np.sort(order), np.arange(blocks)):
        raise WrongValue(f"k_order is {k_order!r}; allowed: 'ascending', 'descending', or each of 0 to {blocks - 1} once")
    return order


def _permuted(array: np.ndarray, axis: int, order: np.ndarray) -> np.ndarray:
    """An array whose blocks along an axis stand in that order."""
    blocks = len(order)
    whole = array.shape[axis] // blocks
    places = (order[:, None] * whole + np.arange(whole)).reshape(-1)
    return np.take(array, places, axis=axis)


def _padded(array: np.ndarray, axis: int, missing: int) -> np.ndarray:
    widths = [(0, 0)] * array.ndim
    widths[axis] = (0, missing)
    return np.pad(array, widths)


def _ones(unit: Unit, operand: str, shape: tuple) -> np.ndarray:
    return np.broadcast_to(back(unit.native.encode(operand, operand, np.ones(1), "exact")), shape)


def _scales(unit: Unit, given: tuple, sizes: tuple, rule: Optional[str]) -> Optional[list[np.ndarray]]:
    m, n, blocks = sizes
    if not unit.scales:
        for name, value in zip(("scale_a", "scale_b"), given):
            if value is not None:
                raise WrongValue(f"{name} is given; {unit.name} has no scales; allowed: None")
        return None
    found = []
    for name, value, shape in zip(("scale_a", "scale_b"), given, ((m, blocks), (blocks, n))):
        array = _ones(unit, name, shape) if value is None else words(unit, name, value, rule)
        if array.shape[-2:] != shape:
            raise WrongLength(f"{name} has shape {array.shape}; allowed: (..., {shape[0]}, {shape[1]}), a scale a block of K")
        found.append(array)
    return found


def matmul(
    a: Any,
    b: Any,
    c: Any = None,
    device: str = "H100",
    instruction: Optional[Described] = None,
    k_order: Order = "ascending",
    threads: Optional[int] = None,
    *,
    split_k: int = 1,
    scale_a: Any = None,
    scale_b: Any = None,
    operands: Optional[str] = None,
    pad: bool = False,
    encodings: bool = False,
    engine: Optional[str] = None,
    dtype: Formats = None,
) -> Any:
    """a @ b + c as a device's matrix instruction computes it: bit for bit what `tensorsmith gemm` answers.

    Shapes are those of `numpy.matmul`: a (..., m, k), b (..., k, n), c and the result (..., m, n), batches broadcast; a one-dimensional
    a or b is a row or a column, whose dimension the result does not have. k is a multiple of the instruction's own k, or pad=True adds
    zeros; with k = 0 the result is c, or zeros. Each block of k adds to the result of the one before, as a program accumulates; `k_order` is "ascending", "descending", or
    the numbers of the blocks in the order in which they are added.

    `split_k` is the number of parts, at most, in which k is summed, as libraries split it: parts of consecutive blocks, in that order, as
    long as each other, rounded up to 32 places and to whole blocks, so that there may be fewer: k = 64 has two of 32 places for
    split_k=3. Each is summed from plus zero; these sums are added to plus zero one after the other in binary32, to nearest, ties to
    even, and c last: minus zeros alone give plus zero;
    NaN is then 0x7fffffff, and the formats of c and d are binary32, of which d's may leave bits empty. 1 leaves k whole.

    Without `instruction` it is the one that the device's libraries run for the formats of a and b, and of c if that has a type;
    `instruction_for` says which. `dtype` names the formats of a and b where their types do not, such as "tf32", "e4m3", or
    ("e4m3", "e5m2"). Elements are of the formats' types, or encodings: unsigned integers
    of their width. Others are refused, unless `operands` names a rule: "exact" takes numbers that the format holds, "nearest" rounds,
    ties to even, "cut" drops what lies below the last place. The result has the type of d's format, with encodings=True or where there
    is none it is encodings; a tensor on the device of a where that is a tensor of torch.

    `engine` is the fastest emulator without a name; others, such as "reference", "processor" or "cuda", answer where they are.
    `threads` is all processors without a number. Arrays that lie row by row are not copied, but for a where k has several parts, part by
    part; change none of them meanwhile.

    >>> import numpy as np
    >>> a, b = np.ones((2, 16), np.float16), np.full((16, 3), 0.5, np.float16)
    >>> matmul(a, b)
    array([[8., 8., 8.],
           [8., 8., 8.]], dtype=float32)
    >>> matmul(a, b, device="V100", k_order="descending").dtype
    dtype('float32')
    >>> matmul(a.astype(np.float64) / 3, b, dtype="binary16", operands="nearest")[0, 0]
    np.float32(2.6660156)
    """
    unit = _instruction(device, instruction, dtype, (a, b, c), operands)
    parts = count("split_k", split_k, 1, 1024)
    encoded = {"a": words(unit, "a", a, operands), "b": words(unit, "b", b, operands)}
    row, column = encoded["a"].ndim == 1, encoded["b"].ndim == 1
    for name, array in encoded.items():
        if array.ndim == 0:
            raise WrongLength(f"{name} has no dimension; allowed: at least one")
    x = encoded["a"][None, :] if row else encoded["a"]
    y = encoded["b"][:, None] if column else encoded["b"]
    (m, k), (rows, n) = x.shape[-2:], y.shape[-2:]
    if rows != k:
        allowed = f"{k} rows, the columns of a, whose shape is {encoded['a'].shape}"
        raise WrongLength(f"b has shape {encoded['b'].shape}; allowed: {allowed}")
    own = unit.shape[2] if unit.shape else unit.products
    if pad and k % own:
        if unit.scales:
            raise WrongValue(f"pad is True, and {unit.name} has scales; allowed: whole blocks of K")
        x, y = _padded(x, -1, -k % own), _padded(y, -2, -k % own)
        k = x.shape[-1]
    elif k % own:
        raise WrongValue(f"k is {k}; allowed: multiples of {own}, the k of {unit.name}, or pad=True")
    scales = _scales(unit, (scale_a, scale_b), (m, n, k // own * unit.scales), operands)
    order = _order(k_order, k // own)
    if order is not None and k:
        x, y = _permuted(x, -1, order), _permuted(y, -2, order)
        scales = scales and [_permuted(scales[0], -1, order), _permuted(scales[1], -2, order)]
    z = None if c is None else _addend(unit, c, operands, (m, n), row, column)
    stacks: list[Any] = [x, y, z, *(scales or (None, None))]
    d, batch = _multiplied(unit, stacks, (m, n, k), parts, engine, thread_count(threads))
    shape = (*batch, *(() if row else (m,)), *(() if column else (n,)))
    found = results(d, unit.formats["d"], shape, encodings, a)
    return found[()] if not shape and isinstance(found, np.ndarray) else found


def _addend(unit: Unit, c: Any, rule: Optional[str], size: tuple, row: bool, column: bool) -> np.ndarray:
    """c with the dimensions that the result has before they are left out, and at least a matrix."""
    if "c" not in unit.formats:
        raise WrongValue(f"c is given; {unit.name} has no addend; allowed: None")
    array = given = words(unit, "c", c, rule)
    if row and column:
        array = array[..., None, None]
    elif row:
        array = array[..., None, :] if array.ndim else array
    elif column:
        array = array[..., None]
    shape = np.broadcast_shapes(array.shape, (1, 1))
    if any(own not in (1, whole) for own, whole in zip(shape[-2:], size)):
        kept = (() if row else size[:1]) + (() if column else size[1:])
        allowed = f"(..., {', '.join(map(str, kept))}), as a @ b, or what broadcasts to it"
        raise WrongLength(f"c has shape {given.shape}; allowed: {allowed}")
    return np.broadcast_to(array, (*shape[:-2], *size))


def _multiplied(
    unit: Unit, arrays: list[Any], sizes: tuple[int, int, int], parts: int, engine: Optional[str], threads: Optional[int]
) -> tuple["_native.Words", tuple]:
    """D of stacks of matrices, and the shape of the batch."""
    try:
        batch = np.broadcast_shapes(*(array.shape[:-2] for array in arrays if array is not None))
    except ValueError:
        said = ", ".join(str(array.shape) for array in arrays if array is not None)
        raise WrongLength(f"shapes of a, b, c are {said}; allowed: batches that NumPy broadcasts to one shape") from None
    m, n, k = sizes
    if 0 in batch or 0 in (m, n):
        return _native.Words.zeros(unit.formats["d"].width, 0), batch
    x, y, z, *scales = arrays
    alone = all(array is None or array.ndim == 2 for array in (y, *scales))
    if batch and alone and (z is None or z.ndim == x.ndim) and x.shape[:-2] == batch and scales[0] is None:
        # One tall product: every row of d depends on its own row of a alone.
        tall = (int(np.prod(batch)) * m, n, k)
        flat: list[Any] = [None if array is None else contiguous(array) for array in (x, y, z)]
        if z is None or z.shape[:-2] == batch:
            return _native.multiply(unit.native, *flat, None, tall, [(0,) * 5], parts, engine, threads), batch
    places = list(zip(*(_places(array, batch) for array in arrays))) if batch else [(0,) * 5]
    stacks: list[Any] = [None if array is None else contiguous(array) for array in arrays]
    pair = None if scales[0] is None else (stacks[3], stacks[4])
    return _native.multiply(unit.native, *stacks[:3], pair, sizes, places, parts, engine, threads), batch


def _places(array: Optional[np.ndarray], batch: tuple) -> list[int]:
    """Which matrix of a stack each product of the batch takes."""
    if array is None:
        return [0] * int(np.prod(batch))
    own = array.shape[:-2]
    return np.broadcast_to(np.arange(int(np.prod(own))).reshape(own), batch).reshape(-1).tolist()
