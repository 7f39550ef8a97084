"""Functions as black boxes: right ones pass, wrong ones are seen, what they raise comes back."""

import threading

import numpy as np
import pytest

import tensorsmith as ts

VOLTA = ts.Unit("volta-fp16-fp32")
TINY = ts.Unit("tiny-truncating")


def one_bit_off(unit):
    def box(*operands, **scales):
        d = unit.dot(*operands, encodings=True, **scales)
        return d ^ (d & 7 == 3)

    return box


def test_right_functions_pass():
    for name in ("volta-fp16-fp32", "blackwell-nvf4-fp32", "integer-int8-int32", "riscv-fp16-fp32", "tiny-scaled"):
        unit = ts.Unit(name)
        found = ts.cosim(unit, unit.dot, "reference", vectors=3000)
        assert found and (found.compared, found.mismatches, found.first) == (3000, 0, None), name
        assert [engine["engine"] for engine in found.engines] == ["emulator", "python", "reference"]


def test_a_wrong_function_is_seen():
    found = ts.cosim(VOLTA, one_bit_off(VOLTA), vectors=3000)
    assert not found and found.mismatches > 0
    answers = set(found.answers)
    assert answers == {"emulator", "python"}
    vector = found.first
    assert VOLTA.dot(np.uint16(vector.a), np.uint16(vector.b), np.uint32(vector.c), encodings=True) == found.answers["emulator"]
    assert f"{found.mismatches:,} mismatches; the first: a = 0x" in str(found)


def test_encodings():
    seen = []

    def box(a, b, c):
        seen.append((a.dtype, b.shape, c.dtype))
        return VOLTA.dot(a, b, c, encodings=True)

    assert ts.cosim(VOLTA, box, vectors=1000, encodings=True)
    assert seen[0] == (np.uint16, (seen[0][1][0], 4), np.uint32)


def test_what_a_function_raises_comes_back():
    def box(a, b, c):
        raise LookupError("my own")

    for call in (
        lambda: ts.cosim(VOLTA, box, vectors=1000),
        lambda: ts.infer(box, VOLTA),
        lambda: ts.distinguish(VOLTA, box, vectors=1000),
    ):
        with pytest.raises(LookupError, match="my own"):
            call()


def test_wrong_results():
    for result, kind, text in (
        (np.zeros(3, np.float32), ts.WrongLength, r"result has shape \(3,\); allowed: \("),
        ("text", ts.WrongLength, "result has shape"),
    ):
        with pytest.raises(kind, match=text):
            ts.cosim(VOLTA, lambda a, b, c, result=result: result, vectors=1000)
    with pytest.raises(ts.WrongType, match="elements of type float64; allowed: float32, or uint32 as encodings, for binary32"):
        ts.cosim(VOLTA, lambda a, b, c: c.astype(np.float64), vectors=1000)
    flagged = ts.Unit("riscv-fp16-fp32")
    with pytest.raises(ts.WrongType, match="a pair of results and flags"):
        ts.cosim(flagged, lambda a, *_: a[:, 0], vectors=1000)
    with pytest.raises(ts.WrongType, match="box is 4; allowed: functions"):
        ts.cosim(VOLTA, 4)
    with pytest.raises(ts.WrongLength, match="nothing to compare"):
        ts.cosim(VOLTA)


def test_functions_are_called_on_the_thread_that_gave_them():
    threads = set()

    def box(a, b, c):
        threads.add(threading.get_ident())
        # What it calls may need the threads that wait for it.
        return VOLTA.dot(a, b, c, threads=1)

    assert ts.cosim(VOLTA, box, vectors=10_000)
    assert threads == {threading.get_ident()}


def test_inference_of_a_function(tmp_path):
    found = ts.infer(TINY.dot, TINY, confirm=5000, search=5000, name="mine")
    assert found and found.unit.name == "mine" and found.scheme == "fused"
    assert found.asked > 5000 and found.parameters["alignment.fraction_bits"]["fits"]
    again = tmp_path / "mine.toml"
    again.write_text(found.files["mine.toml"])
    assert ts.cosim(again, TINY.dot, vectors=5000)
    assert ts.infer("emulator", TINY, confirm=5000, search=5000).unit.parameters["alignment"] == found.unit.parameters["alignment"]


def test_inference_of_an_interface():
    formats = ", ".join(f'{operand} = "{form.name}"' for operand, form in TINY.formats.items())
    like = ts.Unit(f'name = "box"\nproducts = {TINY.products}\nformats = {{ {formats} }}\n')
    assert like.kind == "interface" and like.products == TINY.products
    with pytest.raises(ts.WrongValue, match="only the interface of box is known"):
        like.dot([1] * like.products, [1] * like.products)
    assert ts.infer(TINY.dot, like, confirm=2000, search=2000).scheme == "fused"
    with pytest.raises(ts.WrongValue, match="only the interface of box is known"):
        ts.infer("emulator", like)


def test_a_solver_decides_what_no_vector_distinguishes(monkeypatch, tmp_path):
    monkeypatch.setenv("TENSORSMITH_CACHE", str(tmp_path))
    unit = ts.Unit("tiny-riscv")

    def positive(**options):
        """Why zeros that results are rounded to may be positive as well as signed."""
        found = ts.infer(unit.dot, unit, confirm=2000, search=2000, **options)
        return found.parameters["conversion.rounded_zero"]["indistinguishable"]['"positive"']

    assert positive() == "no difference on 2000 vectors searched"
    try:
        assert positive(solver="bitwuzla", timeout=60).startswith("proved for all inputs by bitwuzla ")
    except ts.AbsentEngine as absent:
        pytest.skip(str(absent))


#: A product and an addend, rounded once: schemes differ in nothing else.
ONE_PRODUCT = """
name       = "one-product"
summary    = "one product"
scheme     = "fused"
products   = 1
formats    = { a = "e2m1", b = "e2m1", c = "e4m3", d = "e4m3" }
alignment  = { fraction_bits = 40, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "nearest-even", overflow = "ieee" }
"""


def test_descriptions_that_fit_as_well(program, monkeypatch, tmp_path):
    monkeypatch.setenv("TENSORSMITH_CACHE", str(tmp_path))
    asked = ("emulator", ts.Unit(ONE_PRODUCT))
    found = ts.infer(*asked, confirm=2000, search=2000)
    others = {(other["scheme"], other["composition"]) for other in found.equivalent}
    # The one found in another composition, and other schemes.
    assert {("exact", "1 product, c added last"), ("fused", "1 product"), ("fused-then-add", "1 product")} <= others, others
    assert found.scheme == "exact" and ("exact", "1 product") not in others and len(others) == len(found.equivalent)
    assert all(other["decision"] is None and other["differing"] == {} for other in found.equivalent)
    try:
        found = ts.infer(*asked, confirm=2000, search=2000, solver="bitwuzla", timeout=60)
    except ts.AbsentEngine:
        found = None
    for other in found.equivalent if found else ():
        proved, reason = other["decision"]["proved"], other["decision"]["reason"]
        expected = "which no solver is asked about" if "c added last" in other["composition"] else "proved for all inputs by bitwuzla "
        assert proved == ("proved" in expected) and expected in reason, other
    # Two answers of a recording leave nearly everything open.
    program("record", "tiny-exact", "--engine", "emulator", "--suites", "random", "--vectors", "2", "--out", "few.tsrec")
    fused = [other for other in ts.infer(tmp_path / "few.tsrec", search=2000).equivalent if other["scheme"] == "fused"]
    assert "2 products" in {other["composition"] for other in fused}
    for other in fused:
        bits = other["differing"]["alignment.fraction_bits"]
        assert bits["fits"].endswith(" to 100") and bits["indistinguishable"] and other["decision"] is None


def test_solvers_that_are_none(monkeypatch):
    monkeypatch.setenv("BITWUZLA", "nowhere")
    for options, kind, text in (
        ({"solver": "bitwuzla"}, ts.AbsentEngine, "bitwuzla: .*nowhere"),
        ({"solver": "yices"}, ts.WrongValue, 'solver is "yices"; allowed: "bitwuzla", "z3", "cvc5", or None'),
        ({"solver": 3}, ts.WrongType, "solver is 3"),
        ({"solver": "z3", "timeout": 0}, ts.WrongValue, "timeout is 0; allowed: 1 to 604800"),
    ):
        with pytest.raises(kind, match=text):
            ts.infer(TINY.dot, TINY, confirm=2000, search=2000, **options)


def test_inference_of_a_recording(program, tmp_path):
    for unit, vectors in (("tiny-truncating", "3000"), ("tiny-integer", "300")):
        program("record", unit, "--engine", "emulator", "--vectors", vectors, "--out", f"{unit}.tsrec")
    one = tmp_path / "tiny-truncating.tsrec"
    found = ts.infer(one, name="mine", search=2000)
    assert found and found.unit.name == "mine" and found.scheme == "fused"
    assert found.unit.parameters["alignment"] == TINY.parameters["alignment"]
    assert found.asked >= 3000 and found.confirmed == 0
    assert "recorded answers in tiny-truncating.tsrec" in found.files["mine.toml"]
    both = tmp_path / "both.tsrec"
    both.write_bytes(b"".join((tmp_path / name).read_bytes() for name in ("tiny-truncating.tsrec", "tiny-integer.tsrec")))
    for like in ("tiny-truncating", TINY):
        assert ts.infer(str(both), like, search=2000).unit.parameters["alignment"] == TINY.parameters["alignment"]
    for call, kind, text in (
        (lambda: ts.infer(both), ts.WrongValue, "holds several recordings; allowed: interface, one of tiny-truncating, tiny-integer"),
        (lambda: ts.infer(both, "fma-fp32"), ts.WrongValue, "holds no recording of fma-fp32; allowed: interface, one of"),
        (lambda: ts.infer(tmp_path / "absent.tsrec"), ts.WrongFile, "absent.tsrec: cannot be read"),
        (lambda: ts.infer(one, confirm=5), ts.WrongValue, "confirm is 5; allowed: None for a recording"),
        (lambda: ts.infer(one, solver="z3"), ts.WrongValue, "solver is 'z3'; allowed: None for a recording"),
        (lambda: ts.infer(TINY.dot), ts.WrongValue, "interface is None; allowed: a unit"),
    ):
        with pytest.raises(kind, match=text):
            call()


def test_a_recording_that_contradicts_itself(program, tmp_path):
    program("record", "tiny-truncating", "--engine", "emulator", "--suites", "random", "--vectors", "20", "--out", "one.tsrec")
    program("export", "one.tsrec", "--format", "jsonl", "--out", "one.jsonl")
    lines = (tmp_path / "one.jsonl").read_text().splitlines()
    operands, answer = lines[5].rsplit('"d":', 1)
    lines[5] = f'{operands}"d":"{"0x7d" if "0x7e" in answer else "0x7e"}"}}'
    (tmp_path / "two.jsonl").write_text("\n".join(lines) + "\n")
    program("import", "two.jsonl", "--format", "jsonl", "--out", "two.tsrec")
    both = tmp_path / "both.tsrec"
    both.write_bytes(b"".join((tmp_path / name).read_bytes() for name in ("one.tsrec", "two.tsrec")))
    with pytest.raises(ts.WrongFile, match=r"both\.tsrec: recorded are 0x\w+ and 0x\w+ as answers to the same vector"):
        ts.infer(both)


def test_units_that_differ():
    found = ts.distinguish("tiny-nearest", "tiny-truncating", one_bit_off(ts.Unit("tiny-nearest")), vectors=20_000)
    assert {difference.pair for difference in found.differences} == {(0, 1), (0, 2), (1, 2)}
    first = found.differences[0]
    a, b, c = (np.asarray(operands) for operands in (first.vector.a, first.vector.b, first.vector.c))
    for name, answer in zip(("tiny-nearest", "tiny-truncating"), first.answers):
        unit = ts.Unit(name)
        words = [array.astype(unit.formats[operand].words) for operand, array in (("a", a), ("b", b), ("c", c))]
        assert int(unit.dot(*words, encodings=True)) == answer
    with pytest.raises(ts.WrongValue, match="allowed: the operands of volta-fp16-fp32"):
        ts.distinguish("volta-fp16-fp32", "hopper-fp16-fp32")
    with pytest.raises(ts.WrongLength, match="1 subjects; allowed: at least two"):
        ts.distinguish("volta-fp16-fp32")
