/** Everything that readers need: the store, the hub, and the current task from the writer or the store. */
import { toTaskText } from '../protocol/task-text.js';
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

  /** The task as committed: from its writer if it runs in this process, otherwise from the store. */
  async current(ref: TaskRef): Promise<CurrentTask | undefined> {
    const writer = this.#writerOf(ref);
    const here = writer && (await writer.current());
    if (here) return here;
    const stored = await this.store.load(ref);
    return stored && toCurrent(stored);
  }

  /** The same for a task that a list returned. */
  currentOf(stored: StoredTask): CurrentTask {
    const here = stored.tail.length === 0 ? undefined : this.#writerOf(stored.ref)?.currentNow();
    return here?.seq === stored.seq ? here : toCurrent(stored);
  }
}

function toCurrent(stored: StoredTask): CurrentTask {
  const text = stored.tail.length === 0 ? stored.snapshot.text : toTaskText(foldStored(stored));
  return { seq: stored.seq, head: stored.head, text };
}
