"""Many clients of a wake server: URI, how many, a WAV, then live, once, never, deaf or idle.

live: each sends the WAV in real time, over and over for ten seconds, and asks for a pong each second; the slowest answer
is told. once: each connects, half of them send the WAV's first second, and all leave, fifty at a time.
never: each connects and sends half an event; then the resident kilobytes of the process that follows are told.
deaf: each asks for pongs as fast as it can for two seconds and reads none; then the same is told.
idle: each connects from 127.0.0.2 and sends nothing; then whether a client from 127.0.0.1 gets a pong is told.
"""
import asyncio
import json
import socket
import sys
import time
import wave

from wyoming.audio import AudioChunk, AudioStart
from wyoming.client import AsyncClient
from wyoming.event import Event
from wyoming.ping import Ping

uri, count, path, behaviour = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
with wave.open(path) as file:
    samples = file.readframes(file.getnframes())
CHUNK = 2048
SECONDS = 10


async def live(number):
    client = AsyncClient.from_uri(uri)
    await client.connect()
    await client.write_event(AudioStart(16000, 2, 1).event())
    asked, detections, slowest = [], 0, 0.0

    async def listen():
        nonlocal detections, slowest
        while event := await client.read_event():
            if event.type == "pong":
                slowest = max(slowest, time.monotonic() - asked.pop(0))
            elif event.type == "detection":
                detections += 1

    listener = asyncio.create_task(listen())
    begin = time.monotonic() + number * 0.064 / count
    for index in range(int(SECONDS * 32000 / CHUNK)):
        await asyncio.sleep(max(0, begin + index * 0.064 - time.monotonic()))
        start = index * CHUNK % (len(samples) - CHUNK) // 2 * 2
        await client.write_event(AudioChunk(16000, 2, 1, samples[start : start + CHUNK]).event())
        if index % 16 == number % 16:
            asked.append(time.monotonic())
            await client.write_event(Ping().event())
    while asked:
        await asyncio.sleep(0.01)
    listener.cancel()
    await client.disconnect()
    return slowest, detections


async def once(number):
    client = AsyncClient.from_uri(uri)
    await client.connect()
    if number % 2:
        await client.write_event(AudioStart(16000, 2, 1).event())
        await client.write_event(AudioChunk(16000, 2, 1, samples[:32000]).event())
    await client.write_event(Event("describe"))
    await client.read_event()
    if number % 3:
        await client.disconnect()
    else:
        client._writer.transport.abort()


deaf = []


def ask(uri):
    host, port = uri.removeprefix("tcp://").split(":")
    client = socket.create_connection((host, int(port)))
    deaf.append(client)
    client.settimeout(0.1)
    end = time.monotonic() + 2
    question = b'{"type": "ping", "data": {"text": "' + b"x" * 1000 + b'"}}\n'
    while time.monotonic() < end:
        try:
            client.sendall(question)
        except TimeoutError:
            pass


def idle(count):
    host, port = uri.removeprefix("tcp://").split(":")
    crowd = [socket.create_connection((host, int(port)), source_address=("127.0.0.2", 0)) for _ in range(count)]
    with socket.create_connection((host, int(port)), timeout=20) as client:
        client.sendall(b'{"type": "ping"}\n')
        print(json.dumps({"served": b"pong" in client.recv(4096)}))
    for other in crowd:
        other.close()


def tell():
    with open(f"/proc/{sys.argv[5]}/status") as status:
        fields = dict(line.split(":\t", 1) for line in status if ":\t" in line)
    print(json.dumps({"kilobytes": int(fields["VmRSS"].split()[0]), "threads": int(fields["Threads"])}))


async def main():
    if behaviour == "live":
        results = await asyncio.gather(*(live(number) for number in range(count)))
        print(json.dumps({"slowest": max(r[0] for r in results), "detections": [r[1] for r in results]}))
    elif behaviour == "once":
        for start in range(0, count, 50):
            await asyncio.gather(*(once(number) for number in range(start, min(start + 50, count))))
        print(json.dumps({"done": count}))
    elif behaviour == "idle":
        idle(count)
    elif behaviour == "deaf":
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(None, ask, uri) for _ in range(count)))
        tell()
    else:
        clients = [AsyncClient.from_uri(uri) for _ in range(count)]
        for client in clients:
            await client.connect()
            client._writer.write(b'{"type": "audio-chunk", "payload_length": 4000000}\n' + bytes(1000))
            await client._writer.drain()
        await asyncio.sleep(0.5)
        tell()


asyncio.run(main())
