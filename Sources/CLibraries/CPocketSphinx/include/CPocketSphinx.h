// PocketSphinx (Debian libpocketsphinx3, 5prealpha): decoders, grammars, n-grams and phones.
//
// sphinx_load opens the library, which is not linked: through its dependencies it maps 36 MB of OpenBLAS. A decoder belongs
// to one thread at a time; several decoders may run on several threads. Returned texts are valid until the decoder's next
// call.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct sphinx_decoder sphinx_decoder;

// One word of a result: frames of 10 ms, both ends included; the acoustic score is a logarithm scaled by the library.
typedef struct {
  const char *word;
  int first;
  int last;
  int acoustic;
  double posterior;
} sphinx_segment;

// OpenBLAS, which the library depends on, otherwise starts a thread for each processor. Changes the environment: call it while
// the process has one thread.
void sphinx_limit_threads(void);

// Opens the library at the first call. Returns NULL, or why it cannot be used.
const char *sphinx_load(void);

// Makes a decoder with command-line style options ("-hmm", path, …). Returns NULL on error: see sphinx_last_error.
sphinx_decoder *sphinx_open(int count, const char *const *options);
void sphinx_close(sphinx_decoder *decoder);

// The last error line of this thread; never NULL.
const char *sphinx_last_error(void);

bool sphinx_has_word(sphinx_decoder *decoder, const char *word);
// Adds a word with its phones separated by spaces. Returns false for unknown phones.
bool sphinx_add_word(sphinx_decoder *decoder, const char *word, const char *phones);

// Each makes the named search and selects it.
bool sphinx_use_grammar(sphinx_decoder *decoder, const char *jsgf);
bool sphinx_use_ngrams(sphinx_decoder *decoder, const char *path);
bool sphinx_use_phones(sphinx_decoder *decoder, const char *path);

// Begins an utterance with the model's mean of the channel, so that equal audio gives equal results.
bool sphinx_begin(sphinx_decoder *decoder);
// Processes the next samples.
bool sphinx_process(sphinx_decoder *decoder, const int16_t *samples, int count);
bool sphinx_end(sphinx_decoder *decoder);
// The number of frames decoded so far, without those that the library classifies as silence.
int sphinx_frames(sphinx_decoder *decoder);

// The best text so far, or the final one after sphinx_end; NULL if there is none.
const char *sphinx_text(sphinx_decoder *decoder);
// The posterior probability of the whole text; 1 for grammars.
double sphinx_posterior(sphinx_decoder *decoder);
// Fills up to `capacity` segments and returns how many there are.
int sphinx_segments(sphinx_decoder *decoder, sphinx_segment *segments, int capacity);
// Calls `each` with the texts, best first, until it returns false. N-gram searches only.
void sphinx_alternatives(
    sphinx_decoder *decoder, void *context, bool (*each)(void *context, const char *text, int score));
