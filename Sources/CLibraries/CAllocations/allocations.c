#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

static _Thread_local int64_t allocations;

int64_t allocations_on_this_thread(void) { return allocations; }

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)

bool allocations_are_counted(void) { return false; }

#else

bool allocations_are_counted(void) { return true; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations++;
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment == 0 || alignment & (alignment - 1) || alignment % sizeof(void *)) return EINVAL;
  void *aligned = memalign(alignment, size);
  if (!aligned) return ENOMEM;
  *memory = aligned;
  return 0;
}

#endif
