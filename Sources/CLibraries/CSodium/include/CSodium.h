// The primitives of Noise_NNpsk0_25519_ChaChaPoly_SHA256 by libsodium (Debian libsodium23, 1.0.18).
//
// noise_load opens the library, which is not linked: a process without encrypted connections does not map it. All functions may be
// called on any thread, after noise_load has returned NULL.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { noise_key_size = 32, noise_tag_size = 16 };

// Opens the library at the first call. Returns NULL, or why it cannot be used.
const char *noise_load(void);

void noise_random(uint8_t *bytes, size_t count);
void noise_sha256(const uint8_t *bytes, size_t count, uint8_t digest[noise_key_size]);
void noise_hmac_sha256(
    const uint8_t key[noise_key_size], const uint8_t *bytes, size_t count, uint8_t digest[noise_key_size]);

// X25519: the public key of a secret one, and the secret that is shared with the owner of another public key. The latter returns
// false for a public key of low order.
void noise_public_key(const uint8_t secret[noise_key_size], uint8_t public_key[noise_key_size]);
bool noise_shared_secret(
    const uint8_t secret[noise_key_size], const uint8_t public_key[noise_key_size], uint8_t shared[noise_key_size]);

// ChaCha20-Poly1305 (RFC 8439) with the nonce of Noise: 4 bytes of zero, then `nonce` in little-endian order. `sealed` has the size
// of `bytes` and noise_tag_size more. noise_unseal returns false if the tag does not fit; `count` is the size of `sealed`, at least
// noise_tag_size.
void noise_seal(
    const uint8_t key[noise_key_size], uint64_t nonce, const uint8_t *associated, size_t associated_count,
    const uint8_t *bytes, size_t count, uint8_t *sealed);
bool noise_unseal(
    const uint8_t key[noise_key_size], uint64_t nonce, const uint8_t *associated, size_t associated_count,
    const uint8_t *sealed, size_t count, uint8_t *bytes);
