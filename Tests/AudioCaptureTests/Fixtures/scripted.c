// A capture device for the tests, loaded by alsa-lib: real time, 16 kHz mono, sample n of the system's
// monotonic clock has the value n modulo 2^16. `SCRIPT.xrun` makes it overrun once, `SCRIPT.gone` unplugs it.
// Where there is `SCRIPT.raw` it gives these samples, once, from its opening on, and then silence.
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  snd_pcm_ioplug_t io;
  char xrun[512], gone[512];
  long long first, taken;
  FILE *audio;
} scripted_t;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 16000LL + time.tv_nsec * 2 / 125000;
}

static int is_gone(scripted_t *it) { return access(it->gone, F_OK) == 0; }

static int prepare(snd_pcm_ioplug_t *io) {
  scripted_t *it = io->private_data;
  it->taken = 0;
  return is_gone(it) ? -ENODEV : 0;
}

static int start(snd_pcm_ioplug_t *io) {
  scripted_t *it = io->private_data;
  it->first = now();
  it->taken = 0;
  return is_gone(it) ? -ENODEV : 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  (void)io;
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  scripted_t *it = io->private_data;
  if (is_gone(it)) return -ENODEV;
  if (unlink(it->xrun) == 0) return -EPIPE;
  long long frames = now() - it->first;
  if (frames - it->taken > (long long)io->buffer_size) return -EPIPE;
  return frames;
}

static snd_pcm_sframes_t transfer(
  snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  scripted_t *it = io->private_data;
  if (is_gone(it)) return -ENODEV;
  short *out = (short *)((char *)areas->addr + (areas->first + areas->step * offset) / 8);
  for (snd_pcm_uframes_t index = 0; index < size; index++) {
    out[index] = (short)(it->first + it->taken + (long long)index);
  }
  if (it->audio) {
    size_t got = fread(out, 2, size, it->audio);
    memset(out + got, 0, 2 * (size - got));
  }
  it->taken += (long long)size;
  return (snd_pcm_sframes_t)size;
}

static int revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count, unsigned short *events) {
  unsigned long long expired;
  if (read(io->poll_fd, &expired, sizeof expired) < 0) expired = 0;
  *events = count > 0 ? (unsigned short)fds[0].revents : 0;
  return 0;
}

static int done(snd_pcm_ioplug_t *io) {
  close(io->poll_fd);
  scripted_t *it = io->private_data;
  if (it->audio) fclose(it->audio);
  free(it);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
  .prepare = prepare, .start = start, .stop = stop, .pointer = pointer, .transfer = transfer,
  .poll_revents = revents, .close = done,
};

SND_PCM_PLUGIN_DEFINE_FUNC(scripted) {
  snd_config_iterator_t item, next;
  const char *script = "";
  (void)root;
  snd_config_for_each(item, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(item);
    const char *id;
    if (snd_config_get_id(entry, &id) >= 0 && !strcmp(id, "script")) snd_config_get_string(entry, &script);
  }
  scripted_t *it = calloc(1, sizeof *it);
  snprintf(it->xrun, sizeof it->xrun, "%s.xrun", script);
  snprintf(it->gone, sizeof it->gone, "%s.gone", script);
  if (is_gone(it)) {
    free(it);
    return -ENODEV;
  }
  char path[520];
  snprintf(path, sizeof path, "%s.raw", script);
  it->audio = fopen(path, "rb");
  struct itimerspec every = {{0, 10000000}, {0, 10000000}};
  it->io.version = SND_PCM_IOPLUG_VERSION;
  it->io.name = "scripted";
  it->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  it->io.callback = &callbacks;
  it->io.private_data = it;
  it->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  it->io.poll_events = POLLIN;
  timerfd_settime(it->io.poll_fd, 0, &every, NULL);
  int code = snd_pcm_ioplug_create(&it->io, name, stream, mode);
  if (code < 0) return code;
  unsigned int access = SND_PCM_ACCESS_RW_INTERLEAVED, format = SND_PCM_FORMAT_S16_LE;
  snd_pcm_ioplug_set_param_list(&it->io, SND_PCM_IOPLUG_HW_ACCESS, 1, &access);
  snd_pcm_ioplug_set_param_list(&it->io, SND_PCM_IOPLUG_HW_FORMAT, 1, &format);
  snd_pcm_ioplug_set_param_minmax(&it->io, SND_PCM_IOPLUG_HW_CHANNELS, 1, 1);
  snd_pcm_ioplug_set_param_minmax(&it->io, SND_PCM_IOPLUG_HW_RATE, 16000, 16000);
  snd_pcm_ioplug_set_param_minmax(&it->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 320, 3200);
  snd_pcm_ioplug_set_param_minmax(&it->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
  *pcmp = it->io.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(scripted);
