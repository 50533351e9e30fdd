#include "CSodium.h"

#include <sodium.h>

#include "CDynamicLibrary.h"

#define FUNCTIONS(DO)                                                                              \
  DO(sodium_init) DO(randombytes_buf) DO(crypto_hash_sha256) DO(crypto_auth_hmacsha256)            \
  DO(crypto_scalarmult_curve25519) DO(crypto_scalarmult_curve25519_base)                           \
  DO(crypto_aead_chacha20poly1305_ietf_encrypt) DO(crypto_aead_chacha20poly1305_ietf_decrypt)

static const char *start(void);

DYNAMIC_LIBRARY(library, "libsodium.so.23", FUNCTIONS, start)

static const char *start(void) { return library.sodium_init() < 0 ? "sodium_init failed" : NULL; }

const char *noise_load(void) { return dynamic_library_load(&library_loader); }

void noise_random(uint8_t *bytes, size_t count) { library.randombytes_buf(bytes, count); }

void noise_sha256(const uint8_t *bytes, size_t count, uint8_t digest[noise_key_size]) {
  library.crypto_hash_sha256(digest, bytes, count);
}

void noise_hmac_sha256(
    const uint8_t key[noise_key_size], const uint8_t *bytes, size_t count, uint8_t digest[noise_key_size]) {
  library.crypto_auth_hmacsha256(digest, bytes, count, key);
}

void noise_public_key(const uint8_t secret[noise_key_size], uint8_t public_key[noise_key_size]) {
  library.crypto_scalarmult_curve25519_base(public_key, secret);
}

bool noise_shared_secret(
    const uint8_t secret[noise_key_size], const uint8_t public_key[noise_key_size], uint8_t shared[noise_key_size]) {
  return library.crypto_scalarmult_curve25519(shared, secret, public_key) == 0;
}

typedef struct {
  uint8_t bytes[crypto_aead_chacha20poly1305_IETF_NPUBBYTES];
} nonce_bytes;

static nonce_bytes encode(uint64_t nonce) {
  nonce_bytes encoded = {{0}};
  for (int i = 0; i < 8; i++) encoded.bytes[4 + i] = (uint8_t)(nonce >> (8 * i));
  return encoded;
}

void noise_seal(
    const uint8_t key[noise_key_size], uint64_t nonce, const uint8_t *associated, size_t associated_count,
    const uint8_t *bytes, size_t count, uint8_t *sealed) {
  nonce_bytes encoded = encode(nonce);
  library.crypto_aead_chacha20poly1305_ietf_encrypt(
      sealed, NULL, bytes, count, associated, associated_count, NULL, encoded.bytes, key);
}

bool noise_unseal(
    const uint8_t key[noise_key_size], uint64_t nonce, const uint8_t *associated, size_t associated_count,
    const uint8_t *sealed, size_t count, uint8_t *bytes) {
  nonce_bytes encoded = encode(nonce);
  return library.crypto_aead_chacha20poly1305_ietf_decrypt(
             bytes, NULL, NULL, sealed, count, associated, associated_count, encoded.bytes, key) == 0;
}
