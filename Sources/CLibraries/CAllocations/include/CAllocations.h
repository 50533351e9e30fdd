// Counts memory allocations and locks, for tests only: what this target defines is linked before glibc's malloc family
// and before its locks.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Whether anything is counted: not under a sanitizer, which has functions of its own.
bool allocations_are_counted(void);

// How often the calling thread has allocated memory, from Swift, C or C++, whether or not it was freed since.
int64_t allocations_on_this_thread(void);

// How often the calling thread has locked a pthread mutex or read-write lock (or tried to), from Swift, C or C++.
//
// A lock of Swift's `Mutex` is an atomic instruction in its caller and cannot be counted; see mutex_waits_on_this_thread.
int64_t locks_on_this_thread(void);

// How many of these locks were called by the library whose file name contains `name`, such as "libasound". Slow.
int64_t locks_in_library_on_this_thread(const char *name);

// How often the calling thread has found a Swift `Mutex` locked and waited for it.
int64_t mutex_waits_on_this_thread(void);
