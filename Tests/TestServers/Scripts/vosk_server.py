"""The loop of Vosk's own WebSocket server around a pretended recognizer: log file, how it behaves."""
import asyncio
import json
import sys

import websockets

log = open(sys.argv[1], "a", buffering=1)
behaviour = sys.argv[2]
FLOODS = {"floods-pings": b"\x89\x00", "floods-texts": b'\x81\x0f{"partial":"x"}'}
WORDS = [{"word": "turn", "start": 0.1, "end": 0.3, "conf": 1.0}, {"word": "on", "start": 0.3, "end": 0.5, "conf": 0.5}]


class Recognizer:
    def __init__(self, rate, alternatives):
        self.rate, self.alternatives, self.audio = rate, alternatives, b""

    def final(self):
        log.write(json.dumps({"rate": self.rate, "bytes": len(self.audio), "audio": list(self.audio[:4])}) + "\n")
        if behaviour == "hears-nothing":
            return json.dumps({"text": ""})
        if self.alternatives:
            readings = [("turn on", 250.0), ("turn on", 249.9), ("turn in", 249.3), ("", 240.0)]
            return json.dumps({"alternatives": [{"text": t, "confidence": c} for t, c in readings]})
        return json.dumps({"text": "turn on", "result": WORDS})

    def process(self, message):
        if message == '{"eof" : 1}':
            return self.final(), True
        self.audio += message
        if behaviour == "two-sentences" and len(self.audio) == 6400:
            return json.dumps({"text": "hello there", "result": []}), False
        return json.dumps({"partial": "turn" if len(self.audio) < 12800 else "turn on"}), False


async def recognize(socket):
    rate, alternatives, recognizer, count = 8000, 0, None, 0
    while True:
        message = await socket.recv()
        if isinstance(message, str) and "config" in message:
            config = json.loads(message)["config"]
            rate, alternatives = config.get("sample_rate", rate), config.get("max_alternatives", 0)
            continue
        count += 1
        if behaviour == "silent":
            await asyncio.sleep(60)
        while behaviour in FLOODS:
            socket.transport.write(FLOODS[behaviour] * 5000)
            await socket.drain() if hasattr(socket, "drain") else await asyncio.sleep(0.001)
        if behaviour == "dies" and count == 3:
            return
        if behaviour == "garbage":
            await socket.send('{"text": 5, "partial": [] \x00')
            continue
        recognizer = recognizer or Recognizer(rate, alternatives)
        answer, is_over = recognizer.process(message)
        if behaviour == "closes" and is_over:
            return
        await socket.send(answer)
        if is_over:
            return


async def main():
    server = await websockets.serve(recognize, "127.0.0.1", 0)
    print(list(server.sockets)[0].getsockname()[1], flush=True)
    await asyncio.sleep(3600)


asyncio.run(main())
