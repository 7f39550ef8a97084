"""tensorsmith's `matmul` on one product: answers it, then once more for every line of input.

    calls.py INSTRUCTION M N K

Reads A of float16, B of float16 and C of float32, row by row; writes D, then for each line the seconds that the processor worked.
"""

import sys
import time

import numpy as np

import tensorsmith


def read(dtype, rows, columns):
    data = sys.stdin.buffer.read(np.dtype(dtype).itemsize * rows * columns)
    return np.frombuffer(data, dtype).reshape(rows, columns)


def main():
    instruction = sys.argv[1]
    m, n, k = map(int, sys.argv[2:])
    a, b, c = read(np.float16, m, k), read(np.float16, k, n), read(np.float32, m, n)
    multiply = lambda: tensorsmith.matmul(a, b, c, instruction=instruction, threads=1)
    sys.stdout.buffer.write(multiply().tobytes())
    sys.stdout.flush()
    for _ in sys.stdin:
        start = time.process_time()
        multiply()
        print(time.process_time() - start, flush=True)


main()
