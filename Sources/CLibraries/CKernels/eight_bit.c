#include "eight_bit.h"

#include <math.h>
#include <string.h>

#include "vectors.h"

#if __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#elif __aarch64__
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

/* Every version rounds at the same places, so the results are equal to the bit. */
#pragma clang fp contract(off)

enum { group = hotword_eight_bit_group, width_limit = hotword_eight_bit_width };

void hotword_eight_bit_pack(
    int8_t *packed, float *scale, const float *matrix, int rows, int columns, int inputs, int outputs) {
  memset(packed, 0, (size_t)inputs * outputs);
  memset(scale, 0, outputs * sizeof *scale);
  for (int o = 0; o < rows; o++) {
    const float *row = matrix + o * columns;
    float largest = 0;
    for (int i = 0; i < columns; i++) largest = fmaxf(largest, fabsf(row[i]));
    if (!(largest > 0) || isinf(largest)) continue;
    scale[o] = largest / 127;
    for (int i = 0; i < columns; i++)
      packed[(i / group * outputs + o) * group + i % group] = (int8_t)lrintf(row[i] / largest * 127);
  }
}

/* Rounds the inputs and returns their unit. */
INLINE float rounded(uint8_t *result, const float *input, int inputs) {
  typedef int32_t integers __attribute__((vector_size(64)));
  typedef uint8_t bytes __attribute__((vector_size(16), aligned(1)));
  vec most = {0};
  for (int i = 0; i < inputs; i += lanes) {
    const vec values = LOAD(input + i);
    const integers larger = (integers)(values > most);
    most = (vec)(((integers)values & larger) | ((integers)most & ~larger));
  }
  float largest = 1e-30f;
  for (int lane = 0; lane < lanes; lane++) largest = most[lane] > largest ? most[lane] : largest;
  const float factor = 127 / largest;
  const vec limit = (vec){0} + 127;
  for (int i = 0; i < inputs; i += lanes) {
    const vec values = LOAD(input + i) * factor + 0.5f;
    /* An infinite input gives NaN, which becomes the limit. */
    const integers smaller = (integers)(values < limit);
    const vec limited = (vec)(((integers)values & smaller) | ((integers)limit & ~smaller));
    *(bytes *)(result + i) = __builtin_convertvector(__builtin_convertvector(limited, integers), bytes);
  }
  return largest / 127;
}

INLINE void finish(
    float *output, const int32_t *sums, const float *scale, const float *bias, const float *skip, float unit, int outputs) {
  typedef int32_t integers __attribute__((vector_size(64), aligned(4)));
  for (int o = 0; o < outputs; o += lanes) {
    const vec sum = __builtin_convertvector(*(const integers *)(sums + o), vec);
    STORE(output + o, RELU(LOAD(bias + o) + LOAD(skip + o) + sum * (LOAD(scale + o) * unit)));
  }
}

/* The sums of `width` vectors of `count` outputs each, in registers. */
#define SUMS(width, VECTOR, count, ZERO, FOUR, READ, ADD, WRITE)                              \
  for (; o + width * count <= outputs; o += width * count) {                                  \
    VECTOR sum[width];                                                                        \
    for (int v = 0; v < width; v++) sum[v] = ZERO;                                            \
    for (int i = 0; i < inputs; i += group) {                                                 \
      int32_t four;                                                                           \
      memcpy(&four, values + i, group);                                                       \
      const int8_t *row = packed + (i * outputs + o * group);                                 \
      for (int v = 0; v < width; v++) sum[v] = ADD(sum[v], FOUR(four), READ(row + v * count * group)); \
    }                                                                                         \
    for (int v = 0; v < width; v++) WRITE(sums + o + v * count, sum[v]);                      \
  }

#define ARGUMENTS                                                                             \
  float *output, const int8_t *packed, const float *scale, const float *bias, const float *skip, const float *input, \
      int inputs, int outputs

/* One version of the layer, for processors with `features`. */
#define VERSION(name, features, ...)                                                          \
  features static void name(ARGUMENTS) {                                                      \
    uint8_t values[width_limit];                                                              \
    int32_t sums[width_limit];                                                                \
    const float unit = rounded(values, input, inputs);                                        \
    int o = 0;                                                                                \
    SUMS(4, __VA_ARGS__)                                                                      \
    SUMS(1, __VA_ARGS__)                                                                      \
    finish(output, sums, scale, bias, skip, unit, outputs);                                   \
  }

#define TARGET(features) __attribute__((target(features)))

/* 0...127 times -127...127: the sum of two products needs no more than 16 bits. */
#if __x86_64__
#define READ512(p) _mm512_loadu_si512((const void *)(p))
#define WRITE512(p, v) _mm512_storeu_si512((void *)(p), v)
#define READ256(p) _mm256_loadu_si256((const __m256i *)(p))
#define WRITE256(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define READ128(p) _mm_loadu_si128((const __m128i *)(p))
#define WRITE128(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define ADD256(sum, a, b) _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1)))
#define ADD128(sum, a, b) _mm_add_epi32(sum, _mm_madd_epi16(_mm_maddubs_epi16(a, b), _mm_set1_epi16(1)))

VERSION(
    avx512_vnni, TARGET("avx512f,avx512bw,avx512vl,avx512vnni"), __m512i, 16, _mm512_setzero_si512(), _mm512_set1_epi32,
    READ512, _mm512_dpbusd_epi32, WRITE512)
VERSION(
    avx_vnni, TARGET("avx2,fma,avxvnni"), __m256i, 8, _mm256_setzero_si256(), _mm256_set1_epi32, READ256,
    _mm256_dpbusd_avx_epi32, WRITE256)
VERSION(
    avx2, TARGET("avx2,fma"), __m256i, 8, _mm256_setzero_si256(), _mm256_set1_epi32, READ256, ADD256, WRITE256)
VERSION(
    ssse3, TARGET("ssse3"), __m128i, 4, _mm_setzero_si128(), _mm_set1_epi32, READ128, ADD128, WRITE128)
#elif __aarch64__
#define FOUR(four) vreinterpretq_s8_s32(vdupq_n_s32(four))
#define DOT(sum, a, b) vdotq_s32(sum, a, b)
#define PAIRS(sum, a, b) \
  vpadalq_s16(sum, vpaddq_s16(vmull_s8(vget_low_s8(a), vget_low_s8(b)), vmull_high_s8(a, b)))

VERSION(dot_products, TARGET("dotprod"), int32x4_t, 4, vdupq_n_s32(0), FOUR, vld1q_s8, DOT, vst1q_s32)
VERSION(neon, , int32x4_t, 4, vdupq_n_s32(0), FOUR, vld1q_s8, PAIRS, vst1q_s32)
#endif

/* Any processor. */
INLINE int32_t sum_of_four(int32_t sum, int32_t four, const int8_t *weights) {
  int8_t values[group];
  memcpy(values, &four, group);
  for (int i = 0; i < group; i++) sum += values[i] * weights[i];
  return sum;
}
#define SAME(value) (value)
#define WRITE32(p, v) *(p) = (v)
VERSION(portable, , int32_t, 1, 0, SAME, SAME, sum_of_four, WRITE32)

struct version {
  const char *name;
  void (*dense)(ARGUMENTS);
};

enum { most_versions = 5 };

/* The versions that this processor can run, the fastest first. */
static struct version versions[most_versions] = {{"portable", portable}};
static int version_count = 1;

#if __x86_64__
/* Older compilers do not know the name of this feature. */
static int has_avx_vnni(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 4 & 1);
}
#endif

__attribute__((constructor)) static void find_versions(void) {
  int count = 0;
#if __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    versions[count++] = (struct version){"AVX-512 VNNI", avx512_vnni};
  const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2 && has_avx_vnni()) versions[count++] = (struct version){"AVX-VNNI", avx_vnni};
  if (has_avx2) versions[count++] = (struct version){"AVX2", avx2};
  if (__builtin_cpu_supports("ssse3")) versions[count++] = (struct version){"SSSE3", ssse3};
#elif __aarch64__
  if (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) versions[count++] = (struct version){"dot products", dot_products};
  versions[count++] = (struct version){"NEON", neon};
#endif
  versions[count++] = (struct version){"portable", portable};
  version_count = count;
}

int hotword_eight_bit_versions(void) { return version_count; }
const char *hotword_eight_bit_name(int version) { return versions[version].name; }

void hotword_eight_bit_dense_of(int version, ARGUMENTS) {
  versions[version].dense(output, packed, scale, bias, skip, input, inputs, outputs);
}

void hotword_eight_bit_dense(ARGUMENTS) {
  versions[0].dense(output, packed, scale, bias, skip, input, inputs, outputs);
}
