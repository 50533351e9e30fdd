#include "CFFTW.h"

// FFTW's planner is one per process: the host of libhotword plans with the same one. FFTW's own lock covers every caller in
// the process. It must not be installed while a plan is being made, so it is installed when the program or library is loaded.
__attribute__((constructor)) static void make_planner_thread_safe(void) { fftwf_make_planner_thread_safe(); }
