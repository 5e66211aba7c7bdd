"""A server of the dialect whose parts have `type` and no `kind`: one JSON-RPC endpoint, no agent card.

Prints one line of JSON: `url`, and `deafUrl`, an address that accepts no connection. Ends when its input ends.
"""

import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice

import codes
from behaviours import Agent, Disconnect, HttpReply
from codes import RpcError
from results import stream_events, task


def error_response(request_id, error):
    return {"jsonrpc": "2.0", "id": request_id, "error": error.to_json()}


def text_of(params):
    """The text of the message, or an error for a message that the server cannot read."""
    message = params.get("message") if isinstance(params, dict) else None
    if not isinstance(message, dict) or "parts" not in message:
        raise RpcError(codes.INVALID_PARAMS, "The message has no parts")
    parts = message["parts"]
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) and "type" in part for part in parts):
        raise RpcError(codes.INVALID_PARAMS, "Each part needs a type")
    if message.get("role") not in ("user", "agent"):
        raise RpcError(codes.INVALID_PARAMS, "The role is neither user nor agent")
    return "\n".join(part.get("text", "") for part in parts if part["type"] == "text"), message


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body leave in one write.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path != "/calls":
            self.reply(404, "text/plain", "Not found")
            return
        self.reply(200, "application/json", self.server.agent.report())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            request = json.loads(body)
        except ValueError:
            self.respond(error_response(None, RpcError(codes.PARSE_ERROR, "The body is not JSON")))
            return
        request_id = request.get("id") if isinstance(request, dict) else None
        try:
            self.route(request, request_id)
        except RpcError as error:
            self.respond(error_response(request_id, error))
        except HttpReply as other:
            self.reply(other.status, other.content_type, other.body, other.headers)
        except Disconnect as end:
            self.disconnect(end)
        except BrokenPipeError:
            self.close_connection = True
        except TimeoutError:
            slow = RpcError(codes.TASK_TIMEOUT, "The task took too long", {"retryable": True, "retryAfter": 10})
            self.respond(error_response(request_id, slow))
        except Exception as error:
            fault = RpcError(codes.INTERNAL_ERROR, "The agent failed", {"detail": str(error), "retryable": False})
            self.respond(error_response(request_id, fault))

    def route(self, request, request_id):
        if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or not request.get("method") or request_id is None:
            raise RpcError(codes.INVALID_REQUEST, "The body is not a JSON-RPC request")
        method, params = request["method"], request.get("params", {})
        agent = self.server.agent
        if method == "message/send":
            self.respond({"jsonrpc": "2.0", "id": request_id, "result": agent.answer(*text_of(params))})
        elif method == "message/stream":
            self.stream(request_id, *text_of(params))
        elif method == "tasks/get":
            self.respond({"jsonrpc": "2.0", "id": request_id, "result": agent.find(params.get("id"))})
        else:
            raise RpcError(codes.METHOD_NOT_FOUND, f"The method {method} is unknown")

    def stream(self, request_id, text, received):
        """Sends the events of a stream. `late NAME` sends the first two and then the error of that name."""
        agent = self.server.agent
        late = text.startswith("late ")
        result = agent.tasks.keep(task("working")) if late else agent.answer(text, received)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in islice(stream_events(result), 2 if late else None):
            self.send_event({"jsonrpc": "2.0", "id": request_id, "result": event})
        if late:
            try:
                agent.answer(text.removeprefix("late "), received)
            except RpcError as error:
                agent.tasks.keep({**result, "status": {"state": "failed"}})
                self.send_event(error_response(request_id, error))
        self.wfile.write(b"0\r\n\r\n")

    def send_event(self, response):
        event = f"data: {json.dumps(response)}\n\n".encode("utf-8")
        self.wfile.write(f"{len(event):x}\r\n".encode("ascii") + event + b"\r\n")
        self.wfile.flush()

    def disconnect(self, end):
        self.close_connection = True
        if end.pieces is None:
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        try:
            for piece in end.pieces:
                self.wfile.write(piece)
                self.wfile.flush()
                time.sleep(end.pause)
        except OSError:
            pass  # The client has given up.

    def respond(self, response):
        """JSON-RPC responses, also errors, have the status 200."""
        self.reply(200, "application/json", json.dumps(response))

    def reply(self, status, content_type, text, headers=None):
        body = text.encode("utf-8")
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # A client that disconnects is part of the tests.


def deaf_address():
    """The address of a socket whose queue is full: further connections get no answer. Also returns the sockets, to keep them open."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(0)
    held = [listening]
    for _ in range(16):
        waiting = socket.socket()
        waiting.settimeout(0.05)
        held.append(waiting)
        try:
            waiting.connect(listening.getsockname())
        except TimeoutError:
            break
    return f"http://127.0.0.1:{listening.getsockname()[1]}/", held


def main():
    server = Server(("127.0.0.1", 0), Handler)
    server.agent = Agent(sys.argv[1] if len(sys.argv) > 1 else "plain agent")
    deaf, held = deaf_address()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}/", "deafUrl": deaf}), flush=True)
    sys.stdin.read()
    for each in held:
        each.close()


if __name__ == "__main__":
    main()
