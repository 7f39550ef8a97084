// A wavefront on this processor: a thread for each lane, which wait for each other at every matrix instruction. The kernel's
// text follows this one.
#include <pthread.h>
#include <string.h>

#define __global__

struct Index { unsigned x; };
static thread_local Index threadIdx, blockIdx;

typedef void (*Matrix)(const char* name, const void* a, size_t a_bytes, const void* b, size_t b_bytes, const void* c, void* d, size_t d_bytes);
extern "C" { Matrix fake_hip_matrix; }

// What 64 lanes hold of each operand: at most 16 words of 32 bits, or 4 of 64.
struct Wavefront {
    pthread_barrier_t together;
    unsigned char a[64 * 64], b[64 * 64], c[64 * 64], d[64 * 64];
};
static thread_local Wavefront* wavefront;

// What all lanes hold goes to the matrix instruction, lane by lane, and each lane takes its own share of the result.
template <class A, class B, class R> static R fake_mfma(const char* name, A a, B b, R c) {
    static_assert(sizeof(A) <= 64 && sizeof(B) <= 64 && sizeof(R) <= 64, "a lane's share");
    const unsigned lane = threadIdx.x;
    Wavefront& w = *wavefront;
    pthread_barrier_wait(&w.together);
    memcpy(&w.a[lane * sizeof a], &a, sizeof a);
    memcpy(&w.b[lane * sizeof b], &b, sizeof b);
    memcpy(&w.c[lane * sizeof c], &c, sizeof c);
    pthread_barrier_wait(&w.together);
    if (lane == 0) fake_hip_matrix(name, w.a, sizeof a, w.b, sizeof b, w.c, w.d, sizeof c);
    pthread_barrier_wait(&w.together);
    memcpy(&c, &w.d[lane * sizeof c], sizeof c);
    return c;
}

template <class A, class B, class C, class D>
static void fake_call(void (*kernel)(A, B, C, D, unsigned), void** p) {
    kernel(*(A*)p[0], *(B*)p[1], *(C*)p[2], *(D*)p[3], *(unsigned*)p[4]);
}

static void fake_kernel(void** parameters);

struct Lane {
    Wavefront* own;
    unsigned number, groups;
    void** parameters;
};

static void* fake_lane(void* argument) {
    const Lane& lane = *(Lane*)argument;
    wavefront = lane.own;
    threadIdx.x = lane.number;
    for (blockIdx.x = 0; blockIdx.x < lane.groups; ++blockIdx.x) fake_kernel(lane.parameters);
    return 0;
}

extern "C" void fake_hip_launch(unsigned groups, unsigned threads, void** parameters) {
    Wavefront own;
    pthread_t handles[64];
    Lane lanes[64];
    pthread_barrier_init(&own.together, 0, threads);
    for (unsigned lane = 0; lane < threads; ++lane) {
        lanes[lane] = Lane{&own, lane, groups, parameters};
        pthread_create(&handles[lane], 0, fake_lane, &lanes[lane]);
    }
    for (unsigned lane = 0; lane < threads; ++lane) pthread_join(handles[lane], 0);
    pthread_barrier_destroy(&own.together);
}
