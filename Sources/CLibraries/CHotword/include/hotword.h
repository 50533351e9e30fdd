/* libhotword: hears hotwords in a stream of sound.
 *
 *   const char *models[] = {"computer", "/home/ann/jarvis.safetensors:0.6"};
 *   hotword_detector *detector = hotword_create(models, NULL, 2);
 *   if (!detector) { fprintf(stderr, "%s\n", hotword_last_error()); return 1; }
 *   for (;;) {
 *     read_samples(samples, 1024);
 *     int heard = hotword_run(detector, samples, 1024);
 *     if (heard > 0) printf("%s\n", hotword_name(detector, heard));
 *   }
 *   hotword_destroy(detector);
 *
 * Sound is 16 kHz, mono, signed 16 bit, in pieces of any size: what is heard does not depend on it.
 *
 * Threads: functions without a detector may be called from any thread at any time. A detector belongs to one thread at a
 * time: two calls with the same detector must not overlap; different detectors are independent of each other.
 *
 * Real time: functions marked so neither allocate memory nor wait for a lock, file or system call; they may be called on an
 * audio thread. The others must not. (The first call of a thread that fails may allocate the place of its error's text.)
 *
 * Mistakes: a detector that is NULL, destroyed or never was one gives an error and no crash, as do numbers out of range;
 * pointers to samples and text must be NULL or valid. What was wrong is told by hotword_last_error. Nothing is ever written
 * to the standard output or error, and no signal handler is set.
 *
 * Sizes, names and meanings will not change within one major number of the library's soname. */
#ifndef HOTWORD_H
#define HOTWORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stream and the models that listen to it. At most 1024 at once in a process. */
typedef struct hotword_detector hotword_detector;

/* What hotword_run and hotword_finish return besides the number of a hotword, 1 or more. */
enum {
  HOTWORD_SILENCE = -2, /* nobody speaks */
  HOTWORD_ERROR = -1,   /* see hotword_last_error */
  HOTWORD_SPEECH = 0    /* speech, and no hotword in it */
};

/* A hotword that was heard. */
typedef struct {
  int hotword;  /* its number, 1 or more, in the order of the models */
  double start; /* where it begins and ends: seconds since the stream began, estimated */
  double end;
  double score; /* 0 to 1 */
} hotword_hit;

/* Makes a detector.
 *
 * models: `count` names or paths of models, each perhaps with a sensitivity of its own, as in "computer:0.7". Names are looked
 *   up as the program does: ./Models, $XDG_DATA_HOME/hotword/models, /var/lib/hotword/models, /usr/local/share/hotword/models,
 *   /usr/share/hotword/models. Nothing of it is kept.
 * sensitivities: `count` numbers from 0 to 1 for models without their own, higher ones trigger more easily; or NULL for 0.5,
 *   the calibrated point of each model: at most 0.5 false alarms an hour on the data of its card.
 *
 * Returns the detector, to be given to hotword_destroy, or NULL for an error. Reads files; not for real time. */
hotword_detector *hotword_create(const char *const *models, const double *sensitivities, int count);

/* Ends a detector and all text that was had from it. NULL is taken and does nothing. Not for real time. */
void hotword_destroy(hotword_detector *detector);

/* Hears the next samples of the stream; `count` of any size, 0 too. The samples are not kept.
 *
 * Returns the number of a hotword, 1 or more, if one was found; HOTWORD_SPEECH, HOTWORD_SILENCE (by the voice detector of the
 * front end: no voice in these samples nor in 0.3 s before them), or HOTWORD_ERROR. A hotword is found within 0.3 s of its
 * end. Where several are found at once, which takes samples of more than a second or two models that hear the same, the
 * first is returned; hotword_next_hit has them all. Real time. */
int hotword_run(hotword_detector *detector, const int16_t *samples, int count);

/* Ends the stream, so that a hotword at its very end is found: call it after the last samples of a file, then hotword_reset
 * before the next stream. Returns as hotword_run does. Real time. */
int hotword_finish(hotword_detector *detector);

/* Takes the oldest hit that was not taken yet; 64 are kept, later ones are dropped.
 *
 * Returns 1 and sets *hit, or 0 where none is left, or HOTWORD_ERROR. Real time. */
int hotword_next_hit(hotword_detector *detector, hotword_hit *hit);

/* Forgets the stream and its hits: what follows is heard as by a new detector with the same settings.
 * Returns 0 or HOTWORD_ERROR. Not for real time. */
int hotword_reset(hotword_detector *detector);

/* Makes a hotword, or all of them where `hotword` is 0, trigger more or less easily from now on; 0 to 1.
 * Returns 0 or HOTWORD_ERROR. Not for real time. */
int hotword_set_sensitivity(hotword_detector *detector, int hotword, double sensitivity);

/* The sensitivity of a hotword, 0 to 1, or HOTWORD_ERROR. */
double hotword_sensitivity(hotword_detector *detector, int hotword);

/* Multiplies the samples by `gain` from now on, 0.01 to 100; 1 to begin with. Samples that would be too large are cut.
 * Returns 0 or HOTWORD_ERROR. Real time. */
int hotword_set_audio_gain(hotword_detector *detector, double gain);

/* Whether the models' front end (high-pass filter, noise suppression) cleans the sound, as it does to begin with. The models
 * were trained behind it: switch it off only for sound that something like it has cleaned before. Resets the stream.
 * Returns 0 or HOTWORD_ERROR. Not for real time. */
int hotword_apply_front_end(hotword_detector *detector, int on);

/* The highest score of a hotword in the samples of the last hotword_run or hotword_finish, 0 to 1, or HOTWORD_ERROR; where
 * they were fewer than 320, perhaps the one before it. A hit is a rise to the threshold, which lies at 0.5 or near it at
 * sensitivity 0.5. Real time. */
double hotword_score(hotword_detector *detector, int hotword);

/* The number of hotwords, or HOTWORD_ERROR. Real time. */
int hotword_count(hotword_detector *detector);

/* The name of a hotword's model, and the words to say; UTF-8, owned by the detector and valid as long as it is.
 * NULL for an error. Real time. */
const char *hotword_name(hotword_detector *detector, int hotword);
const char *hotword_phrase(hotword_detector *detector, int hotword);

/* 16000, 1 and 16: what the samples must be. Real time. */
int hotword_sample_rate(void);
int hotword_channels(void);
int hotword_bits_per_sample(void);

/* What was wrong in the last call of this thread that failed: one line of UTF-8, never NULL, empty where none failed. Owned by
 * the library, valid until the next call of this thread that fails. Real time. */
const char *hotword_last_error(void);

/* The version of the library, as "0.1.0"; a constant. Real time. */
const char *hotword_version(void);

#ifdef __cplusplus
}
#endif

#endif
