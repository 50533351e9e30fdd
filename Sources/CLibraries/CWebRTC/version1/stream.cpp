// The shim for webrtc-audio-processing 1.x: Debian 13.
#include "CWebRTC.h"

#include <cstring>
#include <memory>
#include <new>

#include <modules/audio_processing/include/audio_processing.h>

#include "../frame.h"

using hotword::frame_length;
using hotword::level;
using webrtc::AudioProcessing;

namespace {

const webrtc::StreamConfig format(hotword::sample_rate, 1);
constexpr int16_t silence[frame_length] = {};

AudioProcessing::Config configuration(const webrtc_settings &settings) {
  using Config = AudioProcessing::Config;
  Config config;
  config.high_pass_filter.enabled = settings.high_pass;
  config.echo_canceller.enabled = settings.echo_cancellation;
  // Only as the settings say.
  config.echo_canceller.enforce_high_pass_filtering = false;
  config.noise_suppression.enabled = settings.noise_suppression >= 0;
  if (settings.noise_suppression >= 0)
    config.noise_suppression.level = static_cast<Config::NoiseSuppression::Level>(settings.noise_suppression);
  config.gain_controller1.enabled = settings.gain_control;
  config.gain_controller1.mode = Config::GainController1::kAdaptiveDigital;
  config.gain_controller1.target_level_dbfs = 3;
  config.gain_controller1.compression_gain_db = 9;
  config.gain_controller1.enable_limiter = true;
  // The controller of an analog volume allocates in frames.
  config.gain_controller1.analog_gain_controller.enabled = false;
  config.voice_detection.enabled = settings.voice_activity;
  config.residual_echo_detector.enabled = false;
  return config;
}

}  // namespace

struct webrtc_stream {
  rtc::scoped_refptr<AudioProcessing> processing;
  webrtc_settings settings;
  // What the library writes for the reference, which no one reads.
  int16_t rendered[frame_length];
};

int webrtc_version(void) { return 1; }

// The noise suppressor delays by 96 samples (overlap-add), the canceller by 128 (two blocks of 64 samples).
int webrtc_stream_delay(webrtc_settings settings) {
  return (settings.noise_suppression >= 0 ? 96 : 0) + (settings.echo_cancellation ? 128 : 0);
}

webrtc_stream *webrtc_stream_create(webrtc_settings settings, int *error) try {
  auto stream = std::make_unique<webrtc_stream>();
  stream->settings = settings;
  stream->processing = webrtc::AudioProcessingBuilder().Create();
  if (!stream->processing) throw std::bad_alloc();
  stream->processing->ApplyConfig(configuration(settings));
  *error = stream->processing->Initialize({{format, format, format, format}});
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
  auto &processing = *stream->processing;
  if (stream->settings.echo_cancellation) {
    processing.ProcessReverseStream(reference ? reference : silence, format, format, stream->rendered);
    processing.set_stream_delay_ms(stream->settings.echo_delay);
  }
  processing.ProcessStream(samples, format, format, samples);
  return {
      stream->settings.voice_activity && processing.GetStatistics().voice_detected.value_or(false),
      level(samples),
  };
}
