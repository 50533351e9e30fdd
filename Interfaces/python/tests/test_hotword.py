"""Tests of the installed package. Arguments: a WAV file with "computer" twice, and the ONNX file of the model computer."""

import sys
import unittest
import wave

import hotword
import hotword.onnx
import numpy as np

MODEL = sys.argv.pop()
RECORDING = sys.argv.pop()


def samples() -> "np.ndarray":
    with wave.open(RECORDING) as file:
        return np.frombuffer(file.readframes(file.getnframes()), np.int16)


def heard(detector: hotword.Detector, size: int) -> list:
    audio = samples()
    hits = []
    for start in range(0, len(audio), size):
        hits += detector.process(audio[start : start + size])
    return hits + detector.finish()


class DetectorTests(unittest.TestCase):
    def test_hotwords_do_not_depend_on_the_size_of_the_pieces(self) -> None:
        with hotword.Detector(["computer", "alexa:0.7"]) as detector:
            self.assertEqual(detector.names, ("computer", "alexa"))
            self.assertEqual(detector.phrases, ("computer", "alexa"))
            hits = heard(detector, 1024)
            self.assertEqual([hit.name for hit in hits], ["computer", "computer"])
            self.assertTrue(all(0.5 < hit.score <= 1 and 0.3 < hit.end - hit.start < 1 for hit in hits))
            for size in (1, 777, 100_000):
                detector.reset()
                self.assertEqual(heard(detector, size), hits)

    def test_every_second_sample_of_an_array_may_be_passed(self) -> None:
        with hotword.Detector(["computer"]) as detector:
            doubled = np.repeat(samples(), 2)
            self.assertEqual(len(detector.process(doubled[::2])), 2)

    def test_scores_and_speech(self) -> None:
        with hotword.Detector(["computer"]) as detector:
            detector.process(np.zeros(16000, np.int16))
            self.assertFalse(detector.has_speech)
            self.assertLess(detector.scores()[0], 0.2)
            detector.process(samples())
            self.assertGreater(detector.scores()[0], 0.5)

    def test_sensitivity_decides_what_is_heard_in_loud_noise(self) -> None:
        noise = np.random.default_rng(1).normal(0, 5000, len(samples()))
        noisy = (samples() + noise).clip(-32768, 32767).astype(np.int16)
        with hotword.Detector(["computer"], sensitivities=[0]) as detector:
            self.assertEqual(detector.process(noisy) + detector.finish(), [])
            detector.reset()
            detector.set_sensitivity(1, "computer")
            self.assertGreater(len(detector.process(noisy) + detector.finish()), 0)

    def test_gain_changes_the_score(self) -> None:
        with hotword.Detector(["computer"]) as detector:
            detector.set_gain(0.01)
            quiet = heard(detector, 4096)
            detector.reset()
            detector.set_gain(1)
            self.assertGreater(heard(detector, 4096)[-1].score, quiet[-1].score)

    def test_mistakes_are_told(self) -> None:
        with self.assertRaisesRegex(hotword.HotwordError, "computre"):
            hotword.Detector(["computre"])
        with self.assertRaisesRegex(TypeError, "list of names"):
            hotword.Detector("computer")
        with self.assertRaisesRegex(hotword.HotwordError, "1 for 2 models"):
            hotword.Detector(["computer", "alexa"], sensitivities=[0.5])
        detector = hotword.Detector(["computer"])
        for wrong in (np.zeros(10), np.zeros((10, 2), np.int16), b"1234"):
            with self.assertRaisesRegex(TypeError, "int16"):
                detector.process(wrong)
        with self.assertRaisesRegex(hotword.HotwordError, "sensitivity"):
            detector.set_sensitivity(2)
        with self.assertRaisesRegex(hotword.HotwordError, "none of computer"):
            detector.set_sensitivity(0.5, "alexa")
        detector.close()
        detector.close()
        with self.assertRaisesRegex(hotword.HotwordError, "closed"):
            detector.finish()

    def test_the_version_is_that_of_the_library(self) -> None:
        self.assertRegex(hotword.version(), r"^\d+\.\d+\.\d+$")


class ONNXTests(unittest.TestCase):
    def test_scores_are_close_to_those_of_the_library(self) -> None:
        model = hotword.onnx.Model(MODEL)
        self.assertEqual((model.name, model.phrase), ("computer", "computer"))
        scores = model.scores(samples())
        with hotword.Detector(["computer"]) as detector:
            hits = heard(detector, 1024)
        found = model.detect(samples())
        self.assertEqual(len(found), len(hits))
        for hit, detection in zip(hits, found):
            self.assertLess(abs(detection.end - hit.end), 0.15)
            around = scores[int((hit.end - 0.3) / model.step) : int((hit.end + 0.3) / model.step)]
            # The library reports the first peak after the rise; the highest may come later.
            self.assertLess(abs(max(around) - hit.score), 0.05)
        self.assertEqual(model.detect(samples(), threshold=0.99), [])

    def test_quiet_voices_are_heard_as_by_the_library(self) -> None:
        quiet = np.concatenate([np.zeros(32_000), samples() / 200])
        noise = np.random.default_rng(1).normal(0, 1.2, len(quiet))
        audio = np.rint(quiet + noise).astype(np.int16)
        with hotword.Detector(["computer"]) as detector:
            hits = detector.process(audio) + detector.finish()
        found = hotword.onnx.Model(MODEL).detect(audio)
        self.assertEqual((len(found), len(hits)), (2, 2))
        for hit, detection in zip(hits, found):
            self.assertLess(abs(detection.end - hit.end), 0.15)

    def test_features_do_not_depend_on_the_size_of_the_pieces(self) -> None:
        settings = hotword.onnx.Model(MODEL).features
        whole = hotword.onnx.Features(settings).process(samples())
        pieces = hotword.onnx.Features(settings)
        parts = [pieces.process(samples()[start : start + 777]) for start in range(0, len(samples()), 777)]
        np.testing.assert_array_equal(np.concatenate(parts), whole)
        self.assertEqual(whole.shape, (len(samples()) // 160 - 2, 40))
        low, high = hotword.onnx.HighPassFilter(), hotword.onnx.HighPassFilter()
        halves = [low.process(samples()[:5000]), low.process(samples()[5000:])]
        np.testing.assert_array_equal(np.concatenate(halves), high.process(samples()))

    def test_short_clips_have_no_scores_and_wrong_arrays_are_refused(self) -> None:
        model = hotword.onnx.Model(MODEL)
        self.assertEqual(len(model.scores(np.zeros(800, np.int16))), 0)
        with self.assertRaisesRegex(TypeError, "int16"):
            model.scores(np.zeros(16000))


unittest.main()
