// PocketSphinx (Debian libpocketsphinx3, 5prealpha) behind a dozen functions.
//
// The library is opened by sphinx_load, not linked: it maps 36 MB of OpenBLAS through its dependencies, which a
// process that only listens must not pay for. A decoder belongs to one thread at a time; several decoders may run
// on several threads. Texts that come back live until the decoder's next call.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct sphinx_decoder sphinx_decoder;

// One word of a result: frames of 10 ms, both ends included; scores are log values scaled by the library.
typedef struct {
  const char *word;
  int first;
  int last;
  int acoustic;
  double posterior;
} sphinx_segment;

// Opens the library on the first call. Returns NULL, or the loader's reason.
const char *sphinx_load(void);

// A decoder with command-line style options ("-hmm", path, …), or NULL; sphinx_last_error tells why.
sphinx_decoder *sphinx_open(int count, const char *const *options);
void sphinx_close(sphinx_decoder *decoder);

// The last error line of this thread; never NULL.
const char *sphinx_last_error(void);

bool sphinx_has_word(sphinx_decoder *decoder, const char *word);
// Adds a word with its phones separated by spaces; false for unknown phones.
bool sphinx_add_word(sphinx_decoder *decoder, const char *word, const char *phones);

// Each makes the named search and selects it.
bool sphinx_use_grammar(sphinx_decoder *decoder, const char *jsgf);
bool sphinx_use_ngrams(sphinx_decoder *decoder, const char *path);
bool sphinx_use_phones(sphinx_decoder *decoder, const char *path);

// Begins an utterance, with nothing remembered of the channel of the one before: equal audio gives equal results.
bool sphinx_begin(sphinx_decoder *decoder);
// Takes the next samples; the channel's mean is the model's.
bool sphinx_process(sphinx_decoder *decoder, const int16_t *samples, int count);
bool sphinx_end(sphinx_decoder *decoder);
// The frames of the utterance that were decoded so far; those that the library takes for silence are not.
int sphinx_frames(sphinx_decoder *decoder);

// The best text so far, or the final one after sphinx_end; NULL where there is none.
const char *sphinx_text(sphinx_decoder *decoder);
// The log posterior of the whole text as a probability; 1 for grammars.
double sphinx_posterior(sphinx_decoder *decoder);
// Fills at most `capacity` segments and returns how many there are.
int sphinx_segments(sphinx_decoder *decoder, sphinx_segment *segments, int capacity);
// Calls `each` with the best texts first until it returns false; n-gram searches only.
void sphinx_alternatives(
    sphinx_decoder *decoder, void *context, bool (*each)(void *context, const char *text, int score));
