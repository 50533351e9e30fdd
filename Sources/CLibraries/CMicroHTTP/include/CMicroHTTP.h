// Short answers to GET requests by libmicrohttpd (Debian libmicrohttpd12, 0.9.75), behind four functions.
//
// The library is opened by http_load, not linked: a process that serves no pages must not pay for it.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { http_reason_size = 256 };

// Opens the library on the first call. Returns NULL, or the loader's reason.
const char *http_load(void);

typedef struct {
  int status;
  // The media type; lives as long as the process.
  const char *type;
  // From malloc; the server frees it.
  char *body;
  size_t size;
} http_page;

// Fills `page` for a path; false where there is none. Called on the server's thread.
typedef bool (*http_page_callback)(void *context, const char *path, http_page *page);

typedef struct http_server http_server;

// Listens at a numeric address (port 0: any that is free) and answers on a thread of its own.
// Returns NULL with `reason` filled.
http_server *http_start(
    const char *host, int port, http_page_callback callback, void *context, char reason[http_reason_size]);

// The port that it listens at.
int http_port(const http_server *server);

// Ends the thread and frees the server.
void http_stop(http_server *server);
