#!/usr/bin/env python3
"""Matrix products of PyTorch on an NVIDIA GPU, and the same by `tensorsmith gemm`: how many elements are equal, bit for bit.

usage: python3 examples/pytorch_products.py [PATH-OF-TENSORSMITH]

Needs PyTorch 2.8 or later with CUDA, and a Hopper GPU, whose instructions it names. Some kernels split K, for all elements or for
some tiles, and add the parts outside the matrix unit, in an order that `gemm` does not know: there elements differ.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
from torch.profiler import ProfilerActivity, profile

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "target/release/tensorsmith"
SIZES = [(128, 512, 128), (512, 512, 512), (1024, 4096, 1024), (4096, 4096, 4096)]


def encoded(matrix):
    """The matrix as an array that `gemm` takes: encodings where NumPy lacks the format."""
    words = {torch.bfloat16: torch.uint16, torch.float8_e4m3fn: torch.uint8}.get(matrix.dtype)
    return (matrix.view(words) if words else matrix).cpu().numpy()


def by_tensorsmith(instruction, a, b):
    with tempfile.TemporaryDirectory() as folder:
        names = [str(pathlib.Path(folder) / name) for name in ("a.npy", "b.npy", "d.npy")]
        np.save(names[0], encoded(a))
        np.save(names[1], np.ascontiguousarray(encoded(b)))
        options = ["--a", names[0], "--b", names[1], "--out", names[2]]
        subprocess.run([PROGRAM, "gemm", instruction, *options], check=True, capture_output=True)
        return np.load(names[2])


def product(kind, m, k, n):
    """Operands, and a call that multiplies them into float32."""
    a, b = torch.randn(m, k, device="cuda"), torch.randn(k, n, device="cuda")
    if kind == torch.float32:
        return a, b, lambda: torch.mm(a, b)
    a = a.to(kind)
    if kind == torch.float8_e4m3fn:
        # B is stored by columns; with fast accumulation nothing is added outside the matrix unit.
        b, one = b.t().contiguous().to(kind).t(), torch.tensor(1.0, device="cuda")
        return a, b, lambda: torch._scaled_mm(a, b, one, one, out_dtype=torch.float32, use_fast_accum=True)
    b = b.to(kind)
    return a, b, lambda: torch.mm(a, b, out_dtype=torch.float32)


def main():
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, {torch.cuda.get_device_name()}")
    for kind, instruction in [
        (torch.float16, "hopper-wgmma-k16-fp16-fp32"),
        (torch.bfloat16, "hopper-wgmma-k16-bf16-fp32"),
        (torch.float8_e4m3fn, "hopper-wgmma-k32-e4m3-fp32"),
        (torch.float32, "hopper-wgmma-k8-tf32-fp32"),
    ]:
        for m, k, n in SIZES:
            a, b, multiply = product(kind, m, k, n)
            multiply()
            with profile(activities=[ProfilerActivity.CUDA]) as seen:
                d = multiply().cpu().numpy()
            kernels = [event.key for event in seen.key_averages() if "gemm" in event.key or "nvjet" in event.key]
            equal = int((by_tensorsmith(instruction, a, b).view(np.uint32) == d.view(np.uint32)).sum())
            print(f"{m} x {k} x {n}, {instruction}: {equal:,} of {d.size:,} equal; {', '.join(kernels)[:100]}")


if __name__ == "__main__":
    main()
