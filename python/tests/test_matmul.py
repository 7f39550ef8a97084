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
        (lambda: ts.matmul(a[:, :20], b[:20]), "k is 20; allowed: multiples of 16, the k of hopper-wgmma-k16-fp16-fp32, or pad=True"),
        (lambda: ts.matmul(a, b, np.zeros((4, 5), np.float32)), r"c has shape \(4, 5\); allowed: \(..., 4, 4\)"),
        (lambda: ts.matmul(a[0, 0], b), "a has no dimension"),
        (lambda: ts.matmul(np.stack([a] * 2), np.stack([b] * 3)), "batches that NumPy broadcasts to one shape"),
        (lambda: ts.matmul(a, b, scale_a=np.ones(1)), "scale_a is given"),
        (lambda: ts.matmul(*huge), "the result would have 1 x .* elements; allowed: what fits into memory"),
        (lambda: ts.matmul(a, b, device="H200X"), 'device is "H200X"; nearest: '),
        (lambda: ts.matmul(a, b, instruction="hopper"), "unknown unit or instruction"),
        (lambda: ts.matmul(a, b, dtype="fp9"), "dtype is 'fp9'; allowed: the name of a format"),
        (lambda: ts.matmul(a, b, dtype=("e4m3", "e4m3", "e5m2")), "dtype is .*, or two of them"),
        (lambda: ts.matmul(a, b, dtype=(None, "e4m3")), "dtype is .*, or two of them"),
        (lambda: ts.matmul(a, b, instruction=H100, dtype="binary16"), "dtype is 'binary16' beside an instruction"),
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
        (lambda: ts.matmul(a.astype(np.float32), b), "H100 has no instruction for a of binary32, b of binary16; allowed: dtype="),
        (lambda: ts.matmul(a.view(np.uint16), b), "a of uint16"),
        (lambda: ts.matmul(a.astype(np.float32), b.astype(np.float32)), 'no instruction .*; allowed: dtype=.*"tf32"'),
        (lambda: ts.matmul(a, b, a @ b, dtype="tf32"), "c of binary16; allowed: c of \"binary32\""),
        (lambda: ts.matmul(np.ma.masked_less(a, 0), b), r"a is a masked array; allowed: .* a.filled\(0\)"),
        (lambda: ts.matmul(a, b, np.ma.array(a @ b, mask=False)), "c is a masked array"),
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


def test_defaults_are_those_of_gemm(program, tmp_path):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    listed = json.loads(program("devices", "--defaults", "--json", "-"))["devices"]
    assert len(listed) > 10
    for device in listed:
        seen = set()
        for row in device["defaults"]:
            for a, b in (tuple(pair) for pair in row["operands"]):
                found = ts.instruction_for(device["device"], 1.0, 1.0, dtype=(a, b))
                own = row["instruction"].split("{operands}")
                is_own = found.startswith(own[0]) and found.endswith(own[-1])
                assert is_own or (a, b) in seen, (device["device"], found, row)
                seen.add((a, b))
    eighths = np.full((1, 512), 16, ml_dtypes.float8_e4m3fn)
    for device, instruction in (
        ("H100", "hopper-wgmma-k32-e4m3-fp32"),
        ("B200", "blackwell-tcgen05-k32-e4m3-fp32"),
        ("Ada", "ada-mma-m16n8k32-e4m3-fp32"),
    ):
        assert ts.instruction_for(device, eighths, eighths) == instruction
        # Not 131072 in float16, which is infinite.
        assert ts.matmul(eighths, eighths.T, device=device)[0, 0] == 131072
    with pytest.raises(TypeError, match='MI300 has no instruction for a of e4m3, .*"e4m3fnuz"'):
        ts.matmul(eighths, eighths.T, device="MI300")
    # Units of 13 fraction bits show.
    random = np.random.default_rng(1)
    x, y = random.random((32, 4096)).astype(eighths.dtype), random.random((4096, 32)).astype(eighths.dtype)
    true = x.astype("f8") @ y.astype("f8")
    error = np.linalg.norm(ts.matmul(x, y) - true) / np.linalg.norm(true)
    assert 1e-2 < error < 1e-1


def test_formats_by_name(random):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a, b = random.standard_normal((4, 32)), random.standard_normal((32, 4))
    for dtype in ("bfloat16", ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16), ("bfloat16", "bfloat16"), "bfloat16,bfloat16"):
        found = ts.matmul(a, b, dtype=dtype, operands="nearest")
        expected = ts.matmul(a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16))
        np.testing.assert_array_equal(found, expected)
    codes = random.integers(0, 100, (4, 32)).astype(np.uint8)
    expected = ts.matmul(codes.view(ml_dtypes.float8_e4m3fn), codes.T.copy().view(ml_dtypes.float8_e5m2))
    np.testing.assert_array_equal(ts.matmul(codes, codes.T.copy(), dtype=("float8_e4m3fn", "float8_e5m2")), expected)
    # A rule lets float32 be tf32, as with an instruction.
    single = a.astype(np.float32), b.astype(np.float32)
    by_name = ts.matmul(*single, instruction="hopper-wgmma-k8-tf32-fp32", operands="nearest")
    np.testing.assert_array_equal(ts.matmul(*single, operands="nearest"), by_name)
    np.testing.assert_array_equal(ts.matmul(*single, dtype="tf32", operands="nearest"), by_name)
    with pytest.raises(TypeError, match="V100 has no instruction"):
        ts.matmul(*single, device="V100", operands="nearest")


def test_numbers_and_bytes_choose_as_with_an_instruction(random):
    a, b = halves(random, 4, 32), halves(random, 32, 4)
    expected = ts.matmul(a, b, np.ones((4, 4), np.float32))
    np.testing.assert_array_equal(ts.matmul(a, b, 1.0), expected)
    np.testing.assert_array_equal(ts.matmul(a, b, [[1] * 4] * 4), expected)
    np.testing.assert_array_equal(ts.matmul(a.astype(">f2"), b.astype("<f2"), np.ones((4, 4), ">f4")), expected)
    np.testing.assert_array_equal(ts.matmul(a, b, np.full((4, 4), 0x3F800000, np.uint32)), expected)
    np.testing.assert_array_equal(ts.matmul(a, b, np.ones((4, 4)), operands="nearest"), expected)


def test_no_products_give_zeros_or_c(random):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a, b = halves(random, 4, 0), halves(random, 0, 3)
    c = random.standard_normal((4, 3)).astype(np.float32)
    np.testing.assert_array_equal(ts.matmul(a, b), np.matmul(a, b).astype(np.float32))
    np.testing.assert_array_equal(ts.matmul(a, b, c), c)
    np.testing.assert_array_equal(ts.matmul(a, b, c.astype(np.float16)), c.astype(np.float16))
    np.testing.assert_array_equal(ts.matmul(a, b, c.astype(np.float16), instruction="volta-mma-m8n8k4-fp16-fp32-from-fp16"), c.astype(np.float16))
    batch = ts.matmul(np.zeros((2, 4, 0), np.float16), b, c)
    assert batch.shape == (2, 4, 3) and (batch == c).all()
    # Results of 13 fraction bits.
    quarter = ml_dtypes.float8_e4m3fn
    found = ts.matmul(a.astype(quarter), b.astype(quarter), c)
    assert found.dtype == np.float32 and np.allclose(found, c, rtol=2**-14) and not (found.view(np.uint32) & 0x3FF).any()
    assert ts.matmul(a.T, np.ones((4, 0), np.float16), pad=True).shape == (0, 0)
    assert ts.matmul(np.ones((0, 16), np.float16), np.ones((16, 3), np.float16)).shape == (0, 3)
    assert ts.matmul(np.int8(a), np.int8(b)).dtype == np.int32
