// The audio processing module of WebRTC (Debian's webrtc-audio-processing 0.3) for one 16 kHz mono stream.
//
// The library's API is C++ with pure virtual classes; these four functions are what Swift sees of it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Promises that `@_noAllocation` and `@_noLocks` in Swift may rely on. Processing takes the library's own
// mutexes, which no other thread ever holds: they cost an atomic exchange and never wait.
#define WEBRTC_REALTIME \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

#ifdef __cplusplus
extern "C" {
#endif

// One stream's state; owned by who created it, used by one thread at a time.
typedef struct webrtc_stream webrtc_stream;

typedef struct {
  bool high_pass;
  // -1 off; 0...3 low, moderate, high, very high: about 6, 10, 15 and 20 dB of attenuation.
  int noise_suppression;
  bool gain_control;
  bool voice_activity;
  bool echo_cancellation;
  // Milliseconds from a reference frame to the capture frame that holds its echo, 0...500.
  int echo_delay;
} webrtc_settings;

typedef struct {
  bool voiced;
  // Root mean square of the processed frame in dBFS, at least -100; a full-scale square wave is 0.
  float level;
} webrtc_activity;

// A fresh stream, or null with the library's (negative) error in `*error`.
//
// Creating an echo canceller rewrites tables that all cancellers of the process share, with the same
// contents: another one that processes a frame in those microseconds may give slightly different samples.
// Creations wait for each other; to be exact to the bit, create them before any of them runs.
webrtc_stream *_Nullable webrtc_stream_create(webrtc_settings settings, int *_Nonnull error);

// Ends the stream; the pointer is invalid afterwards.
void webrtc_stream_destroy(webrtc_stream *_Nonnull stream);

// Takes the stream back to its beginning; what follows equals the output of a fresh one. Allocates.
void webrtc_stream_reset(webrtc_stream *_Nonnull stream);

// Processes 160 samples in place. `reference` (160 samples or null for silence) is what the loudspeaker
// played; it matters to the echo canceller only.
WEBRTC_REALTIME
webrtc_activity webrtc_stream_process(
    webrtc_stream *_Nonnull stream, int16_t *_Nonnull samples, const int16_t *_Nullable reference);

#ifdef __cplusplus
}
#endif
