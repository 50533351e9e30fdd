"""The WebSocket interface of a Home Assistant with a small house, whose key is "good".

Arguments: log file, how it behaves ("answers", "refuses" all commands, "starting" until the first change), its port (0 for any), and
a file of new names of entities, which is read again when it changes.
"""
import asyncio
import json
import sys

import websockets

log = open(sys.argv[1], "a", buffering=1)
behaviour, port, changes = (sys.argv[2:] + ["0", ""][len(sys.argv) - 3 :])
NAMES = {
    "light.ceiling": ("Ceiling Light", ["the big light", None]),
    "light.bedroom_lamp": ("Hue 7", ["Bedroom Lamp"]),
    "cover.curtain": ("Curtain (left)", []),
    "lock.door": ("Front Door", []),
    "sensor.secret": ("Secret", []),
}
RESULTS = {
    "get_config": {"state": "RUNNING"},
    "config/floor_registry/list": [],
    "config/area_registry/list": [
        {"area_id": "kitchen", "name": "Kitchen ", "aliases": ["cookery"]},
        {"area_id": "bedroom", "name": "Bedroom", "aliases": []},
    ],
    "get_states": [{"entity_id": id, "attributes": {"friendly_name": name}} for id, (name, _) in NAMES.items()],
    "config/device_registry/list": [{"id": "box", "area_id": "bedroom"}, {"id": "tv", "area_id": "kitchen"}],
    "config/entity_registry/list": [
        {"entity_id": "assist_satellite.box", "device_id": "box", "area_id": None},
        {"entity_id": "assist_satellite.lost", "device_id": "lost", "area_id": None},
        {"entity_id": "media_player.tv", "device_id": "tv", "area_id": None},
    ],
    "homeassistant/expose_entity/list": {
        "exposed_entities": {id: {"conversation": id != "sensor.secret"} for id in [*NAMES, "light.gone"]}
    },
}


subscribers = {}


def read_changes():
    """Takes over the new names; whether there were any."""
    try:
        new = json.load(open(changes))
    except OSError:
        return False
    states = {state["entity_id"]: state["attributes"] for state in RESULTS["get_states"]}
    different = [id for id, name in new.items() if states[id]["friendly_name"] != name]
    for id in different:
        states[id]["friendly_name"] = new[id]
    return bool(different)


async def tell_changes():
    while True:
        await asyncio.sleep(0.05)
        if not read_changes():
            continue
        RESULTS["get_config"]["state"] = "RUNNING"
        for socket, identifiers in subscribers.items():
            for kind, number in identifiers.items():
                if kind in ("entity_registry_updated", "homeassistant_started"):
                    event = {"event_type": kind, "data": {}}
                    await socket.send(json.dumps({"id": number, "type": "event", "event": event}))


async def answer_commands(socket):
    await socket.send(json.dumps({"type": "auth_required"}))
    key = json.loads(await socket.recv())["access_token"]
    await socket.send(json.dumps({"type": "auth_ok" if key == "good" else "auth_invalid"}))
    async for text in socket:
        command = json.loads(text)
        log.write(text + "\n")
        answer = {"id": command["id"], "type": "result", "success": True}
        if behaviour == "refuses":
            answer |= {"success": False, "error": {"code": "unauthorized", "message": "Unauthorized"}}
        elif command["type"] == "config/entity_registry/get_entries":
            answer["result"] = {id: {"aliases": NAMES[id][1]} for id in command["entity_ids"] if id in NAMES}
        elif command["type"] == "subscribe_events":
            subscribers.setdefault(socket, {})[command["event_type"]] = command["id"]
        elif command["type"] == "ping":
            answer = {"id": command["id"], "type": "pong"}
        else:
            answer["result"] = RESULTS[command["type"]]
        await socket.send(json.dumps({"id": command["id"], "type": "event", "event": {}}))
        await socket.send(json.dumps(answer))


async def serve(socket):
    try:
        await answer_commands(socket)
    except websockets.ConnectionClosed:
        pass  # A client that was killed.
    subscribers.pop(socket, None)


async def main():
    if behaviour == "starting":
        RESULTS["get_config"]["state"] = "STARTING"
    read_changes()
    server = await websockets.serve(serve, "127.0.0.1", int(port))
    print(list(server.sockets)[0].getsockname()[1], flush=True)
    await tell_changes()


asyncio.run(main())
