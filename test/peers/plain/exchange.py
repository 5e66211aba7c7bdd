"""One HTTP exchange with limits for connecting, for silence, and for the whole exchange. All times are in seconds."""

import http.client
import json
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Limits:
    connect: float = 5.0
    read: float = 60.0
    total: float | None = None


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict
    body: bytes


class ConnectTimeout(TimeoutError):
    """No connection within the limit."""


class ReadTimeout(TimeoutError):
    """The agent was silent for longer than the limit."""


class TotalTimeout(TimeoutError):
    """The exchange took longer than the limit."""


class Unreachable(ConnectionError):
    """The connection was refused."""


class Broken(ConnectionError):
    """The connection ended before the response was complete."""


def post(url, payload, limits=Limits(), headers=None):
    """Posts JSON and reads the whole response, with any status. Follows no redirect."""
    with opened(url, payload, limits, headers) as (answer, exhausted):
        body = answer.read()
        exhausted()
        return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, body)


def post_for_lines(url, payload, limits=Limits(), headers=None):
    """Posts JSON and yields the status and headers, then each line of the response as it arrives."""
    with opened(url, payload, limits, {"Accept": "text/event-stream", **(headers or {})}) as (answer, exhausted):
        yield answer.status, answer.getheader("Content-Type", "")
        for line in answer:
            yield line.decode("utf-8").rstrip("\r\n")
        exhausted()


@contextmanager
def opened(url, payload, limits, headers):
    """An open response, and a function that fails if the total time is over. Raises the errors of this module only."""
    started = time.monotonic()
    target = urlsplit(url)
    connection = http.client.HTTPConnection(target.hostname, target.port or 80, timeout=shorter(limits.connect, limits.total))
    over = threading.Event()
    timer = None

    def fail_if_over():
        if over.is_set():
            raise TotalTimeout("the total time is over")

    try:
        connect(connection, limits, started)
        if limits.total is not None:
            # A limit of the socket restarts with each byte, so the total needs a timer that ends the connection.
            timer = threading.Timer(max(0.0, started + limits.total - time.monotonic()), end, (connection.sock, over))
            timer.daemon = True
            timer.start()
        connection.sock.settimeout(limits.read)
        path = f"{target.path or '/'}{'?' + target.query if target.query else ''}"
        content = {"Content-Type": "application/json", "Accept": "*/*", **(headers or {})}
        connection.request("POST", path, json.dumps(payload).encode("utf-8"), content)
        yield connection.getresponse(), fail_if_over
    except (ConnectTimeout, TotalTimeout, Unreachable):
        raise
    except TimeoutError as error:
        fail_if_over()
        raise ReadTimeout("the agent was silent for too long") from error
    except (OSError, http.client.HTTPException) as error:
        fail_if_over()
        raise Broken(f"the connection broke ({type(error).__name__})") from error
    finally:
        if timer is not None:
            timer.cancel()
        connection.close()


def connect(connection, limits, started):
    try:
        connection.connect()
    except TimeoutError as error:
        if limits.total is not None and time.monotonic() - started >= limits.total:
            raise TotalTimeout("the total time is over") from error
        raise ConnectTimeout("no connection in time") from error
    except OSError as error:
        raise Unreachable(f"the agent is unreachable ({type(error).__name__})") from error


def shorter(limit, total):
    return limit if total is None else min(limit, total)


def end(sock, over):
    over.set()
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # The exchange has ended at the same moment.
