#define _GNU_SOURCE
#include "CPocketSphinx.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sphinxbase/feat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used of the library; its functions are looked up, only the feature structure comes from its headers.
typedef void *opaque;
typedef void (*error_callback)(void *context, int level, const char *format, ...);

struct sphinx_decoder {
  opaque engine;
  feat_t *features;
  // The channel's mean that the model begins with.
  mfcc_t *mean;
};

static struct {
  opaque (*cmd_ln_parse_r)(opaque, opaque, int32_t, char **, int32_t);
  int (*cmd_ln_free_r)(opaque);
  void (*err_set_callback)(error_callback, void *);
  void (*err_set_logfp)(FILE *);
  double (*logmath_exp)(opaque, int);
  void (*cmn_live_set)(cmn_t *, const mfcc_t *);
  opaque (*ps_args)(void);
  opaque (*ps_init)(opaque);
  int (*ps_free)(opaque);
  feat_t *(*ps_get_feat)(opaque);
  opaque (*ps_get_logmath)(opaque);
  char *(*ps_lookup_word)(opaque, const char *);
  int (*ps_add_word)(opaque, const char *, const char *, int);
  int (*ps_set_search)(opaque, const char *);
  int (*ps_set_jsgf_string)(opaque, const char *, const char *);
  int (*ps_set_lm_file)(opaque, const char *, const char *);
  int (*ps_set_allphone_file)(opaque, const char *, const char *);
  int (*ps_start_stream)(opaque);
  int (*ps_start_utt)(opaque);
  int (*ps_process_raw)(opaque, const int16_t *, size_t, int, int);
  int (*ps_end_utt)(opaque);
  int (*ps_get_n_frames)(opaque);
  const char *(*ps_get_hyp)(opaque, int32_t *);
  int32_t (*ps_get_prob)(opaque);
  opaque (*ps_seg_iter)(opaque);
  opaque (*ps_seg_next)(opaque);
  const char *(*ps_seg_word)(opaque);
  void (*ps_seg_frames)(opaque, int *, int *);
  int32_t (*ps_seg_prob)(opaque, int32_t *, int32_t *, int32_t *);
  opaque (*ps_nbest)(opaque);
  opaque (*ps_nbest_next)(opaque);
  const char *(*ps_nbest_hyp)(opaque, int32_t *);
  void (*ps_nbest_free)(opaque);
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];
static _Thread_local char last_error[256];

enum { level_error = 4 };

__attribute__((format(printf, 3, 4))) static void note(void *context, int level, const char *format, ...) {
  (void)context;
  if (level < level_error) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_error, sizeof last_error, format, arguments);
  va_end(arguments);
  last_error[strcspn(last_error, "\n")] = 0;
}

static void open_library(void) {
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  void *handle = dlopen("libpocketsphinx.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    snprintf(reason, sizeof reason, "%s", text ? text : "unknown");
    return;
  }
#define FIND(name)                                                      \
  if (!(*(void **)&library.name = dlsym(handle, #name)) && !reason[0]) \
  snprintf(reason, sizeof reason, "libpocketsphinx.so.3 has no %s", #name)
  FIND(cmd_ln_parse_r);
  FIND(cmd_ln_free_r);
  FIND(err_set_callback);
  FIND(err_set_logfp);
  FIND(logmath_exp);
  FIND(cmn_live_set);
  FIND(ps_args);
  FIND(ps_init);
  FIND(ps_free);
  FIND(ps_get_feat);
  FIND(ps_get_logmath);
  FIND(ps_lookup_word);
  FIND(ps_add_word);
  FIND(ps_set_search);
  FIND(ps_set_jsgf_string);
  FIND(ps_set_lm_file);
  FIND(ps_set_allphone_file);
  FIND(ps_start_stream);
  FIND(ps_start_utt);
  FIND(ps_process_raw);
  FIND(ps_end_utt);
  FIND(ps_get_n_frames);
  FIND(ps_get_hyp);
  FIND(ps_get_prob);
  FIND(ps_seg_iter);
  FIND(ps_seg_next);
  FIND(ps_seg_word);
  FIND(ps_seg_frames);
  FIND(ps_seg_prob);
  FIND(ps_nbest);
  FIND(ps_nbest_next);
  FIND(ps_nbest_hyp);
  FIND(ps_nbest_free);
#undef FIND
  if (reason[0]) return;
  library.err_set_callback(note, NULL);
  // The list of its options goes around the callback.
  library.err_set_logfp(NULL);
}

const char *sphinx_load(void) {
  pthread_once(&once, open_library);
  return reason[0] ? reason : NULL;
}

const char *sphinx_last_error(void) { return last_error; }

sphinx_decoder *sphinx_open(int count, const char *const *options) {
  if (sphinx_load()) return NULL;
  last_error[0] = 0;
  char **arguments = calloc((size_t)count + 2, sizeof *arguments);
  if (!arguments) return NULL;
  arguments[0] = "hotword";
  for (int i = 0; i < count; i++) arguments[i + 1] = (char *)options[i];
  opaque configuration = library.cmd_ln_parse_r(NULL, library.ps_args(), count + 1, arguments, 1);
  free(arguments);
  if (!configuration) return NULL;
  opaque engine = library.ps_init(configuration);
  library.cmd_ln_free_r(configuration);
  if (!engine) return NULL;
  sphinx_decoder *decoder = calloc(1, sizeof *decoder);
  feat_t *features = library.ps_get_feat(engine);
  size_t size = features->cmn_struct ? (size_t)features->cmn_struct->veclen * sizeof(mfcc_t) : 0;
  mfcc_t *mean = malloc(size + 1);
  if (!decoder || !mean) abort();
  if (size) memcpy(mean, features->cmn_struct->cmn_mean, size);
  *decoder = (sphinx_decoder){.engine = engine, .features = features, .mean = mean};
  return decoder;
}

void sphinx_close(sphinx_decoder *decoder) {
  library.ps_free(decoder->engine);
  free(decoder->mean);
  free(decoder);
}

bool sphinx_has_word(sphinx_decoder *decoder, const char *word) {
  char *phones = library.ps_lookup_word(decoder->engine, word);
  free(phones);
  return phones != NULL;
}

bool sphinx_add_word(sphinx_decoder *decoder, const char *word, const char *phones) {
  return library.ps_add_word(decoder->engine, word, phones, 0) >= 0;
}

bool sphinx_use_grammar(sphinx_decoder *decoder, const char *jsgf) {
  last_error[0] = 0;
  return library.ps_set_jsgf_string(decoder->engine, "grammar", jsgf) == 0 &&
         library.ps_set_search(decoder->engine, "grammar") == 0;
}

bool sphinx_use_ngrams(sphinx_decoder *decoder, const char *path) {
  last_error[0] = 0;
  return library.ps_set_lm_file(decoder->engine, "ngrams", path) == 0 && library.ps_set_search(decoder->engine, "ngrams") == 0;
}

bool sphinx_use_phones(sphinx_decoder *decoder, const char *path) {
  last_error[0] = 0;
  return library.ps_set_allphone_file(decoder->engine, "phones", path) == 0 &&
         library.ps_set_search(decoder->engine, "phones") == 0;
}

bool sphinx_begin(sphinx_decoder *decoder) {
  library.ps_start_stream(decoder->engine);
  if (decoder->features->cmn_struct) library.cmn_live_set(decoder->features->cmn_struct, decoder->mean);
  return library.ps_start_utt(decoder->engine) == 0;
}

bool sphinx_process(sphinx_decoder *decoder, const int16_t *samples, int count) {
  return library.ps_process_raw(decoder->engine, samples, (size_t)count, 0, 0) >= 0;
}

int sphinx_frames(sphinx_decoder *decoder) { return library.ps_get_n_frames(decoder->engine); }

bool sphinx_end(sphinx_decoder *decoder) { return library.ps_end_utt(decoder->engine) == 0; }

const char *sphinx_text(sphinx_decoder *decoder) {
  int32_t score = 0;
  return library.ps_get_hyp(decoder->engine, &score);
}

double sphinx_posterior(sphinx_decoder *decoder) {
  return library.logmath_exp(library.ps_get_logmath(decoder->engine), library.ps_get_prob(decoder->engine));
}

int sphinx_segments(sphinx_decoder *decoder, sphinx_segment *segments, int capacity) {
  int count = 0;
  for (opaque at = library.ps_seg_iter(decoder->engine); at; at = library.ps_seg_next(at)) {
    if (count < capacity) {
      int32_t acoustic = 0, language = 0, backoff = 0;
      int32_t posterior = library.ps_seg_prob(at, &acoustic, &language, &backoff);
      sphinx_segment *segment = &segments[count];
      segment->word = library.ps_seg_word(at);
      library.ps_seg_frames(at, &segment->first, &segment->last);
      segment->acoustic = acoustic;
      segment->posterior = library.logmath_exp(library.ps_get_logmath(decoder->engine), posterior);
    }
    count++;
  }
  return count;
}

void sphinx_alternatives(
    sphinx_decoder *decoder, void *context, bool (*each)(void *context, const char *text, int score)) {
  opaque at = library.ps_nbest(decoder->engine);
  while (at) {
    int32_t score = 0;
    const char *text = library.ps_nbest_hyp(at, &score);
    if (text && !each(context, text, score)) {
      library.ps_nbest_free(at);
      return;
    }
    at = library.ps_nbest_next(at);
  }
}
