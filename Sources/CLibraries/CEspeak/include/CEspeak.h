// The functions of espeak-ng (Debian libespeak-ng1, 1.51) that this program uses, with the types of its own header.
//
// The library is opened at run time, not linked: a process that does not speak does not load it.
#pragma once

#include <espeak-ng/speak_lib.h>

typedef struct {
  // Samples per second.
  int sample_rate;
  __typeof__(espeak_SetSynthCallback) *_Nonnull set_callback;
  __typeof__(espeak_SetVoiceByName) *_Nonnull set_voice;
  __typeof__(espeak_SetVoiceByProperties) *_Nonnull set_voice_by_properties;
  __typeof__(espeak_GetCurrentVoice) *_Nonnull current_voice;
  __typeof__(espeak_ListVoices) *_Nonnull list_voices;
  __typeof__(espeak_SetParameter) *_Nonnull set_parameter;
  __typeof__(espeak_Synth) *_Nonnull synthesize;
  __typeof__(espeak_TextToPhonemes) *_Nonnull text_to_phonemes;
  __typeof__(espeak_Info) *_Nonnull info;
} espeak_library;

// Opens and initializes the library at the first call. It then passes samples, and phoneme events in the International
// Phonetic Alphabet, to the callback.
//
// Returns null, or the reason why it cannot be used.
const char *_Nullable espeak_open(void);

// The functions, after espeak_open.
espeak_library espeak_functions(void);
