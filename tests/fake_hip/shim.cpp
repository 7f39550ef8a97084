// A wavefront on this processor: a thread for each lane, which wait for each other at every matrix instruction. The kernel's
// text follows this one.
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <vector>

#define __global__

struct Index { unsigned x; };
static thread_local Index threadIdx, blockIdx;

typedef void (*Matrix)(const char* name, const void* a, size_t a_bytes, const void* b, size_t b_bytes, const void* c, void* d, size_t d_bytes);
extern "C" { Matrix fake_hip_matrix; }

struct Wavefront {
    pthread_barrier_t together;
    std::vector<unsigned char> a, b, c, d;
};
static thread_local Wavefront* wavefront;

// What all lanes hold goes to the matrix instruction, lane by lane, and each lane takes its own share of the result.
template <class A, class B, class R> static R fake_mfma(const char* name, A a, B b, R c) {
    const size_t lanes = 64, lane = threadIdx.x;
    Wavefront& w = *wavefront;
    if (lane == 0) {
        w.a.resize(lanes * sizeof a);
        w.b.resize(lanes * sizeof b);
        w.c.resize(lanes * sizeof c);
        w.d.resize(lanes * sizeof c);
    }
    pthread_barrier_wait(&w.together);
    memcpy(&w.a[lane * sizeof a], &a, sizeof a);
    memcpy(&w.b[lane * sizeof b], &b, sizeof b);
    memcpy(&w.c[lane * sizeof c], &c, sizeof c);
    pthread_barrier_wait(&w.together);
    if (lane == 0) fake_hip_matrix(name, w.a.data(), sizeof a, w.b.data(), sizeof b, w.c.data(), w.d.data(), sizeof c);
    pthread_barrier_wait(&w.together);
    memcpy(&c, &w.d[lane * sizeof c], sizeof c);
    return c;
}

template <class Kernel> static void fake_launch(Kernel kernel, unsigned groups, unsigned threads, void** parameters) {
    Wavefront own;
    pthread_barrier_init(&own.together, nullptr, threads);
    std::vector<std::thread> lanes;
    for (unsigned lane = 0; lane < threads; ++lane)
        lanes.emplace_back([&, lane] {
            wavefront = &own;
            threadIdx.x = lane;
            for (blockIdx.x = 0; blockIdx.x < groups; ++blockIdx.x) kernel(parameters);
        });
    for (auto& lane : lanes) lane.join();
    pthread_barrier_destroy(&own.together);
}

template <class A, class B, class C, class D>
static void fake_call(void (*kernel)(A, B, C, D, unsigned), void** p) {
    kernel(*(A*)p[0], *(B*)p[1], *(C*)p[2], *(D*)p[3], *(unsigned*)p[4]);
}
