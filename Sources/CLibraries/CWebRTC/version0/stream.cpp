// The shim for webrtc-audio-processing 0.3: Debian 12 and Ubuntu 24.04.
#include "CWebRTC.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include <webrtc/modules/audio_processing/include/audio_processing.h>
#include <webrtc/modules/interface/module_common_types.h>

#include "../frame.h"

using hotword::frame_length;
using hotword::level;
using hotword::sample_rate;
using webrtc::AudioProcessing;

namespace {

void describe(webrtc::AudioFrame &frame) {
  frame.sample_rate_hz_ = sample_rate;
  frame.samples_per_channel_ = frame_length;
  frame.num_channels_ = 1;
}

// The first error in a list of results.
int first_error(std::initializer_list<int> codes) {
  for (int code : codes)
    if (code != AudioProcessing::kNoError) return code;
  return AudioProcessing::kNoError;
}

int configure(AudioProcessing &processing, const webrtc_settings &settings) {
  using webrtc::EchoCancellation;
  using webrtc::GainControl;
  using webrtc::NoiseSuppression;
  using webrtc::VoiceDetection;
  auto &suppression = *processing.noise_suppression();
  auto &gain = *processing.gain_control();
  auto &voice = *processing.voice_detection();
  auto &echo = *processing.echo_cancellation();
  const int level = settings.noise_suppression < 0 ? 0 : settings.noise_suppression;
  return first_error({
      processing.Initialize(
          sample_rate, sample_rate, sample_rate, AudioProcessing::kMono, AudioProcessing::kMono,
          AudioProcessing::kMono),
      processing.high_pass_filter()->Enable(settings.high_pass),
      suppression.set_level(static_cast<NoiseSuppression::Level>(level)),
      suppression.Enable(settings.noise_suppression >= 0),
      gain.set_mode(GainControl::kAdaptiveDigital),
      gain.set_target_level_dbfs(3),
      gain.set_compression_gain_db(9),
      gain.enable_limiter(true),
      gain.Enable(settings.gain_control),
      voice.set_likelihood(VoiceDetection::kLowLikelihood),
      voice.Enable(settings.voice_activity),
      echo.enable_drift_compensation(false),
      echo.set_suppression_level(EchoCancellation::kLowSuppression),
      echo.Enable(settings.echo_cancellation),
  });
}

}  // namespace

struct webrtc_stream {
  std::unique_ptr<AudioProcessing> processing;
  webrtc_settings settings;
  webrtc::AudioFrame capture;
  webrtc::AudioFrame reference;
};

int webrtc_version(void) { return 0; }

// The noise suppressor delays by 96 samples (overlap-add), the canceller by 112 (blocks of 64 samples, buffered to frames).
int webrtc_stream_delay(webrtc_settings settings) {
  return (settings.noise_suppression >= 0 ? 96 : 0) + (settings.echo_cancellation ? 112 : 0);
}

webrtc_stream *webrtc_stream_create(webrtc_settings settings, int *error) try {
  webrtc::Config config;
  config.Set<webrtc::ExperimentalAgc>(new webrtc::ExperimentalAgc(false));
  config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
  static std::mutex shared_tables;
  const std::lock_guard<std::mutex> alone(shared_tables);
  auto stream = std::make_unique<webrtc_stream>();
  stream->settings = settings;
  stream->processing.reset(AudioProcessing::Create(config));
  if (!stream->processing) throw std::bad_alloc();
  describe(stream->capture);
  describe(stream->reference);
  *error = configure(*stream->processing, settings);
  return *error == AudioProcessing::kNoError ? stream.release() : nullptr;
} catch (const std::bad_alloc &) {
  *error = AudioProcessing::kCreationFailedError;
  return nullptr;
}

void webrtc_stream_destroy(webrtc_stream *stream) { delete stream; }

void webrtc_stream_reset(webrtc_stream *stream) { stream->processing->Initialize(); }

void webrtc_stream_set_echo_delay(webrtc_stream *stream, int milliseconds) {
  stream->settings.echo_delay = milliseconds;
}

webrtc_activity webrtc_stream_process(
    webrtc_stream *stream, int16_t *samples, const int16_t *reference) {
  constexpr size_t bytes = frame_length * sizeof(int16_t);
  auto &processing = *stream->processing;
  if (stream->settings.echo_cancellation) {
    if (reference)
      memcpy(stream->reference.data_, reference, bytes);
    else
      memset(stream->reference.data_, 0, bytes);
    processing.AnalyzeReverseStream(&stream->reference);
    processing.set_stream_delay_ms(stream->settings.echo_delay);
  }
  memcpy(stream->capture.data_, samples, bytes);
  processing.ProcessStream(&stream->capture);
  memcpy(samples, stream->capture.data_, bytes);
  return {
      stream->settings.voice_activity && processing.voice_detection()->stream_has_voice(),
      level(samples),
  };
}
