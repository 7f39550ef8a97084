"""Products of matrices: against the command line, against vectors one after the other, batches as numpy.matmul has them."""

import json

import numpy as np
import pytest

import tensorsmith as ts

H100 = "hopper-mma-m16n8k16-fp16-fp32"


def halves(random, *shape):
    return random.standard_normal(shape).astype(np.float16)


def by_hand(unit, a, b, c):
    """d of one product, block by block."""
    k = unit.shape[2]
    d = np.broadcast_to(c, (a.shape[0], b.shape[1])).astype(np.float32)
    for block in range(a.shape[1] // k):
        part = slice(block * k, (block + 1) * k)
        d = unit.dot(a[:, None, part], b[part].T[None], d)
    return d


def test_matmul_is_what_gemm_writes(program, random, tmp_path):
    a, b, c = halves(random, 9, 64), halves(random, 64, 11), random.standard_normal((9, 11)).astype(np.float32)
    a[0, :3], c[1, 1] = [np.inf, np.nan, 2**-24], -0.0
    for name, array in (("a", a), ("b", b), ("c", c)):
        np.save(tmp_path / f"{name}.npy", array)
    program("gemm", H100, "--a", "a.npy", "--b", "b.npy", "--c", "c.npy", "--out", "d.npy")
    theirs = np.load(tmp_path / "d.npy")
    np.testing.assert_array_equal(ts.matmul(a, b, c).view(np.uint32), theirs.view(np.uint32))
    np.testing.assert_array_equal(ts.matmul(a, b, c, instruction=H100, encodings=True), theirs.view(np.uint32))


def test_gemm_reads_arrays_of_ml_dtypes(program, random, tmp_path):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for dtype, format, instruction in (
        (ml_dtypes.bfloat16, "bfloat16", "hopper-mma-m16n8k16-bf16-fp32"),
        (ml_dtypes.float8_e4m3fn, "e4m3", "hopper-mma-m16n8k32-e4m3-fp32"),
    ):
        a, b = (random.standard_normal(shape).astype(dtype) for shape in ((3, 32), (32, 5)))
        np.save(tmp_path / "a.npy", a)
        np.save(tmp_path / "b.npy", b)
        program("gemm", instruction, "--a", "a.npy", "--b", "b.npy", "--format", format, "--out", "d.npy")
        np.testing.assert_array_equal(ts.matmul(a, b, instruction=instruction), np.load(tmp_path / "d.npy"))


def test_blocks_of_k_one_after_the_other(random):
    unit = ts.Unit(H100)
    a, b, c = halves(random, 5, 48), halves(random, 48, 3), random.standard_normal((5, 3)).astype(np.float32)
    np.testing.assert_array_equal(ts.matmul(a, b, c), by_hand(unit, a, b, c))
    assert not np.array_equal(by_hand(unit, 2.0**6 * a, b, c), 2.0**6 * a.astype(np.float32) @ b + c)


def test_order_of_k(random):
    a, b = halves(random, 4, 64), halves(random, 64, 4)
    order = [2, 0, 3, 1]
    turned = np.concatenate([np.arange(16 * block, 16 * block + 16) for block in order])
    np.testing.assert_array_equal(ts.matmul(a, b, k_order=order), ts.matmul(a[:, turned], b[turned]))
    down = ts.matmul(a, b, k_order="descending")
    np.testing.assert_array_equal(down, ts.matmul(a, b, k_order=[3, 2, 1, 0]))
    np.testing.assert_array_equal(ts.matmul(a, b, k_order="ascending"), ts.matmul(a, b))
    for wrong in ("upwards", [0, 1, 2], [0, 1, 2, 2], [0.0, 1, 2, 3], 4):
        with pytest.raises(ts.WrongValue, match="k_order is .*; allowed: 'ascending', 'descending'"):
            ts.matmul(a, b, k_order=wrong)


def split(a, b, c, places, **options):
    """Parts of K summed by calls of their own, and added here."""
    sums = np.zeros(c.shape, np.float32)
    for first in range(0, a.shape[-1], places):
        part = slice(first, first + places)
        sums += ts.matmul(a[..., part], b[..., part, :], **options)
    return sums + c


@pytest.mark.parametrize("parts, places", [(1, 160), (2, 96), (3, 64), (4, 64), (5, 32), (7, 32), (1024, 32)])
def test_k_is_split(random, parts, places):
    a, b, c = halves(random, 2, 5, 160), halves(random, 160, 7), random.standard_normal((2, 5, 7)).astype(np.float32)
    a[1, 2, :3], b[:3, 3] = [np.inf, np.nan, 2**-24], 0
    found = ts.matmul(a, b, c, split_k=parts)
    expected = ts.matmul(a, b, c) if parts == 1 else split(a, b, c, places)
    np.testing.assert_array_equal(found, expected)
    assert np.array_equal(found, ts.matmul(a, b, c), equal_nan=True) == (parts == 1)
    for options in ({"engine": "reference"}, {"threads": 1}):
        np.testing.assert_array_equal(ts.matmul(a, b, c, split_k=parts, **options), found)
    stacked = np.stack([b, b])
    np.testing.assert_array_equal(ts.matmul(a, stacked, c, split_k=parts), found)


def test_k_is_split_in_its_order(random):
    a, b = halves(random, 5, 150), halves(random, 150, 7)
    full_a, full_b = np.pad(a, ((0, 0), (0, 10))), np.pad(b, ((0, 10), (0, 0)))
    turned = np.concatenate([np.arange(16 * block, 16 * block + 16) for block in range(9, -1, -1)])
    for whole, options in ((np.arange(160), {}), (turned, {"k_order": "descending"})):
        expected = split(full_a[:, whole], full_b[whole], np.zeros((5, 7), np.float32), 96)
        np.testing.assert_array_equal(ts.matmul(a, b, split_k=2, pad=True, **options), expected)


def test_parts_are_at_most_so_many_and_have_one_nan(random):
    a, b = halves(random, 3, 64), halves(random, 64, 3)
    np.testing.assert_array_equal(ts.matmul(a, b, split_k=3), split(a, b, np.zeros((3, 3), np.float32), 32))
    a[:, 0] = np.nan
    whole, parts = (ts.matmul(a, b, device="MI300", encodings=True, split_k=parts) for parts in (1, 2))
    assert (whole != 0x7FFFFFFF).all() and (parts == 0x7FFFFFFF).all()


SPLIT = """
name    = "split"
summary = "K in three parts"
[matrices]
distribution = { kind = "files", a = "a.npy", b = "b.npy" }
[[curves]]
name    = "three parts"
unit    = "hopper-mma-m16n8k16-fp16-fp32"
split_k = 3
"""


def test_k_is_split_as_a_study_splits_it(program, random, tmp_path):
    a, b = halves(random, 3, 144), halves(random, 144, 2)
    np.save(tmp_path / "a.npy", a.astype(np.float64))
    np.save(tmp_path / "b.npy", b.astype(np.float64))
    (tmp_path / "split.toml").write_text(SPLIT)
    d = ts.matmul(a, b, split_k=3)
    for row, column in np.ndindex(d.shape):
        traced = json.loads(program("study", "split.toml", "--trace", f"{row},{column}", "--json", "-"))[0]
        assert len(traced["products"][0]["parts"]) == 3
        assert d[row, column] == traced["result"]


@pytest.mark.parametrize(
    "shape_a, shape_b, shape_c",
    [
        ((16,), (16,), ()),
        ((16,), (16, 3), (3,)),
        ((2, 16), (16,), (2,)),
        ((5, 2, 16), (16,), (5, 2)),
        ((16,), (5, 16, 3), (5, 3)),
        ((5, 2, 16), (16, 3), (5, 2, 3)),
        ((5, 2, 16), (16, 3), (2, 3)),
        ((5, 2, 16), (5, 16, 3), ()),
        ((4, 1, 2, 16), (5, 16, 3), (4, 5, 2, 3)),
        ((2, 16), (4, 5, 16, 3), (5, 2, 3)),
        ((0, 2, 16), (16, 3), ()),
        ((2, 16), (16, 0), ()),
        ((0, 16), (16, 3), ()),
    ],
)
def test_shapes_are_those_of_numpy(random, shape_a, shape_b, shape_c):
    a, b = (random.integers(-4, 5, shape).astype(np.float16) for shape in (shape_a, shape_b))
    c = random.integers(-4, 5, shape_c).astype(np.float32)
    expected = np.matmul(a.astype(np.float32), b.astype(np.float32))
    found = ts.matmul(a, b)
    assert found.shape == expected.shape and np.asarray(found).dtype == np.float32
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(ts.matmul(a, b, c), expected + c)


def test_wrong_shapes(random):
    a, b = halves(random, 4, 32), halves(random, 32, 4)
    # 64 MB each, and 2^42 results.
    huge = np.ones((1 << 21, 16), np.float16), np.ones((16, 1 << 21), np.float16)
    for call, text in (
        (lambda: ts.matmul(a, b[:16]), r"b has shape \(16, 4\); allowed: 32 rows"),
        (lambda: ts.matmul(a[:, :20], b[:20]), f"k is 20; allowed: multiples of 16, the k of {H100}, or pad=True"),
        (lambda: ts.matmul(a, b, np.zeros((4, 5), np.float32)), r"c has shape \(4, 5\); allowed: \(..., 4, 4\)"),
        (lambda: ts.matmul(a[0, 0], b), "a has no dimension"),
        (lambda: ts.matmul(a[:, :0], b[:0]), "k is 0; allowed: at least 1"),
        (lambda: ts.matmul(np.stack([a] * 2), np.stack([b] * 3)), "batches that NumPy broadcasts to one shape"),
        (lambda: ts.matmul(a, b, scale_a=np.ones(1)), "scale_a is given"),
        (lambda: ts.matmul(*huge), "the result would have 1 x .* elements; allowed: what fits into memory"),
        (lambda: ts.matmul(a, b, device="H200X"), 'device is "H200X"; nearest: '),
        (lambda: ts.matmul(a, b, instruction="hopper"), "unknown unit or instruction"),
        (lambda: ts.matmul(a, b, split_k=0), "split_k is 0; allowed: 1 to 1024"),
        (lambda: ts.matmul(a, b, split_k=1025), "split_k is 1025; allowed: 1 to 1024"),
        (
            lambda: ts.matmul(a, b, instruction="hopper-mma-m16n8k16-fp16-fp16", split_k=2),
            "split_k is 2; allowed: 1, or an instruction without scales whose c and d are binary32; c and d of hopper-mma-m16n8k16-fp16-fp16 are",
        ),
        (lambda: ts.matmul(a, b, threads=2000), "threads is 2000; allowed: 1 to 1024"),
        (lambda: ts.matmul(a, b, instruction="hopper-mma-m16n8k16-fp16-fp16", k_order="x"), "k_order"),
    ):
        with pytest.raises(ValueError, match=text) as raised:
            call()
        assert isinstance(raised.value, ts.Error)


def test_wrong_types(random):
    a, b = halves(random, 4, 32), halves(random, 32, 4)
    for call, text in (
        (lambda: ts.matmul(a.astype(np.float32), b), "H100 has no instruction for a of float32, b of float16; allowed: types"),
        (lambda: ts.matmul(a.view(np.uint16), b), "a of uint16"),
        (lambda: ts.matmul(a.astype(np.float32), b, instruction=H100), "a has elements of type float32; allowed: float16"),
        (lambda: ts.matmul(a, b, device=100), "device is 100"),
        (lambda: ts.matmul(a, b, threads=1.5), "threads is 1.5"),
        (lambda: ts.matmul(a, b, split_k=2.0), "split_k is 2.0; allowed: a whole number"),
        (lambda: ts.matmul(a, b, split_k=None), "split_k is None; allowed: a whole number"),
        (lambda: ts.matmul("a", b), "a of <U1"),
    ):
        with pytest.raises(TypeError, match=text) as raised:
            call()
        assert isinstance(raised.value, ts.Error)


def test_padding():
    a, b = np.ones((2, 20), np.float16), np.ones((20, 2), np.float16)
    np.testing.assert_array_equal(ts.matmul(a, b, pad=True), np.full((2, 2), 20, np.float32))


def test_scales_of_blocks():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    name = "blackwell-mma-nvf4-m16n8k64-e2m1-fp32"
    a, b = (np.ones(shape).astype(ml_dtypes.float4_e2m1fn) for shape in ((3, 128), (128, 2)))
    assert (ts.matmul(a, b, instruction=name) == 128).all()
    scale_a = np.array([[1] * 8, [2] * 8, [0.5] * 8])
    found = ts.matmul(a, b, instruction=name, scale_a=scale_a, operands="exact")
    np.testing.assert_array_equal(found, [[128] * 2, [256] * 2, [64] * 2])
    with pytest.raises(ts.WrongLength, match=r"scale_a has shape \(3, 4\); allowed: \(..., 3, 8\)"):
        ts.matmul(a, b, instruction=name, scale_a=scale_a[:, :4], operands="exact")


def test_huge_k():
    k = 1 << 20
    a, b = np.ones((1, k), np.float16), np.ones((k, 1), np.float16)
    assert ts.matmul(a, b).item() == k
    lengthy = np.ones((1, 1 << 25), np.float16)
    with pytest.raises(ts.WrongLength, match="b has shape"):
        ts.matmul(lengthy, b)


def test_engines_and_threads_agree(random):
    a, b = halves(random, 130, 64), halves(random, 64, 70)
    first = ts.matmul(a, b, threads=1)
    for options in ({"threads": 3}, {"engine": "reference"}, {"engine": "emulator", "threads": 2}):
        np.testing.assert_array_equal(ts.matmul(a, b, **options), first)


def test_operands_are_not_copied(random):
    from tensorsmith.arrays import contiguous, words

    a = halves(random, 32, 32)
    assert np.shares_memory(contiguous(words(ts.Unit(H100), "a", a, None)), a)
    assert np.shares_memory(contiguous(words(ts.Unit(H100), "a", a.view(np.uint16), None)), a)
