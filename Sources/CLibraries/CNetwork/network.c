#define _GNU_SOURCE
#include "CNetwork.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  const char *(*easy_strerror)(CURLcode);
  __typeof__(curl_easy_send) *easy_send;
  __typeof__(curl_easy_recv) *easy_recv;
  __typeof__(curl_multi_init) *multi_init;
  __typeof__(curl_multi_add_handle) *multi_add_handle;
  __typeof__(curl_multi_remove_handle) *multi_remove_handle;
  __typeof__(curl_multi_perform) *multi_perform;
  __typeof__(curl_multi_poll) *multi_poll;
  __typeof__(curl_multi_info_read) *multi_info_read;
  __typeof__(curl_multi_cleanup) *multi_cleanup;
  __typeof__(curl_slist_append) *slist_append;
  __typeof__(curl_slist_free_all) *slist_free_all;
  unsigned char *(*sha1)(const unsigned char *, size_t, unsigned char *);
  unsigned char *(*sha256)(const unsigned char *, size_t, unsigned char *);
  const void *(*sha256_method)(void);
  unsigned char *(*hmac)(
      const void *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned *);
  void *(*memory_new)(const void *, int);
  int (*memory_free)(void *);
  void *(*read_key)(void *, void **, int (*)(char *, int, int, void *), void *);
  int (*key_kind)(const void *);
  void (*key_free)(void *);
  void *(*signing_new)(void);
  int (*signing_start)(void *, void **, const void *, void *, void *);
  int (*signing_make)(void *, unsigned char *, size_t *, const unsigned char *, size_t);
  void (*signing_free)(void *);
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char load_reason[net_reason_size];

static void *find(void *handle, const char *name) {
  void *found = dlsym(handle, name);
  if (!found && !load_reason[0]) snprintf(load_reason, sizeof load_reason, "it has no %s", name);
  return found;
}

static void *open_one(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle) return handle;
  const char *text = dlerror();
  snprintf(load_reason, sizeof load_reason, "%s", text ? text : name);
  return NULL;
}

static void open_libraries(void) {
  void *curl = open_one("libcurl.so.4");
  void *crypto = curl ? open_one("libcrypto.so.3") : NULL;
  if (!curl || !crypto) return;
#define FIND(handle, field, name) *(void **)&library.field = find(handle, name)
  FIND(curl, global_init, "curl_global_init");
  FIND(curl, easy_init, "curl_easy_init");
  FIND(curl, easy_setopt, "curl_easy_setopt");
  FIND(curl, easy_getinfo, "curl_easy_getinfo");
  FIND(curl, easy_cleanup, "curl_easy_cleanup");
  FIND(curl, easy_strerror, "curl_easy_strerror");
  FIND(curl, easy_send, "curl_easy_send");
  FIND(curl, easy_recv, "curl_easy_recv");
  FIND(curl, multi_init, "curl_multi_init");
  FIND(curl, multi_add_handle, "curl_multi_add_handle");
  FIND(curl, multi_remove_handle, "curl_multi_remove_handle");
  FIND(curl, multi_perform, "curl_multi_perform");
  FIND(curl, multi_poll, "curl_multi_poll");
  FIND(curl, multi_info_read, "curl_multi_info_read");
  FIND(curl, multi_cleanup, "curl_multi_cleanup");
  FIND(curl, slist_append, "curl_slist_append");
  FIND(curl, slist_free_all, "curl_slist_free_all");
  FIND(crypto, sha1, "SHA1");
  FIND(crypto, sha256, "SHA256");
  FIND(crypto, sha256_method, "EVP_sha256");
  FIND(crypto, hmac, "HMAC");
  FIND(crypto, memory_new, "BIO_new_mem_buf");
  FIND(crypto, memory_free, "BIO_free");
  FIND(crypto, read_key, "PEM_read_bio_PrivateKey");
  FIND(crypto, key_kind, "EVP_PKEY_get_base_id");
  FIND(crypto, key_free, "EVP_PKEY_free");
  FIND(crypto, signing_new, "EVP_MD_CTX_new");
  FIND(crypto, signing_start, "EVP_DigestSignInit");
  FIND(crypto, signing_make, "EVP_DigestSign");
  FIND(crypto, signing_free, "EVP_MD_CTX_free");
#undef FIND
  if (!load_reason[0] && library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    snprintf(load_reason, sizeof load_reason, "it does not start");
  }
}

const char *net_load(void) {
  pthread_once(&once, open_libraries);
  return load_reason[0] ? load_reason : NULL;
}

static net_ending classify(CURLcode code) {
  switch (code) {
    case CURLE_OK: return net_done;
    case CURLE_OPERATION_TIMEDOUT: return net_timed_out;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT: return net_unreachable;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return net_untrusted;
    default: return net_failed;
  }
}

// Runs `easy` until it is done, asking every 50 ms whether it is still wanted.
static net_ending run(
    CURLM *multi, CURL *easy, net_cancelled_callback cancelled, void *context, const char *details,
    char reason[net_reason_size]) {
  int running = 1;
  while (running) {
    if (cancelled(context)) {
      snprintf(reason, net_reason_size, "cancelled");
      return net_cancelled;
    }
    if (library.multi_perform(multi, &running) != CURLM_OK) break;
    if (running) library.multi_poll(multi, NULL, 0, 50, NULL);
  }
  CURLcode code = CURLE_FAILED_INIT;
  int left = 0;
  for (CURLMsg *message; (message = library.multi_info_read(multi, &left));) {
    if (message->msg == CURLMSG_DONE && message->easy_handle == easy) code = message->data.result;
  }
  if (code != CURLE_OK) {
    snprintf(reason, net_reason_size, "%s", details[0] ? details : library.easy_strerror(code));
    reason[strcspn(reason, "\r\n")] = 0;
  }
  return classify(code);
}

static void set_common(CURL *easy, const char *authorities, double connect_seconds, char *details) {
  library.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  library.easy_setopt(easy, CURLOPT_ERRORBUFFER, details);
  library.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  library.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  library.easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  library.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  library.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(connect_seconds * 1000) + 1);
  if (authorities) library.easy_setopt(easy, CURLOPT_CAINFO, authorities);
}

typedef struct {
  net_response *response;
  size_t limit;
  size_t header_bytes;
  bool is_too_large;
} collector;

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  collector *into = context;
  size_t total = size * count;
  net_response *response = into->response;
  if (total > into->limit - response->body_size) {
    into->is_too_large = true;
    return 0;
  }
  uint8_t *grown = realloc(response->body, response->body_size + total + 1);
  if (!grown) return 0;
  memcpy(grown + response->body_size, bytes, total);
  response->body = grown;
  response->body_size += total;
  return total;
}

enum { header_limit = 256 << 10 };

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  collector *into = context;
  into->header_bytes += size * count;
  into->is_too_large = into->is_too_large || into->header_bytes > header_limit;
  return into->is_too_large ? 0 : size * count;
}

net_ending net_exchange(
    const net_request *request, net_response *response, net_cancelled_callback cancelled, void *context,
    char reason[net_reason_size]) {
  *response = (net_response){0};
  char details[CURL_ERROR_SIZE] = "";
  collector into = {.response = response, .limit = request->limit};
  CURL *easy = library.easy_init();
  CURLM *multi = library.multi_init();
  if (!easy || !multi) abort();
  struct curl_slist *lines = library.slist_append(NULL, "Expect:");
  for (int i = 0; i < request->header_count; i++) lines = library.slist_append(lines, request->headers[i]);
  set_common(easy, request->authorities, request->connect_seconds, details);
  library.easy_setopt(easy, CURLOPT_URL, request->url);
  library.easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
  library.easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(request->seconds * 1000) + 1);
  library.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  library.easy_setopt(easy, CURLOPT_WRITEDATA, &into);
  library.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  library.easy_setopt(easy, CURLOPT_HEADERDATA, &into);
  if (strcmp(request->method, "GET") != 0) {
    library.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
    library.easy_setopt(easy, CURLOPT_POSTFIELDS, request->body_size ? (const char *)request->body : "");
    library.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  }
  library.multi_add_handle(multi, easy);
  net_ending ending = run(multi, easy, cancelled, context, details, reason);
  if (into.is_too_large) ending = net_too_large;
  if (ending == net_done) {
    library.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &response->status);
    char *type = NULL;
    library.easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
    snprintf(response->content_type, sizeof response->content_type, "%s", type ? type : "");
  }
  library.multi_remove_handle(multi, easy);
  library.easy_cleanup(easy);
  library.multi_cleanup(multi);
  library.slist_free_all(lines);
  return ending;
}

void net_free(uint8_t *body) { free(body); }

struct net_connection {
  CURLM *multi;
  CURL *easy;
  char details[CURL_ERROR_SIZE];
};

net_connection *net_open(
    const char *url, const char *local_path, const char *authorities, double seconds,
    net_cancelled_callback cancelled, void *context, net_ending *ending, char reason[net_reason_size]) {
  net_connection *connection = calloc(1, sizeof *connection);
  if (!connection) abort();
  connection->easy = library.easy_init();
  connection->multi = library.multi_init();
  if (!connection->easy || !connection->multi) abort();
  CURL *easy = connection->easy;
  set_common(easy, authorities, seconds, connection->details);
  library.easy_setopt(easy, CURLOPT_URL, url);
  library.easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  library.easy_setopt(easy, CURLOPT_PROXY, "");
  if (local_path) library.easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, local_path);
  library.multi_add_handle(connection->multi, easy);
  *ending = run(connection->multi, easy, cancelled, context, connection->details, reason);
  if (*ending == net_done) return connection;
  net_close(connection);
  return NULL;
}

void net_close(net_connection *connection) {
  library.multi_remove_handle(connection->multi, connection->easy);
  library.easy_cleanup(connection->easy);
  library.multi_cleanup(connection->multi);
  free(connection);
}

long net_send(net_connection *connection, const uint8_t *bytes, size_t count) {
  size_t sent = 0;
  CURLcode code = library.easy_send(connection->easy, bytes, count, &sent);
  if (code == CURLE_AGAIN) return net_would_block;
  return code == CURLE_OK ? (long)sent : net_broken;
}

long net_receive(net_connection *connection, uint8_t *bytes, size_t capacity) {
  size_t received = 0;
  CURLcode code = library.easy_recv(connection->easy, bytes, capacity, &received);
  if (code == CURLE_AGAIN) return net_would_block;
  return code == CURLE_OK ? (long)received : net_broken;
}

void net_wait(net_connection *connection, bool for_writing, int milliseconds) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  library.easy_getinfo(connection->easy, CURLINFO_ACTIVESOCKET, &socket);
  struct pollfd polled = {.fd = socket, .events = for_writing ? POLLOUT : POLLIN};
  poll(&polled, 1, milliseconds);
}

void net_sha1(const uint8_t *bytes, size_t count, uint8_t digest[20]) { library.sha1(bytes, count, digest); }

void net_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  library.sha256(bytes, count, digest);
}

void net_hmac_sha256(
    const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  unsigned size = 0;
  library.hmac(library.sha256_method(), key, (int)key_size, bytes, count, digest, &size);
}

// Instead of asking for it at the terminal.
static int no_password(char *buffer, int size, int writes, void *context) {
  (void)buffer, (void)size, (void)writes, (void)context;
  return -1;
}

// NID_rsaEncryption of libcrypto.
enum { kind_rsa = 6 };

size_t net_sign_rsa_sha256(
    const uint8_t *pem, size_t pem_size, const uint8_t *bytes, size_t count,
    uint8_t signature[net_signature_size]) {
  size_t size = 0;
  void *memory = library.memory_new(pem, (int)pem_size);
  void *key = memory ? library.read_key(memory, NULL, no_password, NULL) : NULL;
  void *signing = library.signing_new();
  if (signing && key && library.key_kind(key) == kind_rsa &&
      library.signing_start(signing, NULL, library.sha256_method(), NULL, key) == 1) {
    size = net_signature_size;
    if (library.signing_make(signing, signature, &size, bytes, count) != 1) size = 0;
  }
  library.signing_free(signing);
  library.key_free(key);
  library.memory_free(memory);
  return size;
}
