"""Clients of a wake server that connect again when their connection ends: log file, host, port, how many, a WAV, and a file with a
certificate for TLS.

Each sends the WAV over and over, four times as fast as real time. Logs {"client": N, "event": "connected" or "detection"}.
"""
import asyncio
import json
import ssl
import sys
import wave

from wyoming.audio import AudioChunk, AudioStart
from wyoming.event import async_read_event, async_write_event

log = open(sys.argv[1], "a", buffering=1)
host, port, count = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with wave.open(sys.argv[5]) as file:
    samples = file.readframes(file.getnframes())
secure = ssl.create_default_context(cafile=sys.argv[6]) if len(sys.argv) > 6 else None
CHUNK = 2048


def note(client, event):
    log.write(json.dumps({"client": client, "event": event}) + "\n")


async def listen(client, reader):
    while event := await async_read_event(reader):
        if event.type == "detection":
            note(client, "detection")


async def stream(client):
    while True:
        writer = None
        try:
            reader, writer = await asyncio.open_connection(host, port, ssl=secure)
            note(client, "connected")
            listener = asyncio.create_task(listen(client, reader))
            await async_write_event(AudioStart(16000, 2, 1).event(), writer)
            position = 0
            while not listener.done():
                chunk = AudioChunk(16000, 2, 1, samples[position : position + CHUNK])
                await async_write_event(chunk.event(), writer)
                position = position + CHUNK if position + CHUNK < len(samples) else 0
                await asyncio.sleep(CHUNK / 32000 / 4)
            listener.exception()
        except OSError:
            pass
        if writer:
            writer.close()
        await asyncio.sleep(0.1)


async def main():
    print("ready", flush=True)
    await asyncio.gather(*(stream(client) for client in range(count)))


asyncio.run(main())
