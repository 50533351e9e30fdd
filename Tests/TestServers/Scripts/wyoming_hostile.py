"""Hostile clients of a wake server, until the process ends: log file, URI, their number, a WAV.

There are five kinds: audio as fast as the server takes it; pings whose answers they never read; half an event; bytes that are not an
event, then a new connection; new connections all the time. Logs {"made": the number of connections} each second.
"""
import asyncio
import json
import os
import sys
import wave

from wyoming.audio import AudioChunk, AudioStart
from wyoming.event import async_write_event

# The clients of another machine would not take processor time from the server.
os.nice(19)
log = open(sys.argv[1], "a", buffering=1)
host, port = sys.argv[2].removeprefix("tcp://").split(":")
with wave.open(sys.argv[4]) as file:
    samples = file.readframes(file.getnframes())
made = 0


async def connect():
    global made
    made += 1
    return await asyncio.open_connection(host, int(port))


async def flood(writer):
    await async_write_event(AudioStart(16000, 2, 1).event(), writer)
    chunk = AudioChunk(16000, 2, 1, samples[:32000])
    while True:
        await async_write_event(chunk.event(), writer)
        await asyncio.sleep(0)


async def deaf(writer):
    while True:
        writer.write(b'{"type": "ping", "data": {"text": "' + b"x" * 1000 + b'"}}\n')
        await writer.drain()
        await asyncio.sleep(0)


async def half(writer):
    writer.write(b'{"type": "audio-chunk", "payload_length": 4000000}\n' + bytes(1000))
    await writer.drain()
    await asyncio.sleep(60)


async def garbage(writer):
    writer.write(os.urandom(2000) + b"\n")
    await writer.drain()
    await asyncio.sleep(0.05)


async def brief(writer):
    await asyncio.sleep(0.02)


async def hostile(number):
    behaviour = [flood, deaf, half, garbage, brief][number % 5]
    while True:
        writer = None
        try:
            _, writer = await connect()
            await behaviour(writer)
        except OSError:
            pass
        if writer:
            writer.close()
        await asyncio.sleep(0.01)


async def main():
    crowd = [asyncio.create_task(hostile(number)) for number in range(int(sys.argv[3]))]
    print("ready", flush=True)
    while crowd:
        await asyncio.sleep(1)
        log.write(json.dumps({"made": made}) + "\n")


asyncio.run(main())
