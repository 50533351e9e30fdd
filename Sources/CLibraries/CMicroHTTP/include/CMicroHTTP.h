// An HTTP server by libmicrohttpd (Debian libmicrohttpd12, 0.9.75), with a thread for each connection.
//
// http_load opens the library, which is not linked: a process that serves no pages does not map it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { http_reason_size = 256, http_peer_size = 64 };

// Opens the library at the first call. Returns NULL, or why it cannot be used.
const char *http_load(void);

// Whether the library can encrypt connections (GnuTLS). Load it first.
bool http_has_tls(void);

typedef struct http_connection http_connection;

// A request with all of its body. Valid during the callback.
typedef struct {
  const char *method;
  const char *path;
  const char *body;
  size_t body_size;
  // Whether the body is larger than the limit; it is dropped.
  bool is_too_large;
  http_connection *connection;
} http_request;

// Receives one header or one argument of the query; `value` is NULL for an argument without one.
typedef void (*http_pair_callback)(void *context, const char *name, const char *value);

// Calls `callback` with each header of the request.
void http_headers(const http_request *request, http_pair_callback callback, void *context);

// Calls `callback` with each argument of the query, decoded.
void http_arguments(const http_request *request, http_pair_callback callback, void *context);

// Fills `peer` with the numeric IP address of the client; with an empty text for a local socket.
void http_peer(const http_request *request, char peer[http_peer_size]);

// Answers with these bytes, which are copied. The first answer to a request counts. Returns false if there is no memory.
bool http_answer_bytes(const http_request *request, int status, const void *bytes, size_t size);

// Fills `buffer` and returns the number of bytes, or -1 at the end; waits until there are some. Runs on the connection's thread.
typedef ssize_t (*http_read_callback)(void *stream, char *buffer, size_t size);

// Called once, when the connection no longer reads the stream.
typedef void (*http_end_callback)(void *stream);

// Answers with a stream. `end` is called even if this returns false.
bool http_answer_stream(
    const http_request *request, int status, void *stream, http_read_callback read, http_end_callback end);

// Adds a header to the answer.
void http_answer_header(const http_request *request, const char *name, const char *value);

// Answers a request by the functions above. Called on the connection's thread.
typedef void (*http_request_callback)(void *context, const http_request *request);

typedef struct http_server http_server;

typedef struct {
  unsigned connections;
  // Seconds after which a connection without data is closed.
  unsigned idle_seconds;
  size_t body_bytes;
} http_limits;

// The certificate chain and the key of a server in PEM. They must live as long as the server.
typedef struct {
  const char *certificate;
  const char *key;
} http_identity;

// A socket that listens on a numeric address (port 0: any free port), and its port.
// Returns -1 and fills `reason` when it cannot.
int http_listen(const char *host, int port, int *bound, char reason[http_reason_size]);

// Answers connections to `listener`, which it closes, on threads of its own; encrypted if there is an identity.
// Returns NULL and fills `reason` when it cannot.
http_server *http_start(
    int listener, http_limits limits, const http_identity *identity, http_request_callback callback, void *context,
    char reason[http_reason_size]);

// Closes all connections, waits for their threads and frees the server.
void http_stop(http_server *server);
