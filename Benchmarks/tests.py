#!/usr/bin/env python3
"""Tests of the benchmarks: how they count, where they find the end of a word, and what the simulated user says."""

import json
import random
import sys
import tempfile
import unittest
import wave
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import audio, callgrind, intervals, speech  # noqa: E402
from harness.conditions import CLEAN, Condition, child, far, noise, telephone  # noqa: E402
from harness.curve import Curve  # noqa: E402
from harness.dialogues import LEVEL, Dialogue, Room, User, outcome  # noqa: E402
from harness.effect import Effect, changes, effect, plain  # noqa: E402
from harness.peaks import thinned  # noqa: E402
from harness.placement import Placement  # noqa: E402
from harness.scores import Scores  # noqa: E402
from harness.stream import Builder, Stream, Utterance, recordings  # noqa: E402


def stream(*ends: float, hours: float = 1.0) -> Stream:
    return Stream("word", [Utterance(f"{end}.wav", end - 2, end, end + 0.3) for end in ends], [], hours=hours)


def burst(length: float, total: float, start: float, level: float = 0.2) -> np.ndarray:
    """Returns a noisy tone in a quiet room; all times in seconds."""
    source = np.random.default_rng(3)
    samples = source.normal(0, 0.0005, int(total * audio.RATE)).astype(np.float32)
    first, last = int(start * audio.RATE), int((start + length) * audio.RATE)
    samples[first:last] += source.normal(0, level, last - first).astype(np.float32)
    return samples


def save(path: Path, samples: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, audio.RATE, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


class Counting(unittest.TestCase):
    def test_an_utterance_is_detected_once_and_hides_no_other(self):
        curve = Curve(stream(10, 20), [(10.1, 0.9), (10.4, 0.8), (10.9, 0.7)])
        self.assertEqual((curve.at(0.5).missed, curve.at(0.5).alarms), (1, 0))

    def test_only_an_event_near_the_words_end_is_a_detection(self):
        curve = Curve(stream(10, 20, 30), [(7.9, 0.9), (21.6, 0.9), (30.2, 0.9)])
        self.assertEqual((curve.at(0.5).missed, curve.at(0.5).alarms), (2, 2))

    def test_an_event_elsewhere_in_the_recording_is_not_counted(self):
        curve = Curve(stream(10, 20), [(8.5, 0.9), (20.2, 0.9)])
        self.assertEqual((curve.at(0.5).missed, curve.at(0.5).alarms), (1, 0))

    def test_misses_are_reported_at_the_lowest_threshold_within_the_rate(self):
        events = [(10.1, 0.6), (20.1, 0.4), (30.1, 0.2), (100, 0.5), (200, 0.3)]
        curve = Curve(stream(10, 20, 30), events)
        self.assertEqual([curve.at_rate(rate).missed for rate in (0.5, 1, 2)], [2, 1, 0])
        self.assertEqual([curve.at_rate(rate).alarms for rate in (0.5, 1, 2)], [0, 1, 2])
        self.assertEqual([(point.alarms, point.missed) for point in curve.points()], [(0, 2), (1, 1), (2, 0)])

    def test_a_false_alarm_with_the_score_of_a_detection_counts_with_it(self):
        point = Curve(stream(10), [(10.1, 1.0), (100, 1.0)]).at_rate(0.1)
        self.assertEqual((point.missed, point.alarms), (1, 0))

    def test_an_engine_without_events_misses_all(self):
        self.assertEqual(Curve(stream(10, 20), []).at_rate(1).missed, 2)

    def test_an_engine_triggers_once_in_its_refractory_time(self):
        events = [(1.0, 0.3), (1.5, 0.9), (2.9, 0.5), (3.6, 0.4), (9.0, 0.9), (9.1, 0.9)]
        self.assertEqual(thinned(events), [(1.5, 0.9), (3.6, 0.4), (9.0, 0.9)])

    def test_intervals_match_published_tables(self):
        self.assertEqual([round(limit, 4) for limit in intervals.share(3, 50)], [0.0206, 0.1622])
        self.assertEqual([round(limit, 3) for limit in intervals.rate(0, 1)], [0.0, 3.689])
        self.assertEqual([round(limit, 3) for limit in intervals.rate(3, 2)], [0.309, 4.384])


class Instructions(unittest.TestCase):
    """A report of callgrind: names are written once, and the line after `calls=` is counted where it was spent."""

    REPORT = """events: Ir
ob=(1) /usr/bin/hotword
fl=(1) ???
fn=(1) main
0 70
cob=(2) /lib/libc.so.6
cfn=(2) malloc
calls=3 0
0 30
+5 2

ob=(2)
fn=(2)
0 20
cfn=(3) pthread_mutex_lock@@GLIBC_2.2.5
calls=2 0
0 10
fn=(3)
* 10

totals: 102
"""

    def test_costs_are_added_by_library_and_calls_by_function(self):
        count = callgrind.parsed(self.REPORT)
        self.assertEqual(count.instructions, 102)
        self.assertEqual(count.libraries, {"hotword": 72, "libc": 30})
        self.assertEqual((count.allocations, count.locks), (3, 2))

    def test_the_start_is_left_out_by_a_difference(self):
        count = callgrind.parsed(self.REPORT)
        rest = count.since(callgrind.parsed(self.REPORT.replace("0 70", "0 50").replace("calls=3", "calls=1")))
        self.assertEqual((rest.instructions, rest.libraries["hotword"], rest.allocations, rest.locks), (20, 20, 2, 0))


class Words(unittest.TestCase):
    def test_the_end_is_found_within_50_ms(self):
        start, end = speech.word(burst(0.6, 2.0, 0.8))
        self.assertAlmostEqual(start, 0.8, delta=0.05)
        self.assertAlmostEqual(end, 1.4, delta=0.05)

    def test_a_click_after_the_word_does_not_change_it(self):
        samples = burst(0.6, 3.0, 0.8) + burst(0.02, 3.0, 2.6, 0.5)
        self.assertAlmostEqual(speech.word(samples)[1], 1.4, delta=0.05)

    def test_silence_and_continuous_noise_contain_no_word(self):
        self.assertIsNone(speech.word(np.zeros(2 * audio.RATE, np.float32)))
        self.assertIsNone(speech.word(burst(4.0, 4.0, 0)))


class Streams(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name)
        for index in range(3):
            save(self.data / f"words/{index}.wav", burst(0.6, 1.5, 0.5, 0.02 + 0.1 * index))
        for index in range(8):
            save(self.data / f"speech/{index}.wav", burst(2.0, 3.0, 0.5))
        save(self.data / "noise/fan.wav", np.random.default_rng(1).normal(0, 0.3, 5 * audio.RATE))

    def build(self, seed: int, condition: Condition = CLEAN) -> tuple[Stream, np.ndarray]:
        chooser = random.Random(seed)
        words = recordings("word", audio.files(self.data / "words"), None, chooser)
        builder = Builder("word", words, self.data / "speech", 24 / 3600, chooser)
        path = self.data / "stream.wav"
        laid = builder.write(path, condition, self.data / "noise", chooser)
        return laid, audio.read(path)

    def test_the_stream_depends_only_on_the_seed(self):
        first, again, other = (self.build(seed, noise(10)) for seed in (1, 1, 2))
        self.assertEqual(first[0], again[0])
        self.assertTrue(np.array_equal(first[1], again[1]))
        self.assertNotEqual(first[0].utterances, other[0].utterances)

    def test_every_word_and_background_file_occurs_once_at_its_listed_position(self):
        laid, samples = self.build(1)
        self.assertEqual(len({utterance.path for utterance in laid.utterances}), 3)
        self.assertEqual(sorted(Path(stretch.path).name for stretch in laid.background), [f"{i}.wav" for i in range(8)])
        self.assertEqual(laid.duration, 3 * 1.5 + 8 * 3.0)
        self.assertAlmostEqual(laid.hours, 24 / 3600)
        for utterance in laid.utterances:
            frames = speech.levels(samples[int((utterance.word_end - 0.5) * audio.RATE) :][: audio.RATE])
            self.assertAlmostEqual(frames[:45].mean(), -26, delta=0.5)
            self.assertLess(frames[55:].max(), -50)

    def test_noise_has_the_requested_level_below_each_word(self):
        laid, samples = self.build(1, noise(10))
        for utterance in laid.utterances:
            behind = samples[int((utterance.word_end + 0.05) * audio.RATE) :][: audio.RATE // 4]
            self.assertAlmostEqual(10 * np.log10(np.square(behind).mean()), -36, delta=1)


class Changes(unittest.TestCase):
    def tones(self, *hertz: float) -> np.ndarray:
        return sum(0.1 * np.sin(2 * np.pi * f * np.arange(audio.RATE) / audio.RATE) for f in hertz)

    def level(self, samples: np.ndarray, hertz: float) -> float:
        spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples)))) ** 2
        place = round(hertz * len(samples) / audio.RATE)
        return float(10 * np.log10(spectrum[place - 10 : place + 11].sum()))

    def test_a_telephone_carries_its_band_only(self):
        samples = self.tones(100, 1000, 6000)
        changed = telephone(1)(samples)
        kept, low, high = (self.level(changed, f) - self.level(samples, f) for f in (1000, 100, 6000))
        self.assertAlmostEqual(kept, 0, delta=0.5)
        self.assertLess(max(low, high), -18)

    def test_a_childs_voice_is_higher_at_the_same_pace(self):
        samples = self.tones(500)
        samples[: audio.RATE // 2] = 0
        changed = child(1)(samples)
        self.assertEqual(len(changed), len(samples))
        self.assertGreater(self.level(changed, 650), self.level(changed, 500) + 20)
        begin = np.flatnonzero(np.abs(changed) > 0.03)[0]
        self.assertAlmostEqual(begin / audio.RATE, 0.5, delta=0.03)

    def test_a_far_microphone_adds_reverberation_and_no_delay(self):
        click = np.zeros(audio.RATE)
        click[4000] = 1
        changed = far(1)(click)
        self.assertEqual(np.argmax(np.abs(changed)), 4000)
        self.assertGreater(np.square(changed[4800:]).sum(), 0.05 * np.square(changed[:4800]).sum())

    def test_the_change_of_a_stream_keeps_positions_and_levels(self):
        with tempfile.TemporaryDirectory() as folder:
            for index in range(2):
                save(Path(folder) / f"words/{index}.wav", burst(0.6, 1.5, 0.5))
                save(Path(folder) / f"speech/{index}.wav", burst(2.0, 3.0, 0.5))
            words = recordings("word", audio.files(Path(folder) / "words"), None, random.Random(1))
            builder = Builder("word", words, Path(folder) / "speech", 6 / 3600, random.Random(1))
            path = Path(folder) / "stream.wav"
            plain = builder.write(path, CLEAN, Path(folder), random.Random(1))
            laid = builder.write(path, Condition("telephone", change=telephone), Path(folder), random.Random(1))
            self.assertEqual(laid, plain)
            self.assertAlmostEqual(speech.active_level(audio.read(path)), -26, delta=0.7)


PEAKS = """#!/usr/bin/env python3
import json, sys
for path in sys.argv[sys.argv.index("--floor") + 2:]:
    for at, score in json.loads(open(path).read()):
        print(json.dumps({"file": path, "at": at, "score": score}))
    print(json.dumps({"file": path, "duration": 1800}))
"""


class ScoresOfFiles(unittest.TestCase):
    def scores(self, *peaks: list[tuple[float, float]]) -> Scores:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "hotword"
            program.write_text(PEAKS)
            program.chmod(0o755)
            paths = [Path(folder) / f"{index}" for index in range(len(peaks))]
            for path, found in zip(paths, peaks):
                path.write_text(json.dumps(found))
            return Scores(program, Path("model"), paths)

    def test_the_threshold_is_the_lowest_within_the_rate(self):
        scores = self.scores([(1, 0.9), (2, 0.7)], [(3, 0.8)])
        self.assertEqual([scores.alarms(scores.threshold(rate)) for rate in (0, 1, 2, 9)], [0, 1, 2, 3])

    def test_a_file_is_detected_once_and_only_after_the_start(self):
        scores = self.scores([(7, 0.6), (7.5, 0.9)], [(2, 0.9)], [])
        self.assertEqual((scores.detected(0.5), scores.detected(0.5, start=6), scores.detected(0.95)), (2, 1, 0))

    def test_a_clip_is_placed_into_noise_that_has_been_running(self):
        with tempfile.TemporaryDirectory() as folder:
            clip = Path(folder) / "ann/1.wav"
            save(clip, burst(0.5, 0.6, 0.05))
            noise = np.random.default_rng(4).normal(0, 0.05, 9 * audio.RATE).astype(np.float32)
            clean, noisy = (
                audio.read(Placement(Path(folder) / name, 6, noises, 10, np.random.default_rng(1)).place(clip))
                for name, noises in (("clean", []), ("noisy", [noise]))
            )
            self.assertEqual((len(clean), abs(clean[: 6 * audio.RATE]).max()), (int(7.1 * audio.RATE), 0))
            start = noisy[: 6 * audio.RATE]
            self.assertAlmostEqual(audio.loudest(clean) - audio.loudest(start), 10, delta=0.7)
            short = Placement(Path(folder) / "short", 6, [noise[: audio.RATE]], 10, np.random.default_rng(1))
            middle = audio.read(short.place(clip))[4 * audio.RATE : 6 * audio.RATE]
            self.assertAlmostEqual(audio.loudest(clean) - audio.loudest(middle), 10, delta=0.7)


class Tone:
    """A voice that says everything as half a second of noise."""

    name = "tone"

    def say(self, text: str, pace: float = 1) -> np.ndarray:
        return np.random.default_rng(1).normal(0, 0.1, round(0.5 * audio.RATE * pace)).astype(np.float32)


ANSWERS = """
import json, sys
events = json.loads(sys.argv[1])
quiet = voiced = 0
while samples := sys.stdin.buffer.read(640):
    loud = max(memoryview(samples).cast("h")) > 1000
    voiced, quiet = (voiced + 1, 0) if loud else (voiced, quiet + 1)
    if voiced and quiet == 30 and events:
        voiced = 0
        for event in events.pop(0):
            print(json.dumps(event), flush=True)
"""


class Dialogues(unittest.TestCase):
    right = {"event": "intent", "status": "ready", "intent": {"name": "TurnOn"}, "slots": {}}
    wrong = {"event": "intent", "status": "ready", "intent": {"name": "TurnOff"}, "slots": {}}
    nothing = {"event": "intent", "status": "ready", "intent": {"name": "Other"}, "slots": {}}
    idle = {"event": "idle"}

    def talk(self, *answers: list[dict]) -> tuple[list[str], bool]:
        dialogue = Dialogue("home", ["turn it on"], [outcome(self.right)])
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "answers.py"
            script.write_text(ANSWERS)
            user = User([sys.executable, str(script), json.dumps(answers)], [], dialogue, Tone(), Room([], 0, 1), 20)
            result = user.talk()
        return result.misheard, result.is_right

    def test_a_line_is_repeated_until_it_is_understood(self):
        self.assertEqual(self.talk([self.right]), ([], True))
        self.assertEqual(self.talk([self.nothing, self.idle], [self.idle], [self.right]), (["turn it on"] * 2, True))
        self.assertEqual(self.talk([self.idle], [self.idle], [self.idle]), (["turn it on"] * 3, False))

    def test_a_wrong_action_makes_the_end_wrong(self):
        self.assertEqual(self.talk([self.wrong, self.idle], [self.right]), (["turn it on"], False))

    def test_the_noise_of_a_room_has_the_requested_level(self):
        noise = np.random.default_rng(2).normal(0, 0.02, 3 * audio.RATE).astype(np.float32)
        room = Room([noise, 10 * noise], 12, 1)
        heard = np.frombuffer(b"".join(room.step(np.zeros(0, np.float32)) for _ in range(300)), "<i2") / 32767
        self.assertAlmostEqual(audio.loudest(heard.astype(np.float32)), LEVEL - 12, delta=0.1)


class Effects(unittest.TestCase):
    light = Effect({"light.bed": ["on", 128, []]}, [], "action_done", ["light.bed"], "turned on")

    def test_an_order_is_right_if_it_changes_the_same_whatever_is_answered(self):
        self.assertTrue(Effect({"light.bed": ["on", 128, []]}, [], "action_done", [], "done").is_as(self.light))
        self.assertFalse(Effect({"light.bed": ["on", 26, []]}, [], "action_done", ["light.bed"], "turned on").is_as(self.light))
        self.assertFalse(Effect({}, [], "action_done", ["light.bed"], "turned on").is_as(self.light))
        both = {"light.bed": ["on", 128, []], "light.desk": ["on", None, []]}
        self.assertFalse(Effect(both, [], "action_done", ["light.bed"], "turned on").is_as(self.light))

    def test_a_timer_is_right_with_its_length(self):
        meant = Effect({}, [("timer-started", 300)], "action_done", [], "timer set")
        self.assertTrue(Effect({}, [("timer-started", 300)], "action_done", [], "").is_as(meant))
        self.assertFalse(Effect({}, [("timer-started", 3000)], "action_done", [], "timer set").is_as(meant))

    def test_a_question_is_right_if_the_same_is_answered_and_nothing_changes(self):
        meant = Effect({}, [], "query_answer", ["lock.front"], "no locked")
        self.assertTrue(Effect({}, [], "query_answer", ["lock.front"], "no locked").is_as(meant))
        self.assertFalse(Effect({}, [], "query_answer", ["lock.front"], "yes").is_as(meant))
        self.assertFalse(Effect({"lock.front": "unlocked"}, [], "query_answer", ["lock.front"], "no locked").is_as(meant))

    def test_errors_and_empty_texts_are_nothing(self):
        self.assertTrue(effect({}, {}, []).is_nothing)
        self.assertTrue(effect({"response_type": "error"}, {}, []).is_nothing)
        self.assertFalse(effect({"response_type": "error"}, {"light.bed": ["on", 128, []]}, []).is_nothing)

    def test_answers_are_compared_by_their_words(self):
        self.assertEqual(plain("It is 2:17 AM."), plain("it is 14:18"))
        self.assertEqual(plain("No, locked."), "no locked")
        self.assertNotEqual(plain("19.0 degrees"), plain("19.5 degrees"))

    def test_times_and_counts_change_as_such(self):
        before = {"scene.mood": "1", "light.bed": "off", "input_number.hotword_track": "3.0", "lock.front": "locked"}
        after = {"scene.mood": "2", "light.bed": "on", "input_number.hotword_track": "4.0", "lock.front": "locked"}
        self.assertEqual(changes(before, after), {"scene.mood": True, "light.bed": "on", "input_number.hotword_track": True})


if __name__ == "__main__":
    unittest.main()
