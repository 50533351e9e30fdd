"""A TCP server that is out of order: log file, how. Prints its port.

silent: accepts connections and answers nothing. resets: resets each connection once something has come. slow: answers a byte each
0.2 s. floods: answers without end. garbage: answers random bytes and closes.
"""
import os
import socket
import struct
import sys
import threading
import time

behaviour = sys.argv[2]


def serve(client):
    try:
        client.recv(65536)
        if behaviour == "silent":
            time.sleep(60)
        elif behaviour == "resets":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif behaviour == "slow":
            for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n" + b" " * 100:
                client.send(bytes([byte]))
                time.sleep(0.2)
        elif behaviour == "floods":
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
            while True:
                client.sendall(head + b'{"reply":' * 5000)
        elif behaviour == "garbage":
            client.sendall(os.urandom(5000))
    except OSError:
        pass
    client.close()


server = socket.create_server(("127.0.0.1", 0), backlog=64)
print(server.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
