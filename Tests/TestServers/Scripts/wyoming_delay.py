"""When a detection comes: URI, and a WAV with one hotword, which is sent in real time.

Prints {"seconds": from the beginning of the audio to the detection}.
"""
import asyncio
import json
import sys
import time
import wave

from wyoming.audio import AudioChunk, AudioStart
from wyoming.event import async_read_event, async_write_event

host, port = sys.argv[1].removeprefix("tcp://").split(":")
with wave.open(sys.argv[2]) as file:
    samples = file.readframes(file.getnframes())
CHUNK = 2048


async def main():
    reader, writer = await asyncio.open_connection(host, int(port))
    await async_write_event(AudioStart(16000, 2, 1).event(), writer)
    begin = time.monotonic()

    async def detection():
        while (await async_read_event(reader)).type != "detection":
            pass
        print(json.dumps({"seconds": round(time.monotonic() - begin, 3)}))

    detected = asyncio.create_task(detection())
    for start in range(0, len(samples), CHUNK):
        chunk = samples[start : start + CHUNK]
        await asyncio.sleep(max(0, begin + (start + len(chunk)) / 32000 - time.monotonic()))
        await async_write_event(AudioChunk(16000, 2, 1, chunk).event(), writer)
    await detected


asyncio.run(main())
