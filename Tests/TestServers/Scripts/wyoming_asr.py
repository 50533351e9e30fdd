"""A Wyoming recognizer on the PyPI package: log file, how it behaves, URI."""
import asyncio
import json
import sys

from wyoming.asr import Transcribe, Transcript, TranscriptChunk, TranscriptStart, TranscriptStop
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.event import Event
from wyoming.server import AsyncEventHandler, AsyncServer

log = open(sys.argv[1], "a", buffering=1)
behaviour = sys.argv[2]


class Recognizer(AsyncEventHandler):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.audio = b""
        self.format = None

    async def handle_event(self, event):
        if Transcribe.is_type(event.type):
            log.write(json.dumps({"transcribe": Transcribe.from_event(event).language}) + "\n")
        elif AudioStart.is_type(event.type):
            start = AudioStart.from_event(event)
            self.format = [start.rate, start.width, start.channels]
        elif AudioChunk.is_type(event.type):
            self.audio += AudioChunk.from_event(event).audio
            if behaviour == "streams" and len(self.audio) == 3200:
                await self.write_event(TranscriptStart().event())
                await self.write_event(TranscriptChunk(text="turn on ").event())
            if behaviour == "dies":
                return False
            if behaviour == "floods":
                await self.flood()
        elif AudioStop.is_type(event.type):
            log.write(json.dumps({"format": self.format, "audio": list(self.audio[:8]), "bytes": len(self.audio)}) + "\n")
            return await self.answer()
        return True

    async def flood(self):
        while True:
            self.writer.write(b'{"type": "nothing"}\n' * 5000)
            await self.writer.drain()

    async def answer(self):
        if behaviour == "silent":
            await asyncio.sleep(60)
        elif behaviour == "fails":
            await self.write_event(Error(text="no\x1b[2J model", code="missing").event())
        elif behaviour == "garbage":
            self.writer.write(b'{"type": "transcript", "data_length": 99999999999}\n')
            await self.writer.drain()
        elif behaviour == "wrong":
            await self.write_event(Event("transcript", {"text": [1, 2]}))
        elif behaviour == "closes":
            pass
        else:
            if behaviour == "streams":
                await self.write_event(TranscriptChunk(text="the light").event())
            await self.write_event(Transcript(text=" turn on the light\n", language="en").event())
            if behaviour == "streams":
                await self.write_event(TranscriptStop().event())
        return False


async def main():
    server = AsyncServer.from_uri(sys.argv[3])
    started = asyncio.create_task(server.run(Recognizer))
    await asyncio.sleep(0)
    while True:
        await asyncio.sleep(0.05)
        inner = getattr(server, "_server", None)
        if inner is not None:
            break
    name = inner.sockets[0].getsockname()
    print(name if isinstance(name, str) else name[1], flush=True)
    await started


asyncio.run(main())
