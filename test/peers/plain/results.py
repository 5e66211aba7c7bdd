"""The results of the server: tasks with lower-case states, messages, and stream events. No object has `kind`; parts have `type`."""

import threading
import uuid


def text_part(text):
    return {"type": "text", "text": text}


def task(state, text=None, said=None, **more):
    """A task whose artifact has no artifactId, as servers of the dialect write it."""
    status = {"state": state}
    if said is not None:
        status["message"] = message(said)
    shape = {"id": str(uuid.uuid4()), "contextId": str(uuid.uuid4()), "status": status, **more}
    if text is not None:
        shape["artifacts"] = [{"name": "answer", "parts": [text_part(text)]}]
    return shape


def complete_task(text):
    """The same with every id that later versions of the protocol require."""
    shape = task("completed", text)
    shape["history"] = [{**message("done"), "messageId": str(uuid.uuid4())}]
    shape["status"]["timestamp"] = "2026-01-02T03:04:05.678Z"
    shape["artifacts"][0]["artifactId"] = "answer-1"
    return shape


def message(text):
    """A message without an id."""
    return {"role": "agent", "parts": [text_part(text)]}


class Tasks:
    """The tasks that tasks/get can find."""

    def __init__(self):
        self.tasks = {}
        self.lock = threading.Lock()

    def keep(self, shape):
        with self.lock:
            self.tasks[shape["id"]] = shape
        return shape

    def find(self, task_id):
        with self.lock:
            return self.tasks.get(task_id)

    def finish_later(self, shape, text, delay):
        """Replaces a working task with a completed one after a delay in seconds."""
        done = {**task("completed", text), "id": shape["id"], "contextId": shape["contextId"]}
        timer = threading.Timer(delay, self.keep, (done,))
        timer.daemon = True
        timer.start()
        return self.keep(shape)


def stream_events(shape):
    """The events of a stream: the new task, its states, and each artifact in a piece per word. A message is the only event of its stream."""
    if "status" not in shape:
        yield shape
        return
    ids = {"taskId": shape["id"], "contextId": shape["contextId"]}
    yield {"id": shape["id"], "contextId": shape["contextId"], "status": {"state": "submitted"}}
    yield {**ids, "status": {"state": "working"}, "final": False}
    for artifact in shape.get("artifacts", []):
        words = artifact["parts"][0]["text"].split(" ")
        for at, word in enumerate(words):
            last = at == len(words) - 1
            piece = {**artifact, "parts": [text_part(word if last else f"{word} ")]}
            yield {**ids, "artifact": piece, "append": at > 0, "lastChunk": last}
    yield {**ids, "status": shape["status"], "final": True}
