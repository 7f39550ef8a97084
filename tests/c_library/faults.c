// Faults of a program that uses libtensorsmith, for the sanitizers: room that is too small for a text or for results, and two threads
// that write one result.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tensorsmith.h"

static tensorsmith_unit *unit;
static uint64_t a[4], shared;

static void *race(void *argument) {
  tensorsmith_operands operands = {.a = a, .a_length = 4, .b = a, .b_length = 4};
  uint64_t d = 0;
  for (int i = 0; i < 1000; i++) {
    (void)tensorsmith_run(unit, 1, &operands, &d, 1, NULL, 0);
    shared += d + 1;
  }
  return argument;
}

int main(int argc, char **argv) {
  if (argc != 2 || tensorsmith_open("volta-fp16-fp32", &unit) != TENSORSMITH_STATUS_OK) return 0;
  if (strcmp(argv[1], "race") == 0) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, race, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  } else if (strcmp(argv[1], "results") == 0) {
    // The library writes the second result itself, by no function that the sanitizer knows.
    uint64_t two[8] = {0}, *d = malloc(sizeof *d);
    tensorsmith_operands operands = {.a = two, .a_length = 8, .b = two, .b_length = 8};
    (void)tensorsmith_run(unit, 2, &operands, d, 2, NULL, 0);
    free(d);
  } else {
    char text[8];
    size_t length;
    tensorsmith_operands operands = {.a = a, .a_length = 4, .b = a, .b_length = 4};
    // It is said to have more room than it has.
    (void)tensorsmith_trace(unit, &operands, text, 1 << 16, &length);
  }
  tensorsmith_close(unit);
  return 0;
}
