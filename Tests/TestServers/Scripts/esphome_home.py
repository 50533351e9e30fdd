"""Home Assistant's end of a satellite by ESPHome's native API, on the PyPI package that it uses.

Arguments: host, port, key ("-" for none), what to do, and a folder for files of audio. Prints what happens as lines of JSON.

info: connects, prints the device, its entities and states, and its wake words.
settings: changes the wake words, numbers, the switch and the volume, and prints the states that follow.
assistant ANSWER: takes the voice assistant; two seconds into a command sends the transcript and streams the WAV as the answer; prints
    what the satellite requests. Creates FOLDER/ready once it has the satellite, and writes the command to FOLDER/heard.
url ADDRESS: the same with the answer at an address.
continues ANSWER: the same, and continues the conversation after the answer.
announce ADDRESS: lets it play an address, and starts a conversation after it, for which it waits; unfetched ADDRESS does not wait.
returns: takes the voice assistant with a second connection, ends the first, and waits for a command.
timer: a timer that expires.
media ADDRESS: plays it for four seconds.
floods: connections that break the protocol, next to one that keeps it.
listens: waits until the satellite stops a command.
refused: connects, and prints the class of the error.
"""
import asyncio
import json
import logging
import sys
import wave

from aioesphomeapi import APIClient, APIConnectionError, VoiceAssistantEventType, VoiceAssistantTimerEventType

logging.basicConfig(level=logging.CRITICAL)
host, port, key, behaviour, folder = sys.argv[1:6]
arguments = sys.argv[6:]
E = VoiceAssistantEventType


def tell(what, **values):
    print(json.dumps({"type": what, **values}), flush=True)


def state_of(state):
    values = {"key": state.key, "kind": type(state).__name__}
    for name in ("state", "volume", "muted", "missing_state"):
        if hasattr(state, name):
            value = getattr(state, name)
            values[name] = int(value) if name == "state" and isinstance(value, int) else value
    return values


class Home:
    def __init__(self, client):
        self.client = client
        self.audio = b""
        self.runs = 0
        self.answered = False
        self.over = asyncio.Event()
        self.finished = asyncio.Event()

    async def start(self, conversation, flags, settings, phrase):
        self.runs += 1
        self.audio, self.answered = b"", False
        tell("start", phrase=phrase, conversation=conversation)
        self.client.send_voice_assistant_event(E.VOICE_ASSISTANT_RUN_START, {"url": "http://127.0.0.1:1/none"})
        self.client.send_voice_assistant_event(E.VOICE_ASSISTANT_STT_START, {})
        return 0

    async def stop(self, abort):
        tell("stop", abort=abort)
        self.over.set()

    async def heard(self, data, data2=None):
        self.audio += data
        if len(self.audio) > 64000 and not self.answered:
            self.answered = True
            asyncio.get_running_loop().create_task(self.answer())

    async def finish(self, finished):
        tell("finished", success=finished.success)
        self.finished.set()

    async def answer(self):
        send = self.client.send_voice_assistant_event
        with open(f"{folder}/heard", "wb") as file:
            file.write(self.audio)
        if behaviour == "listens":
            return
        send(E.VOICE_ASSISTANT_STT_VAD_END, {})
        send(E.VOICE_ASSISTANT_STT_END, {"text": "turn on the light"})
        goes_on = behaviour == "continues" and self.runs == 1
        send(E.VOICE_ASSISTANT_INTENT_START, {})
        send(E.VOICE_ASSISTANT_INTENT_END, {"conversation_id": "c1", "continue_conversation": str(int(goes_on))})
        send(E.VOICE_ASSISTANT_TTS_START, {"text": "done"})
        if behaviour == "url":
            send(E.VOICE_ASSISTANT_TTS_END, {"url": arguments[0]})
            send(E.VOICE_ASSISTANT_RUN_END, {})
            return
        send(E.VOICE_ASSISTANT_TTS_STREAM_START, {})
        send(E.VOICE_ASSISTANT_TTS_END, {"url": "http://127.0.0.1:1/none"})
        send(E.VOICE_ASSISTANT_RUN_END, {})
        with wave.open(arguments[0]) as file:
            while chunk := file.readframes(512):
                self.client.send_voice_assistant_audio(chunk)
        send(E.VOICE_ASSISTANT_TTS_STREAM_END, {})


async def info(client):
    device = await client.device_info()
    tell("device", name=device.name, friendly=device.friendly_name, mac=device.mac_address, project=device.project_name,
         model=device.model, features=device.voice_assistant_feature_flags, version=str(client.api_version))
    entities, services = await client.list_entities_services()
    for entity in entities:
        tell("entity", kind=type(entity).__name__, id=entity.object_id, name=entity.name, key=entity.key)
    await states(client)
    words = await client.get_voice_assistant_configuration(5)
    tell("words", available=[[w.id, w.wake_word] for w in words.available_wake_words], active=words.active_wake_words,
         limit=words.max_active_wake_words)


async def states(client):
    seen = []
    client.subscribe_states(lambda state: (seen.append(state), tell("state", **state_of(state))))
    for _ in range(100):
        await asyncio.sleep(0.05)
        if len(seen) >= 5:
            break


async def settings(client):
    await client.device_info()
    await states(client)
    tell("changes")
    await client.set_voice_assistant_configuration(["jarvis", "computer", "nobody"])
    client.number_command(4, 0.75)
    client.number_command(3, 40)
    client.switch_command(2, True)
    client.media_player_command(1, volume=0.5)
    await asyncio.sleep(0.5)
    words = await client.get_voice_assistant_configuration(5)
    tell("words", active=words.active_wake_words)


async def assistant(client):
    home = Home(client)
    await client.device_info()
    client.subscribe_voice_assistant(
        handle_start=home.start, handle_stop=home.stop, handle_audio=home.heard, handle_announcement_finished=home.finish)
    await client.get_voice_assistant_configuration(5)
    open(f"{folder}/ready", "w").close()
    if behaviour in ("announce", "unfetched"):
        done = await client.send_voice_assistant_announcement_await_response(
            arguments[0], 20, "hello", preannounce_media_id="", start_conversation=True)
        tell("announced", success=done.success)
        for _ in range(200 if behaviour == "announce" else 0):
            if home.runs:
                break
            await asyncio.sleep(0.1)
        return
    if behaviour == "timer":
        for kind in (VoiceAssistantTimerEventType.VOICE_ASSISTANT_TIMER_STARTED,
                     VoiceAssistantTimerEventType.VOICE_ASSISTANT_TIMER_FINISHED):
            client.send_voice_assistant_timer_event(kind, "t1", "tea", 300, 0, True)
        await asyncio.sleep(1)
        return
    if behaviour == "listens":
        await asyncio.wait_for(home.over.wait(), 60)
        return
    rounds = 2 if behaviour == "continues" else 1
    for _ in range(rounds):
        await asyncio.wait_for(home.finished.wait(), 60)
        home.finished.clear()


async def returns(client):
    await client.device_info()
    old = Home(client)
    client.subscribe_voice_assistant(handle_start=old.start, handle_stop=old.stop, handle_audio=old.heard)
    await client.get_voice_assistant_configuration(5)
    again = new_client()
    await again.connect(login=False)
    new = Home(again)
    again.subscribe_voice_assistant(handle_start=new.start, handle_stop=new.stop, handle_audio=new.heard)
    await again.get_voice_assistant_configuration(5)
    await client.disconnect()
    open(f"{folder}/ready", "w").close()
    for _ in range(600):
        if new.runs:
            break
        await asyncio.sleep(0.1)
    await again.disconnect()


async def media(client):
    await client.device_info()
    await states(client)
    tell("plays")
    client.media_player_command(1, media_url=arguments[0])
    await asyncio.sleep(4)


async def floods(client):
    """Connections that break the protocol, next to one that keeps it: without encryption."""
    await client.device_info()
    hello = b"\x00\x00\x01"
    for name, data in [
        ("flood", hello + b"\x00\x00\x07" * 5000), ("oversized", hello + b"\x00\x80\x80\x04\x5c"),
        ("garbage", b"GET / HTTP/1.1\r\n\r\n"), ("early", b"\x00\x00\x09"), ("broken", hello + b"\x00\x01\x5c\x0a"),
    ]:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(data)
        received = 0
        try:
            while part := await asyncio.wait_for(reader.read(65536), 20):
                received += len(part)
        except ConnectionError:
            pass
        writer.close()
        tell("closed", name=name, received=received)
    device = await client.device_info()
    tell("device", name=device.name)


def new_client():
    return APIClient(host, int(port), None, noise_psk=None if key == "-" else key, client_info="test")


async def main():
    client = new_client()
    try:
        await client.connect(login=False)
    except APIConnectionError as error:
        tell("refused", error=type(error).__name__, text=str(error))
        return
    if behaviour == "refused":
        tell("connected")
    actions = {"info": info, "settings": settings, "media": media, "floods": floods, "returns": returns}
    if behaviour != "refused":
        await actions.get(behaviour, assistant)(client)
    await client.disconnect()
    tell("end")


asyncio.run(main())
