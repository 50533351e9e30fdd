// What the C interface of libhotword keeps outside of Swift: which handles are alive, and each thread's last error.
//
// A handle is a number, not an address: one that is stale or made up finds nothing, and nothing is read through it.
#pragma once

#define REGISTRY_REAL_TIME \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

// A new handle of `object`; null when as many as there can be are alive.
void *_Nullable registry_add(void *_Nonnull object);

// The object of a handle that is alive, else null. Any thread.
REGISTRY_REAL_TIME
void *_Nullable registry_find(const void *_Nullable handle);

// Ends a handle. Returns its object, null where it was not alive.
void *_Nullable registry_remove(const void *_Nullable handle);

// The calling thread's last error: a line that is cut to what fits, at a whole character.
REGISTRY_REAL_TIME
void registry_set_error(const char *_Nonnull text);
REGISTRY_REAL_TIME
const char *_Nonnull registry_error(void);
