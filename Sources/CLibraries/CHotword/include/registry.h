// The state of the C interface of libhotword outside of Swift: the valid handles, and each thread's last error.
//
// A handle is a number, not an address: looking up an invalid one returns null, and no memory is read through it.
#pragma once

#define REGISTRY_REAL_TIME \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

// A new handle of `object`; null if the maximum number of handles exists.
void *_Nullable registry_add(void *_Nonnull object);

// The object of a valid handle; otherwise null. Any thread.
REGISTRY_REAL_TIME
void *_Nullable registry_find(const void *_Nullable handle);

// Invalidates a handle. Returns its object; null if it was not valid.
void *_Nullable registry_remove(const void *_Nullable handle);

// The last error of the calling thread: one line, truncated at a whole character if it is too long.
REGISTRY_REAL_TIME
void registry_set_error(const char *_Nonnull text);
REGISTRY_REAL_TIME
const char *_Nonnull registry_error(void);
