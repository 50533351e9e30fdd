// libcurl (Debian libcurl4, 7.88) and the digests and signatures of its libcrypto behind a dozen functions.
//
// The libraries are opened by net_load, not linked: with what they depend on they map some 20 MB, which a process that
// only listens must not pay for. Everything may be called from several threads; a connection belongs to one at a time.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// For servers: the Glibc module of Swift has no epoll.
#include <sys/epoll.h>

// How an exchange or the opening of a connection ended.
typedef enum {
  net_done,
  net_cancelled,
  net_timed_out,
  net_unreachable,
  net_untrusted,
  net_too_large,
  net_failed,
} net_ending;

enum { net_reason_size = 256 };

// Opens the libraries on the first call. Returns NULL, or the loader's reason.
const char *net_load(void);

// Asked about every 50 ms; true gives up.
typedef bool (*net_cancelled_callback)(void *context);

typedef struct {
  const char *url;
  const char *method;
  // "Name: value" lines.
  const char *const *headers;
  int header_count;
  const uint8_t *body;
  size_t body_size;
  // A file of certificates to trust instead of the system's; NULL for those.
  const char *authorities;
  double connect_seconds;
  double seconds;
  // The most bytes that the answer's body may have.
  size_t limit;
} net_request;

// The body belongs to the caller, who frees it with net_free.
typedef struct {
  long status;
  char content_type[128];
  uint8_t *body;
  size_t body_size;
} net_response;

// One HTTP or HTTPS exchange without redirects. `reason` is filled unless the ending is net_done.
net_ending net_exchange(
    const net_request *request, net_response *response, net_cancelled_callback cancelled, void *context,
    char reason[net_reason_size]);
void net_free(uint8_t *body);

// A stream of bytes to a host, through TLS where the URL says https, or to a local socket.
typedef struct net_connection net_connection;

// `url` is http://HOST:PORT or https://HOST:PORT, of which only scheme, host and port count; with `local_path` the
// connection goes to that socket instead. NULL when it cannot be opened.
net_connection *net_open(
    const char *url, const char *local_path, const char *authorities, double seconds,
    net_cancelled_callback cancelled, void *context, net_ending *ending, char reason[net_reason_size]);
void net_close(net_connection *connection);

enum { net_would_block = -1, net_broken = -2 };

// Return how many bytes were taken or given (0 when the peer has closed), or one of the two above.
long net_send(net_connection *connection, const uint8_t *bytes, size_t count);
long net_receive(net_connection *connection, uint8_t *bytes, size_t capacity);
// Waits until the connection may be read from (or written to), at most so long.
void net_wait(net_connection *connection, bool for_writing, int milliseconds);

// Digests of 20 and 32 bytes; call them after net_load has returned NULL.
void net_sha1(const uint8_t *bytes, size_t count, uint8_t digest[20]);
void net_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);
void net_hmac_sha256(
    const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t count, uint8_t digest[32]);

enum { net_signature_size = 2048 };

// The signature by RSA over SHA-256 with a private key in PEM. Returns its size, or 0 where `pem` holds no such key, or
// one that has a password.
size_t net_sign_rsa_sha256(
    const uint8_t *pem, size_t pem_size, const uint8_t *bytes, size_t count,
    uint8_t signature[net_signature_size]);
