"""What the server does, by the words of the message. Everything after `#` only makes a text unique, so that its calls can be counted."""

import json
import threading
import time

import codes
from calls import Retry
from codes import RpcError
from coordinator import delegate
from results import Tasks, complete_task, message, task

MAX_TEXT = 1024 * 1024
DELEGATE_RETRY = Retry(max_retries=1, base_delay=0.05, max_delay=0.5)


class HttpReply(Exception):
    """A reply of a server or proxy that is no JSON-RPC response."""

    def __init__(self, status, content_type, body, headers=None):
        super().__init__(status)
        self.status = status
        self.content_type = content_type
        self.body = body
        self.headers = headers or {}


class Disconnect(Exception):
    """Ends the connection: after the headers and these bytes, each followed by a pause, or without any reply."""

    def __init__(self, pieces=None, pause=0.0):
        super().__init__("disconnect")
        self.pieces = pieces
        self.pause = pause


REFUSALS = {
    "auth": (codes.AUTH_REQUIRED, "Sign in first", {"retryable": False}),
    "no task": (codes.TASK_NOT_FOUND, "There is no such task", {"retryable": False}),
    "scope": (codes.INSUFFICIENT_SCOPE, "The token lacks a scope", {"retryable": False}),
    "too large": (codes.CONTENT_TOO_LARGE, "The message is too large", {"retryable": False}),
    "no skill": (codes.SKILL_NOT_FOUND, "There is no such skill", {"retryable": False}),
    # Limited in number: `busy 2 0.1` refuses twice and asks for a delay of 0.1 s.
    "busy": (codes.RATE_LIMITED, "Too many requests", {"retryable": True}),
    "unavailable": (codes.AGENT_UNAVAILABLE, "The agent is down", {"retryable": True}),
    "timeout": (codes.TASK_TIMEOUT, "The task took too long", {"retryable": True}),
    "broken": (codes.INTERNAL_ERROR, "The model failed", {"retryable": True, "detail": "status 503 of the model"}),
}


class Agent:
    """The behaviours of one server, with the number and the times of the calls per text."""

    def __init__(self, name):
        self.name = name
        self.tasks = Tasks()
        self.calls = {}
        self.lock = threading.Lock()

    def count(self, text, received):
        """Notes a call. Returns how many calls with this text came before it."""
        with self.lock:
            known = self.calls.setdefault(text, {"at": [], "message": received})
            known["at"].append(round(time.monotonic(), 4))
            known["message"] = received
            return len(known["at"]) - 1

    def answer(self, text, received):
        """The result for a message; raises the error that the text asks for."""
        before = self.count(text, received)
        if len(text) > MAX_TEXT:
            raise RpcError(codes.CONTENT_TOO_LARGE, "The message is too large", {"retryable": False, "limit": MAX_TEXT})
        words = text.split("#")[0].strip()
        self.refuse(words, before)
        self.fail_below_json_rpc(words, before)
        verb, _, rest = words.partition(" ")
        if verb == "delegate":
            url, _, inner = rest.partition(" ")
            return delegate(url, inner, self.name, DELEGATE_RETRY)
        if verb == "crash":
            raise ValueError("the tool crashed")
        if verb == "hang":
            time.sleep(number(rest, 30.0))
        return self.result(verb, rest)

    def refuse(self, words, before):
        for name, (code, text, data) in REFUSALS.items():
            if words != name and not words.startswith(f"{name} "):
                continue
            times, hint = numbers(words[len(name) :], float("inf"), None)
            if before < times:
                raise RpcError(code, text, data if hint is None else {**data, "retryAfter": hint})
        if words.startswith("bare "):
            raise RpcError(int(words[5:]), "An error without data")

    def fail_below_json_rpc(self, words, before):
        verb, _, rest = words.partition(" ")
        times, hint = numbers(rest, float("inf"), 0.1) if verb.isdigit() else (0, 0)
        if verb == "429" and before < times:
            raise HttpReply(429, "text/plain", "Too many requests", {"Retry-After": f"{hint:g}"})
        if verb.isdigit() and verb != "429" and before < times:
            raise HttpReply(int(verb), "text/html", f"<html><h1>{verb}</h1></html>")
        if verb == "html":
            raise HttpReply(int(rest), "text/html", f"<html><h1>{rest}</h1></html>")
        if verb == "garbage":
            raise HttpReply(200, "application/json", "{ this is not JSON")
        if verb == "drop":
            raise Disconnect()
        if verb == "stall":
            raise Disconnect([b'{"jsonrpc": "2.0",'], 30.0)
        if verb == "trickle":
            # JSON may contain any number of spaces between two tokens.
            raise Disconnect([b" "] * 1000, 0.03)

    def result(self, verb, rest):
        if verb == "message":
            return message(rest)
        if verb == "full":
            return self.tasks.keep(complete_task(rest))
        if verb == "failed":
            return self.tasks.keep(task("failed", said=rest))
        if verb == "ask":
            return self.tasks.keep(task("input-required", said=rest))
        if verb == "later":
            return self.tasks.finish_later(task("working"), "finished later", number(rest, 0.1))
        return self.tasks.keep(task("completed", rest if verb == "echo" else f"{verb} {rest}".strip()))

    def find(self, task_id):
        found = self.tasks.find(task_id)
        if found is None:
            raise RpcError(codes.TASK_NOT_FOUND, "There is no such task", {"retryable": False})
        return found

    def report(self):
        """The calls per text as JSON."""
        with self.lock:
            return json.dumps(self.calls)


def numbers(rest, *defaults):
    """The numbers that follow a word, with defaults for those that are missing."""
    found = [float(word) for word in rest.split()]
    return [*found, *defaults[len(found) :]][: len(defaults)]


def number(rest, default):
    return numbers(rest, default)[0]
