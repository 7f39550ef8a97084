// What libtensorsmith refuses, and what it says of units: a line a call, which the test compares.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorsmith.h"

tensorsmith_status tensorsmith_planted_panic(void);

static void say(const char *what, tensorsmith_status status) {
  printf("%s: %d %s\n", what, (int)status, status == TENSORSMITH_STATUS_OK ? "" : tensorsmith_last_error());
}

static tensorsmith_unit *opened(const char *name) {
  tensorsmith_unit *unit = NULL;
  if (tensorsmith_open(name, &unit) != TENSORSMITH_STATUS_OK) {
    printf("error: %s\n", tensorsmith_last_error());
    exit(2);
  }
  return unit;
}

// Names and files that are refused.
static void refused_names(void) {
  tensorsmith_unit *unit = NULL;
  printf("before: '%s'\n", tensorsmith_last_error());
  say("no name", tensorsmith_open(NULL, &unit));
  say("no room", tensorsmith_open("tiny-truncating", NULL));
  say("unknown", tensorsmith_open("volta-fp16-fp23", &unit));
  static char longer[120001];
  memset(longer, 'a', sizeof longer - 1);
  say("longer", tensorsmith_open(longer, &unit));
  say("not UTF-8", tensorsmith_open("a\xff", &unit));
  const char *field = "name = \"a\"\nscheme = \"fused\"\nproducts = 0\n";
  say("field", tensorsmith_open_toml(field, strlen(field), &unit));
  say("no TOML", tensorsmith_open_toml("[", 1, &unit));
  say("no text", tensorsmith_open_toml(NULL, 1, &unit));
  printf("still null: %d\n", unit == NULL);
  tensorsmith_close(NULL);
}

// Vectors that are refused; the unit answers afterwards.
static void refused_vectors(tensorsmith_unit *unit) {
  uint64_t a[8] = {0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00}, c[2] = {0, 0x3f800000}, d[2];
  uint8_t flags[2];
  tensorsmith_operands one = {.a = a, .a_length = 4, .b = a, .b_length = 4, .c = c, .c_length = 1};
  say("no unit", tensorsmith_run(NULL, 1, &one, d, 1, NULL, 0));
  say("no vectors", tensorsmith_run(unit, 1, NULL, d, 1, NULL, 0));
  say("no d", tensorsmith_run(unit, 1, &one, NULL, 1, NULL, 0));
  say("short a", tensorsmith_run(unit, 2, &one, d, 2, NULL, 0));
  say("short d", tensorsmith_run(unit, 1, &one, d, 0, NULL, 0));
  say("long flags", tensorsmith_run(unit, 1, &one, d, 1, flags, 2));
  say("too many", tensorsmith_run(unit, SIZE_MAX, &one, d, SIZE_MAX, NULL, 0));
  tensorsmith_operands vast = one;
  vast.a_length = SIZE_MAX;
  say("too long", tensorsmith_run(unit, 1, &vast, d, 1, NULL, 0));
  tensorsmith_operands null = one;
  null.b = NULL;
  say("null b", tensorsmith_run(unit, 1, &null, d, 1, NULL, 0));
  tensorsmith_operands scaled = one;
  scaled.scale_a = a, scaled.scale_a_length = 1;
  say("scales", tensorsmith_run(unit, 1, &scaled, d, 1, NULL, 0));
  a[2] = 0x10000;
  say("no encoding", tensorsmith_run(unit, 1, &one, d, 1, NULL, 0));
  a[2] = 0x3c00;
  say("panic", tensorsmith_planted_panic());
  tensorsmith_operands two = {.a = a, .a_length = 8, .b = a, .b_length = 8, .c = c, .c_length = 2};
  say("two vectors", tensorsmith_run(unit, 2, &two, d, 2, flags, 2));
  printf("d %" PRIx64 " %" PRIx64 " flags %d %d\n", d[0], d[1], flags[0], flags[1]);
  one.c = NULL, one.c_length = 0;
  say("without c", tensorsmith_run(unit, 1, &one, d, 1, NULL, 0));
  printf("d %" PRIx64 "\n", d[0]);
  say("no vector", tensorsmith_run(unit, 0, &(tensorsmith_operands){0}, NULL, 0, NULL, 0));
}

static void shapes(tensorsmith_unit *unit) {
  tensorsmith_shape shape;
  say("no shape", tensorsmith_shape_of(unit, NULL));
  say("shape", tensorsmith_shape_of(unit, &shape));
  printf("%s %u %u, %u %u %u %u, %u %u, %u, %u %u\n", tensorsmith_name_of(unit), shape.products, shape.scales, shape.a_width,
         shape.b_width, shape.c_width, shape.d_width, shape.scale_a_width, shape.scale_b_width, shape.flags_width, shape.m, shape.n);
  for (uint32_t operand = TENSORSMITH_A; operand <= TENSORSMITH_SCALE_B; operand++) printf("%s,", tensorsmith_format_of(unit, operand));
  const char *none = tensorsmith_format_of(unit, 6);
  printf("\n%d %s\n", none == NULL, tensorsmith_last_error());
}

// Events and traces of a unit; an instruction has none.
static void inside(tensorsmith_unit *unit, tensorsmith_unit *instruction) {
  uint64_t a[16] = {0x3c00, 1}, d;
  tensorsmith_operands one = {.a = a, .a_length = 4, .b = a, .b_length = 4};
  say("counted", tensorsmith_run_counted(unit, 1, &one, &d, 1, NULL, 0));
  const char *name;
  uint64_t count, kinds = 0, happened = 0;
  for (size_t index = 0; tensorsmith_event(unit, index, &name, &count) == TENSORSMITH_STATUS_OK && name != NULL; index++) {
    kinds++;
    happened += count;
  }
  printf("%d events, %d seen, %" PRIu64 " vectors\n", kinds > 10, happened > 0, count);
  size_t length = 0;
  say("length", tensorsmith_trace(unit, &one, NULL, 0, &length));
  char *text = malloc(length + 1);
  say("short", tensorsmith_trace(unit, &one, text, length, &length));
  say("trace", tensorsmith_trace(unit, &one, text, length + 1, &length));
  printf("%s", text);
  free(text);
  tensorsmith_operands block = {.a = a, .a_length = 16, .b = a, .b_length = 16};
  say("instruction traced", tensorsmith_trace(instruction, &block, NULL, 0, &length));
  say("instruction counted", tensorsmith_run_counted(instruction, 1, &block, &d, 1, NULL, 0));
}

// A row of ones times two columns of ones, k twice the instruction's.
static void matrices(tensorsmith_unit *instruction) {
  uint64_t ones[64], d[2];
  for (int i = 0; i < 64; i++) ones[i] = 0x3c00;
  tensorsmith_operands operands = {.a = ones, .a_length = 32, .b = ones, .b_length = 64};
  say("matrices", tensorsmith_multiply(instruction, 1, 2, 32, &operands, d, 2));
  printf("D %" PRIx64 " %" PRIx64 "\n", d[0], d[1]);
  say("k", tensorsmith_multiply(instruction, 1, 2, 24, &operands, d, 2));
  say("size", tensorsmith_multiply(instruction, 2, 1, 32, &operands, d, 2));
  say("room", tensorsmith_multiply(instruction, 1, 2, 32, &operands, d, 1));
  say("no rows", tensorsmith_multiply(instruction, 0, 2, 32, &(tensorsmith_operands){.b = ones, .b_length = 64}, d, 0));
  uint64_t c[2] = {0x3f800000, 0x40000000};
  say("k of 0", tensorsmith_multiply(instruction, 1, 2, 0, &(tensorsmith_operands){.c = c, .c_length = 2}, d, 2));
  printf("D %" PRIx64 " %" PRIx64 "\n", d[0], d[1]);
  say("k of 0 without c", tensorsmith_multiply(instruction, 1, 2, 0, &(tensorsmith_operands){0}, d, 2));
  printf("D %" PRIx64 " %" PRIx64 "\n", d[0], d[1]);
  say("k of 0, size", tensorsmith_multiply(instruction, 1, 2, 0, &operands, d, 2));
  ones[33] = 0x10000;
  say("element", tensorsmith_multiply(instruction, 1, 2, 32, &operands, d, 2));
}

// Instructions of devices for operands of some formats.
static void devices(void) {
  const char *wanted[][4] = {
    {"H100", "e4m3", "e4m3", NULL}, {"B200", "e4m3", "e4m3", "binary32"}, {"l40s", "e4m3", "e4m3", NULL},
    {"H100", "binary16", "binary16", "binary16"}, {"H100", "binary32", "binary32", NULL}, {"H100", "tf32", "tf32", "binary16"},
    {"H1000", "e4m3", "e4m3", NULL}, {"H100", "fp9", "e4m3", NULL}, {NULL, "e4m3", "e4m3", NULL},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    tensorsmith_unit *unit = NULL;
    say("device", tensorsmith_open_device(wanted[i][0], wanted[i][1], wanted[i][2], wanted[i][3], &unit));
    if (unit) printf("%s\n", tensorsmith_name_of(unit));
    tensorsmith_close(unit);
  }
}

int main(void) {
  printf("%s, interface %u.%u\n", tensorsmith_version(), tensorsmith_abi_version() >> 16, tensorsmith_abi_version() & 0xffff);
  refused_names();
  devices();
  tensorsmith_unit *unit = opened("volta-fp16-fp32"), *instruction = opened("ampere-mma-m16n8k16-fp16-fp32");
  refused_vectors(unit);
  shapes(unit);
  shapes(instruction);
  inside(unit, instruction);
  matrices(instruction);
  tensorsmith_close(instruction);
  tensorsmith_close(unit);
  size_t names = 0;
  while (tensorsmith_catalogue_name(names) != NULL) names++;
  printf("%d names, the first %s\n", names > 100, tensorsmith_catalogue_name(0));
  return 0;
}
