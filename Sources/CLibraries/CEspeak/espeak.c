#include "CEspeak.h"

#include <dlfcn.h>
#include <stdio.h>

const espeak_library *espeak_open(char *reason, size_t size) {
  static espeak_library library;
  static const char file[] = "libespeak-ng.so.1";
  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    snprintf(reason, size, "%s", text ? text : "unknown");
    return NULL;
  }
  __typeof__(espeak_Initialize) *initialize;
#define FIND(variable, name)                                   \
  if (!(*(void **)&(variable) = dlsym(handle, name))) {        \
    snprintf(reason, size, "%s has no function %s", file, name); \
    return NULL;                                              \
  }
  FIND(initialize, "espeak_Initialize")
  FIND(library.set_callback, "espeak_SetSynthCallback")
  FIND(library.set_voice, "espeak_SetVoiceByName")
  FIND(library.set_voice_by_properties, "espeak_SetVoiceByProperties")
  FIND(library.current_voice, "espeak_GetCurrentVoice")
  FIND(library.list_voices, "espeak_ListVoices")
  FIND(library.set_parameter, "espeak_SetParameter")
  FIND(library.synthesize, "espeak_Synth")
  FIND(library.text_to_phonemes, "espeak_TextToPhonemes")
  FIND(library.info, "espeak_Info")
#undef FIND
  library.sample_rate = initialize(
    AUDIO_OUTPUT_SYNCHRONOUS, 0, NULL,
    espeakINITIALIZE_DONT_EXIT | espeakINITIALIZE_PHONEME_EVENTS | espeakINITIALIZE_PHONEME_IPA);
  if (library.sample_rate <= 0) {
    snprintf(reason, size, "it finds no data");
    return NULL;
  }
  return &library;
}
