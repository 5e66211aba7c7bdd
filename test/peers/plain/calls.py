"""The calls of the client: one with retries, one with limits on three levels, a stream, and the reading of a task."""

import json
import time
import uuid
from dataclasses import dataclass, field

from codes import AGENT_UNAVAILABLE, INTERNAL_ERROR, RETRYABLE, TASK_TIMEOUT, RpcError
from exchange import Broken, ConnectTimeout, Limits, ReadTimeout, TotalTimeout, Unreachable, post, post_for_lines


@dataclass(frozen=True)
class Retry:
    max_retries: int = 3
    base_delay: float = 1.0
    max_delay: float = 30.0
    backoff_factor: float = 2.0
    timeout: float = 60.0

    def backoff(self, attempt):
        """The delay after this attempt, counted from 0."""
        return min(self.base_delay * self.backoff_factor**attempt, self.max_delay)


class HttpStatusError(Exception):
    """A status that is no success and that the client does not retry."""


class Unreadable(Exception):
    """A response that is no JSON-RPC response of the dialect."""


@dataclass
class Log:
    """What happened at each attempt, and when, in seconds since the call began."""

    started: float = field(default_factory=time.monotonic)
    attempts: list = field(default_factory=list)

    def elapsed(self):
        return round(time.monotonic() - self.started, 4)

    def note(self, outcome):
        """Notes an attempt that has ended."""
        self.attempts.append({"at": self.elapsed(), "outcome": outcome})

    def wait(self, delay):
        self.attempts[-1]["delay"] = delay
        time.sleep(delay)


def request_of(method, params):
    return {"jsonrpc": "2.0", "id": str(uuid.uuid4()), "method": method, "params": params}


def message_of(text, parts=None):
    """Messages of this dialect have a role and parts, and no id."""
    return {"message": {"role": "user", "parts": [{"type": "text", "text": text}] if parts is None else parts}}


def send_with_retry(url, params, retry=Retry(), log=None, headers=None):
    """Sends a message until it succeeds, may not be repeated, or the retries are used up. Returns the whole JSON-RPC response."""
    log = log or Log()
    payload = request_of("message/send", params)
    limits = Limits(connect=retry.timeout, read=retry.timeout)
    last = None
    for attempt in range(retry.max_retries + 1):
        more = attempt < retry.max_retries
        try:
            response = post(url, payload, limits, headers)
        except (ConnectTimeout, ReadTimeout, Unreachable) as error:
            timed_out = isinstance(error, TimeoutError)
            last = (TimeoutError if timed_out else ConnectionError)(f"Attempt {attempt + 1}: {error}")
            log.note("timeout" if timed_out else "unreachable")
            if more:
                log.wait(retry.backoff(attempt))
            continue
        except Broken:
            log.note("broken")
            raise
        if response.status == 429:
            # The hint of the agent counts without the cap, and after the last attempt too.
            log.note("429")
            log.wait(float(response.headers.get("retry-after", retry.base_delay)))
            continue
        if response.status >= 500 and more:
            log.note(str(response.status))
            log.wait(retry.backoff(attempt))
            continue
        if not 200 <= response.status < 300:
            log.note(str(response.status))
            raise HttpStatusError(f"HTTP status {response.status}")
        answer = read(response.body)
        error = error_of(answer)
        if error is None:
            log.note("result")
            return answer
        log.note(error.code)
        if error.code not in RETRYABLE or not more:
            raise error
        log.wait(min(error.data.get("retryAfter", retry.backoff(attempt)), retry.max_delay))
    raise last or RuntimeError("The agent refused every attempt with the HTTP status 429")


def send_with_limits(url, params, limits, headers=None):
    """Sends a message once. A limit that is exceeded is returned as a JSON-RPC error of the client's own."""
    payload = request_of("message/send", params)

    def local(code, message, limit):
        error = {"code": code, "message": message, "data": {"timeout": limit}}
        return {"jsonrpc": "2.0", "id": payload["id"], "error": error}

    try:
        return read(post(url, payload, limits, headers).body)
    except TotalTimeout:
        return local(TASK_TIMEOUT, "The call took longer than its total limit", limits.total)
    except ConnectTimeout:
        return local(AGENT_UNAVAILABLE, "No connection to the agent in time", limits.connect)
    except ReadTimeout:
        return local(TASK_TIMEOUT, "The agent did not answer in time", limits.read)


def stream(url, params, limits=Limits(), headers=None):
    """The JSON-RPC responses of a stream; a single one if the agent answers without a stream."""
    lines = post_for_lines(url, request_of("message/stream", params), limits, headers)
    status, content_type = next(lines)
    if status != 200:
        raise HttpStatusError(f"HTTP status {status}")
    if not content_type.startswith("text/event-stream"):
        return [read("\n".join(lines))]
    found, data = [], []
    for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            found.append(read("\n".join(data)))
            data = []
    return found


def get_task(url, task_id, headers=None):
    answer = read(post(url, request_of("tasks/get", {"id": task_id}), Limits(), headers).body)
    error = error_of(answer)
    if error is not None:
        raise error
    return answer


def read(body):
    try:
        answer = json.loads(body)
    except ValueError as error:
        raise Unreadable("the response is not JSON") from error
    if not isinstance(answer, dict):
        raise Unreadable("the response is not an object")
    return answer


def error_of(answer):
    """The error in a response. The data of an error is an object or absent; the client cannot use anything else."""
    if "error" not in answer:
        return None
    error = answer["error"]
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        raise Unreadable("the error has no message")
    data = error.get("data", {})
    if not isinstance(data, dict):
        raise Unreadable(f"the data of the error {error.get('code')} is not an object but {type(data).__name__}")
    return RpcError(error.get("code", INTERNAL_ERROR), error["message"], data)
