"""Hears a raw recording through a wake program as wyoming-satellite runs it; prints the names that come while its input is open."""

import asyncio
import sys

from wyoming.audio import AudioChunk
from wyoming.wake import Detection, WakeProcessAsyncClient

log, recording, size, wanted, *command = sys.argv[1:]


async def main():
    client = WakeProcessAsyncClient(16000, 2, 1, command[0], command[1:])
    await client.connect()
    with open(recording, "rb") as file:
        while audio := file.read(int(size)):
            await client.write_event(AudioChunk(16000, 2, 1, audio).event())
    for _ in range(int(wanted)):
        event = await asyncio.wait_for(client.read_event(), 30)
        print(Detection.from_event(event).name, flush=True)
    await client.disconnect()


asyncio.run(main())
