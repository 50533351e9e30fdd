"""Reads intents from a broker with PyPI's rhasspy-hermes: log file, port."""
import json
import sys

import paho.mqtt.client as mqtt
from rhasspyhermes.nlu import NluIntent

log = open(sys.argv[1], "a", buffering=1)


def subscribed(*arguments):
    print("ready", flush=True)


def heard(client, context, message):
    line = {"topic": message.topic, "payload": json.loads(message.payload)}
    if NluIntent.is_topic(message.topic):
        intent = NluIntent.from_dict(line["payload"])
        line["intent"] = intent.intent.intent_name
        line["slots"] = {slot.slot_name: [slot.value["value"], slot.start, slot.end] for slot in intent.slots}
    log.write(json.dumps(line) + "\n")


client = mqtt.Client()
client.on_subscribe = subscribed
client.on_message = heard
client.connect("127.0.0.1", int(sys.argv[2]))
client.subscribe("#", qos=1)
client.loop_forever()
