/** The task as folded from its log; serialized only when it is read. */
import type { TaskDraft, TaskEvent } from '../protocol/apply-event.js';
import { A2AError } from '../protocol/errors.js';
import { addLine, type TaskText, toLines } from '../protocol/task-text.js';
import type { TaskStatus } from '../protocol/types.js';
import type { StoredTask, TaskHead } from '../stores/store.js';
import { fold, foldStored } from './entries.js';
import type { EventText } from './event-text.js';

/** The task as readers may see it. */
export interface CurrentTask {
  readonly seq: number;
  readonly head: TaskHead;
  readonly text: TaskText;
}

const MIN_SNAPSHOT_TAIL = 256;

export class TaskView {
  #draft: TaskDraft | undefined;
  #head: TaskHead | undefined;
  #text: { readonly seq: number; readonly text: TaskText } | undefined;
  #snapshotSeq = 0;
  // The history only grows, so its serialized text is kept and extended.
  #historyText = '';
  #historyLength = 0;
  readonly #eventText: EventText;

  constructor(stored: StoredTask | undefined, eventText: EventText) {
    this.#eventText = eventText;
    if (stored === undefined) return;
    this.#draft = foldStored(stored);
    this.#head = stored.head;
    this.#snapshotSeq = stored.snapshot.seq;
  }

  /** The newest committed status; undefined while no Task exists. */
  get head(): TaskHead | undefined {
    return this.#head;
  }

  /** Ahead of `head` while a commit is in flight. */
  get status(): TaskStatus | undefined {
    return this.#draft?.status;
  }

  get artifactIds(): readonly string[] {
    return this.#draft?.artifacts.map(({ artifactId }) => artifactId) ?? [];
  }

  /** The draft is ahead of the committed state until `confirm`. */
  fold(event: TaskEvent): void {
    this.#draft = fold(this.#draft, event);
  }

  confirm(seq: number, head: TaskHead | undefined, hasSnapshot: boolean): void {
    if (head) this.#head = head;
    if (hasSnapshot) this.#snapshotSeq = seq;
  }

  /** Snapshots at doubling distances keep the total work linear in the length of the log (D9). */
  hasOutgrownSnapshot(seq: number): boolean {
    return seq - this.#snapshotSeq >= Math.max(MIN_SNAPSHOT_TAIL, this.#snapshotSeq);
  }

  /** The text as of entry `seq`, which must be the last folded one. */
  textAt(seq: number): TaskText {
    if (this.#draft === undefined) throw new A2AError('INTERNAL_ERROR', 'the task does not exist yet');
    if (this.#text?.seq !== seq) this.#text = { seq, text: this.#toText(this.#draft) };
    return this.#text.text;
  }

  #toText(draft: TaskDraft): TaskText {
    const { history, artifacts } = draft;
    for (const message of this.#historyLength === 0 ? history : history.slice(this.#historyLength)) {
      this.#historyText = addLine(this.#historyText, this.#eventText.ofMessage(message));
    }
    this.#historyLength = history.length;
    return { head: this.#eventText.ofHead(draft), history: this.#historyText, artifacts: toLines(artifacts) };
  }

  at(seq: number): CurrentTask | undefined {
    return this.#head && { seq, head: this.#head, text: this.textAt(seq) };
  }
}
