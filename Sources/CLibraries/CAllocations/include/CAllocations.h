// Counts allocations, for tests only: linking this target puts its malloc family before glibc's.
#pragma once

#include <stdint.h>

// How often the calling thread has asked for memory, from Swift, C or C++, whether or not it was freed since.
int64_t allocations_on_this_thread(void);
