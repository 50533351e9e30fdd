"""A client of the REST and WebSocket interfaces of a running Home Assistant."""

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .fault import UNAVAILABLE, Fault

try:
    import aiohttp
except ImportError as error:
    sys.exit(f"{Path(sys.argv[0]).name}: {error.name} is not installed; install Debian's python3-aiohttp")

PATIENCE = 180
"""Seconds for a restart."""


class HomeAssistant:
    """One connection, as an asynchronous context manager. `key` is the access token of an administrator."""

    def __init__(self, url: str, key: str):
        self._url, self._key = url.rstrip("/"), key
        self._number = 0
        self._results: dict[int, asyncio.Future] = {}
        self._listeners: dict[int, Callable[[dict[str, Any]], None]] = {}

    async def __aenter__(self) -> "HomeAssistant":
        self._session = aiohttp.ClientSession(headers={"Authorization": f"Bearer {self._key}"})
        try:
            await self._connect()
        except (aiohttp.ClientError, OSError) as error:
            await self._session.close()
            raise Fault(UNAVAILABLE, f"{self._url}: {error}") from None
        return self

    async def __aexit__(self, *_: object) -> None:
        self._reader.cancel()
        await self._session.close()

    async def _connect(self) -> None:
        self._socket = await self._session.ws_connect(self._url + "/api/websocket", max_msg_size=0)
        await self._socket.receive_json()
        await self._socket.send_json({"type": "auth", "access_token": self._key})
        answer = await self._socket.receive_json()
        if answer["type"] != "auth_ok":
            raise Fault(UNAVAILABLE, f"{self._url}: the access token is not accepted")
        self.version = answer["ha_version"]
        self._reader = asyncio.create_task(self._read(self._socket))

    async def _read(self, socket: Any) -> None:
        async for message in socket:
            if message.type != aiohttp.WSMsgType.TEXT:
                continue
            events = message.json()
            for event in events if isinstance(events, list) else [events]:
                if event["type"] == "event" and event["id"] in self._listeners:
                    self._listeners[event["id"]](event["event"])
                elif event["type"] == "result" and event["id"] in self._results:
                    self._results.pop(event["id"]).set_result(event)
        for result in self._results.values():
            result.set_exception(Fault(UNAVAILABLE, f"{self._url} has closed the connection"))
        self._results.clear()

    async def command(self, kind: str, on: Callable[[dict[str, Any]], None] | None = None, **fields: Any) -> Any:
        """Sends a command and returns its result; events that follow it are passed to `on`."""
        self._number += 1
        number = self._number
        if on:
            self._listeners[number] = on
        self._results[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "type": kind, **fields})
        try:
            answer = await asyncio.wait_for(self._results[number], 60)
        except TimeoutError:
            raise Fault(UNAVAILABLE, f"Home Assistant does not answer {kind}") from None
        if not answer["success"]:
            raise Fault(UNAVAILABLE, f"Home Assistant refuses {kind}: {answer['error']['message']}")
        return answer["result"]

    async def send(self, data: bytes) -> None:
        await self._socket.send_bytes(data)

    async def act(self, action: str, entity: str | list[str] | None = None, **data: Any) -> None:
        """Calls an action of Home Assistant and waits for its end."""
        domain, service = action.split(".")
        target = {"target": {"entity_id": entity}} if entity else {}
        await self.command("call_service", domain=domain, service=service, service_data=data, **target)

    async def _request(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        async with self._session.request(method, self._url + path, json=body) as answer:
            if answer.status >= 400:
                raise Fault(UNAVAILABLE, f"Home Assistant refuses {path}: {(await answer.text())[:300]}")
            return await answer.json()

    async def add(self, integration: str, *forms: dict[str, Any]) -> str:
        """Takes the steps of an integration's form; returns the identifier of the entry that it adds."""
        flows = "/api/config/config_entries/flow"
        step = await self._request("POST", flows, {"handler": integration})
        for form in forms:
            step = await self._request("POST", f"{flows}/{step['flow_id']}", form)
        if step["type"] != "create_entry":
            raise Fault(UNAVAILABLE, f"Home Assistant does not add {integration}: {step.get('errors') or step.get('reason')}")
        return step["result"]["entry_id"]

    async def remove(self, entry: str) -> None:
        await self._request("DELETE", f"/api/config/config_entries/entry/{entry}")

    async def entries(self) -> list[dict[str, Any]]:
        return await self.command("config_entries/get")

    async def entities(self, entry: str | None = None) -> list[dict[str, Any]]:
        """Returns the registered entities, of one entry if given."""
        found = await self.command("config/entity_registry/list")
        return [entity for entity in found if entry is None or entity["config_entry_id"] == entry]

    async def entity(self, entry: str, domain: str) -> str:
        """Returns the entity of an entry in a domain, which may take a moment to appear."""
        for _ in range(100):
            for entity in await self.entities(entry):
                if entity["entity_id"].startswith(f"{domain}."):
                    return entity["entity_id"]
            await asyncio.sleep(0.1)
        raise Fault(UNAVAILABLE, f"Home Assistant has no entity {domain} of what was added")

    async def _until_running(self) -> None:
        while (await self.command("get_config"))["state"] != "RUNNING":
            await asyncio.sleep(1)

    async def restart(self) -> None:
        """Restarts it; what runs it must start it again when it ends with code 100."""
        await self._until_running()
        with contextlib.suppress(Fault):  # The connection closes before the answer.
            await self.act("homeassistant.restart")
        end = time.monotonic() + PATIENCE
        await asyncio.wait([self._reader], timeout=PATIENCE)
        while time.monotonic() < end:
            try:
                await self._connect()
                return await self._until_running()
            except (aiohttp.ClientError, OSError, Fault):
                await asyncio.sleep(1)
        raise Fault(UNAVAILABLE, "Home Assistant has not restarted; run it so that its end starts it again")
