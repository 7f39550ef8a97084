#!/usr/bin/env python3
"""What a GPU computes, found from Python: PyTorch's products are the black box, and `infer` describes them.

usage: python3 examples/pytorch_infer.py [VECTORS]

Needs PyTorch 2.8 or later with CUDA, and the package tensorsmith (pip install .). The dot product of vector i is element (i, i) of a
product of matrices, so that the matrix unit computes it. The library adds c to what the matrix unit returns, which shows: the description
that is found adds c after the sum.
"""
import sys

import numpy as np
import tensorsmith
import torch

VECTORS = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
#: Vectors a product of matrices: so many rows of A, and columns of B.
ROWS = 1024
KINDS = {"hopper-fp16-fp32": torch.float16, "hopper-bf16-fp32": torch.bfloat16}


def box(kind):
    """A box that multiplies encodings of this type on the GPU."""

    def pytorch(a, b, c):
        count, blocks = len(c), -(-len(c) // ROWS)
        # Products of one size, which one kernel computes.
        pad = [(0, blocks * ROWS - count)]
        a, b = (np.pad(x, [*pad, (0, 0)]).reshape(blocks, ROWS, -1).view(np.int16) for x in (a, b))
        c = np.pad(c, pad).reshape(blocks, ROWS).view(np.float32)
        d = np.empty((blocks, ROWS), np.float32)
        for block in range(blocks):
            left, right = (torch.from_numpy(x[block]).cuda().view(kind) for x in (a, b))
            addend = torch.diag(torch.from_numpy(c[block]).cuda())
            d[block] = torch.addmm(addend, left, right.t(), out_dtype=torch.float32).diagonal().cpu().numpy()
        return d.view(np.uint32).reshape(-1)[:count]

    return pytorch


def main():
    print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, {torch.cuda.get_device_name()}")
    for name, kind in KINDS.items():
        found = tensorsmith.infer(box(kind), name, encodings=True, confirm=VECTORS, search=VECTORS)
        if not found:
            print(f"{kind}: no description explains all answers to {found.asked:,} vectors")
            continue
        print(f"{kind}: {found.scheme}, {found.asked:,} vectors asked, {found.confirmed:,} confirmed")
        for field, one in found.parameters.items():
            print(f"  {field} = {one['value']}")


if __name__ == "__main__":
    main()
