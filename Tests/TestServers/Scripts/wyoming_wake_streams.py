"""Clients of a wake server on the PyPI package, one for each WAV file of 16 kHz mono: URI, then the files.

All stream at the same time, four times as fast as the time. Prints {"stream": N, "type": …} for each event of the server.
"""
import asyncio
import json
import sys
import wave

from wyoming.audio import AudioStart, AudioStop, wav_to_chunks
from wyoming.client import AsyncClient
from wyoming.event import Event

CHUNK = 512
SECONDS = CHUNK / 16_000 / 4


async def listen(client, stream):
    while True:
        event = await client.read_event()
        if event is None:
            return
        print(json.dumps({"stream": stream, "type": event.type, **event.data}), flush=True)
        if event.type == "pong":
            return


async def main():
    clients, chunks = [], []
    for path in sys.argv[2:]:
        client = AsyncClient.from_uri(sys.argv[1])
        await client.connect()
        await client.write_event(AudioStart(rate=16_000, width=2, channels=1).event())
        clients.append(client)
        with wave.open(path) as file:
            chunks.append([chunk.event() for chunk in wav_to_chunks(file, CHUNK, start_event=False, stop_event=False)])
    listeners = [asyncio.create_task(listen(client, stream)) for stream, client in enumerate(clients)]
    for together in zip(*chunks):
        for client, event in zip(clients, together):
            await client.write_event(event)
        await asyncio.sleep(SECONDS)
    # Longer than the server waits for other streams.
    await asyncio.sleep(0.5)
    for client in clients:
        await client.write_event(AudioStop().event())
        await client.write_event(Event("ping", {"text": "last"}))
    await asyncio.gather(*listeners)


asyncio.run(main())
