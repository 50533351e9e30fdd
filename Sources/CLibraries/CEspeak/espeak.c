#include "CEspeak.h"

#include <stdio.h>

#include "CDynamicLibrary.h"

#define FUNCTIONS(DO)                                                                               \
  DO(espeak_Initialize) DO(espeak_SetSynthCallback) DO(espeak_SetVoiceByName)                       \
  DO(espeak_SetVoiceByProperties) DO(espeak_GetCurrentVoice) DO(espeak_ListVoices)                  \
  DO(espeak_SetParameter) DO(espeak_Synth) DO(espeak_TextToPhonemes) DO(espeak_Info)

static const char *start(void);

DYNAMIC_LIBRARY(functions, "libespeak-ng.so.1", FUNCTIONS, start)

static espeak_library library;

static const char *start(void) {
  library = (espeak_library){
      .set_callback = functions.espeak_SetSynthCallback,
      .set_voice = functions.espeak_SetVoiceByName,
      .set_voice_by_properties = functions.espeak_SetVoiceByProperties,
      .current_voice = functions.espeak_GetCurrentVoice,
      .list_voices = functions.espeak_ListVoices,
      .set_parameter = functions.espeak_SetParameter,
      .synthesize = functions.espeak_Synth,
      .text_to_phonemes = functions.espeak_TextToPhonemes,
      .info = functions.espeak_Info,
  };
  library.sample_rate = functions.espeak_Initialize(
      AUDIO_OUTPUT_SYNCHRONOUS, 0, NULL,
      espeakINITIALIZE_DONT_EXIT | espeakINITIALIZE_PHONEME_EVENTS | espeakINITIALIZE_PHONEME_IPA);
  return library.sample_rate > 0 ? NULL : "it finds no data";
}

const espeak_library *espeak_open(char *reason, size_t size) {
  const char *text = dynamic_library_load(&functions_loader);
  if (!text) return &library;
  snprintf(reason, size, "%s", text);
  return NULL;
}
