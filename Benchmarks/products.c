/* Times a layer of the encoder, 256 inputs and 256 outputs, with 32-bit numbers and with each version of 8-bit weights that the processor
 * can run, in nanoseconds for each layer:
 *
 *   clang -O3 -ISources/CLibraries/CKernels/include -o products Benchmarks/products.c Sources/CLibraries/CKernels/[ek]*.c -lm
 *   ./products
 *
 * The 32-bit layer skips inputs that are zero; those with 8 bits take four at once. The error is that of the outputs before
 * the bias, in percent of their root mean square. `COLD=1` uses eight layers in turn, as an encoder does. With the name of a version
 * as argument, it runs that one 10,000 times with half of the inputs zero, for callgrind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "eight_bit.h"

enum { inputs = 256, outputs = 256, most_layers = 8 };

static struct layer {
  float weight[inputs * outputs], scale[outputs];
  int8_t packed[inputs * outputs];
} layers[most_layers];
static int layer_count;
static float bias[outputs], skip[outputs], input[inputs];

/* The version -1 has 32 bits. */
static void run(int version, const struct layer *layer, float *output) {
  if (version < 0) hotword_dense(output, layer->weight, bias, skip, input, inputs, outputs);
  else hotword_eight_bit_dense_of(version, output, layer->packed, layer->scale, bias, skip, input, inputs, outputs);
}

static const char *name(int version) { return version < 0 ? "32 bits" : hotword_eight_bit_name(version); }

static double uniform(void) { return rand() / (RAND_MAX + 1.0); }

static void fill(struct layer *layer) {
  static float rows[inputs * outputs];
  for (int i = 0; i < inputs * outputs; i++) rows[i] = (float)((uniform() + uniform() + uniform() - 1.5) / 8);
  for (int o = 0; o < outputs; o++)
    for (int i = 0; i < inputs; i++) layer->weight[i * outputs + o] = rows[o * inputs + i];
  hotword_eight_bit_pack(layer->packed, layer->scale, rows, outputs, inputs, inputs, outputs);
}

static double error(int version) {
  float exact[outputs], output[outputs];
  run(-1, layers, exact);
  run(version, layers, output);
  double difference = 0, power = 0;
  for (int o = 0; o < outputs; o++) {
    difference += pow(output[o] - exact[o], 2);
    power += pow(exact[o] - bias[o], 2);
  }
  return 100 * sqrt(difference / power);
}

static double nanoseconds(int version) {
  enum { rounds = 15, repetitions = 4000 };
  static float output[outputs];
  double best = INFINITY;
  for (int round = 0; round < rounds; round++) {
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int i = 0; i < repetitions; i++) {
      run(version, layers + i % layer_count, output);
      __asm__ volatile("" : : "r"(output) : "memory");
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    best = fmin(best, ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / repetitions);
  }
  return best;
}

static void set_inputs(int percent_zero) {
  srand(2);
  for (int i = 0; i < inputs; i++) input[i] = uniform() * 100 < percent_zero ? 0 : (float)(uniform() + uniform());
}

int main(int count, char **arguments) {
  layer_count = getenv("COLD") ? most_layers : 1;
  srand(1);
  for (int i = 0; i < layer_count; i++) fill(layers + i);
  /* So large that no output is cut off at zero. */
  for (int o = 0; o < outputs; o++) bias[o] = 30;
  for (int version = -1; version < hotword_eight_bit_versions(); version++) {
    if (count > 1) {
      if (strcmp(name(version), arguments[1])) continue;
      float output[outputs];
      set_inputs(50);
      for (int i = 0; i < 10000; i++) run(version, layers + i % layer_count, output);
      continue;
    }
    for (int share = 0; share <= 75; share += 25) {
      set_inputs(share);
      printf("%-12s %2d %% zero inputs: %6.0f ns, error %.2f %%\n", name(version), share, nanoseconds(version), error(version));
    }
  }
}
