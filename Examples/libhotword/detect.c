/* Detects hotwords in a WAV file, or live in raw samples on standard input:
 *
 *   cc -o detect Examples/libhotword/detect.c $(pkg-config --cflags --libs hotword)
 *   ./detect computer alexa:0.7 -- Examples/turn-on-the-kitchen-light.wav
 *   arecord -q -r 16000 -c 1 -f S16_LE -t raw | ./detect computer -- -
 *
 * Prints one line per detection: name, start, end, score. */
#include <hotword.h>

#include <stdio.h>
#include <string.h>

static int fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  return 1;
}

/* Seeks to the first sample of a WAV file with 16 kHz, mono, 16 bit. Returns the number of bytes of samples; 0 for other files. */
static uint32_t open_wave(FILE *file) {
  unsigned char head[12], chunk[8], format[16] = {0};
  if (fread(head, 1, 12, file) < 12 || memcmp(head, "RIFF", 4) || memcmp(head + 8, "WAVE", 4)) return 0;
  while (fread(chunk, 1, 8, file) == 8) {
    const uint32_t length = chunk[4] | chunk[5] << 8 | chunk[6] << 16 | (uint32_t)chunk[7] << 24;
    if (!memcmp(chunk, "data", 4)) {
      const uint32_t rate = format[4] | format[5] << 8 | format[6] << 16;
      return format[0] == 1 && format[2] == 1 && rate == 16000 && format[14] == 16 ? length : 0;
    }
    const uint32_t taken = !memcmp(chunk, "fmt ", 4) && length >= 16 ? (uint32_t)fread(format, 1, 16, file) : 0;
    if (fseek(file, (long)(length + length % 2 - taken), SEEK_CUR)) return 0;
  }
  return 0;
}

static void print_hits(hotword_detector *detector) {
  hotword_hit hit;
  while (hotword_next_hit(detector, &hit) == 1)
    printf("%s %.2f %.2f %.6f\n", hotword_name(detector, hit.hotword), hit.start, hit.end, hit.score);
  fflush(stdout);
}

int main(int count, char **words) {
  int models = 1;
  while (models < count && strcmp(words[models], "--")) models++;
  if (models != count - 2) return fail(words[0], "usage: detect MODEL... -- FILE.wav|-");
  const char *name = words[count - 1];

  hotword_detector *detector = hotword_create((const char *const *)words + 1, NULL, models - 1);
  if (!detector) return fail(words[0], hotword_last_error());

  const int is_live = !strcmp(name, "-");
  FILE *file = is_live ? stdin : fopen(name, "rb");
  if (!file) return fail(name, "cannot be read");
  uint32_t left = is_live ? UINT32_MAX : open_wave(file);
  if (!left) return fail(name, "not a WAV file of 16 kHz, mono, 16 bit");
  if (is_live) setvbuf(file, NULL, _IONBF, 0);

  int16_t samples[160];
  while (left) {
    const size_t wanted = left < sizeof samples ? left / 2 : 160;
    const size_t got = fread(samples, 2, wanted, file);
    if (!got) break;
    if (hotword_run(detector, samples, (int)got) > 0) print_hits(detector);
    if (!is_live) left -= 2 * (uint32_t)got;
  }
  hotword_finish(detector);
  print_hits(detector);
  hotword_destroy(detector);
  return 0;
}
