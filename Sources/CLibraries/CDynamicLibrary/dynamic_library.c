#include "CDynamicLibrary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void load(dynamic_library *library) {
  void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    snprintf(library->reason, sizeof library->reason, "%s", text ? text : library->file);
    return;
  }
  for (size_t i = 0; i < library->count; i++) {
    void *function = dlsym(handle, library->names[i]);
    if (!function) {
      snprintf(library->reason, sizeof library->reason, "%s has no %s", library->file, library->names[i]);
      return;
    }
    memcpy((char *)library->functions + i * sizeof function, &function, sizeof function);
  }
  const char *reason = library->start ? library->start() : NULL;
  if (reason) snprintf(library->reason, sizeof library->reason, "%s", reason);
}

const char *dynamic_library_load(dynamic_library *library) {
  if (!atomic_load_explicit(&library->is_loaded, memory_order_acquire)) {
    pthread_mutex_lock(&library->mutex);
    if (!atomic_load_explicit(&library->is_loaded, memory_order_relaxed)) {
      load(library);
      atomic_store_explicit(&library->is_loaded, true, memory_order_release);
    }
    pthread_mutex_unlock(&library->mutex);
  }
  return library->reason[0] ? library->reason : NULL;
}
