/* The arithmetic of the keyword network: single-precision kernels without allocation, locks or state.
 *
 * Pointers need no alignment, and results do not depend on it. Numbers of channels are multiples of 16: callers pad with
 * zeros. Processors with and without fused multiply-add may round differently. */
#pragma once

#define HOTWORD_REAL_TIME \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

/* output[o] = max(0, bias[o] + (skip ? skip[o] : 0) + sum over i of weight[i * outputs + o] * input[i])
 *
 * weight: inputs × outputs; outputs: a multiple of 16. output overlaps none of the others, except skip. */
void hotword_dense(
    float *output, const float *weight, const float *bias, const float *skip, const float *input, int inputs,
    int outputs) HOTWORD_REAL_TIME;

/* output[c] = max(0, bias[c] + sum over taps k of weight[k * channels + c] * ring[r(k) * channels + c])
 *
 * A causal convolution per channel over a ring of `length` steps, the newest at `newest`; tap k reads (taps - 1 - k) * dilation
 * steps back, and length > (taps - 1) * dilation. channels: a multiple of 16. */
void hotword_depthwise(
    float *output, const float *weight, const float *bias, const float *ring, int taps, int dilation, int length,
    int newest, int channels) HOTWORD_REAL_TIME;

/* The sum of a[i] * b[i]; count: a multiple of 16. */
float hotword_dot(const float *a, const float *b, int count) HOTWORD_REAL_TIME;

/* 1 / (1 + exp(-x)), 0 and 1 at the infinities. */
double hotword_sigmoid(double x) HOTWORD_REAL_TIME;

/* The functions of libm. */
double hotword_exp(double x) HOTWORD_REAL_TIME;
double hotword_log(double x) HOTWORD_REAL_TIME;

#include "cepstra.h"
#include "eight_bit.h"
#include "three_taps.h"
