#include "CNetwork.h"

// Its macros check types only where a function is called by its own name.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CDynamicLibrary.h"

#define CURL_FUNCTIONS(DO)                                                                                     \
  DO(curl_global_init) DO(curl_easy_init) DO(curl_easy_setopt) DO(curl_easy_getinfo) DO(curl_easy_cleanup)     \
  DO(curl_easy_strerror) DO(curl_easy_send) DO(curl_easy_recv) DO(curl_multi_init) DO(curl_multi_add_handle)   \
  DO(curl_multi_remove_handle) DO(curl_multi_perform) DO(curl_multi_poll) DO(curl_multi_info_read)             \
  DO(curl_multi_cleanup) DO(curl_slist_append) DO(curl_slist_free_all)

#define CRYPTO_FUNCTIONS(DO)                                                                                   \
  DO(SHA1) DO(SHA256) DO(EVP_sha256) DO(HMAC) DO(BIO_new_mem_buf) DO(BIO_free) DO(PEM_read_bio_PrivateKey)     \
  DO(EVP_PKEY_get_base_id) DO(EVP_PKEY_free) DO(EVP_MD_CTX_new) DO(EVP_DigestSignInit) DO(EVP_DigestSign)      \
  DO(EVP_MD_CTX_free) DO(OPENSSL_init_crypto)

static const char *start_crypto(void);
static const char *start_curl(void);

DYNAMIC_LIBRARY(curl, "libcurl.so.4", CURL_FUNCTIONS, start_curl)
DYNAMIC_LIBRARY(crypto, "libcrypto.so.3", CRYPTO_FUNCTIONS, start_crypto)

// A thread may still use the library when the process ends, so it frees nothing then. The first call decides.
static const char *start_crypto(void) {
  return crypto.OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) == 1 ? NULL : "OPENSSL_init_crypto failed";
}

static const char *start_curl(void) {
  return curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "curl_global_init failed";
}

const char *net_load(void) {
  const char *reason = dynamic_library_load(&crypto_loader);
  return reason ? reason : dynamic_library_load(&curl_loader);
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

// Runs `easy` until it is done; calls `cancelled` every 50 ms.
static net_ending run(
    CURLM *multi, CURL *easy, net_cancelled_callback cancelled, void *context, const char *details,
    char reason[net_reason_size]) {
  int running = 1;
  while (running) {
    if (cancelled(context)) {
      snprintf(reason, net_reason_size, "cancelled");
      return net_cancelled;
    }
    if (curl.curl_multi_perform(multi, &running) != CURLM_OK) break;
    if (running) curl.curl_multi_poll(multi, NULL, 0, 50, NULL);
  }
  CURLcode code = CURLE_FAILED_INIT;
  int left = 0;
  for (CURLMsg *message; (message = curl.curl_multi_info_read(multi, &left));) {
    if (message->msg == CURLMSG_DONE && message->easy_handle == easy) code = message->data.result;
  }
  if (code != CURLE_OK) {
    snprintf(reason, net_reason_size, "%s", details[0] ? details : curl.curl_easy_strerror(code));
    reason[strcspn(reason, "\r\n")] = 0;
  }
  return classify(code);
}

static void set_common(CURL *easy, const char *authorities, double connect_seconds, char *details) {
  curl.curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl.curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, details);
  curl.curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl.curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl.curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  curl.curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl.curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(connect_seconds * 1000) + 1);
  if (authorities) curl.curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
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
  CURL *easy = curl.curl_easy_init();
  CURLM *multi = curl.curl_multi_init();
  if (!easy || !multi) abort();
  struct curl_slist *lines = curl.curl_slist_append(NULL, "Expect:");
  for (int i = 0; i < request->header_count; i++) lines = curl.curl_slist_append(lines, request->headers[i]);
  set_common(easy, request->authorities, request->connect_seconds, details);
  curl.curl_easy_setopt(easy, CURLOPT_URL, request->url);
  curl.curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
  curl.curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(request->seconds * 1000) + 1);
  curl.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl.curl_easy_setopt(easy, CURLOPT_WRITEDATA, &into);
  curl.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl.curl_easy_setopt(easy, CURLOPT_HEADERDATA, &into);
  if (strcmp(request->method, "GET") != 0) {
    curl.curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
    curl.curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body_size ? (const char *)request->body : "");
    curl.curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  }
  curl.curl_multi_add_handle(multi, easy);
  net_ending ending = run(multi, easy, cancelled, context, details, reason);
  if (into.is_too_large) ending = net_too_large;
  if (ending == net_done) {
    curl.curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &response->status);
    char *type = NULL;
    curl.curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
    snprintf(response->content_type, sizeof response->content_type, "%s", type ? type : "");
  }
  curl.curl_multi_remove_handle(multi, easy);
  curl.curl_easy_cleanup(easy);
  curl.curl_multi_cleanup(multi);
  curl.curl_slist_free_all(lines);
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
  connection->easy = curl.curl_easy_init();
  connection->multi = curl.curl_multi_init();
  if (!connection->easy || !connection->multi) abort();
  CURL *easy = connection->easy;
  set_common(easy, authorities, seconds, connection->details);
  curl.curl_easy_setopt(easy, CURLOPT_URL, url);
  curl.curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  curl.curl_easy_setopt(easy, CURLOPT_PROXY, "");
  if (local_path) curl.curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, local_path);
  curl.curl_multi_add_handle(connection->multi, easy);
  *ending = run(connection->multi, easy, cancelled, context, connection->details, reason);
  if (*ending == net_done) return connection;
  net_close(connection);
  return NULL;
}

void net_close(net_connection *connection) {
  curl.curl_multi_remove_handle(connection->multi, connection->easy);
  curl.curl_easy_cleanup(connection->easy);
  curl.curl_multi_cleanup(connection->multi);
  free(connection);
}

long net_send(net_connection *connection, const uint8_t *bytes, size_t count) {
  size_t sent = 0;
  CURLcode code = curl.curl_easy_send(connection->easy, bytes, count, &sent);
  if (code == CURLE_AGAIN) return net_would_block;
  return code == CURLE_OK ? (long)sent : net_broken;
}

long net_receive(net_connection *connection, uint8_t *bytes, size_t capacity) {
  size_t received = 0;
  CURLcode code = curl.curl_easy_recv(connection->easy, bytes, capacity, &received);
  if (code == CURLE_AGAIN) return net_would_block;
  return code == CURLE_OK ? (long)received : net_broken;
}

void net_wait(net_connection *connection, bool for_writing, int milliseconds) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  curl.curl_easy_getinfo(connection->easy, CURLINFO_ACTIVESOCKET, &socket);
  struct pollfd polled = {.fd = socket, .events = for_writing ? POLLOUT : POLLIN};
  poll(&polled, 1, milliseconds);
}

void net_sha1(const uint8_t *bytes, size_t count, uint8_t digest[20]) { crypto.SHA1(bytes, count, digest); }

void net_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  crypto.SHA256(bytes, count, digest);
}

void net_hmac_sha256(
    const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  unsigned size = 0;
  crypto.HMAC(crypto.EVP_sha256(), key, (int)key_size, bytes, count, digest, &size);
}

// Without a callback libcrypto reads the password from the terminal.
static int no_password(char *buffer, int size, int writes, void *context) {
  (void)buffer, (void)size, (void)writes, (void)context;
  return -1;
}

size_t net_sign_rsa_sha256(
    const uint8_t *pem, size_t pem_size, const uint8_t *bytes, size_t count,
    uint8_t signature[net_signature_size]) {
  size_t size = 0;
  BIO *memory = crypto.BIO_new_mem_buf(pem, (int)pem_size);
  EVP_PKEY *key = memory ? crypto.PEM_read_bio_PrivateKey(memory, NULL, no_password, NULL) : NULL;
  EVP_MD_CTX *signing = crypto.EVP_MD_CTX_new();
  if (signing && key && crypto.EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA &&
      crypto.EVP_DigestSignInit(signing, NULL, crypto.EVP_sha256(), NULL, key) == 1) {
    size = net_signature_size;
    if (crypto.EVP_DigestSign(signing, signature, &size, bytes, count) != 1) size = 0;
  }
  crypto.EVP_MD_CTX_free(signing);
  crypto.EVP_PKEY_free(key);
  crypto.BIO_free(memory);
  return size;
}
