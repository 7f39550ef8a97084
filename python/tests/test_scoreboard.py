"""The scoreboard: right answers pass, and each planted wrong one is seen."""

import pathlib
import random
import tempfile
import unittest

from tensorsmith import Model, Scoreboard, golden_vectors, random_vector
from tensorsmith.scoreboard import stream_word, unpacked

UNITS = ["volta-fp16-fp32", "blackwell-nvf4-fp32", "riscv-fp16-fp32", "integer-int4-int32", "tiny-pairwise"]
VECTORS = 600


class Log:
    """What a scoreboard says."""

    def __init__(self):
        self.lines = []

    def error(self, text, *values):
        self.lines.append(text % values)


class Compared(unittest.TestCase):
    def answered(self, model):
        """Vectors, and the words that a design would answer."""
        generator = random.Random(1)
        vectors = [random_vector(model.shape, generator) for _ in range(VECTORS)]
        words = [answer.flags << model.shape.d_width | answer.d for answer in model.run_many(vectors)]
        return vectors, words

    def scoreboard(self, model, vectors, words):
        log = Log()
        scoreboard = Scoreboard(model, log)
        for vector in vectors:
            scoreboard.take(vector)
        for word in words:
            scoreboard.found(word)
        return scoreboard, log

    def test_right_answers_pass(self):
        for name in UNITS:
            with self.subTest(name), Model(name) as model:
                scoreboard, log = self.scoreboard(model, *self.answered(model))
                scoreboard.check()
                self.assertEqual((scoreboard.compared, log.lines), (VECTORS, []))
                self.assertIn(f"{VECTORS} results compared, 0 mismatches", scoreboard.report())

    def test_every_wrong_answer_is_seen(self):
        for name in UNITS:
            with self.subTest(name), Model(name) as model:
                vectors, words = self.answered(model)
                for place in (0, 300, VECTORS - 1):
                    wrong = list(words)
                    wrong[place] ^= 1
                    scoreboard, log = self.scoreboard(model, vectors, wrong)
                    with self.assertRaises(AssertionError):
                        scoreboard.check()
                    self.assertEqual(scoreboard.mismatches, 1)
                    self.assertIn(f"result {place + 1} is {wrong[place]:#x}, expected {words[place]:#x}", log.lines[0])

    def test_missing_and_surplus_answers_are_seen(self):
        with Model(UNITS[0]) as model:
            vectors, words = self.answered(model)
            for taken, found in ((vectors, words[:-1]), (vectors[:-1], words), ([], []), (vectors, [])):
                scoreboard, _ = self.scoreboard(model, taken, found)
                with self.assertRaises(AssertionError):
                    scoreboard.check()


class Words(unittest.TestCase):
    def test_golden_vectors_are_those_of_the_stream(self):
        for name in UNITS:
            with self.subTest(name), Model(name) as model, tempfile.TemporaryDirectory() as folder:
                vector = random_vector(model.shape, random.Random(2))
                path = pathlib.Path(folder) / "vectors.hex"
                path.write_text(f"{stream_word(model.shape, vector):x}\n")
                self.assertEqual(list(golden_vectors(path, model.shape)), [vector])

    def test_unpacked(self):
        self.assertEqual(unpacked(0x7A5, 4, 2), ([5, 0xA], 7))


if __name__ == "__main__":
    unittest.main()
