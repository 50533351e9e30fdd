"""A client of a wake server on the PyPI package: URI, then a JSON list of steps on standard input.

Prints every event that the server sends as a line of JSON, and {"type": "closed"} when it ends the connection.
"""
import asyncio
import json
import sys
import time
import wave

from wyoming.audio import wav_to_chunks
from wyoming.client import AsyncClient
from wyoming.event import Event, async_write_event


class Pieces:
    """A writer that hands its bytes over in pieces."""

    def __init__(self, writer, size):
        self.writer, self.size, self.waiting = writer, size, b""

    def write(self, data):
        self.waiting += data

    def writelines(self, parts):
        self.waiting += b"".join(parts)

    async def drain(self):
        while len(self.waiting) >= self.size:
            self.writer.write(self.waiting[: self.size])
            self.waiting = self.waiting[self.size :]
            await self.writer.drain()

    async def flush(self):
        self.writer.write(self.waiting)
        self.waiting = b""
        await self.writer.drain()


async def main():
    steps = json.load(sys.stdin)
    client = AsyncClient.from_uri(sys.argv[1])
    await client.connect()
    seen = []
    arrival = asyncio.Condition()

    async def listen():
        while True:
            try:
                event = await client.read_event()
            except (ConnectionError, asyncio.IncompleteReadError):
                event = None
            async with arrival:
                seen.append("closed" if event is None else event.type)
                arrival.notify_all()
            print(json.dumps({"type": "closed"} if event is None else {"type": event.type, **event.data}), flush=True)
            if event is None:
                return

    listener = asyncio.create_task(listen())
    out = client._writer
    counted = {}
    for step in steps:
        kind = step[0]
        if kind == "pieces":
            out = Pieces(client._writer, step[1])
        elif kind == "send":
            await async_write_event(Event(step[1], step[2] if len(step) > 2 else {}), out)
        elif kind == "wav":
            with wave.open(step[1]) as file:
                for event in wav_to_chunks(file, step[2], start_event=False, stop_event=False):
                    event = event.event()
                    if len(step) > 3:
                        event.data["timestamp"] += step[3]
                    else:
                        event.data["timestamp"] = None
                    await async_write_event(event, out)
        elif kind == "bytes":
            # The samples cut anywhere.
            with wave.open(step[1]) as file:
                data = file.readframes(file.getnframes())
                form = {"rate": file.getframerate(), "width": file.getsampwidth(), "channels": file.getnchannels()}
            for start in range(0, len(data), step[2]):
                await async_write_event(Event("audio-chunk", form, data[start : start + step[2]]), out)
        elif kind == "raw":
            client._writer.write(step[1].encode("latin1") * (step[2] if len(step) > 2 else 1))
        elif kind == "until":
            if isinstance(out, Pieces):
                await out.flush()
            counted[step[1]] = counted.get(step[1], 0) + 1
            async with arrival:
                await asyncio.wait_for(
                    arrival.wait_for(lambda: seen.count(step[1]) >= counted[step[1]]), timeout=30)
        elif kind == "sleep":
            await asyncio.sleep(step[1])
    listener.cancel()


asyncio.run(main())
