#pragma once
#include <alsa/asoundlib.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

// The calls of the capture thread. The annotations are not checked by the compiler: for hardware devices the functions make
// system calls without allocating, and alsa-lib locks the mutex of the handle, which no other thread of this program uses.
// Devices that are plug-ins (pulse, pipewire) may allocate and lock.
#define HOTWORD_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

HOTWORD_REALTIME
static inline int hotword_pcm_wait(snd_pcm_t *pcm, int milliseconds) { return snd_pcm_wait(pcm, milliseconds); }

HOTWORD_REALTIME
static inline long hotword_pcm_read(snd_pcm_t *pcm, void *frames, unsigned long count) {
  return snd_pcm_readi(pcm, frames, count);
}

HOTWORD_REALTIME
static inline long hotword_pcm_available(snd_pcm_t *pcm) { return snd_pcm_avail_update(pcm); }

/// Seconds of the monotonic clock.
HOTWORD_REALTIME
static inline double hotword_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

HOTWORD_REALTIME
static inline void hotword_sleep(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/// Wakes the threads that poll a non-blocking event descriptor; never waits.
HOTWORD_REALTIME
static inline void hotword_signal(int descriptor) {
  uint64_t one = 1;
  if (write(descriptor, &one, sizeof one) < 0) return;
}

static void hotword_alsa_quiet(
  const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file; (void)line; (void)function; (void)error; (void)format;
}

/// Discards alsa-lib's messages, which otherwise go to standard error.
static inline void hotword_alsa_silence(void) { snd_lib_error_set_handler(hotword_alsa_quiet); }

/// Names the calling thread: up to 15 bytes.
static inline void hotword_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/// alsa-lib allocates these on the stack by a macro, which Swift cannot call.
static inline snd_pcm_hw_params_t *hotword_hw_params(void) {
  snd_pcm_hw_params_t *parameters = NULL;
  snd_pcm_hw_params_malloc(&parameters);
  return parameters;
}

static inline snd_pcm_sw_params_t *hotword_sw_params(void) {
  snd_pcm_sw_params_t *parameters = NULL;
  snd_pcm_sw_params_malloc(&parameters);
  return parameters;
}
