// Samples of spoken text by espeak-ng (Debian libespeak-ng1, 1.51), behind four functions.
//
// The library is opened by speech_load, not linked: a process that says nothing must not pay for it. It keeps its state
// in global variables, so calls wait for each other.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens the library on the first call. Returns NULL, or the reason why it cannot be used.
const char *speech_load(void);

// Samples per second; after speech_load.
int speech_rate(void);

enum { speech_name_size = 256 };

// Finds a voice by its name or its language, with a variant after a plus sign: "en-us", "de", "en-gb+f2".
// Returns false where the library has no such voice or variant; otherwise `found` is the library's name of it.
bool speech_find_voice(const char *voice, char found[speech_name_size]);

// Takes the next samples; false ends the speech.
typedef bool (*speech_take)(void *context, const int16_t *samples, size_t count);

typedef struct {
  // As speech_find_voice tells it.
  const char *voice;
  // 80…450
  int words_per_minute;
  // 0…99
  int pitch;
} speech_manner;

// Says `text`, which is UTF-8. Returns false where the library refuses.
bool speech_say(const char *text, const speech_manner *manner, speech_take take, void *context);
