"""A client of the dialect whose parts have `type` and no `kind`.

Takes a JSON command from the argument, or one command per line from the input, and prints one line of JSON for each. Commands of the input
run at the same time; each line of the output has the `id` of its command.
"""

import json
import sys
import threading

from calls import HttpStatusError, Log, Retry, Unreadable, get_task, message_of, send_with_limits, send_with_retry, stream
from codes import RpcError
from coordinator import Coordinator, delegate
from exchange import Broken, Limits

KINDS = [
    (Broken, "broken"),
    (HttpStatusError, "http"),
    (Unreadable, "unreadable"),
    (TimeoutError, "timeout"),
    (ConnectionError, "unreachable"),
    (RuntimeError, "exhausted"),
]


def run(command):
    """The outcome of a command: the response, or the error of the agent, or the failure that the client itself found."""
    log = Log()
    try:
        outcome = ACTIONS[command.get("do", "send")](command, log)
    except RpcError as error:
        outcome = {"error": error.to_json()}
    except Exception as error:
        kind = next((name for family, name in KINDS if isinstance(error, family)), "crash")
        outcome = {"failure": {"kind": kind, "type": type(error).__name__, "message": str(error)}}
    return {"id": command.get("id"), **outcome, "attempts": log.attempts, "took": log.elapsed()}


def params_of(command):
    message = message_of(command.get("text", ""), command.get("parts"))
    message["message"].update(command.get("message", {}))
    return message


def retry_of(command):
    names = {"maxRetries": "max_retries", "baseDelay": "base_delay", "maxDelay": "max_delay", "backoffFactor": "backoff_factor"}
    return Retry(**{names.get(name, name): value for name, value in command.get("retry", {}).items()})


def send(command, log):
    return {"response": send_with_retry(command["url"], params_of(command), retry_of(command), log, command.get("headers"))}


def limited(command, _log):
    limits = Limits(**command.get("limits", {}))
    return {"response": send_with_limits(command["url"], params_of(command), limits, command.get("headers"))}


def streamed(command, _log):
    return {"responses": stream(command["url"], params_of(command), headers=command.get("headers"))}


def get(command, _log):
    return {"response": get_task(command["url"], command["taskId"], command.get("headers"))}


def delegated(command, log):
    return {"result": delegate(command["url"], command["text"], command["currentAgent"], retry_of(command), log)}


def fan_out(command, _log):
    """Several rounds with one coordinator, so that the circuits of the first rounds show in the later ones."""
    settings = command.get("circuit", {})
    coordinator = Coordinator(settings.get("failures", 3), settings.get("openFor", 30.0), retry_of(command))
    rounds = []
    for each in command["rounds"]:
        try:
            answers = coordinator.fan_out(each["urls"], each["texts"], each.get("minResults", 1))
            rounds.append({"results": [answer["result"] for answer in answers]})
        except RuntimeError as error:
            rounds.append({"refused": str(error)})
    return {"rounds": rounds, "health": coordinator.report()}


ACTIONS = {"send": send, "limited": limited, "stream": streamed, "get": get, "delegate": delegated, "fanOut": fan_out}


def main():
    if len(sys.argv) > 1:
        print(json.dumps(run(json.loads(sys.argv[1]))), flush=True)
        return
    printing = threading.Lock()

    def answer(line):
        outcome = json.dumps(run(json.loads(line)))
        with printing:
            print(outcome, flush=True)

    running = []
    for line in sys.stdin:
        running.append(threading.Thread(target=answer, args=(line,), daemon=True))
        running[-1].start()
    for thread in running:
        thread.join()


if __name__ == "__main__":
    main()
