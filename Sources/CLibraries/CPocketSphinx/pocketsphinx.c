#include "CPocketSphinx.h"

#include <pocketsphinx.h>
#include <sphinxbase/cmn.h>
#include <sphinxbase/err.h>
#include <sphinxbase/feat.h>
#include <sphinxbase/fsg_model.h>
#include <sphinxbase/jsgf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CDynamicLibrary.h"

#define FUNCTIONS(DO)                                                                            \
  DO(jsgf_parse_string) DO(jsgf_get_public_rule) DO(jsgf_build_fsg) DO(jsgf_grammar_free)        \
  DO(fsg_model_free) DO(cmd_ln_parse_r) DO(cmd_ln_free_r) DO(err_set_callback) DO(err_set_logfp) DO(logmath_exp)    \
  DO(cmn_live_set) DO(ps_args) DO(ps_init) DO(ps_free) DO(ps_get_feat) DO(ps_get_logmath)        \
  DO(ps_lookup_word) DO(ps_add_word) DO(ps_set_search) DO(ps_set_fsg) DO(ps_set_lm_file)         \
  DO(ps_set_allphone_file) DO(ps_start_stream) DO(ps_start_utt) DO(ps_process_raw)               \
  DO(ps_end_utt) DO(ps_get_n_frames) DO(ps_get_hyp) DO(ps_get_prob) DO(ps_seg_iter)              \
  DO(ps_seg_next) DO(ps_seg_word) DO(ps_seg_frames) DO(ps_seg_prob) DO(ps_nbest)                 \
  DO(ps_nbest_next) DO(ps_nbest_hyp) DO(ps_nbest_free)

static const char *start(void);

DYNAMIC_LIBRARY(library, "libpocketsphinx.so.3", FUNCTIONS, start)

struct sphinx_decoder {
  ps_decoder_t *engine;
  feat_t *features;
  // The model's mean of the channel at the beginning of an utterance.
  mfcc_t *mean;
};

static _Thread_local char last_error[256];

__attribute__((format(printf, 3, 4))) static void keep_error(void *context, err_lvl_t level, const char *format, ...) {
  (void)context;
  if (level < ERR_ERROR) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_error, sizeof last_error, format, arguments);
  va_end(arguments);
  last_error[strcspn(last_error, "\n")] = 0;
}

static const char *start(void) {
  library.err_set_callback(keep_error, NULL);
  // The list of its options does not go through the callback.
  library.err_set_logfp(NULL);
  return NULL;
}

void sphinx_limit_threads(void) { setenv("OPENBLAS_NUM_THREADS", "1", 0); }

const char *sphinx_load(void) { return dynamic_library_load(&library_loader); }

const char *sphinx_last_error(void) { return last_error; }

sphinx_decoder *sphinx_open(int count, const char *const *options) {
  if (sphinx_load()) return NULL;
  last_error[0] = 0;
  char **arguments = calloc((size_t)count + 2, sizeof *arguments);
  if (!arguments) return NULL;
  arguments[0] = "hotword";
  for (int i = 0; i < count; i++) arguments[i + 1] = (char *)options[i];
  cmd_ln_t *configuration = library.cmd_ln_parse_r(NULL, library.ps_args(), count + 1, arguments, 1);
  free(arguments);
  if (!configuration) return NULL;
  ps_decoder_t *engine = library.ps_init(configuration);
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

// The default of the option -lw.
#define LANGUAGE_WEIGHT 6.5f

// ps_set_jsgf_string would do the same, but never frees the parsed grammar: 3 MB for the built-in intents.
bool sphinx_use_grammar(sphinx_decoder *decoder, const char *jsgf) {
  last_error[0] = 0;
  jsgf_t *grammar = library.jsgf_parse_string(jsgf, NULL);
  if (!grammar) return false;
  jsgf_rule_t *rule = library.jsgf_get_public_rule(grammar);
  fsg_model_t *model =
      rule ? library.jsgf_build_fsg(grammar, rule, library.ps_get_logmath(decoder->engine), LANGUAGE_WEIGHT) : NULL;
  bool is_used = model && library.ps_set_fsg(decoder->engine, "grammar", model) == 0 &&
                 library.ps_set_search(decoder->engine, "grammar") == 0;
  if (model) library.fsg_model_free(model);
  library.jsgf_grammar_free(grammar);
  return is_used;
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
  for (ps_seg_t *at = library.ps_seg_iter(decoder->engine); at; at = library.ps_seg_next(at)) {
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
  ps_nbest_t *at = library.ps_nbest(decoder->engine);
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
