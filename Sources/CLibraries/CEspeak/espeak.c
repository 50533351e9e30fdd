#include "CEspeak.h"

#include "CDynamicLibrary.h"

struct audio_object;
struct audio_object *create_audio_device_object(
  const char *device, const char *application_name, const char *description);

#define FUNCTIONS(DO)                                                                                  \
  DO(espeak_Initialize) DO(espeak_SetSynthCallback) DO(espeak_SetVoiceByName)                          \
  DO(espeak_SetVoiceByProperties) DO(espeak_GetCurrentVoice) DO(espeak_ListVoices)                     \
  DO(espeak_SetParameter) DO(espeak_Synth) DO(espeak_TextToPhonemes) DO(espeak_Info)

static const char *initialize(void);

// espeak-ng 1.51 opens the sound server even if it only returns samples: libpulse then connects to it, and creates folders in the
// user's home and in /tmp. The programs export this function (see Package.swift), which is found before that of libpcaudio, and
// espeak-ng goes on without a device.
struct audio_object *create_audio_device_object(
  const char *device, const char *application_name, const char *description) {
  (void)device, (void)application_name, (void)description;
  return NULL;
}

DYNAMIC_LIBRARY(functions, "libespeak-ng.so.1", FUNCTIONS, initialize)

static int sample_rate;

static const char *initialize(void) {
  sample_rate = functions.espeak_Initialize(
    AUDIO_OUTPUT_SYNCHRONOUS, 0, NULL,
    espeakINITIALIZE_DONT_EXIT | espeakINITIALIZE_PHONEME_EVENTS | espeakINITIALIZE_PHONEME_IPA);
  return sample_rate > 0 ? NULL : "it finds no data";
}

const char *espeak_open(void) { return dynamic_library_load(&functions_loader); }

espeak_library espeak_functions(void) {
  return (espeak_library){
    .sample_rate = sample_rate,
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
}
