#include "CQRCode.h"

#include <qrencode.h>

#include "CDynamicLibrary.h"

#define FUNCTIONS(DO) DO(QRcode_encodeString) DO(QRcode_free)

DYNAMIC_LIBRARY(library, "libqrencode.so.4", FUNCTIONS, NULL)

const char *qr_load(void) { return dynamic_library_load(&library_loader); }

int qr_encode(const char *text, uint8_t modules[qr_largest_width * qr_largest_width]) {
  QRcode *code = library.QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
  if (!code) return 0;
  int width = code->width;
  for (int i = 0; i < width * width; i++) modules[i] = code->data[i] & 1;
  library.QRcode_free(code);
  return width;
}
