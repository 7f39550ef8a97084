"""A board at the end of a serial line, asked from Python: the protocol of the page "Boards" in fifty lines.

    python3 board.py /dev/ttyUSB0 [BAUD]     what the board holds; then a thousand vectors over the line and the same made on the chip,
                                             whose signatures have to be equal
"""

import os, select, sys, termios, tty, zlib


class Board:
    def __init__(self, path, baud=3_000_000):
        self.line = os.open(path, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.line)
        mode = termios.tcgetattr(self.line)
        mode[4] = mode[5] = getattr(termios, f"B{baud}")
        termios.tcsetattr(self.line, termios.TCSAFLUSH, mode)
        self.sequence = 0

    def ask(self, command, payload=b"", tries=5, seconds=5.0):
        """The content of the answer; what was lost or damaged is asked again."""
        for _ in range(tries):
            self.sequence = (self.sequence + 1) % 256
            head = bytes([self.sequence, command])
            content = head + payload
            frame = content + zlib.crc32(content).to_bytes(4, "little")
            stuffed = frame.replace(b"\x7d", b"\x7d\x5d").replace(b"\x7e", b"\x7d\x5e")
            os.write(self.line, b"\x7e" + stuffed + b"\x7e")
            found = b""
            while select.select([self.line], [], [], seconds)[0]:
                found += os.read(self.line, 4096)
                *frames, found = found.split(b"\x7e")
                for frame in frames:
                    frame = frame.replace(b"\x7d\x5e", b"\x7e").replace(b"\x7d\x5d", b"\x7d")
                    answer, check = frame[:-4], frame[-4:]
                    right = zlib.crc32(answer).to_bytes(4, "little") == check
                    if right and answer[:2] == head and answer[-1] == 0:
                        return answer[2:-1]
        raise OSError("the board does not answer")

    def identity(self):
        return dict(field.split("=", 1) for field in self.ask(1).decode().split(";"))

    def vectors(self, words, operand_bits, answer_bits):
        """Results of vectors, each one word: a in its lowest bits, then b, scales of a, scales of b, c."""
        size, each = -(-operand_bits // 8), -(-answer_bits // 8)
        answer = self.ask(2, b"".join(word.to_bytes(size, "little") for word in words))
        return [int.from_bytes(answer[i : i + each], "little") for i in range(0, len(answer), each)]

    def signatures(self, lanes, keep, set_, operand_bits, count, window):
        """Signatures of windows of vectors that the board makes from these lanes."""
        size, number = -(-operand_bits // 8), lambda value, size: value.to_bytes(size, "little")
        state = b"".join(number(lane, 8) for lane in lanes)
        answer = self.ask(3, number(window, 6) + number(count, 6) + state + number(keep, size) + number(set_, size))
        return [int.from_bytes(answer[i : i + 8], "little") for i in range(0, len(answer), 8)]


def vector(lanes, keep, set_):
    """The next vector of the generator on the chip, and its lanes after it."""
    word = sum(lane << 64 * index for index, lane in enumerate(lanes)) & keep | set_
    for shift in (13, -7, 17):
        lanes = [(lane ^ (lane << shift if shift > 0 else lane >> -shift)) % 2**64 for lane in lanes]
    return word, lanes


def signed(signature, result):
    """The signature after a result; it starts with ones. Of a wide result every 64 bits are turned by one more place."""
    for turn in range(1, -(-result.bit_length() // 64)):
        word = (result >> 64 * turn) % 2**64
        result ^= (word << turn % 64 | word >> (64 - turn % 64)) % 2**64
    result %= 2**64
    below = (signature >> 63 ^ signature >> 62 ^ signature >> 60 ^ signature >> 59) & 1
    return (signature << 1 | below) % 2**64 ^ result


if __name__ == "__main__":
    board = Board(sys.argv[1], *map(int, sys.argv[2:]))
    identity = board.identity()
    operand_bits, answer_bits = int(identity["operands"]), int(identity["answer"])
    print(*(f"{field:12} {value}" for field, value in identity.items()), sep="\n")
    lanes = [0x9E3779B97F4A7C15 * (index + 1) % 2**64 for index in range(-(-operand_bits // 64))]
    keep, signature, state, words = 2**operand_bits - 1, 2**64 - 1, lanes, []
    for _ in range(1000):
        word, state = vector(state, keep, 0)
        words.append(word)
    some = max(1, 4096 // operand_bits)
    answers = [answer for first in range(0, 1000, some) for answer in board.vectors(words[first : first + some], operand_bits, answer_bits)]
    for answer in answers:
        signature = signed(signature, answer)
    found = board.signatures(lanes, keep, 0, operand_bits, 1000, 1000)
    print(f"signature    {found[0]:016x} of 1000 vectors made on the chip, {signature:016x} of the same over the line")
    sys.exit(found != [signature])
