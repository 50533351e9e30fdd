"""Homes of Home Assistant that exist as lists of names only, and their intent files."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from .fault import INPUT_OUTPUT, Fault

try:
    import websockets
except ImportError as error:
    sys.exit(f"{Path(sys.argv[0]).name}: {error.name} is not installed; install Debian's python3-websockets")

KINDS = ("floors", "areas", "entities")


def names(thing: dict[str, Any]) -> list[str]:
    """Returns the names of a thing, the first of which is its own."""
    return thing["name"] if isinstance(thing["name"], list) else [thing["name"]]


def _results(home: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """The answers of Home Assistant to the commands that ask for names."""

    def places(kind: str) -> list[dict[str, Any]]:
        return [{"name": names(place)[0], "aliases": place.get("aliases", [])} for place in home.get(kind, [])]

    entities = home["entities"]
    for index, entity in enumerate(entities):
        entity.setdefault("id", f"{entity.get('domain', 'light')}.entity_{index}")
    return {
        "get_config": {"state": "RUNNING"},
        "config/floor_registry/list": places("floors"),
        "config/area_registry/list": places("areas"),
        "get_states": [{"entity_id": e["id"], "attributes": {"friendly_name": names(e)[0]}} for e in entities],
        "homeassistant/expose_entity/list": {"exposed_entities": {e["id"]: {"conversation": True} for e in entities}},
        "config/entity_registry/get_entries": {
            e["id"]: {"aliases": [None, *names(e)[1:], *e.get("aliases", [])]} for e in entities
        },
    }


def intents(home: dict[str, Any], hotword: Path, folder: Path, options: list[str | Path]) -> Path:
    """Writes the intent file of a home with `hotword intents homeassistant`; this process pretends to be the Home Assistant."""
    return asyncio.run(_intents(home, hotword, folder, options))


async def _intents(home: dict[str, Any], hotword: Path, folder: Path, options: list[str | Path]) -> Path:
    answers = _results(home)

    async def serve(socket: Any, _: str = "") -> None:
        await socket.send(json.dumps({"type": "auth_required"}))
        await socket.recv()
        await socket.send(json.dumps({"type": "auth_ok"}))
        async for text in socket:
            command = json.loads(text)
            result = answers.get(command["type"], [])
            await socket.send(json.dumps({"id": command["id"], "type": "result", "success": True, "result": result}))

    key, file = folder / "key", folder / "home.yaml"
    key.write_text("key\n")
    async with websockets.serve(serve, "127.0.0.1", 0) as server:
        port = list(server.sockets)[0].getsockname()[1]
        words = ["intents", "homeassistant", "--url", f"http://127.0.0.1:{port}", "--key", key, "--output", file]
        process = await asyncio.create_subprocess_exec(
            hotword, *map(str, words + options), stderr=asyncio.subprocess.PIPE
        )
        errors = (await process.communicate())[1].decode()
    if process.returncode:
        raise Fault(INPUT_OUTPUT, errors.strip())
    return file
