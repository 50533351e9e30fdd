/* libhotword: detects hotwords (wake words) in a stream of audio.
 *
 *   const char *models[] = {"computer", "/home/ann/jarvis.safetensors:0.6"};
 *   hotword_detector *detector = hotword_create(models, NULL, 2);
 *   if (!detector) { fprintf(stderr, "%s\n", hotword_last_error()); return 1; }
 *   for (;;) {
 *     read_samples(samples, 1024);
 *     int result = hotword_run(detector, samples, 1024);
 *     if (result > 0) printf("%s\n", hotword_name(detector, result));
 *   }
 *   hotword_destroy(detector);
 *
 * Audio is 16 kHz, mono, signed 16 bit, in pieces of any size: the results do not depend on their size.
 *
 * Threads: functions without a detector may be called from any thread at any time. A detector belongs to one thread at a
 * time: two calls with the same detector must not overlap; different detectors are independent of each other.
 *
 * Real time: functions marked "real time" neither allocate memory nor wait for a lock, file or system call, and may be called
 * on an audio thread. The others must not. (The first call that fails on a thread may allocate the buffer of its error text.)
 *
 * Errors: a detector that is NULL, destroyed or invalid is an error and no crash, as are numbers out of range; pointers to
 * samples and text must be NULL or valid. hotword_last_error returns the reason. The library never writes to standard output
 * or standard error, and sets no signal handler.
 *
 * FFTW: when it is loaded, the library calls fftwf_make_planner_thread_safe, so that host and library may plan on several
 * threads. A host that loads the library while another of its threads plans must call that function itself before.
 *
 * Sizes, names and meanings will not change within one major number of the library's soname. */
#ifndef HOTWORD_H
#define HOTWORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stream and its models. Up to 1024 in a process at the same time. */
typedef struct hotword_detector hotword_detector;

/* The results of hotword_run and hotword_finish besides the number of a hotword, which is 1 or more. */
enum {
  HOTWORD_SILENCE = -2, /* no speech */
  HOTWORD_ERROR = -1,   /* see hotword_last_error */
  HOTWORD_SPEECH = 0    /* speech without a hotword */
};

/* A detected hotword. */
typedef struct {
  int hotword;  /* its number, 1 or more, in the order of the models */
  double start; /* estimated start and end: seconds since the stream began */
  double end;
  double score; /* 0 to 1 */
} hotword_hit;

/* Creates a detector.
 *
 * models: `count` names or paths of models, each optionally with its own sensitivity, as in "computer:0.7". Names are searched
 *   in ./Models, $XDG_DATA_HOME/hotword/models, /var/lib/hotword/models, /usr/local/share/hotword/models and
 *   /usr/share/hotword/models. The pointers are not kept.
 * sensitivities: `count` numbers from 0 to 1 for models without their own, where higher ones trigger more easily; or NULL for
 *   0.5, the calibrated operating point of each model: up to 0.5 false alarms per hour on the data of its card.
 *
 * Returns the detector, which hotword_destroy frees, or NULL for an error. Reads files; not real time. */
hotword_detector *hotword_create(const char *const *models, const double *sensitivities, int count);

/* Destroys a detector and all text that it owns. NULL is ignored. Not real time. */
void hotword_destroy(hotword_detector *detector);

/* Processes the next samples of the stream; `count` is any number, also 0. The samples are not kept.
 *
 * Returns the number of a detected hotword, 1 or more; HOTWORD_SPEECH; HOTWORD_SILENCE (the voice activity detector found no
 * voice in these samples and the 0.3 s before them); or HOTWORD_ERROR. A hotword is detected within 0.3 s of its end. If
 * several are detected at once, which takes more than a second of samples or two models of the same words, the first is
 * returned; hotword_next_hit returns all of them. Real time. */
int hotword_run(hotword_detector *detector, const int16_t *samples, int count);

/* Ends the stream, so that a hotword at its very end is detected: call it after the last samples of a file, then
 * hotword_reset before the next stream. Returns the same as hotword_run. Real time. */
int hotword_finish(hotword_detector *detector);

/* Removes the oldest hit from the queue of the detector, which keeps 64 and drops later ones.
 *
 * Returns 1 and sets *hit, or 0 if the queue is empty, or HOTWORD_ERROR. Real time. */
int hotword_next_hit(hotword_detector *detector, hotword_hit *hit);

/* Begins a new stream and clears the hits: the results equal those of a new detector with the same settings.
 * Returns 0 or HOTWORD_ERROR. Not real time. */
int hotword_reset(hotword_detector *detector);

/* Sets the sensitivity, 0 to 1, of a hotword, or of all hotwords if `hotword` is 0.
 * Returns 0 or HOTWORD_ERROR. Not real time. */
int hotword_set_sensitivity(hotword_detector *detector, int hotword, double sensitivity);

/* The sensitivity of a hotword, 0 to 1, or HOTWORD_ERROR. */
double hotword_sensitivity(hotword_detector *detector, int hotword);

/* Sets the factor by which samples are multiplied, 0.01 to 100; the default is 1. Samples that would be too large are clipped.
 * Returns 0 or HOTWORD_ERROR. Real time. */
int hotword_set_audio_gain(hotword_detector *detector, double gain);

/* Switches the models' front end (high-pass filter, noise suppression) on or off; it is on by default. The models were trained
 * with it: switch it off only for audio that a similar front end has processed. Begins a new stream.
 * Returns 0 or HOTWORD_ERROR. Not real time. */
int hotword_apply_front_end(hotword_detector *detector, int on);

/* The highest score of a hotword in the samples of the last hotword_run or hotword_finish, 0 to 1, or HOTWORD_ERROR; after
 * fewer than 320 samples it may be that of the call before. A hit is a rise to the threshold, which is about 0.5 at
 * sensitivity 0.5. Real time. */
double hotword_score(hotword_detector *detector, int hotword);

/* The number of hotwords, or HOTWORD_ERROR. Real time. */
int hotword_count(hotword_detector *detector);

/* The name of a hotword's model, and its phrase; UTF-8, owned by the detector and valid as long as it exists.
 * NULL for an error. Real time. */
const char *hotword_name(hotword_detector *detector, int hotword);
const char *hotword_phrase(hotword_detector *detector, int hotword);

/* The format of the samples: 16000, 1 and 16. Real time. */
int hotword_sample_rate(void);
int hotword_channels(void);
int hotword_bits_per_sample(void);

/* The reason why the last failing call of this thread failed: one line of UTF-8, never NULL, empty if none failed. Owned by
 * the library, valid until the next failing call of this thread. Real time. */
const char *hotword_last_error(void);

/* The version of the library, such as "0.1.0"; a constant. Real time. */
const char *hotword_version(void);

#ifdef __cplusplus
}
#endif

#endif
