"""The model of the package against answers that are known, and every kind of error as its exception.

Started by the project's tests with TENSORSMITH_LIBRARY; in the folder `python`, `python3 -m unittest tests.test_model` does the same.
"""

import contextlib
import io
import pathlib
import re
import threading
import unittest

import tensorsmith
from tensorsmith import Answer, Model, Vector

ONE, TWO, NAN = 0x3C00, 0x4000, 0x7E00
VOLTA = "volta-fp16-fp32"


class Known(unittest.TestCase):
    def test_dot_product_of_volta(self):
        # -8192 * 1024 - 0.5 - 0.25 - 0.125 + 2^23: Volta keeps no bit of what is left.
        vector = Vector([0xF000, 0xB800, 0xB400, 0xB000], [0x6400, ONE, ONE, ONE], 0x4B000000)
        with Model(VOLTA) as model:
            self.assertEqual(model.run(vector), Answer(0, 0))
            self.assertEqual(model.run_many([vector] * 100), [Answer(0, 0)] * 100)
            self.assertEqual(model.run_many([]), [])

    def test_shape(self):
        with Model(VOLTA) as model:
            shape = model.shape
            self.assertEqual((shape.products, shape.scales, shape.flags_width), (4, 0, 0))
            self.assertEqual((shape.a_width, shape.b_width, shape.c_width, shape.d_width), (16, 16, 32, 32))
            self.assertEqual(model.formats, {"a": "binary16", "b": "binary16", "c": "binary32", "d": "binary32"})
            self.assertEqual(model.name, VOLTA)

    def test_matrices(self):
        with Model("ampere-mma-m16n8k16-fp16-fp32") as model:
            self.assertEqual((model.shape.m, model.shape.n, model.shape.products), (16, 8, 16))
            d = model.multiply(2, 1, 32, [ONE] * 32 + [TWO] * 32, [ONE] * 32)
            self.assertEqual(d, [0x42000000, 0x42800000])

    def test_unit_file(self):
        text = pathlib.Path(__file__).with_name("unit.toml").read_text()
        with Model.from_toml(text) as model:
            self.assertEqual(model.run(Vector([0x3F80] * 4, [0x3F80] * 4)).d, 0x40800000)

    def test_events_and_trace(self):
        with Model(VOLTA) as model:
            vectors = [Vector([ONE] * 4, [ONE] * 4), Vector([NAN] * 4, [ONE] * 4)]
            self.assertEqual(model.run_many(vectors, counted=True)[1].d, 0x7FFFFFFF)
            self.assertEqual(model.events()["NaN operand"], 1)
            self.assertIn("anchor     anchor 0\n", model.trace(vectors[0]))

    def test_threads_share_a_model(self):
        wrong = []
        with Model(VOLTA) as model:

            def work():
                answers = model.run_many([Vector([ONE] * 4, [TWO] * 4)] * 500)
                wrong.extend(answer for answer in answers if answer.d != 0x41000000)

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(wrong, [])

    def test_example_of_the_book(self):
        page = pathlib.Path(__file__).parents[2] / "docs/src/cocotb.md"
        code = page.read_text().split("```python\n")[1].split("```")[0]
        expected = re.findall(r"^ *print\(.*\) +# (.*)$", code, re.MULTILINE)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), {})
        self.assertEqual(len(expected), 3)
        self.assertEqual(printed.getvalue().splitlines(), expected)

    def test_catalogue(self):
        names = tensorsmith.catalogue()
        self.assertGreater(len(names), 100)
        self.assertIn(VOLTA, names)
        self.assertRegex(tensorsmith.version(), r"^\d+\.\d+\.\d+$")


class Refused(unittest.TestCase):
    def assert_refused(self, kind, text, call):
        with self.assertRaises(kind) as raised:
            call()
        self.assertIn(text, str(raised.exception))
        self.assertIsInstance(raised.exception, tensorsmith.Error)

    def test_names_and_files(self):
        self.assert_refused(tensorsmith.UnknownName, "nearest: volta-fp16-fp32", lambda: Model("volta-fp16-fp23"))
        text = 'name = "a"\nscheme = "fused"\nproducts = 0\n'
        self.assert_refused(tensorsmith.WrongFile, "field `products` is 0", lambda: Model.from_toml(text))

    def test_values_and_lengths(self):
        with Model(VOLTA) as model:
            run = lambda a, c=0: lambda: model.run(Vector(a, [ONE] * 4, c))
            self.assert_refused(tensorsmith.WrongValue, "a[1] is 0x10000", run([ONE, 0x10000, ONE, ONE]))
            self.assert_refused(tensorsmith.WrongValue, "c[0] is 0x100000000", run([ONE] * 4, 1 << 32))
            self.assert_refused(tensorsmith.WrongValue, "a: ", run([ONE, -1, ONE, ONE]))
            self.assert_refused(tensorsmith.WrongLength, "allowed: 4 of a", run([ONE] * 3))
            self.assert_refused(
                tensorsmith.WrongValue, "k is 3; allowed: multiples of 4", lambda: model.multiply(1, 1, 3, [0] * 3, [0] * 3)
            )

    def test_instructions_have_no_stages(self):
        with Model("ampere-mma-m16n8k16-fp16-fp32") as model:
            vector = Vector([ONE] * 16, [ONE] * 16)
            self.assert_refused(tensorsmith.WrongValue, "allowed: a unit", lambda: model.trace(vector))
            self.assertEqual(model.events(), {})

    def test_closed(self):
        model = Model(VOLTA)
        model.close()
        model.close()
        self.assert_refused(tensorsmith.Missing, "unit is null", lambda: model.run(Vector([ONE] * 4, [ONE] * 4)))


if __name__ == "__main__":
    unittest.main()
