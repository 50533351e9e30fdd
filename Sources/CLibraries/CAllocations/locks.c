#define _GNU_SOURCE
#include "CAllocations.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

enum { site_limit = 256 };

// Where locks were called, so that they can be attributed to libraries after the measurement.
typedef struct {
  void *caller;
  int64_t count;
} site;

static _Thread_local int64_t locks;
static _Thread_local int64_t waits;
static _Thread_local site sites[site_limit];

int64_t locks_on_this_thread(void) { return locks; }

int64_t mutex_waits_on_this_thread(void) { return waits; }

int64_t locks_in_library_on_this_thread(const char *name) {
  int64_t sum = 0;
  for (int index = 0; index < site_limit && sites[index].caller; index++) {
    Dl_info info;
    int64_t count = sites[index].count;
    if (dladdr(sites[index].caller, &info) && info.dli_fname && strstr(info.dli_fname, name)) sum += count;
  }
  return sum;
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)

static void note(void *caller) {
  locks++;
  int index = 0;
  while (index < site_limit - 1 && sites[index].caller && sites[index].caller != caller) index++;
  sites[index].caller = caller;
  sites[index].count++;
}

// Defines a lock function that counts and calls the library's own.
#define COUNTED(result, name, parameters, arguments)                               \
  __attribute__((noinline)) result name parameters {                               \
    static result(*next) parameters;                                               \
    result(*function) parameters = __atomic_load_n(&next, __ATOMIC_RELAXED);       \
    if (!function) {                                                               \
      function = (result(*) parameters)dlsym(RTLD_NEXT, #name);                    \
      __atomic_store_n(&next, function, __ATOMIC_RELAXED);                         \
    }                                                                              \
    note(__builtin_return_address(0));                                             \
    return function arguments;                                                     \
  }

COUNTED(int, pthread_mutex_lock, (pthread_mutex_t *lock), (lock))
COUNTED(int, pthread_mutex_trylock, (pthread_mutex_t *lock), (lock))
COUNTED(int, pthread_mutex_timedlock, (pthread_mutex_t *lock, const struct timespec *time), (lock, time))
COUNTED(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
COUNTED(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *lock), (lock))
COUNTED(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
COUNTED(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *lock), (lock))
COUNTED(int, pthread_spin_lock, (pthread_spinlock_t *lock), (lock))

// Synchronization._MutexHandle._lockSlow(UInt32), which a Swift `Mutex` calls when another thread holds it.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"

typedef __attribute__((swiftcall)) void lock_slow_function(
  uint32_t thread, __attribute__((swift_context)) void *handle);

__attribute__((swiftcall)) void mutex_lock_slow(
  uint32_t thread, __attribute__((swift_context)) void *handle) __asm__(LOCK_SLOW);

__attribute__((swiftcall)) void mutex_lock_slow(
  uint32_t thread, __attribute__((swift_context)) void *handle) {
  static lock_slow_function *next;
  lock_slow_function *function = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!function) {
    function = (lock_slow_function *)dlsym(RTLD_NEXT, LOCK_SLOW);
    __atomic_store_n(&next, function, __ATOMIC_RELAXED);
  }
  waits++;
  function(thread, handle);
}

#endif
