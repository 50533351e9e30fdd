#!/usr/bin/env python3
"""Speaks for `hotword train` by the voices of Piper:

    python3 -m venv piper && piper/bin/pip install piper-tts
    piper/bin/python -m piper.download_voices en_US-libritts_r-medium
    hotword train "hello house" --synthesizer "piper/bin/python Examples/piper-voices.py en_US-libritts_r-medium.onnx"

Each line of the standard input is the path of a file, the number of a voice, a speaking rate and a text, separated by tabs.
"""

import sys
import wave

from piper import PiperVoice, SynthesisConfig

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} VOICE.onnx")
voice = PiperVoice.load(sys.argv[1])
speakers = voice.config.num_speakers
for line in sys.stdin:
    path, number, rate, text = line.rstrip("\n").split("\t")
    # 100 numbers, spread over all speakers; a voice with one speaker gets other rhythms.
    style = SynthesisConfig(
        speaker_id=int(number) * speakers // 100 if speakers > 1 else None,
        length_scale=1 / float(rate),
        noise_w_scale=0.6 + 0.4 * (int(number) % 10) / 9,
    )
    with wave.open(path, "wb") as file:
        voice.synthesize_wav(text, file, syn_config=style)
