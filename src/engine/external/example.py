#!/usr/bin/env python3
"""A program for the engine `external`: a fused dot-product unit, from its definition, in Python's integers.

    tensorsmith cosim hopper-fp16-fp32 --vectors 20000 --engines emulator,external --external "python3 example.py"

The unit: products are exact; products and addend are cut toward zero to FRACTION_BITS bits below the greatest exponent, added,
and cut toward zero to binary32. Change the parameters, or answer() as a whole, to ask about another unit. Slow, and meant to
be read; PROTOCOL.md beside this file says what the lines are. Uses nothing of tensorsmith.
"""

import sys

NAME, VERSION = "example-fused", "1"

# NVIDIA Hopper with fp16 operands. Volta has 4 products and 23 fraction bits; Ampere 8 and 24.
PRODUCTS = 16
FRACTION_BITS = 25
EXPONENT_FLOOR = -133

# Exponent bits, fraction bits.
BINARY16 = (5, 10)
BINARY32 = (8, 23)

NAN = 0x7FFFFFFF
INFINITY = 0x7F800000
SIGN = 0x80000000


def decode(bits, layout):
    """Kind, sign, and the number as significand * 2**scale, of a binary interchange format (IEEE 754-2019, 3.4)."""
    exponent_bits, fraction_bits = layout
    sign = bits >> (exponent_bits + fraction_bits)
    field = bits >> fraction_bits & (1 << exponent_bits) - 1
    fraction = bits & (1 << fraction_bits) - 1
    if field == (1 << exponent_bits) - 1:
        return ("nan" if fraction else "infinite"), sign, 0, 0
    hidden = 0 if field == 0 else 1 << fraction_bits
    bias = (1 << exponent_bits - 1) - 1
    return "finite", sign, hidden | fraction, max(field, 1) - bias - fraction_bits


def special(pairs, addend):
    """The result where an operand is no finite number, otherwise None."""
    signs = set()
    for a, b in pairs:
        kinds = (a[0], b[0])
        if "nan" in kinds:
            return NAN
        if "infinite" in kinds:
            if any(kind == "finite" and significand == 0 for kind, _, significand, _ in (a, b)):
                return NAN
            signs.add(a[1] ^ b[1])
    if addend[0] == "nan":
        return NAN
    if addend[0] == "infinite":
        signs.add(addend[1])
    if not signs:
        return None
    return NAN if len(signs) == 2 else INFINITY | signs.pop() * SIGN


def cut(significand, places):
    """significand / 2**places, toward zero."""
    return significand >> places if places >= 0 else significand << -places


def encode(value, scale):
    """value * 2**scale as binary32, cut toward zero; what is too large becomes infinity, and an exact zero plus zero."""
    _, fraction_bits = BINARY32
    if value == 0:
        return 0
    sign, magnitude = (SIGN, -value) if value < 0 else (0, value)
    # The exponent of the leading bit, but at least that of the subnormal numbers.
    exponent = max(scale + magnitude.bit_length() - 1, -126)
    if exponent > 127:
        return sign | INFINITY
    significand = cut(magnitude, exponent - fraction_bits - scale)
    # The hidden bit of a normal number adds 1 to the exponent field of its binade, which counts from -126.
    return sign | (exponent + 126 << fraction_bits) + significand


def answer(a, b, c):
    """d = convert(c + sum of a[i] * b[i])."""
    pairs = [(decode(x, BINARY16), decode(y, BINARY16)) for x, y in zip(a, b)]
    addend = decode(c, BINARY32)
    result = special(pairs, addend)
    if result is not None:
        return result
    # Sign, significand, scale, and the exponent that takes part in the maximum: that of operands in [1, 2), or below it.
    terms = [(x[1] ^ y[1], x[2] * y[2], x[3] + y[3], x[3] + y[3] + 20) for x, y in pairs]
    terms.append((*addend[1:], addend[3] + 23))
    terms = [term for term in terms if term[1] != 0]
    anchor = max([EXPONENT_FLOOR] + [exponent for *_, exponent in terms])
    last = anchor - FRACTION_BITS
    total = 0
    for sign, significand, scale, _ in terms:
        aligned = cut(significand, last - scale)
        total += -aligned if sign else aligned
    return encode(total, last)


def hello(line):
    """The answer to the first line, and whether vectors can follow."""
    words = line.split()
    given = dict(word.split("=", 1) for word in words[2:])
    own = {"products": str(PRODUCTS), "a": "binary16:16", "b": "binary16:16", "c": "binary32:32", "d": "binary32:32"}
    if words[:2] != ["hello", "1"]:
        return "unsupported this program speaks version 1 of the protocol", False
    for name in [*own, "scales", "flags"]:
        if given.get(name) != own.get(name):
            return f"unsupported {name} is {given.get(name)}; allowed: {own.get(name)}", False
    return f"hello 1 {NAME} {VERSION}", True


def main():
    text, ready = hello(sys.stdin.readline())
    print(text, flush=True)
    if not ready:
        return
    for line in sys.stdin:
        if line == "flush\n":
            print("flush", flush=True)
            continue
        words = [int(word, 16) for word in line.split()]
        print(f"{answer(words[:PRODUCTS], words[PRODUCTS:-1], words[-1]):x}")


if __name__ == "__main__":
    main()
