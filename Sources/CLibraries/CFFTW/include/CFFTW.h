// FFTW in single precision, with a planner that any thread of the process may use.
#pragma once
#include <fftw3.h>

// Executes a plan on its own buffers. A one-dimensional plan for a power of two made with FFTW_ESTIMATE neither allocates nor
// locks.
__attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))
static inline void fftwf_run(fftwf_plan _Nonnull plan) {
  fftwf_execute(plan);
}
