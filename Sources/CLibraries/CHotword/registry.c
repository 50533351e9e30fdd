#include "registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bits of a handle from the lowest: 1, which is 0 in the address of an object; the slot; the rest distinguishes the handle
 * from all earlier ones and from small numbers. */
enum { slot_bits = 10, slot_count = 1 << slot_bits };

static struct {
  _Atomic uintptr_t handle;
  void *object;
} slots[slot_count];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t created;

static _Thread_local char error[512];

static size_t slot_of(uintptr_t handle) { return handle >> 1 & (slot_count - 1); }

void *registry_add(void *object) {
  void *result = NULL;
  pthread_mutex_lock(&mutex);
  for (size_t slot = 0; slot < slot_count && !result; slot++) {
    if (atomic_load_explicit(&slots[slot].handle, memory_order_relaxed)) continue;
    const uintptr_t handle = ++created * (uintptr_t)0x9E3779B97F4A7C15 << (slot_bits + 1) | slot << 1 | 1;
    slots[slot].object = object;
    atomic_store_explicit(&slots[slot].handle, handle, memory_order_release);
    result = (void *)handle;
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

void *registry_find(const void *pointer) {
  const uintptr_t handle = (uintptr_t)pointer;
  const size_t slot = slot_of(handle);
  if (!handle || atomic_load_explicit(&slots[slot].handle, memory_order_acquire) != handle) return NULL;
  return slots[slot].object;
}

void *registry_remove(const void *pointer) {
  pthread_mutex_lock(&mutex);
  void *object = registry_find(pointer);
  if (object) atomic_store_explicit(&slots[slot_of((uintptr_t)pointer)].handle, 0, memory_order_release);
  pthread_mutex_unlock(&mutex);
  return object;
}

void registry_set_error(const char *text) {
  size_t length = strnlen(text, sizeof error);
  if (length == sizeof error) {
    length--;
    while (length && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
  }
  memcpy(error, text, length);
  error[length] = 0;
}

const char *registry_error(void) { return error; }
