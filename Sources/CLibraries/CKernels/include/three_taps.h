/* A convolution of three taps, along time or along frequency, and the pooling of its results. */
#pragma once

#include "CKernels.h"

/* For each position p of a row:
 * output[p * outputs + o] = f(bias[o] + sum over taps k and inputs i of weight[(k * inputs + i) * outputs + o] * tap k[p * step + i])
 *
 * f(x) = max(x, 0.2 x, -0.4), or x if `is_linear`. outputs: 24, 48, 64, 72 or 96. output overlaps none of the others. */
void hotword_three_taps(
    float *output, const float *weight, const float *bias, const float *first, const float *second, const float *third,
    int positions, int step, int inputs, int outputs, int is_linear) HOTWORD_REAL_TIME;

/* values[i] = f(max(0, values[i]) * scale[i] + shift[i]) with the f above; count: a multiple of 8. */
void hotword_scaled_leaky(float *values, const float *scale, const float *shift, int count) HOTWORD_REAL_TIME;

/* output[i] = max(a[i], b[i]); count: a multiple of 8. output may be a or b. */
void hotword_larger(float *output, const float *a, const float *b, int count) HOTWORD_REAL_TIME;
