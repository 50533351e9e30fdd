"""An HTTP server that answers from a list: log file, answers file, certificate (for HTTPS)."""
import json
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

log = open(sys.argv[1], "a", buffering=1)
answers = json.load(open(sys.argv[2]))
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode("latin-1")
        headers = {name.lower(): value for name, value in self.headers.items()}
        with lock:
            log.write(json.dumps({"method": self.command, "path": self.path, "headers": headers, "body": body}) + "\n")
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        time.sleep(answer["delay"])
        try:
            if answer["raw"] is not None:
                self.wfile.write(answer["raw"].encode("latin-1"))
                self.close_connection = True
                return
            body = answer["body"].encode()
            self.send_response(int(answer["status"]))
            self.send_header("Content-Type", answer["type"])
            self.send_header("Content-Length", str(len(body) * int(answer["times"])))
            if answer["location"]:
                self.send_header("Location", answer["location"])
            self.end_headers()
            for _ in range(int(answer["times"])):
                self.wfile.write(body)
        except OSError:
            self.close_connection = True

    do_GET = do_POST = answer


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
