// The audio processing module of WebRTC for one 16 kHz mono stream: the library webrtc-audio-processing 0.3 (Debian 12, Ubuntu
// 24.04) or 1.x (Debian 13).
//
// The library's API is C++ with pure virtual classes, which Swift cannot import; it calls these functions. Package.swift selects
// the folder of the version that is installed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The annotations are not checked by the compiler. Processing allocates nothing; it locks mutexes of the stream, which no
// other thread uses, so that it never waits.
#define WEBRTC_REALTIME \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

#ifdef __cplusplus
extern "C" {
#endif

// The state of one stream. One thread at a time uses it.
typedef struct webrtc_stream webrtc_stream;

typedef struct {
  bool high_pass;
  // -1 off; 0...3 low, moderate, high, very high: about 6, 10, 15 and 20 dB of attenuation.
  int noise_suppression;
  bool gain_control;
  bool voice_activity;
  bool echo_cancellation;
  // Milliseconds from a reference frame to the capture frame with its echo, 0...500.
  int echo_delay;
} webrtc_settings;

typedef struct {
  bool voiced;
  // Root mean square of the processed frame in dBFS, at least -100; a full-scale square wave is 0.
  float level;
} webrtc_activity;

// The version of the library: 0 for 0.3, 1 for 1.x.
int webrtc_version(void);

// Samples by which the output of a stream lags behind its input. Measured by cross-correlation for every combination.
int webrtc_stream_delay(webrtc_settings settings);

// Creates a stream. Returns null and sets `*error` to the library's negative code on an error.
//
// In version 0.3, creating an echo canceller rewrites tables that all cancellers of the process share, with the same contents: another one
// that processes a frame at that moment may return slightly different samples. Creations are serialized; for results that are
// equal to the bit, create all cancellers before any of them runs.
webrtc_stream *_Nullable webrtc_stream_create(webrtc_settings settings, int *_Nonnull error);

// Ends the stream; the pointer is invalid afterwards.
void webrtc_stream_destroy(webrtc_stream *_Nonnull stream);

// Resets the stream: the output equals that of a new one. Allocates.
void webrtc_stream_reset(webrtc_stream *_Nonnull stream);

// Changes `echo_delay` from the next frame on; only the thread that processes may call it.
WEBRTC_REALTIME
void webrtc_stream_set_echo_delay(webrtc_stream *_Nonnull stream, int milliseconds);

// Processes 160 samples in place. `reference` is the loudspeaker's signal for the echo canceller: 160 samples, or null for
// silence.
WEBRTC_REALTIME
webrtc_activity webrtc_stream_process(
    webrtc_stream *_Nonnull stream, int16_t *_Nonnull samples, const int16_t *_Nullable reference);

#ifdef __cplusplus
}
#endif
