"""Serves one file by HTTP, whatever the path, in chunks and without its length, as Home Assistant serves audio that it converts.

Arguments: a log file, which gets the paths as JSON lines, and the file. Prints the port."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

log, path = sys.argv[1:3]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with open(log, "a") as file:
            file.write(json.dumps({"path": self.path}) + "\n")
        with open(path, "rb") as file:
            content = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "audio/wav")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(content), 4096):
            part = content[start:start + 4096]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
