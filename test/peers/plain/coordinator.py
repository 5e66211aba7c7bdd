"""Asks several agents at once, and stops asking an agent that fails again and again."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from calls import Retry, message_of, send_with_retry
from codes import RpcError, wrap_downstream


@dataclass
class Health:
    consecutive_failures: int = 0
    open_until: float = 0.0
    skipped: int = 0

    def report(self, now):
        return {"consecutiveFailures": self.consecutive_failures, "isOpen": self.open_until > now, "skipped": self.skipped}


class Coordinator:
    """Calls no agent for `open_for` seconds after `failures` failures in a row. The next call after that is a probe."""

    def __init__(self, failures=3, open_for=30.0, retry=Retry(max_retries=1)):
        self.failures = failures
        self.open_for = open_for
        self.retry = retry
        self.agents = {}
        self.lock = threading.Lock()

    def delegate(self, url, text):
        """The response of the agent; None if it failed or was skipped."""
        with self.lock:
            health = self.agents.setdefault(url, Health())
            if health.open_until > time.monotonic():
                health.skipped += 1
                return None
        try:
            answer = send_with_retry(url, message_of(text), self.retry)
        except Exception:
            self.record(health, failed=True)
            return None
        self.record(health, failed=False)
        return answer

    def record(self, health, failed):
        with self.lock:
            health.consecutive_failures = health.consecutive_failures + 1 if failed else 0
            is_open = health.consecutive_failures >= self.failures
            health.open_until = time.monotonic() + self.open_for if is_open else 0.0

    def fan_out(self, urls, texts, min_results=1):
        """The successful responses in the order of the agents; fails if there are fewer than `min_results`."""
        with ThreadPoolExecutor(max_workers=max(1, len(urls))) as pool:
            answers = list(pool.map(self.delegate, urls, texts))
        successful = [answer for answer in answers if answer is not None and "error" not in answer]
        if len(successful) < min_results:
            raise RuntimeError(f"Only {len(successful)} of {len(urls)} agents answered; {min_results} are required")
        return successful

    def report(self):
        """The state of each agent by its address."""
        now = time.monotonic()
        with self.lock:
            return {url: health.report(now) for url, health in self.agents.items()}


def delegate(url, text, current_agent, retry=Retry(), log=None):
    """The result of another agent. Its JSON-RPC error is raised with the description of this hop around it."""
    try:
        return send_with_retry(url, message_of(text), retry, log)["result"]
    except RpcError as error:
        inner = {"code": error.code, "message": error.message, "data": error.data}
        raise wrap_downstream(url, inner, current_agent) from error
