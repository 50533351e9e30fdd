#include "CMicroHTTP.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CDynamicLibrary.h"

#define FUNCTIONS(DO)                                                                       \
  DO(MHD_start_daemon) DO(MHD_stop_daemon) DO(MHD_create_response_from_buffer)              \
  DO(MHD_add_response_header) DO(MHD_queue_response) DO(MHD_destroy_response)              \
  DO(MHD_lookup_connection_value)

DYNAMIC_LIBRARY(library, "libmicrohttpd.so.12", FUNCTIONS, NULL)

const char *http_load(void) { return dynamic_library_load(&library_loader); }

struct http_server {
  struct MHD_Daemon *daemon;
  http_page_callback callback;
  void *context;
  int port;
};

static enum MHD_Result send_page(struct MHD_Connection *connection, const http_page *page, const char *allow) {
  struct MHD_Response *response = library.MHD_create_response_from_buffer(page->size, page->body, MHD_RESPMEM_MUST_FREE);
  if (!response) {
    free(page->body);
    return MHD_NO;
  }
  library.MHD_add_response_header(response, "Content-Type", page->type);
  library.MHD_add_response_header(response, "Cache-Control", "no-store");
  if (allow) library.MHD_add_response_header(response, "Allow", allow);
  enum MHD_Result result = library.MHD_queue_response(connection, (unsigned)page->status, response);
  library.MHD_destroy_response(response);
  return result;
}

static http_page text_page(int status, const char *text) {
  return (http_page){
      .status = status, .type = "text/plain; charset=utf-8", .body = strdup(text), .size = strlen(text)};
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state) {
  (void)version;
  (void)upload;
  static int seen;
  http_server *server = context;
  // The first call for a request has the headers only.
  if (!*state) {
    *state = &seen;
    return MHD_YES;
  }
  if (*upload_size > 0) {
    *upload_size = 0;
    return MHD_YES;
  }
  http_page page;
  if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
    page = text_page(405, "only GET is supported\n");
    return send_page(connection, &page, "GET, HEAD");
  }
  const char *host = library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
  if (!server->callback(server->context, path, host, &page))
    page = text_page(404, "not found; available: /metrics and /health\n");
  return send_page(connection, &page, NULL);
}

static int listen_at(const char *host, int port, int *bound, char reason[http_reason_size]) {
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

http_server *http_start(
    const char *host, int port, http_page_callback callback, void *context, char reason[http_reason_size]) {
  int bound = 0;
  int listener = listen_at(host, port, &bound, reason);
  if (listener < 0) return NULL;
  http_server *server = malloc(sizeof *server);
  if (!server) {
    close(listener);
    snprintf(reason, http_reason_size, "%s", strerror(ENOMEM));
    return NULL;
  }
  *server = (http_server){.callback = callback, .context = context, .port = bound};
  server->daemon = library.MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_CONNECTION_LIMIT, 16u, MHD_OPTION_CONNECTION_TIMEOUT, 10u, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      (size_t)16384, MHD_OPTION_END);
  if (!server->daemon) {
    snprintf(reason, http_reason_size, "libmicrohttpd cannot start: %s", strerror(errno));
    close(listener);
    free(server);
    return NULL;
  }
  return server;
}

int http_port(const http_server *server) { return server->port; }

void http_stop(http_server *server) {
  library.MHD_stop_daemon(server->daemon);
  free(server);
}
