"""Home Assistant's end of a satellite, on the PyPI package: URI, a file for the audio it hears, a WAV to answer with, and how.

answers: takes the satellite, and three seconds into what is streamed sends the transcript and the WAV, until it is played.
silent: the same, but says nothing: waits for audio-stop. Prints every event but the audio as a line of JSON. Creates the
file for the audio with `.ready` appended once the satellite is taken.
"""
import asyncio
import json
import sys
import wave

from wyoming.asr import Transcript
from wyoming.audio import AudioChunk, wav_to_chunks
from wyoming.client import AsyncClient
from wyoming.event import Event
from wyoming.info import Describe
from wyoming.ping import Ping, Pong
from wyoming.satellite import RunSatellite
from wyoming.vad import VoiceStarted, VoiceStopped

uri, heard, answer, behaviour = sys.argv[1:5]


async def other():
    """A second client: may describe and ping, but not take over."""
    client = AsyncClient.from_uri(uri)
    await client.connect()
    await client.write_event(Describe().event())
    first = await client.read_event()
    await client.write_event(Ping("you").event())
    second = await client.read_event()
    await client.write_event(RunSatellite().event())
    third = await client.read_event()
    print(json.dumps({"type": "other", "seen": [first.type, second.type, third.type if third else None]}), flush=True)
    await client.disconnect()


async def main():
    client = AsyncClient.from_uri(uri)
    await client.connect()
    await client.write_event(Describe().event())
    info = await client.read_event()
    print(json.dumps({"type": "info", **info.data}), flush=True)
    await client.write_event(RunSatellite().event())
    await client.write_event(Ping("me").event())
    await other()
    audio, isAnswered, form = b"", False, None
    while event := await asyncio.wait_for(client.read_event(), 30):
        if AudioChunk.is_type(event.type):
            chunk = AudioChunk.from_event(event)
            audio += chunk.audio
            form = [chunk.rate, chunk.width, chunk.channels]
            expected = (len(audio) - len(chunk.audio)) // 32
            assert chunk.timestamp == expected, (chunk.timestamp, expected)
            if behaviour == "answers" and not isAnswered:
                if len(audio) > 32000 and len(audio) - len(chunk.audio) <= 32000:
                    await client.write_event(VoiceStarted(timestamp=500).event())
                if len(audio) > 64000:
                    isAnswered = True
                    await client.write_event(VoiceStopped(timestamp=1900).event())
                    await client.write_event(Transcript(text="turn on the light").event())
                    await client.write_event(Event("synthesize", {"text": "done"}))
                    with wave.open(answer) as file:
                        for part in wav_to_chunks(file, 1024, start_event=True, stop_event=True):
                            await client.write_event(part.event())
            continue
        print(json.dumps({"type": event.type, **event.data}), flush=True)
        if Ping.is_type(event.type):
            await client.write_event(Pong(Ping.from_event(event).text).event())
        if Pong.is_type(event.type):
            open(heard + ".ready", "w").close()
        if event.type in ("played", "audio-stop"):
            break
    with open(heard, "wb") as file:
        file.write(audio)
    print(json.dumps({"type": "heard", "bytes": len(audio), "format": form}), flush=True)
    await client.disconnect()


asyncio.run(main())
