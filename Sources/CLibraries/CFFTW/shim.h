#pragma once
#include <fftw3.h>

// Runs a plan of `fftwf_plan_dft_r2c_1d` on its own buffers; a one-dimensional plan of a power of two made
// with FFTW_ESTIMATE neither allocates nor locks when it runs.
__attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))
static inline void fftwf_run(fftwf_plan _Nonnull plan) {
  fftwf_execute(plan);
}
