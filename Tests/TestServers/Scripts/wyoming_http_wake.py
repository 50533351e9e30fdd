"""The PyPI package's HTTP server in front of a wake server: URI, then WAVs to post; prints what each is answered."""
import json
import socket
import subprocess
import sys
import time
import urllib.request

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
words = [sys.executable, "-W", "ignore", "-m", "wyoming.http.wake_server", "--uri", sys.argv[1]]
server = subprocess.Popen(
    words + ["--host", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            if time.monotonic() > deadline:
                raise
            # The package does not report when it listens.
            time.sleep(0.1)
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            body = file.read()
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/detect-wake-word", body, {"Content-Type": "audio/wav"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            print(json.dumps(json.load(answer)), flush=True)
finally:
    server.terminate()
