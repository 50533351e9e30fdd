#include "CMicroHTTP.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CDynamicLibrary.h"

#define FUNCTIONS(DO)                                                                       \
  DO(MHD_start_daemon) DO(MHD_stop_daemon) DO(MHD_create_response_from_buffer)              \
  DO(MHD_create_response_from_callback) DO(MHD_add_response_header) DO(MHD_queue_response)  \
  DO(MHD_destroy_response) DO(MHD_get_connection_values) DO(MHD_lookup_connection_value)    \
  DO(MHD_get_connection_info) DO(MHD_is_feature_supported)

DYNAMIC_LIBRARY(library, "libmicrohttpd.so.12", FUNCTIONS, NULL)

const char *http_load(void) { return dynamic_library_load(&library_loader); }

bool http_has_tls(void) { return library.MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES; }

struct http_server {
  struct MHD_Daemon *daemon;
  http_request_callback callback;
  void *context;
  http_limits limits;
  // Why the server does not start, until it has started.
  char *reason;
  atomic_bool is_started;
};

// A request while it is received and answered.
struct http_connection {
  struct MHD_Connection *connection;
  struct MHD_Response *response;
  int status;
  char *body;
  size_t size;
  bool is_too_large;
};

typedef struct {
  http_pair_callback callback;
  void *context;
} pairs;

static enum MHD_Result take_pair(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  const pairs *pairs = context;
  pairs->callback(pairs->context, name, value);
  return MHD_YES;
}

static void each_pair(const http_request *request, enum MHD_ValueKind kind, http_pair_callback callback, void *context) {
  pairs pairs = {callback, context};
  library.MHD_get_connection_values(request->connection->connection, kind, take_pair, &pairs);
}

void http_headers(const http_request *request, http_pair_callback callback, void *context) {
  each_pair(request, MHD_HEADER_KIND, callback, context);
}

void http_arguments(const http_request *request, http_pair_callback callback, void *context) {
  each_pair(request, MHD_GET_ARGUMENT_KIND, callback, context);
}

void http_peer(const http_request *request, char peer[http_peer_size]) {
  peer[0] = 0;
  const union MHD_ConnectionInfo *info =
      library.MHD_get_connection_info(request->connection->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  const struct sockaddr *address = info ? info->client_addr : NULL;
  if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6)) return;
  socklen_t size = address->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
  if (getnameinfo(address, size, peer, http_peer_size, NULL, 0, NI_NUMERICHOST) != 0) peer[0] = 0;
}

bool http_answer_bytes(const http_request *request, int status, const void *bytes, size_t size) {
  http_connection *connection = request->connection;
  if (connection->response) return false;
  connection->status = status;
  connection->response = library.MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
  return connection->response != NULL;
}

typedef struct {
  void *stream;
  http_read_callback read;
  http_end_callback end;
} stream_answer;

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t size) {
  (void)position;
  stream_answer *answer = context;
  ssize_t count = answer->read(answer->stream, buffer, size);
  return count < 0 ? MHD_CONTENT_READER_END_OF_STREAM : count;
}

static void end_stream(void *context) {
  stream_answer *answer = context;
  answer->end(answer->stream);
  free(answer);
}

bool http_answer_stream(
    const http_request *request, int status, void *stream, http_read_callback read, http_end_callback end) {
  http_connection *connection = request->connection;
  stream_answer *answer = connection->response ? NULL : malloc(sizeof *answer);
  if (!answer) {
    end(stream);
    return false;
  }
  *answer = (stream_answer){stream, read, end};
  connection->status = status;
  connection->response =
      library.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 8192, read_stream, answer, end_stream);
  if (!connection->response) end_stream(answer);
  return connection->response != NULL;
}

void http_answer_header(const http_request *request, const char *name, const char *value) {
  if (request->connection->response) library.MHD_add_response_header(request->connection->response, name, value);
}

static enum MHD_Result send_answer(
    const http_server *server, http_connection *connection, const char *method, const char *path) {
  http_request request = {
      .method = method,
      .path = path,
      .body = connection->body,
      .body_size = connection->size,
      .is_too_large = connection->is_too_large,
      .connection = connection};
  server->callback(server->context, &request);
  if (!connection->response) return MHD_NO;
  return library.MHD_queue_response(connection->connection, (unsigned)connection->status, connection->response);
}

static bool append(http_connection *connection, const char *bytes, size_t size, size_t limit) {
  if (connection->is_too_large || size > limit - connection->size) {
    connection->is_too_large = true;
    return true;
  }
  char *body = realloc(connection->body, connection->size + size);
  if (!body) return false;
  memcpy(body + connection->size, bytes, size);
  connection->body = body;
  connection->size += size;
  return true;
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *mhd, const char *path, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state) {
  (void)version;
  http_server *server = context;
  http_connection *connection = *state;
  // The first call for a request has the headers only.
  if (!connection) {
    connection = calloc(1, sizeof *connection);
    if (!connection) return MHD_NO;
    connection->connection = mhd;
    *state = connection;
    const char *length = library.MHD_lookup_connection_value(mhd, MHD_HEADER_KIND, "Content-Length");
    if (!length || strtoull(length, NULL, 10) <= server->limits.body_bytes) return MHD_YES;
    connection->is_too_large = true;
    return send_answer(server, connection, method, path);
  }
  if (*upload_size > 0) {
    bool is_taken = append(connection, upload, *upload_size, server->limits.body_bytes);
    *upload_size = 0;
    return is_taken ? MHD_YES : MHD_NO;
  }
  return send_answer(server, connection, method, path);
}

static void completed(
    void *context, struct MHD_Connection *mhd, void **state, enum MHD_RequestTerminationCode code) {
  (void)context;
  (void)mhd;
  (void)code;
  http_connection *connection = *state;
  if (!connection) return;
  if (connection->response) library.MHD_destroy_response(connection->response);
  free(connection->body);
  free(connection);
  *state = NULL;
}

int http_listen(const char *host, int port, int *bound, char reason[http_reason_size]) {
  char service[16];
  snprintf(service, sizeof service, "%d", port);
  struct addrinfo hints = {
      .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
  struct addrinfo *found = NULL;
  int code = getaddrinfo(host, service, &hints, &found);
  if (code != 0) {
    snprintf(reason, http_reason_size, "%s", gai_strerror(code));
    return -1;
  }
  int listener = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int on = 1;
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  bool listens = listener >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                 bind(listener, found->ai_addr, found->ai_addrlen) == 0 && listen(listener, 16) == 0 &&
                 getsockname(listener, (struct sockaddr *)&address, &size) == 0;
  if (!listens) {
    snprintf(reason, http_reason_size, "%s", strerror(errno));
    if (listener >= 0) close(listener);
    listener = -1;
  }
  // The port is at the same offset in addresses of both families.
  *bound = ntohs(((struct sockaddr_in *)&address)->sin_port);
  freeaddrinfo(found);
  return listener;
}

static void log_error(void *context, const char *format, va_list arguments) {
  http_server *server = context;
  // Later messages are about single connections.
  if (atomic_load(&server->is_started)) return;
  vsnprintf(server->reason, http_reason_size, format, arguments);
  server->reason[strcspn(server->reason, "\r\n")] = 0;
}

http_server *http_start(
    int listener, http_limits limits, const http_identity *identity, http_request_callback callback, void *context,
    char reason[http_reason_size]) {
  http_server *server = malloc(sizeof *server);
  if (!server) {
    close(listener);
    snprintf(reason, http_reason_size, "%s", strerror(ENOMEM));
    return NULL;
  }
  *server = (http_server){.callback = callback, .context = context, .limits = limits, .reason = reason};
  reason[0] = 0;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_END, 0, NULL}, {MHD_OPTION_END, 0, NULL}, {MHD_OPTION_END, 0, NULL}, {MHD_OPTION_END, 0, NULL}};
  unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ERROR_LOG;
  if (identity) {
    flags |= MHD_USE_TLS;
    tls[0] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)identity->certificate};
    tls[1] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)identity->key};
    tls[2] = (struct MHD_OptionItem){
        MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"};
  }
  server->daemon = library.MHD_start_daemon(
      flags, 0, NULL, NULL, answer, server, MHD_OPTION_EXTERNAL_LOGGER, log_error, server,
      MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384,
      MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
  if (!server->daemon) {
    if (!reason[0]) snprintf(reason, http_reason_size, "libmicrohttpd cannot start: %s", strerror(errno));
    close(listener);
    free(server);
    return NULL;
  }
  atomic_store(&server->is_started, true);
  return server;
}

void http_stop(http_server *server) {
  library.MHD_stop_daemon(server->daemon);
  free(server);
}
