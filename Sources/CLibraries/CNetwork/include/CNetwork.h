// HTTP and raw connections by libcurl (Debian libcurl4, 7.88), digests and signatures by libcrypto.
//
// net_load opens the libraries, which are not linked: with their dependencies they map some 20 MB. All functions may be
// called on any thread; a connection belongs to one thread at a time.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How an exchange, or opening a connection, ended.
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

// Opens the libraries at the first call. Returns NULL, or why they cannot be used.
const char *net_load(void);

// Called about every 50 ms; the operation ends once it returns true.
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
  // The maximum size of the response body in bytes.
  size_t limit;
} net_request;

// The caller frees the body with net_free.
typedef struct {
  long status;
  char content_type[128];
  uint8_t *body;
  size_t body_size;
} net_response;

// One HTTP or HTTPS exchange; redirects are not followed. Fills `reason` unless it returns net_done.
net_ending net_exchange(
    const net_request *request, net_response *response, net_cancelled_callback cancelled, void *context,
    char reason[net_reason_size]);
void net_free(uint8_t *body);

// A stream of bytes to a host, over TLS for an https URL, or to a local socket.
typedef struct net_connection net_connection;

// `url` is http://HOST:PORT or https://HOST:PORT; only scheme, host and port are used. With `local_path` the connection goes
// to that socket instead. Returns NULL and fills `ending` and `reason` when it cannot be opened.
net_connection *net_open(
    const char *url, const char *local_path, const char *authorities, double seconds,
    net_cancelled_callback cancelled, void *context, net_ending *ending, char reason[net_reason_size]);
void net_close(net_connection *connection);

enum { net_would_block = -1, net_broken = -2 };

// Return the number of bytes sent or received (0 when the peer has closed), or one of the two codes above.
long net_send(net_connection *connection, const uint8_t *bytes, size_t count);
long net_receive(net_connection *connection, uint8_t *bytes, size_t capacity);
// Waits until the connection can be read from (or written to), up to `milliseconds`.
void net_wait(net_connection *connection, bool for_writing, int milliseconds);

// Digests of 20 and 32 bytes; call these functions only after net_load has returned NULL.
void net_sha1(const uint8_t *bytes, size_t count, uint8_t digest[20]);
void net_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);
void net_hmac_sha256(
    const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t count, uint8_t digest[32]);

enum { net_signature_size = 2048 };

// Signs with RSA over SHA-256 and a private key in PEM. Returns the size of the signature, or 0 if `pem` does not contain
// such a key or the key has a password.
size_t net_sign_rsa_sha256(
    const uint8_t *pem, size_t pem_size, const uint8_t *bytes, size_t count,
    uint8_t signature[net_signature_size]);
