"""A WebSocket server: log file, how it behaves, certificate (for wss)."""
import asyncio
import json
import ssl
import sys

import websockets

log = open(sys.argv[1], "a", buffering=1)
behaviour = sys.argv[2]


async def serve(socket):
    if behaviour == "talk":
        await socket.send("hello")
        await socket.send(["frag", "ment", "ed"])
        await (await socket.ping(b"are you there"))
        await socket.send(b"\x00\x01\x02")
        async for message in socket:
            log.write(json.dumps(message if isinstance(message, str) else list(message[:4]) + [len(message)]) + "\n")
            await socket.send(message)
            if message == "bye":
                return
    elif behaviour == "large":
        await socket.send("x" * 3_000_000)
        await socket.wait_closed()
    elif behaviour == "vanishes":
        await socket.send("hello")
        socket.transport.abort()
    elif behaviour == "silent":
        await asyncio.sleep(60)


async def garbage(reader, writer):
    request = await reader.readuntil(b"\r\n\r\n")
    if behaviour == "no-http":
        writer.write(b"\x00\xff garbage " * 5000)
    elif behaviour == "refuses":
        writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
    elif behaviour == "wrong-accept":
        writer.write(
            b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n")
    elif behaviour == "endless":
        try:
            while True:
                writer.write(b"X-Header: endless\r\n" * 100)
                await writer.drain()
        except OSError:
            pass
    await writer.drain()
    await asyncio.sleep(0.2)
    writer.close()


async def main():
    if behaviour in ("no-http", "refuses", "wrong-accept", "endless"):
        server = await asyncio.start_server(garbage, "127.0.0.1", 0)
    else:
        context = None
        if len(sys.argv) > 3:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[3])
        server = await websockets.serve(serve, "127.0.0.1", 0, ssl=context)
    print(list(server.sockets)[0].getsockname()[1], flush=True)
    await asyncio.sleep(3600)


asyncio.run(main())
