"""Servers of the Wyoming protocol that Home Assistant needs beside `hotword serve`: a silent satellite, and a recognizer of no time."""

import asyncio
from typing import Any

from .wyoming import encoded, received

ORIGIN = {"attribution": {"name": "hotword", "url": "http://localhost"}, "installed": True, "version": "1", "description": "benchmark"}


class _WyomingServer:
    """Listens on a free port of this machine, as an asynchronous context manager."""

    async def __aenter__(self) -> Any:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while event := await received(reader):
                if event[0] == "describe":
                    writer.write(encoded("info", self.info()))
                else:
                    self.handle(*event, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def info(self) -> dict[str, Any]:
        raise NotImplementedError

    def handle(self, kind: str, data: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError


class Satellite(_WyomingServer):
    """A satellite that never speaks. Its device has an area and receives what happens to timers."""

    def __init__(self, name: str):
        self.name = name
        self.timers: list[tuple[str, Any]] = []
        """What happened to timers, and the number that came with it."""

    def info(self) -> dict[str, Any]:
        return {"satellite": {"name": self.name, **ORIGIN}}

    def handle(self, kind: str, data: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if kind == "ping":
            writer.write(encoded("pong", data))
        elif kind == "timer-started":
            self.timers.append((kind, data["total_seconds"]))
        elif kind == "timer-updated":
            self.timers.append((kind, data["is_active"]))
        elif kind.startswith("timer-"):
            self.timers.append((kind, None))


class Typist(_WyomingServer):
    """A recognizer that needs no time: it answers with `text` when Home Assistant has found the end of the speech."""

    def __init__(self) -> None:
        self.text = ""

    def info(self) -> dict[str, Any]:
        model = {"name": "typist", "languages": ["en"], **ORIGIN}
        return {"asr": [{"name": "hotword benchmark", "models": [model], **ORIGIN}]}

    def handle(self, kind: str, data: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if kind == "audio-stop":
            writer.write(encoded("transcript", {"text": self.text}))
