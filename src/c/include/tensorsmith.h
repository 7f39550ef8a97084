// libtensorsmith: dot-product units and matrix instructions as a bit-exact emulator. Encodings are uint64_t, the lowest bit first.
//
// Functions that can fail answer a tensorsmith_status; tensorsmith_last_error has the text. Any number of threads may call any
// functions at once, with one handle or with several; only tensorsmith_close and tensorsmith_dpi_close need the handle for
// themselves. A SystemVerilog model holds the operands of one vector: threads that put and run with the same one take turns, or
// mix their operands.
//
// Made by cbindgen of src/c; write it again with: TENSORSMITH_REWRITE_SNAPSHOTS=1 cargo test -p tensorsmith-c

#ifndef TENSORSMITH_H
#define TENSORSMITH_H

#include <stddef.h>
#include <stdint.h>

// Grows where something changes that programs were built for; the shared library has it in its name for loaders.
#define TENSORSMITH_ABI_MAJOR 1

// Grows where something is added.
#define TENSORSMITH_ABI_MINOR 1

// Number of the operand a.
#define TENSORSMITH_A 0

// Number of the operand b.
#define TENSORSMITH_B 1

// Number of the addend c.
#define TENSORSMITH_C 2

// Number of the result d.
#define TENSORSMITH_D 3

// Number of the scales of a.
#define TENSORSMITH_SCALE_A 4

// Number of the scales of b.
#define TENSORSMITH_SCALE_B 5

// In an element of flags: the largest finite number is exceeded.
#define TENSORSMITH_OVERFLOW 1

// In an element of flags: a signalling NaN, infinity times zero, or infinite terms of both signs.
#define TENSORSMITH_INVALID 2

// What a function answers; of all but OK `tensorsmith_last_error` has the text.
typedef enum {
  // Done.
  TENSORSMITH_STATUS_OK = 0,
  // A pointer is null that has to point to something.
  TENSORSMITH_STATUS_NULL = 1,
  // An array has the wrong length.
  TENSORSMITH_STATUS_LENGTH = 2,
  // A text is not UTF-8.
  TENSORSMITH_STATUS_TEXT = 3,
  // No unit and no instruction of the catalogue has the name.
  TENSORSMITH_STATUS_NAME = 4,
  // A unit file or an instruction file is not accepted.
  TENSORSMITH_STATUS_FILE = 5,
  // A value is not among those that are allowed.
  TENSORSMITH_STATUS_VALUE = 6,
  // A fault of the library itself: a panic was caught. The handle can still be used.
  TENSORSMITH_STATUS_INTERNAL = 7,
} tensorsmith_status;

// A unit or an instruction that answers.
typedef struct tensorsmith_unit tensorsmith_unit;

// Sizes of vectors and answers. Widths are bits of an encoding.
typedef struct {
  // K: products of one result.
  uint32_t products;
  // Scales of a in one vector, and as many of b; 0 where there are none.
  uint32_t scales;
  uint32_t a_width;
  uint32_t b_width;
  // 0 where there is no addend.
  uint32_t c_width;
  uint32_t d_width;
  // 0 where there are no scales.
  uint32_t scale_a_width;
  uint32_t scale_b_width;
  // Exception flags of a result: 0 or 2.
  uint32_t flags_width;
  // Rows of the instruction's own D; 1 for a unit.
  uint32_t m;
  // Columns of the instruction's own D; 1 for a unit.
  uint32_t n;
  // Zeros; later versions of the library may use them.
  uint32_t reserved[5];
} tensorsmith_shape;

// Arrays of encodings, vector after vector or matrices row by row. A length is a number of elements. What a unit does not have is
// null with length 0; c may be left out so, too, for zeros.
typedef struct {
  const uint64_t *a;
  size_t a_length;
  const uint64_t *b;
  size_t b_length;
  const uint64_t *c;
  size_t c_length;
  const uint64_t *scale_a;
  size_t scale_a_length;
  const uint64_t *scale_b;
  size_t scale_b_length;
} tensorsmith_operands;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// For SystemVerilog: opens a unit by the text of its unit file. Null after an error.
// Safety: `description` ends with a zero byte.
void *tensorsmith_dpi_open(const char *description);

// For SystemVerilog: closes a unit; null is nothing to close.
// Safety: `model` is null, or was opened and is not yet closed.
void tensorsmith_dpi_close(void *model);

// For SystemVerilog: sets an element of an operand, by the numbers TENSORSMITH_A and so on. 0, or the number of an error.
// Safety: `model` is open.
int tensorsmith_dpi_put(void *model, int operand, int index, uint64_t value);

// For SystemVerilog: *answer is the result of the operands that were put, with its flags above it where the unit has them. Its events
// are counted where `counted` is not 0. 0, or the number of an error.
// Safety: `model` is open; `answer` points to room.
int tensorsmith_dpi_run(void *model, int counted, uint64_t *answer);

// For SystemVerilog: the intermediate values of the operands that were put, a line a signal.
// Safety: `model` is open.
const char *tensorsmith_dpi_trace(void *model);

// For SystemVerilog: the events that were counted, a line an event, and in the last line how many of them were seen.
// Safety: `model` is open.
const char *tensorsmith_dpi_coverage(void *model);

// For SystemVerilog: the text of the last error.
const char *tensorsmith_dpi_error(void);

// The version of the library, such as "0.1.0".
const char *tensorsmith_version(void);

// The version of the interface: 65536 * TENSORSMITH_ABI_MAJOR + TENSORSMITH_ABI_MINOR of the library that is loaded. A program
// runs with one of the same major and of the same or a greater minor version than it was built for.
uint32_t tensorsmith_abi_version(void);

// The name of a unit or an instruction of the catalogue, from 0 on; null behind the last.
const char *tensorsmith_catalogue_name(size_t index);

// Sizes of a unit or an instruction.
// Safety: `unit` is open; `shape` points to room.
tensorsmith_status tensorsmith_shape_of(const tensorsmith_unit *unit, tensorsmith_shape *shape);

// The name of a unit or an instruction. It lives until the unit is closed; null after an error.
// Safety: `unit` is open.
const char *tensorsmith_name_of(const tensorsmith_unit *unit);

// The name of the format of TENSORSMITH_A and so on, such as "binary16"; empty where there is no such operand. It lives until the
// unit is closed; null after an error.
// Safety: `unit` is open.
const char *tensorsmith_format_of(const tensorsmith_unit *unit, uint32_t operand);

// An event of the datapath that a unit can show, from 0 on, and in how many of the vectors of tensorsmith_run_counted it happened.
// Behind the last one *name is null and *count is how many vectors that were. Instructions have no events.
// Safety: `unit` is open; `name` and `count` point to room.
tensorsmith_status tensorsmith_event(const tensorsmith_unit *unit, size_t index, const char **name, uint64_t *count);

// D = A B + C of whole matrices, row by row: A m x k, B k x n, C and D m x n, scales of A m x blocks and of B blocks x n. m and n are
// any, k a multiple of the shape's products; each part of k adds to the result of the one before, as `tensorsmith gemm` does. Where m or
// n is 0, D is empty; where k is 0, D is C, rounded to nearest where its format is narrower. D holds results alone. The calling
// thread does all the work; rows of D can be given to several threads.
// Safety: `unit` is open; every pointer points to as many elements as is said.
tensorsmith_status tensorsmith_multiply(const tensorsmith_unit *unit,
                                        size_t m,
                                        size_t n,
                                        size_t k,
                                        const tensorsmith_operands *matrices,
                                        uint64_t *d,
                                        size_t d_length);

// Opens a unit or an instruction of the catalogue. *unit is to be given back by tensorsmith_close; after an error it is as before.
// Safety: `name` ends with a zero byte; `unit` points to room for a pointer.
tensorsmith_status tensorsmith_open(const char *name, tensorsmith_unit **unit);

// Opens the instruction that a device's libraries run for operands of these formats, such as "e4m3"; tensorsmith_name_of says which
// one it is. c is the format of the addend, or null where any will do: then results in binary16 are not chosen. *unit is to be given back
// by tensorsmith_close; after an error it is as before. Since TENSORSMITH_ABI_MINOR 1.
// Safety: `device`, `a`, `b`, and `c` unless it is null, end with a zero byte; `unit` points to room for a pointer.
tensorsmith_status tensorsmith_open_device(const char *device, const char *a, const char *b, const char *c, tensorsmith_unit **unit);

// Opens a unit or an instruction by the text of its file, of so many bytes. An instruction names units of the catalogue. *unit is
// to be given back by tensorsmith_close; after an error it is as before.
// Safety: `text` points to as many bytes; `unit` points to room for a pointer.
tensorsmith_status tensorsmith_open_toml(const char *text, size_t length, tensorsmith_unit **unit);

// Closes what was opened; null is nothing to close. No other function may be at work on it, nor be called with it afterwards.
// Safety: `unit` is null, or was opened and is not yet closed.
void tensorsmith_close(tensorsmith_unit *unit);

// The text of the last error on the calling thread: field, value and what is allowed. Empty where there was none. It stays until
// the next error on the same thread.
const char *tensorsmith_last_error(void);

// Answers `count` vectors: d has one element a vector, the result alone. flags has one a vector too, of TENSORSMITH_OVERFLOW and
// TENSORSMITH_INVALID, all 0 where the unit has no flags; with null and 0 nobody is told. Arrays that are written overlap no
// other. After an error nothing counts that d and flags hold.
// Safety: `unit` is open; every pointer points to as many elements as is said.
tensorsmith_status tensorsmith_run(const tensorsmith_unit *unit,
                                   size_t count,
                                   const tensorsmith_operands *vectors,
                                   uint64_t *d,
                                   size_t d_length,
                                   uint8_t *flags,
                                   size_t flags_length);

// As tensorsmith_run, for units only; the events of the vectors are counted, for tensorsmith_event.
// Safety: As of tensorsmith_run.
tensorsmith_status tensorsmith_run_counted(const tensorsmith_unit *unit,
                                           size_t count,
                                           const tensorsmith_operands *vectors,
                                           uint64_t *d,
                                           size_t d_length,
                                           uint8_t *flags,
                                           size_t flags_length);

// The intermediate values of one vector, a line a signal: stage, name, values. *length is how many bytes that are, without the zero
// byte behind them; text has room for `capacity`, and with 0 only the length is said. For units only.
// Safety: `unit` is open; every pointer points to as many elements as is said.
tensorsmith_status tensorsmith_trace(const tensorsmith_unit *unit,
                                     const tensorsmith_operands *vector,
                                     char *text,
                                     size_t capacity,
                                     size_t *length);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TENSORSMITH_H */
