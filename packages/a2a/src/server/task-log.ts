/** Everything that readers need: the store, the hub, and the current task from the writer or the store. */
import { countLines, joinLines, toTaskText } from '../protocol/task-text.js';
import { utf8Length } from '../protocol/utf8-length.js';
import type { StoredTask, TaskRef, TaskStore } from '../stores/store.js';
import { foldStored } from './entries.js';
import type { Hub } from './hub.js';
import type { CurrentTask } from './task-view.js';
import type { TaskWriter } from './writer.js';

export class TaskLog {
  readonly store: TaskStore;
  readonly hub: Hub;
  readonly #writerOf: (ref: TaskRef) => TaskWriter | undefined;

  constructor(store: TaskStore, hub: Hub, writerOf: (ref: TaskRef) => TaskWriter | undefined) {
    this.store = store;
    this.hub = hub;
    this.#writerOf = writerOf;
  }

  /**
   * The task as committed: from its writer if it runs in this process, otherwise from the store. Its history has at least the newest
   * `historyLength` messages; absent: all.
   */
  async current(ref: TaskRef, historyLength?: number): Promise<CurrentTask | undefined> {
    const writer = this.#writerOf(ref);
    const here = writer && (await writer.current());
    if (here) return withHistory(this.store, ref, here, historyLength);
    const stored = await this.store.load(ref, historyLength);
    return stored && toCurrent(stored);
  }

  /** The same for a task that a list returned with this `historyLength`. */
  currentOf(stored: StoredTask, historyLength?: number): CurrentTask {
    const here = stored.tail.length === 0 ? undefined : this.#writerOf(stored.ref)?.currentNow();
    return here?.seq === stored.seq && hasHistory(here, historyLength) ? here : toCurrent(stored);
  }
}

export function hasHistory({ messages, earlier }: CurrentTask, historyLength = Number.POSITIVE_INFINITY): boolean {
  return earlier === 0 || historyLength <= messages - earlier;
}

/** Adds the missing messages from the store. Messages never change, so it does not matter what was committed meanwhile. */
export async function withHistory(store: TaskStore, ref: TaskRef, current: CurrentTask, historyLength?: number): Promise<CurrentTask> {
  if (hasHistory(current, historyLength)) return current;
  const from = Math.max(0, current.messages - (historyLength ?? current.messages));
  const history = joinLines(await store.messages(ref, from, current.earlier), current.text.history);
  return { ...current, earlier: from, text: { ...current.text, history } };
}

function toCurrent(stored: StoredTask): CurrentTask {
  const { seq, head, snapshot, tail } = stored;
  const { text, messages, historyBytes } = snapshot;
  const shown = countLines(text.history);
  if (tail.length === 0) return { seq, head, text, earlier: messages - shown, messages, historyBytes };
  const draft = foldStored(stored);
  const added = draft.history.slice(shown);
  return {
    seq,
    head,
    text: toTaskText(draft),
    earlier: messages - shown,
    messages: messages + added.length,
    historyBytes: added.reduce((sum, message) => sum + utf8Length(JSON.stringify(message)), historyBytes),
  };
}
