// Opens a shared library at its first use and looks up its functions, typed by the library's own header.
//
//   #define FUNCTIONS(DO) DO(mosquitto_new) DO(mosquitto_destroy)
//   DYNAMIC_LIBRARY(library, "libmosquitto.so.1", FUNCTIONS, NULL)
//
//   const char *reason = dynamic_library_load(&library_loader);
//   if (!reason) library.mosquitto_destroy(library.mosquitto_new(NULL, true, NULL));
//
// A process that does not use such a library does not map it, nor what it depends on.
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  // The file's soname, which the system's loader finds.
  const char *file;
  size_t count;
  const char *const *names;
  // `count` function pointers, in the order of the names.
  void *functions;
  // Called once when all functions are found; returns NULL, or why the library cannot be used. May be NULL.
  const char *(*start)(void);
  pthread_mutex_t mutex;
  atomic_bool is_loaded;
  char reason[256];
} dynamic_library;

// Opens the library at the first call. Any thread.
//
// Returns NULL, or the reason why it cannot be used; the text lives as long as the process.
const char *dynamic_library_load(dynamic_library *library);

// Defines a static structure `table` with a field for each function, and `table_loader` to load it.
#define DYNAMIC_LIBRARY(table, soname, FUNCTIONS, on_start)                           \
  static struct {                                                                     \
    FUNCTIONS(DYNAMIC_LIBRARY_FIELD)                                                  \
  } table;                                                                            \
  static const char *const table##_names[] = {FUNCTIONS(DYNAMIC_LIBRARY_NAME)};       \
  static dynamic_library table##_loader = {                                           \
      .file = soname,                                                                 \
      .count = sizeof table##_names / sizeof *table##_names,                          \
      .names = table##_names,                                                         \
      .functions = &table,                                                            \
      .start = on_start,                                                              \
      .mutex = PTHREAD_MUTEX_INITIALIZER,                                             \
  };

#define DYNAMIC_LIBRARY_FIELD(function) __typeof__(&function) function;
#define DYNAMIC_LIBRARY_NAME(function) #function,
