"""Home Assistant's end of a satellite, on the PyPI package: URI, a file for the audio it hears, a WAV to answer with, how, and
perhaps a file to which the satellite plays.

answers: takes the satellite, and three seconds into what is streamed sends the transcript and the WAV, until it is played. Sends the
second half of the WAV once the satellite plays the first.
unanswered: sends nothing, and waits for audio-stop.
silent: waits four seconds after the hotword.
announces: plays the WAV a second into what is streamed, and waits a second.
Prints every event but the audio as a line of JSON. Creates the file for the audio with `.ready` appended once the satellite is taken.
"""
import asyncio
import json
import os
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
played = sys.argv[5] if len(sys.argv) > 5 else None


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


async def play(client):
    """Sends the WAV, the second half once the satellite plays."""
    with wave.open(answer) as file:
        parts = list(wav_to_chunks(file, 1024, start_event=True, stop_event=True))
    half = len(parts) // 2
    for part in parts[:half]:
        await client.write_event(part.event())
    for _ in range(500):
        if not played or os.path.exists(played) and os.path.getsize(played):
            break
        await asyncio.sleep(0.01)
    else:
        print(json.dumps({"type": "not-playing"}), flush=True)
    for part in parts[half:]:
        await client.write_event(part.event())


async def main():
    client = AsyncClient.from_uri(uri)
    await client.connect()
    await client.write_event(Describe().event())
    info = await client.read_event()
    print(json.dumps({"type": "info", **info.data}), flush=True)
    await client.write_event(RunSatellite().event())
    await client.write_event(Ping("me").event())
    await other()
    audio, isAnswered, form, patience = b"", False, None, None
    now = asyncio.get_running_loop().time
    while patience is None or now() < patience:
        try:
            event = await asyncio.wait_for(client.read_event(), 30 if patience is None else max(0.01, patience - now()))
        except asyncio.TimeoutError:
            break
        if event is None:
            break
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
                    await play(client)
            if behaviour == "announces" and not isAnswered and len(audio) > 32000:
                isAnswered = True
                await play(client)
                patience = now() + 1
            continue
        print(json.dumps({"type": event.type, **event.data}), flush=True)
        if Ping.is_type(event.type):
            await client.write_event(Pong(Ping.from_event(event).text).event())
        if Pong.is_type(event.type):
            open(heard + ".ready", "w").close()
        if event.type == "detection" and behaviour == "silent":
            patience = now() + 4
        if event.type == "audio-stop" or event.type == "played" and behaviour == "answers":
            break
    with open(heard, "wb") as file:
        file.write(audio)
    print(json.dumps({"type": "heard", "bytes": len(audio), "format": form}), flush=True)
    await client.disconnect()


asyncio.run(main())
