#include "CKernels.h"

#include <math.h>

#include "vectors.h"

#pragma clang fp contract(fast)

/* Computes `width` vectors of outputs in registers, of `count` inputs in the given rows of weights. */
#define DENSE_BLOCK(width)                                                \
  do {                                                                    \
    vec sum[width];                                                       \
    for (int v = 0; v < width; v++) {                                     \
      sum[v] = LOAD(bias + o + v * lanes);                                \
      if (skip) sum[v] += LOAD(skip + o + v * lanes);                     \
    }                                                                     \
    for (int i = 0; i < count; i++) {                                     \
      const float *row = weight + (rows ? rows[i] : i) * outputs + o;     \
      const float x = input[i];                                           \
      for (int v = 0; v < width; v++) sum[v] += LOAD(row + v * lanes) * x; \
    }                                                                     \
    for (int v = 0; v < width; v++) STORE(output + o + v * lanes, RELU(sum[v])); \
    o += width * lanes;                                                   \
  } while (0)

INLINE void dense(
    float *output, const float *weight, const float *bias, const float *skip, const float *input, const int *rows,
    int count, int outputs) {
  int o = 0;
  while (o < outputs) {
    const int left = (outputs - o) / lanes;
    if (left == 4 || left >= 6) DENSE_BLOCK(4);
    else if (left == 3 || left == 5) DENSE_BLOCK(3);
    else if (left == 2) DENSE_BLOCK(2);
    else DENSE_BLOCK(1);
  }
}

/* The input of most calls comes from a ReLU, so many inputs are zero. The others are collected first, except for few outputs: there that
 * costs about as much as it saves. */
enum { collected_inputs = 512, collected_outputs = 96 };

KERNEL void hotword_dense(
    float *output, const float *weight, const float *bias, const float *skip, const float *input,
    int inputs, int outputs) {
  if (inputs > collected_inputs || outputs < collected_outputs) {
    dense(output, weight, bias, skip, input, 0, inputs, outputs);
    return;
  }
  float values[collected_inputs];
  int rows[collected_inputs];
  int count = 0;
  for (int i = 0; i < inputs; i++) {
    values[count] = input[i];
    rows[count] = i;
    count += input[i] != 0;
  }
  dense(output, weight, bias, skip, values, rows, count, outputs);
}

KERNEL void hotword_depthwise(
    float *restrict output, const float *weight, const float *bias, const float *ring, int taps, int dilation,
    int length, int newest, int channels) {
  for (int c = 0; c < channels; c += lanes) {
    vec sum = LOAD(bias + c);
    int step = newest - (taps - 1) * dilation;
    if (step < 0) step += length;
    for (int k = 0; k < taps; k++) {
      sum += LOAD(weight + k * channels + c) * LOAD(ring + step * channels + c);
      step += dilation;
      if (step >= length) step -= length;
    }
    STORE(output + c, RELU(sum));
  }
}

KERNEL float hotword_dot(const float *a, const float *b, int count) {
  vec sum = {0};
  for (int i = 0; i < count; i += lanes) sum += LOAD(a + i) * LOAD(b + i);
  float total = 0;
  for (int lane = 0; lane < lanes; lane++) total += sum[lane];
  return total;
}

double hotword_sigmoid(double x) { return 1 / (1 + exp(-x)); }
double hotword_exp(double x) { return exp(x); }
double hotword_log(double x) { return log(x); }
