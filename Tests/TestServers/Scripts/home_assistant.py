"""The WebSocket interface of a Home Assistant with a small house: log file, how it behaves. Its key is "good"."""
import asyncio
import json
import sys

import websockets

log = open(sys.argv[1], "a", buffering=1)
behaviour = sys.argv[2]
NAMES = {
    "light.ceiling": ("Ceiling Light", ["the big light", None]),
    "light.bedroom_lamp": ("Hue 7", ["Bedroom Lamp"]),
    "cover.curtain": ("Curtain (left)", []),
    "lock.door": ("Front Door", []),
    "sensor.secret": ("Secret", []),
}
RESULTS = {
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


async def serve(socket):
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
        else:
            answer["result"] = RESULTS[command["type"]]
        await socket.send(json.dumps({"id": command["id"], "type": "event", "event": {}}))
        await socket.send(json.dumps(answer))


async def main():
    server = await websockets.serve(serve, "127.0.0.1", 0)
    print(list(server.sockets)[0].getsockname()[1], flush=True)
    await asyncio.sleep(3600)


asyncio.run(main())
