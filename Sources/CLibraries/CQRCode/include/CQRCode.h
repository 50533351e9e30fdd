// QR codes by libqrencode (Debian libqrencode4, 4.1), which is opened when first used. Any thread may call these functions.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Opens the library at the first call. Returns NULL, or why it cannot be used.
const char *qr_load(void);

enum { qr_largest_width = 177 };

// Encodes `text` with the error correction level M, after qr_load has returned NULL. Fills `modules` row by row: 1 is dark.
// Returns the width of the code in modules, or 0 if the text is too long.
int qr_encode(const char *text, uint8_t modules[qr_largest_width * qr_largest_width]);
