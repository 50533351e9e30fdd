/* Layers of 8-bit weights: a quarter of the memory, and products of four inputs at once.
 *
 * The weights of an output are rounded to -127...127 in units of the largest of them, and the inputs of each call to 0...127 in units of the
 * largest input (unsigned 8-bit inputs would overflow `vpmaddubsw`). The sums are exact, so every processor computes the same from the same
 * inputs, to the bit. Pointers need no alignment. */
#pragma once

#include <stdint.h>

#include "CKernels.h"

enum {
  /* Inputs whose products are added at once: their weights lie together. */
  hotword_eight_bit_group = 4,
  /* The largest number of inputs, and of outputs. */
  hotword_eight_bit_width = 512
};

/* Rounds a row-major matrix [rows][columns] to packed[i / group][o][i % group] and scale[o], where the weight of input i and output o is
 * matrix[o * columns + i].
 *
 * The results are padded with zeros to `inputs` and `outputs`, multiples of 16, at least `columns` and `rows`. */
void hotword_eight_bit_pack(
    int8_t *packed, float *scale, const float *matrix, int rows, int columns, int inputs, int outputs);

/* output[o] = max(0, bias[o] + skip[o] + sum over i of weight of i and o * input[i])
 *
 * No input is negative or NaN; inputs and outputs: as packed. output overlaps none of the others, except skip. */
void hotword_eight_bit_dense(
    float *output, const int8_t *packed, const float *scale, const float *bias, const float *skip, const float *input,
    int inputs, int outputs) HOTWORD_REAL_TIME;

/* The number of versions that this processor can run, and the version's result of the same: for tests and benchmarks. */
int hotword_eight_bit_versions(void);
void hotword_eight_bit_dense_of(
    int version, float *output, const int8_t *packed, const float *scale, const float *bias, const float *skip,
    const float *input, int inputs, int outputs);
const char *hotword_eight_bit_name(int version);
