"""Tests of the installed package on the example recording, the argument of the last word: a WAV file with two hotwords."""

import sys
import unittest
import wave

import hotword
import numpy as np

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

    def test_scores_speech_and_gain(self) -> None:
        with hotword.Detector(["computer"]) as detector:
            detector.process(np.zeros(16000, np.int16))
            self.assertFalse(detector.has_speech)
            self.assertLess(detector.scores()[0], 0.2)
            detector.process(samples())
            self.assertGreater(detector.scores()[0], 0.5)
            detector.reset()
            detector.set_gain(0.01)
            self.assertLess(len(heard(detector, 4096)), 2)

    def test_the_sensitivity_counts(self) -> None:
        with hotword.Detector(["computer"], sensitivities=[0]) as detector:
            deaf = len(heard(detector, 4096))
            detector.reset()
            detector.set_sensitivity(0.5, "computer")
            self.assertEqual(len(heard(detector, 4096)), 2)
            self.assertLessEqual(deaf, 2)

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


unittest.main()
