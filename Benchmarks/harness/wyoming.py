"""The Wyoming protocol, and `hotword serve` as its server."""

import glob
import json
import os
import re
import subprocess
import tempfile
import time

from .fault import UNAVAILABLE, Fault


def encoded(kind, data=None, payload=b""):
    """Returns an event of the Wyoming protocol."""
    block = json.dumps(data).encode() if data else b""
    header = {"type": kind, "version": "1.10.2"}
    if block:
        header["data_length"] = len(block)
    if payload:
        header["payload_length"] = len(payload)
    return json.dumps(header).encode() + b"\n" + block + payload


async def received(reader):
    """Returns the type and the data of the next event; None once the server has closed."""
    line = await reader.readline()
    if not line:
        return None
    header = json.loads(line)
    block = await reader.readexactly(header.get("data_length") or 0)
    await reader.readexactly(header.get("payload_length") or 0)
    return header["type"], json.loads(block) if block else {}


class Server:
    """`hotword serve` with some options, on a free port and on the given processors."""

    def __init__(self, hotword, options, cores=None):
        self.log = tempfile.TemporaryFile("w+")
        words = [hotword, "serve", "--uri", "tcp://127.0.0.1:0", *options]
        self.process = subprocess.Popen(
            words, stderr=self.log, preexec_fn=lambda: os.sched_setaffinity(0, cores) if cores else None)
        for _ in range(100):
            self.log.seek(0)
            text = self.log.read()
            if found := re.search(r"tcp://[^:]*:(\d+)", text):
                self.port = int(found[1])
                return
            time.sleep(0.1)
        raise Fault(UNAVAILABLE, f"hotword serve did not start: {text.strip()}")

    def end(self):
        self.process.terminate()
        self.process.wait()

    def cpu(self):
        """Returns the seconds of processor time of all threads."""
        total = 0
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            with open(path) as file:
                total += int(file.read().split()[0])
        return total * 1e-9

    def memory(self):
        """Returns the resident memory in megabytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024
