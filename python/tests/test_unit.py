"""Units: names, files, parameters, answers and traces, as the command line has them."""

import copy
import json
import os
import pathlib
import pickle

import numpy as np
import pytest

import tensorsmith as ts

FILE = pathlib.Path(__file__).with_name("unit.toml")


def test_catalogue():
    assert "hopper-fp16-fp32" in ts.units() and "hopper-mma-m16n8k16-fp16-fp32" in ts.instructions()
    h100 = next(device for device in ts.devices() if device["device"] == "H100")
    assert ts.instructions("h100") == [one["instruction"] for one in h100["instructions"]]
    assert h100["instructions"][0]["live"]


def test_names_paths_and_texts():
    from_path = ts.Unit(FILE)
    for other in (ts.Unit(str(FILE)), ts.Unit(FILE.read_text()), ts.Unit(from_path), copy.copy(from_path)):
        assert other.parameters == from_path.parameters
    assert ts.Unit("Hopper_FP16_fp32").name == "hopper-fp16-fp32"
    assert pickle.loads(pickle.dumps(from_path)).parameters == from_path.parameters
    assert pickle.loads(pickle.dumps(ts.Unit("hopper-mma-m16n8k16-fp16-fp32"))).shape == (16, 8, 16)


def test_equal_descriptions_are_equal():
    unit = ts.Unit("hopper-fp16-fp32")
    others = (ts.Unit("Hopper_FP16_fp32"), ts.Unit(unit), ts.Unit(unit.toml), copy.copy(unit), pickle.loads(pickle.dumps(unit)))
    assert all(unit == other and hash(unit) == hash(other) for other in others)
    changed = ts.Unit(unit.toml.replace("fraction_bits = 25", "fraction_bits = 24"))
    assert unit != ts.Unit("hopper-bf16-fp32") and unit != changed and unit != "hopper-fp16-fp32"
    assert len({unit, *others, changed}) == 2


def test_version(program):
    assert ts.__version__ == program("--version").split()[-1] and "__version__" in dir(ts)


def test_parameters(program):
    assert ts.Unit("hopper-fp16-fp32").parameters["alignment"]["fraction_bits"] == 25
    listed = {unit["name"]: unit for unit in json.loads(program("units", "--json", "-"))}
    for name in ts.units():
        assert ts.Unit(name).parameters == listed[name]


def test_what_names_nothing():
    with pytest.raises(ts.UnknownName, match="'hoper-fp16-fp32'|\"hoper-fp16-fp32\"; nearest: hopper-fp16-fp32"):
        ts.Unit("hoper-fp16-fp32")
    with pytest.raises(ts.WrongFile, match="nowhere.toml"):
        ts.Unit("nowhere.toml")
    with pytest.raises(ts.WrongFile, match="field `products` is 0"):
        ts.Unit(FILE.read_text().replace("products   = 4", "products   = 0").replace("products = 4", "products = 0"))
    with pytest.raises(ts.WrongType, match="unit is 4; allowed: a name"):
        ts.Unit(4)
    with pytest.raises(ValueError, match="device is \"H1000\"; nearest: H100"):
        ts.instructions("H1000")


def test_what_has_no_end(tmp_path):
    with pytest.raises(ts.UnknownName, match="of 120000 bytes, longer than any name"):
        ts.Unit("a" * 120_000)
    with pytest.raises(ts.UnknownName, match="of 120000 bytes, longer than any name"):
        ts.instructions("a" * 120_000)
    pipe, zero = tmp_path / "pipe.toml", tmp_path / "zero.toml"
    os.mkfifo(pipe)
    zero.symlink_to("/dev/zero")
    for path in (pipe, zero):
        with pytest.raises(ts.WrongFile, match="it is a pipe or a device; allowed: a plain file"):
            ts.Unit(path)


def test_dot_is_what_eval_says(program, random):
    for name in ("volta-fp16-fp32", "hopper-e4m3-fp32", "amx-bf16-fp32", "riscv-fp16-fp32", "integer-int8-int32", "blackwell-nvf4-fp32"):
        unit = ts.Unit(name)
        form = unit.formats["a"]
        a, b = (random.integers(0, 1 << form.width, unit.products).astype(form.words) for _ in "ab")
        c = random.integers(0, 1 << 31, (), np.uint32) if "c" in unit.formats else None
        lists = [",".join(map(hex, operands.tolist())) for operands in (a, b)]
        addend = [] if c is None else ["--c", hex(c)]
        said = json.loads(program("eval", name, "--a", lists[0], "--b", lists[1], *addend, "--json", "-"))
        d = unit.dot(a, b, c, encodings=True)
        d = d[0] if unit.has_flags else d
        assert int(d) == int(said["answers"][0]["hexadecimal"], 16), name
        for engine in ("emulator", "reference"):
            assert np.array_equal(unit.dot(a, b, c, encodings=True, engine=engine), unit.dot(a, b, c, encodings=True))


def test_trace_is_what_eval_shows(program):
    said = json.loads(program("eval", "volta-fp16-fp32", "--a", "1,2,3,4", "--b", "1,1,1,0.5", "--c", "7", "--trace", "--json", "-"))
    ours = ts.Unit("volta-fp16-fp32").trace([1, 2, 3, 4], [1, 1, 1, 0.5], 7)
    assert list(ours.items()) == [(name, [int(value) for value in values]) for name, values in said["trace"]]
    with pytest.raises(ts.WrongValue, match="is an instruction"):
        ts.Unit("volta-mma-m8n8k4-fp16-fp32").trace([1] * 4, [1] * 4)
    with pytest.raises(ts.WrongLength, match=r"a batch of shape \(2,\); allowed: one vector"):
        ts.Unit("volta-fp16-fp32").trace(np.ones((2, 4), np.float16), [1] * 4)


def test_batches(random):
    unit = ts.Unit("volta-fp16-fp32")
    a = random.standard_normal((5, 1, 4)).astype(np.float16)
    b = random.standard_normal((7, 4)).astype(np.float16)
    c = random.standard_normal(7).astype(np.float32)
    d = unit.dot(a, b, c)
    assert d.shape == (5, 7) and d.dtype == np.float32
    for i in range(5):
        for j in range(7):
            assert d[i, j] == unit.dot(a[i, 0], b[j], c[j])
    assert unit.dot(np.empty((0, 4), np.float16), b[0]).shape == (0,)
    many = np.broadcast_to(b[0], (20_000, 4))
    assert (unit.dot(many, many, threads=2) == unit.dot(b[0], b[0])).all()


def test_flags():
    unit = ts.Unit("riscv-fp16-fp32")
    assert unit.has_flags
    d, flags = unit.dot(np.array([[np.inf] * unit.products, [1] * unit.products], np.float16), np.zeros(unit.products, np.float16))
    assert np.isnan(d[0]) and flags[0] != 0 and flags[1] == 0


def test_wrong_shapes_and_arguments():
    unit = ts.Unit("volta-fp16-fp32")
    ones = np.ones(4, np.float16)
    with pytest.raises(ts.WrongLength, match=r"a has shape \(3,\); allowed: a last dimension of 4"):
        unit.dot(ones[:3], ones)
    with pytest.raises(ts.WrongLength, match="batches that NumPy broadcasts"):
        unit.dot(np.ones((2, 4), np.float16), np.ones((3, 4), np.float16))
    with pytest.raises(ts.WrongValue, match="scale_a is given; volta-fp16-fp32 has none"):
        unit.dot(ones, ones, scale_a=[1])
    with pytest.raises(ts.UnknownName, match='engine is "emulater"; allowed: "emulator"'):
        unit.dot(ones, ones, engine="emulater")
    with pytest.raises(ts.WrongValue, match="threads is 0; allowed: 1 to 1024"):
        unit.dot(ones, ones, threads=0)
    with pytest.raises(ts.WrongType, match="threads is 'all'"):
        unit.dot(ones, ones, threads="all")


def test_an_absent_engine_says_so():
    unit = ts.Unit("volta-fp16-fp32")
    ones = np.ones(4, np.float16)
    with pytest.raises(ts.AbsentEngine, match="engine processor does not answer: "):
        unit.dot(ones, ones, engine="processor")
    with pytest.raises(RuntimeError):
        ts.matmul(np.ones((1, 4), np.float16), np.ones((4, 1), np.float16), device="V100", engine="hip")
