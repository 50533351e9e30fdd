#define _GNU_SOURCE
#include "CSpeech.h"

#include <dlfcn.h>
#include <espeak-ng/speak_lib.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static struct {
  __typeof__(espeak_Initialize) *initialize;
  __typeof__(espeak_SetSynthCallback) *set_callback;
  __typeof__(espeak_SetVoiceByName) *set_voice;
  __typeof__(espeak_SetVoiceByProperties) *set_language;
  __typeof__(espeak_GetCurrentVoice) *current_voice;
  __typeof__(espeak_SetParameter) *set_parameter;
  __typeof__(espeak_Synth) *synth;
  __typeof__(espeak_Info) *info;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char reason[256];
static int rate;

// The speech in progress, under the mutex.
static struct {
  speech_take take;
  void *context;
} current;

static int receive(short *samples, int count, espeak_EVENT *events) {
  (void)events;
  if (!samples || count <= 0) return 0;
  return current.take(current.context, samples, (size_t)count) ? 0 : 1;
}

static void open_library(void) {
  void *handle = dlopen("libespeak-ng.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    snprintf(reason, sizeof reason, "%s", text ? text : "unknown");
    return;
  }
#define FIND(field, name)                                              \
  if (!(*(void **)&library.field = dlsym(handle, name)) && !reason[0]) \
  snprintf(reason, sizeof reason, "libespeak-ng.so.1 has no %s", name)
  FIND(initialize, "espeak_Initialize");
  FIND(set_callback, "espeak_SetSynthCallback");
  FIND(set_voice, "espeak_SetVoiceByName");
  FIND(set_language, "espeak_SetVoiceByProperties");
  FIND(current_voice, "espeak_GetCurrentVoice");
  FIND(set_parameter, "espeak_SetParameter");
  FIND(synth, "espeak_Synth");
  FIND(info, "espeak_Info");
#undef FIND
  if (reason[0]) return;
  rate = library.initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, NULL, espeakINITIALIZE_DONT_EXIT);
  if (rate <= 0) {
    snprintf(reason, sizeof reason, "it finds no data; install espeak-ng-data");
    return;
  }
  library.set_callback(receive);
}

const char *speech_load(void) {
  pthread_once(&once, open_library);
  return reason[0] ? reason : NULL;
}

int speech_rate(void) { return rate; }

// The library passes over a variant that it has not.
static bool has_variant(const char *variant) {
  if (!*variant) return true;
  const char *folder = NULL;
  library.info(&folder);
  if (!folder || !variant[1] || strpbrk(variant, "/.")) return false;
  char path[1024];
  int length = snprintf(path, sizeof path, "%s/voices/!v/%s", folder, variant + 1);
  return length < (int)sizeof path && access(path, R_OK) == 0;
}

// Whether a voice speaks a language: each is a byte of rank and a text, and a rank of zero ends them.
static bool speaks(const espeak_VOICE *voice, const char *language) {
  for (const char *entry = voice->languages; entry && *entry; entry += strlen(entry + 1) + 2)
    if (strcasecmp(entry + 1, language) == 0) return true;
  return false;
}

static bool find_voice(const char *voice, char *found) {
  const char *plus = strchr(voice, '+');
  const char *variant = plus ? plus : "";
  char name[speech_name_size];
  int length = snprintf(name, sizeof name, "%.*s", plus ? (int)(plus - voice) : (int)strlen(voice), voice);
  if (!length || length >= (int)sizeof name || !has_variant(variant)) return false;
  const char *base = name;
  if (library.set_voice(name) != EE_OK) {
    espeak_VOICE wanted = {.languages = name};
    if (library.set_language(&wanted) != EE_OK) return false;
    const espeak_VOICE *voice = library.current_voice();
    if (!voice || !voice->identifier || !speaks(voice, name)) return false;
    base = voice->identifier;
  }
  length = snprintf(found, speech_name_size, "%s%s", base, variant);
  return length < speech_name_size && library.set_voice(found) == EE_OK;
}

bool speech_find_voice(const char *voice, char found[speech_name_size]) {
  if (speech_load()) return false;
  pthread_mutex_lock(&mutex);
  bool is_found = find_voice(voice, found);
  pthread_mutex_unlock(&mutex);
  return is_found;
}

bool speech_say(const char *text, const speech_manner *manner, speech_take take, void *context) {
  if (speech_load()) return false;
  pthread_mutex_lock(&mutex);
  bool said = false;
  // Otherwise it would go on with the voice that spoke last.
  if (library.set_voice(manner->voice) == EE_OK) {
    library.set_parameter(espeakRATE, manner->words_per_minute, 0);
    library.set_parameter(espeakPITCH, manner->pitch, 0);
    current.take = take;
    current.context = context;
    said = library.synth(text, strlen(text) + 1, 0, POS_CHARACTER, 0, espeakCHARS_UTF8, NULL, NULL) == EE_OK;
  }
  pthread_mutex_unlock(&mutex);
  return said;
}
