"""How far products of matrices lie from the exact ones on four devices: the greatest error, in units of the last place of float32.

    pip install .
    python examples/error_of_products.py
"""

import numpy as np

import tensorsmith

random = np.random.default_rng(1)
a = random.standard_normal((64, 512)).astype(np.float16)
b = random.standard_normal((512, 64)).astype(np.float16)
# Products of float16 are exact in float64, and so are these sums, but for bits far below the last place of float32.
exact = a.astype(np.float64) @ b.astype(np.float64)

for device in ("V100", "A100", "H100", "MI300"):
    d = tensorsmith.matmul(a, b, device=device)
    error = np.abs(d - exact) / np.spacing(np.abs(exact).astype(np.float32))
    print(f"{device}  greatest error {error.max():8.1f} ulp, mean {error.mean():6.2f} ulp")
