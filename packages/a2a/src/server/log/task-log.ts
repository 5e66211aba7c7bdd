/** Everything that readers need: the store, the hub, and the current task from the writer or the store. */
import { nextIteration } from '../../platform/slices.js';
import { countLines, joinLines, toTaskText } from '../../protocol/task-text.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import { type ListQuery, refKey, type StoredTask, type TaskRef, type TaskStore } from '../../stores/store.js';
import { foldStored } from './entries.js';
import type { Hub } from './hub.js';
import { SharedLoads } from './shared-loads.js';
import type { CurrentTask } from './task-view.js';
import type { TaskWriter } from './writer.js';

export class TaskLog {
  readonly store: TaskStore;
  readonly hub: Hub;
  readonly #writerOf: (ref: TaskRef) => TaskWriter | undefined;
  readonly #recent = new RecentHistories();
  /** Only of a remote store: the others answer each load before the next begins. */
  readonly #loads: SharedLoads | undefined;

  constructor(store: TaskStore, hub: Hub, writerOf: (ref: TaskRef) => TaskWriter | undefined) {
    this.store = store;
    this.hub = hub;
    this.#writerOf = writerOf;
    this.#loads = store.isRemote ? new SharedLoads(store) : undefined;
  }

  /**
   * The task as committed: from its writer if it runs in this process, otherwise from the store. Its history has at least the newest
   * `historyLength` messages; absent: all. `check` is called after a wait for another read of the same task.
   */
  async current(ref: TaskRef, historyLength?: number, check?: () => void): Promise<CurrentTask | undefined> {
    const writer = this.#writerOf(ref);
    const here = writer && (await writer.current());
    if (here) return this.withNewest(ref, here, historyLength);
    const stored = await (this.#loads?.load({ ref, historyLength }, check) ?? this.store.load(ref, historyLength));
    return stored && toCurrent(stored, historyLength);
  }

  /** The task as committed, without waiting; undefined if it does not run in this process, or while a commit is in flight. */
  currentNow(ref: TaskRef): CurrentTask | undefined {
    return this.#writerOf(ref)?.currentNow();
  }

  /** Adds the missing messages. Messages never change, so it does not matter what was committed meanwhile. */
  async withNewest(ref: TaskRef, current: CurrentTask, historyLength: number | undefined): Promise<CurrentTask> {
    if (hasHistory(current, historyLength)) return current;
    if (historyLength === undefined) return this.withHistory(ref, current);
    const from = Math.max(0, current.messages - historyLength);
    return prepend(current, await this.store.messages(ref, from, current.earlier), from);
  }

  /** Adds all missing messages. Those that the last turn had are not read again. */
  async withHistory(ref: TaskRef, current: CurrentTask): Promise<CurrentTask> {
    const { earlier, messages } = current;
    if (earlier === 0) return current;
    const writer = this.#writerOf(ref);
    const known = this.#recent.find(ref);
    const first = known === undefined || known.messages > earlier ? NO_HISTORY : known;
    const rest = await this.#readMessages(ref, current, first.messages);
    const whole = prepend(current, joinLines(first.text, rest.text), 0);
    // The task may have been deleted during the read.
    const isThere = writer !== undefined && writer === this.#writerOf(ref) && !writer.isLost;
    if (isThere && rest.count === earlier - first.messages) this.#recent.keep(ref, { messages, text: whole.text.history });
    return whole;
  }

  /** The messages from number `from` on that `current` lacks. Reads long histories in slices, so that other callers are served in between. */
  async #readMessages(ref: TaskRef, { earlier, messages, historyBytes }: CurrentTask, from: number): Promise<MessagesRead> {
    const perSlice = Math.max(1, Math.floor((SLICE_BYTES * messages) / historyBytes));
    let text = '';
    let count = 0;
    for (let at = from; at < earlier; at += perSlice) {
      if (at > from) await nextIteration();
      const slice = await this.store.messages(ref, at, Math.min(at + perSlice, earlier));
      text = joinLines(text, slice);
      count += countLines(slice);
    }
    return { text, count };
  }

  /** The task has ended, was deleted, or is lost to another node. */
  forget(ref: TaskRef): void {
    this.#recent.forget(ref);
  }

  /** The same for a task of a list. Taken from its writer if that saves folding the tail, and only with the status that the list has. */
  currentOf(stored: StoredTask, { historyLength, withoutArtifacts }: Pick<ListQuery, 'historyLength' | 'withoutArtifacts'>): CurrentTask {
    const writer = stored.tail.length === 0 ? undefined : this.#writerOf(stored.ref);
    const here = withoutArtifacts === true ? writer?.currentWithoutArtifacts() : writer?.currentNow();
    return here?.head.statusSeq === stored.head.statusSeq && hasHistory(here, historyLength) ? here : toCurrent(stored, historyLength);
  }
}

export function hasHistory({ messages, earlier }: CurrentTask, historyLength = Number.POSITIVE_INFINITY): boolean {
  return earlier === 0 || historyLength <= messages - earlier;
}

/** A store needs about two milliseconds for it. */
const SLICE_BYTES = 1024 * 1024;

/** `count` is the number of lines in `text`. */
interface MessagesRead {
  readonly text: string;
  readonly count: number;
}

const NO_HISTORY: KnownHistory = { messages: 0, text: '' };

/** `from` is the number of the first line. */
function prepend(current: CurrentTask, lines: string, from: number): CurrentTask {
  return { ...current, earlier: from, text: { ...current.text, history: joinLines(lines, current.text.history) } };
}

function toCurrent(stored: StoredTask, historyLength = Number.POSITIVE_INFINITY): CurrentTask {
  const { seq, head, snapshot, tail } = stored;
  const { text, messages, historyBytes } = snapshot;
  const shown = Math.min(historyLength, messages); // counting the lines would cost a tenth of a GetTask
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

/** The first `messages` messages of a task, one per line. */
interface KnownHistory {
  readonly messages: number;
  readonly text: string;
}

/** The total length of all texts. */
const MAX_CHARS = 32 * 1024 * 1024;
/** A shorter history is read as fast as it is looked up. */
const MIN_CHARS = 16 * 1024;

/**
 * The histories of tasks that this node has read lately. Every turn of a task offers the whole history to its executor; with this cache, a
 * turn reads only the messages that are new since the last one. Messages never change, so an entry is never wrong, only incomplete,
 * until the task is deleted: another task may then get its id.
 */
export class RecentHistories {
  /** The least recently used first. */
  readonly #known = new Map<string, KnownHistory>();
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars = MAX_CHARS) {
    this.#maxChars = maxChars;
  }

  find(ref: TaskRef): KnownHistory | undefined {
    return this.#known.get(refKey(ref));
  }

  keep(ref: TaskRef, history: KnownHistory): void {
    this.forget(ref);
    const { length } = history.text;
    if (length < MIN_CHARS || length > this.#maxChars) return;
    this.#known.set(refKey(ref), history);
    this.#chars += length;
    for (const [key, { text }] of this.#known) {
      if (this.#chars <= this.#maxChars) return;
      this.#known.delete(key);
      this.#chars -= text.length;
    }
  }

  /** Call it when the task has ended or was deleted: no turn follows. */
  forget(ref: TaskRef): void {
    if (this.#known.size === 0) return; // nearly always: long tasks are rare
    const key = refKey(ref);
    this.#chars -= this.#known.get(key)?.text.length ?? 0;
    this.#known.delete(key);
  }
}
