"""A client of a real Home Assistant: its address, a file with an access token, and a JSON list of steps on standard input.

["get", PATH], ["post", PATH, BODY] and ["delete", PATH] use the REST interface, ["command", COMMAND] the WebSocket interface. Prints
what each step returns as a line of JSON; ends with the code 1 at the first that fails.
"""
import json
import sys
import urllib.error
import urllib.request

from websockets.sync.client import connect

address, key = sys.argv[1], open(sys.argv[2]).read().strip()
socket = None
number = 0


def request(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address + path, data, headers, method=method), timeout=60) as answer:
        return json.loads(answer.read() or b"null")


def command(body):
    global socket, number
    if socket is None:
        socket = connect("ws" + address.removeprefix("http") + "/api/websocket", max_size=None)
        socket.recv()
        socket.send(json.dumps({"type": "auth", "access_token": key}))
        socket.recv()
    number += 1
    socket.send(json.dumps({"id": number, **body}))
    while True:
        answer = json.loads(socket.recv(timeout=60))
        if answer["id"] == number and answer["type"] == "result":
            if not answer["success"]:
                sys.exit(f"{body['type']}: {answer['error']}")
            return answer["result"]


for step in json.load(sys.stdin):
    try:
        result = command(step[1]) if step[0] == "command" else request(step[0].upper(), *step[1:])
    except urllib.error.HTTPError as error:
        sys.exit(f"{step}: {error.code} {error.read().decode()[:500]}")
    print(json.dumps(result), flush=True)
