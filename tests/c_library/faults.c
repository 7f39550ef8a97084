// Faults of a program that uses libtensorsmith, for the sanitizers: room that is too small, and two threads that write one result.

#include <pthread.h>
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
