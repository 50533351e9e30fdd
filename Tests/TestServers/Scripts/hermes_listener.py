"""Reads what comes over a broker with PyPI's rhasspy-hermes: log file, port.

The broker keeps for it what comes while it is away.
"""
import json
import sys

import paho.mqtt.client as mqtt
from rhasspyhermes import asr, dialogue, nlu, wake

KINDS = [
    wake.HotwordDetected, wake.Hotwords, wake.HotwordError, asr.AsrTextCaptured, asr.AsrError, nlu.NluIntent,
    nlu.NluIntentNotRecognized, dialogue.DialogueSessionStarted, dialogue.DialogueSessionQueued,
    dialogue.DialogueSessionEnded, dialogue.DialogueError,
]
log = open(sys.argv[1], "a", buffering=1)


def connected(client, *arguments):
    client.subscribe("#", qos=1)


def subscribed(*arguments):
    print("ready", flush=True)


def heard(client, context, message):
    if message.topic.endswith("/audioFrame"):
        return
    text = message.payload.decode()
    line = {"topic": message.topic, "payload": json.loads(text) if text.startswith("{") else text}
    for kind in KINDS:
        if kind.is_topic(message.topic):
            read = kind.from_dict(line["payload"])
            line["kind"] = kind.__name__
            if kind is nlu.NluIntent:
                line["intent"] = read.intent.intent_name
                line["slots"] = {slot.slot_name: [slot.value["value"], slot.start, slot.end] for slot in read.slots}
    log.write(json.dumps(line) + "\n")


client = mqtt.Client("listener", clean_session=False)
client.on_connect = connected
client.on_subscribe = subscribed
client.on_message = heard
client.reconnect_delay_set(1, 1)
client.connect("127.0.0.1", int(sys.argv[2]))
client.loop_forever()
