"""Types of elements: what is taken as it is, what needs a rule, what is refused."""

import sys

import numpy as np
import pytest

import tensorsmith as ts
from tensorsmith.arrays import words

ml_dtypes = pytest.importorskip("ml_dtypes")

UNITS = {
    "hopper-fp16-fp32": np.float16,
    "hopper-bf16-fp32": ml_dtypes.bfloat16,
    "hopper-e4m3-fp32": ml_dtypes.float8_e4m3fn,
    "hopper-e5m2-fp32": ml_dtypes.float8_e5m2,
    "blackwell-mxf4-fp32": ml_dtypes.float4_e2m1fn,
    "integer-int4-int32": ml_dtypes.int4,
    "integer-int8-int32": np.int8,
    "fma-fp64": np.float64,
    "cdna3-e4m3fnuz-fp32": ml_dtypes.float8_e4m3fnuz,
}


@pytest.mark.parametrize("name", UNITS)
def test_numbers_of_the_format_are_its_encodings(name, random):
    unit = ts.Unit(name)
    form = unit.formats["a"]
    assert form.dtype == UNITS[name]
    a, b = (random.integers(0, 1 << min(form.width, 63), (50, unit.products)).astype(form.words) for _ in "ab")
    expected = unit.dot(a, b, encodings=True)
    assert expected.dtype == unit.formats["d"].words
    typed = unit.dot(a.view(form.dtype), b.view(form.dtype))
    assert typed.dtype == unit.formats["d"].dtype
    np.testing.assert_array_equal(typed.view(expected.dtype), expected)


def test_values_of_every_type_of_numpy_mean_the_number():
    for name, dtype in UNITS.items():
        unit = ts.Unit(name)
        ones = np.ones(unit.products).astype(dtype)
        assert float(unit.dot(ones, ones)) == unit.products, name
        assert float(unit.dot([1] * unit.products, ones)) == unit.products, name


def test_scales():
    unit = ts.Unit("blackwell-nvf4-fp32")
    ones = np.ones(unit.products, ml_dtypes.float4_e2m1fn)
    assert float(unit.dot(ones, ones)) == unit.products
    halves = np.full(unit.scales, 0.5)
    assert float(unit.dot(ones, ones, scale_a=halves, operands="exact")) == unit.products / 2
    mx = ts.Unit("blackwell-mxf4-fp32")
    twos = np.full(mx.scales, 2).astype(ml_dtypes.float8_e8m0fnu)
    ones = np.ones(mx.products, ml_dtypes.float4_e2m1fn)
    assert float(mx.dot(ones, ones, scale_b=twos)) == 2 * mx.products


def test_other_types_need_a_rule():
    unit = ts.Unit("hopper-fp16-fp32")
    third, ones = np.full(unit.products, 1 / 3), np.ones(unit.products, np.float16)
    for numbers in (third, third.astype(np.float32)):
        allowed = r"a has elements of type float\d\d; allowed: float16, uint16 as encodings, for binary16, or op"
        with pytest.raises(ts.WrongType, match=allowed):
            unit.dot(numbers, ones)
    with pytest.raises(ts.WrongValue, match='element 0 of all.*0.333.*numbers that binary16 holds exactly, or operands="nearest"'):
        unit.dot(third, ones, operands="exact")
    nearest = unit.dot(third, ones, operands="nearest")
    assert nearest == unit.dot(third.astype(np.float16), ones)
    cut = unit.dot(np.full(unit.products, 1 - 2**-20), ones, operands="cut")
    assert cut == unit.dot(np.full(unit.products, 1 - 2**-11, np.float16), ones) != unit.dot(ones, ones)
    with pytest.raises(ts.WrongValue, match="operands is 'up'; allowed: 'exact', 'nearest', 'cut', or None"):
        unit.dot(third, ones, operands="up")


def test_nearest_rounds_as_numpy_does(random):
    numbers = np.concatenate([random.standard_normal(3000) * 2.0 ** random.integers(-40, 40, 3000), [0.0, -0.0, np.inf, -np.inf, np.nan]])
    for name, dtype in UNITS.items():
        if np.dtype(dtype).kind in "iu" or name.startswith("integer"):
            continue
        subject = ts.Unit(name)
        form = subject.formats["a"]
        held = numbers if name not in ("blackwell-mxf4-fp32",) else numbers[np.isfinite(numbers)]
        if form.name in ("e4m3", "e4m3fnuz"):
            held = held[~np.isinf(held)]
        ours = words(subject, "a", held, "nearest")
        with np.errstate(over="ignore"):
            theirs = held.astype(dtype)
        # NaN for what e4m3 cannot hold has a sign there.
        nan = np.isnan(theirs.astype(np.float64))
        same = (ours == theirs.view(form.words)) | (nan & np.isnan(ours.view(dtype).astype(np.float64)))
        assert same.all(), (name, held[~same][:3])


def test_tf32_is_a_word_of_binary32():
    unit = ts.Unit("hopper-tf32-fp32")
    ones = np.ones(unit.products, np.float32)
    assert unit.dot(ones, ones) == unit.products
    with pytest.raises(ts.WrongValue, match="bits that are ignored; allowed: numbers that tf32 holds exactly"):
        unit.dot(0.7 * ones, ones)
    rounded = unit.dot(0.7 * ones, ones, operands="nearest")
    assert rounded == unit.dot((0.7 * ones).astype(np.float64), ones, operands="nearest") != unit.dot(0.7 * ones, ones, operands="cut")


def test_special_numbers_keep_their_bits():
    unit = ts.Unit("hopper-fp16-fp32")
    specials = np.array([0x7C00, 0xFC00, 0x7E01, 0xFC01, 0x0001, 0x8001, 0x8000, 0x03FF], np.uint16)
    ones = np.full((len(specials), unit.products), 0, np.uint16)
    ones[:, 0] = specials
    b = np.ones(unit.products, np.float16)
    typed = unit.dot(ones.view(np.float16), b)
    np.testing.assert_array_equal(typed.view(np.uint32), unit.dot(ones, b, encodings=True))
    assert typed[4] == 2.0**-24 and np.isnan(typed[2]) and typed[0] == np.inf


def test_other_types_are_refused():
    unit = ts.Unit("hopper-fp16-fp32")
    ones = np.ones(unit.products, np.float16)
    for wrong in (ones.astype(bool), ones.astype(complex), ones.astype(np.uint32), ones.astype(object), ones.astype("U4"), ["one"] * 16):
        with pytest.raises(ts.WrongType, match="a has elements of type|a is no array"):
            unit.dot(wrong, ones)
    with pytest.raises(TypeError):
        unit.dot(None.__class__, ones)
    with pytest.raises(ts.WrongValue, match="e2m1"):
        ts.Unit("blackwell-mxf4-fp32").dot(np.full(64, 16, np.uint8), np.zeros(64, np.uint8))
    with pytest.raises(ts.WrongValue, match="an integer from -128 to 127"):
        integers = ts.Unit("integer-int8-int32")
        integers.dot([128] * integers.products, [1] * integers.products)


def test_layouts(random):
    unit = ts.Unit("volta-fp16-fp32")
    a = random.standard_normal((4, 6, 5)).astype(np.float16)
    b = np.ones(4, np.float16)
    expected = unit.dot(np.ascontiguousarray(a.T[:, ::2]), b)
    np.testing.assert_array_equal(unit.dot(a.T[:, ::2], b), expected)
    big = a.astype(a.dtype.newbyteorder(">"))
    assert big.dtype.byteorder == (">" if sys.byteorder == "little" else "=")
    np.testing.assert_array_equal(unit.dot(big.T[:, ::2], b), expected)
    odd = np.frombuffer(b"\0" + np.ascontiguousarray(a.T).tobytes(), np.uint8)[1:].view(np.float16).reshape(5, 6, 4)
    np.testing.assert_array_equal(unit.dot(odd[:, ::2], b), expected)
    read_only = a.T.copy()
    read_only.flags.writeable = False
    np.testing.assert_array_equal(unit.dot(read_only[:, ::2], b), expected)
    results = unit.dot(read_only, b)
    results += 1
    assert results.flags.writeable


class Lends:
    """An array by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack():
    unit = ts.Unit("volta-fp16-fp32")
    ones = np.ones((3, 4), np.float16)
    with pytest.raises(ts.WrongType, match="a has elements of type float32"):
        unit.dot(Lends(ones.astype(np.float32)), ones)
    # What lends by DLPack has a type of its own, not one that Python guessed.
    np.testing.assert_array_equal(unit.dot(Lends(ones), ones), [4, 4, 4])


def test_torch():
    torch = pytest.importorskip("torch")
    unit = ts.Unit("hopper-bf16-fp32")
    a = torch.randn(7, unit.products).to(torch.bfloat16)
    d = unit.dot(a, a)
    assert isinstance(d, torch.Tensor) and d.dtype == torch.float32
    words = a.view(torch.int16).numpy().view(np.uint16)
    np.testing.assert_array_equal(d.numpy(), unit.dot(words, words))
    half = torch.ones(4, 16, dtype=torch.float16)
    assert ts.matmul(half, half.T.contiguous()).dtype == torch.float32
    eight = torch.ones(2, 32).to(torch.float8_e4m3fn)
    assert ts.matmul(eight, eight.T.contiguous()).tolist() == [[32, 32], [32, 32]]
    with pytest.raises(ts.WrongValue, match="a is a tensor on meta"):
        ts.matmul(half.to("meta"), half)


def test_torch_on_a_gpu():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    a, b = (torch.randn(shape, device="cuda").half() for shape in ((5, 32), (32, 3)))
    d = ts.matmul(a, b)
    assert d.device == a.device and torch.equal(d.cpu(), ts.matmul(a.cpu(), b.cpu()))
    unit = ts.Unit("hopper-fp16-fp32")
    assert unit.dot(a[:, :16], a[:, 16:]).device == a.device
