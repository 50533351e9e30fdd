"""A Wyoming server for speech on the PyPI package that says half a second of a tone, whatever the text: log file, URI."""
import asyncio
import json
import math
import struct
import sys

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.info import Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import Synthesize

log = open(sys.argv[1], "a", buffering=1)
OWN = {"attribution": Attribution(name="test", url=""), "installed": True, "description": "tone", "version": "1"}
INFO = Info(tts=[TtsProgram(name="tone", voices=[TtsVoice(name="tone", languages=["en"], **OWN)], **OWN)])
FORMAT = {"rate": 22050, "width": 2, "channels": 1}
TONE = b"".join(struct.pack("<h", int(8000 * math.sin(2 * math.pi * 440 * i / 22050))) for i in range(11025))


class Voice(AsyncEventHandler):
    async def handle_event(self, event):
        if Describe.is_type(event.type):
            await self.write_event(INFO.event())
        elif Synthesize.is_type(event.type):
            log.write(json.dumps({"text": Synthesize.from_event(event).text}) + "\n")
            await self.write_event(AudioStart(**FORMAT).event())
            await self.write_event(AudioChunk(audio=TONE, **FORMAT).event())
            await self.write_event(AudioStop().event())
        return True


async def main():
    server = AsyncServer.from_uri(sys.argv[2])
    started = asyncio.create_task(server.run(Voice))
    while getattr(server, "_server", None) is None:
        await asyncio.sleep(0.05)
    print(server._server.sockets[0].getsockname()[1], flush=True)
    await started


asyncio.run(main())
