"""Simulated homes: a person says a word in a room, and satellites in that room and in others record it.

The rooms are boxes with image sources (Allen and Berkley, "Image method for efficiently simulating small-room acoustics", 1979), in
two bands: high frequencies are absorbed more, and a person radiates less of them to the back.
"""

import numpy as np

from . import audio
from .audio import RATE

SOUND = 343.0
LENGTH = round(0.6 * RATE)
"""Samples of an impulse response."""
SPLIT = 2000.0
"""Hertz between the bands."""
OPEN, CLOSED = 0.2, 0.02
"""What a door lets through, as the amplitude in a metre's distance of that in the doorway: 14 dB less, and 34."""


def convolved(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    size = len(one) + len(other) - 1
    return np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size)


def shaped(samples: np.ndarray, gain) -> np.ndarray:
    """Returns the samples with the gain that a function of the frequencies in hertz gives."""
    padded = len(samples) + LENGTH
    frequencies = np.fft.rfftfreq(padded, 1 / RATE)
    return np.fft.irfft(np.fft.rfft(samples, padded) * gain(frequencies), padded)[: len(samples)]


class Room:
    """A box with a reverberation time, in metres and seconds."""

    def __init__(self, random: np.random.Generator, seconds: tuple[float, float]):
        self.size = np.array([random.uniform(3, 7), random.uniform(3, 6), random.uniform(2.3, 2.9)])
        self.seconds = random.uniform(*seconds)

    def place(self, random: np.random.Generator) -> np.ndarray:
        x, y = random.uniform(0.4, self.size[:2] - 0.4)
        return np.array([x, y, random.uniform(0.7, 1.7)])

    def response(self, source: np.ndarray, place: np.ndarray, seed: int, facing: np.ndarray | None = None) -> np.ndarray:
        """Returns the impulse response from a source, which may face a direction, to a place."""
        low = self._band(source, place, self.seconds, 0.7, seed, facing)
        high = self._band(source, place, 0.6 * self.seconds, 0.25, seed, facing)

        def above(frequencies: np.ndarray) -> np.ndarray:
            return frequencies**4 / (frequencies**4 + SPLIT**4)

        both = shaped(low, lambda f: 1 - above(f)) + shaped(high, above)
        # All reflections have the same sign, which adds up below what rooms carry.
        return shaped(both, lambda f: f**4 / (f**4 + 100.0**4))

    def _band(self, source, place, seconds, back, seed, facing) -> np.ndarray:
        random = np.random.default_rng(seed)
        x, y, z = self.size
        absorption = min(0.95, 0.161 * x * y * z / (2 * (x * y + x * z + y * z) * seconds))
        reach = SOUND * min(LENGTH / RATE, 1.1 * seconds)
        count = np.ceil(reach / (2 * self.size)).astype(int)
        grid = np.stack([axis.ravel() for axis in np.meshgrid(*[np.arange(-n, n + 1) for n in count])], 1)
        response = np.zeros(LENGTH)
        for mirrored in np.ndindex(2, 2, 2):
            mirror = np.array(mirrored)
            order = (np.abs(grid - mirror) + np.abs(grid)).sum(1)
            way = (1 - 2 * mirror) * source + 2 * grid * self.size - place
            # Walls are no mirrors: what they reflect is scattered.
            way = way + (order > 0)[:, None] * random.normal(0, 0.04, way.shape)
            distance = np.maximum(np.sqrt((way**2).sum(1)), 0.1)
            gain = (1 - absorption) ** (order / 2) / distance
            if facing is not None:
                ahead = -(way @ (facing * (1 - 2 * mirror))) / distance
                gain *= back + (1 - back) * (1 + ahead) / 2
            heard = distance < reach
            np.add.at(response, np.minimum(distance[heard] / SOUND * RATE, LENGTH - 1).astype(int), gain[heard])
        return response


class Home:
    """A person and two or three satellites; one is in the person's room, or two."""

    def __init__(self, seed: int):
        self.random = np.random.default_rng(seed)
        random = self.random
        room = Room(random, (0.25, 0.7))
        person, door = room.place(random), room.place(random)
        door[0] = random.choice([0.05, room.size[0] - 0.05])
        turn = random.uniform(0, 2 * np.pi)
        facing = np.array([np.cos(turn), np.sin(turn), 0])
        self.responses: list[np.ndarray] = []
        self.distances: list[float] = []
        """Metres from the person; those in other rooms follow by theirs."""
        self.others = int(random.integers(0, 3))
        for _ in range(1 if self.others else 2):
            place = room.place(random)
            while not self._differs(np.linalg.norm(place - person)):
                place = room.place(random)
            self.distances.append(float(np.linalg.norm(place - person)))
            self.responses.append(room.response(person, place, seed, facing))
        through = room.response(person, door, seed, facing)
        for index in range(self.others):
            other = Room(random, (0.25, 0.8))
            within = other.response(np.array([0.1, other.size[1] / 2, 1.2]), other.place(random), seed + index)
            response = convolved(through, within)[:RATE] * OPEN
            if random.random() < 0.25:
                response = shaped(response, lambda f: CLOSED / OPEN / np.sqrt(1 + (f / 1200) ** 2))
            self.distances.append(100.0 + index)
            self.responses.append(response)
        self.nearest = int(np.argmin(self.distances))

    def _differs(self, distance: float) -> bool:
        return distance > 0.5 and all(abs(np.log2(distance / other)) > 0.4 for other in self.distances)

    def recordings(self, word: np.ndarray, noises: list[np.ndarray], before: float, after: float) -> list[np.ndarray]:
        """Returns what each satellite records, with the noise of its place, and a microphone of its own level and colour."""
        random = self.random
        level = 10 ** ((random.uniform(-30, -20) - audio.loudest(word)) / 20)
        said = np.concatenate([np.zeros(round(before * RATE)), word * level, np.zeros(round(after * RATE))])
        recordings = []
        for response in self.responses:
            noise = noises[random.integers(len(noises))]
            noise = np.resize(np.roll(noise, random.integers(len(noise))), len(said))
            noise = noise / np.sqrt(np.mean(noise**2) + 1e-12) * 10 ** (random.uniform(-75, -45) / 20)
            heard = convolved(said, response)[: len(said)] + noise + random.normal(0, 1e-4, len(said))
            colour = 10 ** (random.uniform(-4, 4) / 20) - 1
            heard = shaped(heard, lambda f, colour=colour: 1 + colour * f / np.sqrt(f**2 + 2500**2))
            recordings.append(np.clip(heard * 10 ** (random.uniform(-6, 6) / 20), -1, 1))
        return recordings
