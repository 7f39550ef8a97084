// Runs machine code of NEON that a file holds, on planes of 512 bits from standard input, which it writes to standard output.
// usage: run_code CODE

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PLANE = 64, PART = 16, LIMIT = 1 << 24 };

static unsigned char buffer[LIMIT] __attribute__((aligned(64)));

// As much as there is, at most LIMIT bytes.
static size_t read_all(FILE *file, void *bytes) {
    size_t count = fread(bytes, 1, LIMIT, file);
    if (ferror(file) || !feof(file)) {
        fputs("run_code: nothing was read, or too much\n", stderr);
        exit(2);
    }
    return count;
}

// What a function of this ABI leaves as it was: V8 holds a number across the call.
static uint64_t called(void (*function)(unsigned char *), unsigned char *planes) {
    register double kept __asm__("v8") = 1.5;
    __asm__ volatile("" : "+w"(kept));
    function(planes);
    __asm__ volatile("" : "+w"(kept));
    const double found = kept;
    uint64_t bits;
    memcpy(&bits, &found, sizeof bits);
    return bits;
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file)
        return 2;
    size_t length = read_all(file, buffer);
    void *code = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 2;
    memcpy(code, buffer, length);
    if (mprotect(code, length, PROT_READ | PROT_EXEC))
        return 2;
    __builtin___clear_cache((char *)code, (char *)code + length);
    size_t planes = read_all(stdin, buffer);
    void (*function)(unsigned char *) = (void (*)(unsigned char *))(uintptr_t)code;
    uint64_t kept = called(function, buffer);
    for (int part = PART; part < PLANE; part += PART)
        function(buffer + part);
    const double expected = 1.5;
    if (memcmp(&kept, &expected, sizeof kept)) {
        fputs("run_code: V8 was overwritten\n", stderr);
        return 1;
    }
    return fwrite(buffer, 1, planes, stdout) == planes ? 0 : 2;
}
