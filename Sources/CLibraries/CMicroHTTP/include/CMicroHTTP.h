// A server for short pages over HTTP, by libmicrohttpd (Debian libmicrohttpd12, 0.9.75).
//
// http_load opens the library, which is not linked: a process that serves no pages does not map it.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { http_reason_size = 256 };

// Opens the library at the first call. Returns NULL, or why it cannot be used.
const char *http_load(void);

typedef struct {
  int status;
  // The media type; must stay valid as long as the process.
  const char *type;
  // From malloc; the server frees it.
  char *body;
  size_t size;
} http_page;

// Fills `page` for a path; returns false for an unknown path. `host` is the request's Host header, or NULL. Called on the
// server's thread.
typedef bool (*http_page_callback)(void *context, const char *path, const char *host, http_page *page);

typedef struct http_server http_server;

// Listens on a numeric address (port 0: any free port) and answers on a thread of its own.
// Returns NULL and fills `reason` when it cannot.
http_server *http_start(
    const char *host, int port, http_page_callback callback, void *context, char reason[http_reason_size]);

// The port that the server listens on.
int http_port(const http_server *server);

// Stops the thread and frees the server.
void http_stop(http_server *server);
