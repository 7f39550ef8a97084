"""MMA-Sim (Xie et al., the package mmasim) on the vectors of one batch: answers them, then once more for every line of input.

    mma_sim.py CLASS ARCHITECTURE INSTRUCTION PRODUCTS COUNT

Reads COUNT * PRODUCTS operands a, as many b, and COUNT addends as 64-bit words; writes COUNT results as such words, then for
each line the seconds that the processor worked on all of them. One thread; what is timed is the arithmetic alone.
"""

import sys
import time

import torch
from mmasim import nv_ptx

INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32}


def read(count, shape, dtype):
    data = bytearray(sys.stdin.buffer.read(8 * count))
    words = torch.frombuffer(data, dtype=torch.int64).reshape(shape)
    return words.to(INTEGERS[dtype.itemsize]).view(dtype)


def main():
    name, architecture, instruction, products, count = sys.argv[1:]
    products, count = int(products), int(count)
    torch.set_num_threads(1)
    operation = getattr(nv_ptx, name)(architecture, instruction)
    a = read(count * products, (count, products), operation.a_type)
    b = read(count * products, (count, products), operation.b_type)
    c = read(count, (count,), operation.c_type)
    d = operation.dpa(a, b, c)
    words = d.view(INTEGERS[d.dtype.itemsize]).to(torch.int64)
    sys.stdout.buffer.write(words.numpy().tobytes())
    sys.stdout.flush()
    for _ in sys.stdin:
        start = time.process_time()
        operation.dpa(a, b, c)
        print(time.process_time() - start, flush=True)


main()
