// Dot products by libtensorsmith: reads vectors from standard input, a line each, prints the result of each.
//
//     usage: dot UNIT < VECTORS
//
// A line holds the encodings of a, b, the scales of a and of b where the unit has them, and c where it has one, in hexadecimal. Where
// one more number stands behind them it is the result that is expected: then only those that differ are printed, with how many
// were compared. Status 1 if one differs, 2 if something is wrong with name or vectors.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorsmith.h"

enum { LINE_BYTES = 1 << 16 };

// Ends the program if a call has failed.
static void check(tensorsmith_status status) {
  if (status == TENSORSMITH_STATUS_OK) return;
  fprintf(stderr, "error: %s\n", tensorsmith_last_error());
  exit(2);
}

// Reads numbers until the end of a line or until there are `count`; how many there were.
static size_t numbers(char **line, uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char *end;
    values[i] = strtoull(*line, &end, 16);
    if (end == *line) return i;
    *line = end;
  }
  return count;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: dot UNIT < VECTORS\n");
    return 2;
  }
  if (tensorsmith_abi_version() >> 16 != TENSORSMITH_ABI_MAJOR) {
    fprintf(stderr, "error: another libtensorsmith than this program was built for\n");
    return 2;
  }
  tensorsmith_unit *unit;
  check(tensorsmith_open(argv[1], &unit));
  tensorsmith_shape shape;
  check(tensorsmith_shape_of(unit, &shape));

  size_t products = shape.products, scales = shape.scales, addends = shape.c_width != 0;
  size_t count = 2 * products + 2 * scales + addends;
  uint64_t *values = calloc(count + 1, sizeof *values);
  char *text = malloc(LINE_BYTES);
  unsigned long line_number = 0, compared = 0, mismatches = 0;
  while (fgets(text, LINE_BYTES, stdin)) {
    char *line = text;
    size_t found = numbers(&line, values, count + 1);
    line_number++;
    if (found < count) {
      fprintf(stderr, "error: line %lu has %zu numbers; allowed: %zu, or one more\n", line_number, found, count);
      exit(2);
    }
    tensorsmith_operands vector = {
        .a = values, .a_length = products,
        .b = values + products, .b_length = products,
        .scale_a = values + 2 * products, .scale_a_length = scales,
        .scale_b = values + 2 * products + scales, .scale_b_length = scales,
        .c = values + count - addends, .c_length = addends,
    };
    uint64_t d;
    check(tensorsmith_run(unit, 1, &vector, &d, 1, NULL, 0));
    if (found == count) {
      printf("%0*" PRIx64 "\n", (int)(shape.d_width + 3) / 4, d);
      continue;
    }
    compared++;
    if (d == values[count]) continue;
    mismatches++;
    printf("line %lu: %" PRIx64 ", expected %" PRIx64 "\n", line_number, d, values[count]);
  }
  if (compared != 0) printf("%s: %lu vectors compared, %lu mismatches\n", tensorsmith_name_of(unit), compared, mismatches);
  free(text);
  free(values);
  tensorsmith_close(unit);
  return mismatches != 0;
}
