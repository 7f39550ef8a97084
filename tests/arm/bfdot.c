// Runs BFDOT or BFMMLA (Armv8.6-A, FEAT_BF16) on vectors from standard input. Computes nothing itself.
//
//   input, little-endian, 48 bytes a step   c 4 x binary32, a 8 x bfloat16, b 8 x bfloat16
//   output, 16 bytes a step                 d 4 x binary32
//
//   bfdot    d[i] = c[i] + a[2i] b[2i] + a[2i+1] b[2i+1]
//   bfmmla   D = C + A B', row by row: C and D 2 x 2, A and B 2 x 4

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct step {
    uint32_t c[4];
    uint16_t a[8], b[8];
};

enum { STEPS = 4096 };

#define RUN(instruction, step)                                        \
    __asm__ volatile("ldr q0, [%0]\n\t"                               \
                     "ldp q1, q2, [%0, #16]\n\t"                      \
                     instruction " v0.4s, v1.8h, v2.8h\n\t"           \
                     "str q0, [%0]"                                   \
                     :                                                \
                     : "r"(step)                                      \
                     : "v0", "v1", "v2", "memory")

int main(int count, char **arguments) {
    static struct step steps[STEPS];
    const char *name = count == 2 ? arguments[1] : "";
    int matrix = strcmp(name, "bfmmla") == 0;
    if (!matrix && strcmp(name, "bfdot") != 0) {
        fprintf(stderr, "usage: bfdot bfdot|bfmmla\n");
        return 2;
    }
    size_t read;
    while ((read = fread(steps, sizeof *steps, STEPS, stdin)) > 0) {
        for (size_t i = 0; i < read; i++) {
            if (matrix) {
                RUN("bfmmla", &steps[i]);
            } else {
                RUN("bfdot", &steps[i]);
            }
            if (fwrite(steps[i].c, sizeof steps[i].c, 1, stdout) != 1) {
                return 1;
            }
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
