/** The task as folded from its log; serialized only when it is read or saved, and every message and artifact only once per change. */
import { artifactIndex, type TaskDraft, type TaskEvent } from '../../protocol/apply-event.js';
import { A2AError } from '../../protocol/errors.js';
import { addLine, fromTaskText, joinLines, type TaskText } from '../../protocol/task-text.js';
import type { TaskStatus } from '../../protocol/types.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import type { ArtifactText, SnapshotWrite, StoredTask, TaskHead } from '../../stores/store.js';
import { fold, toEvent } from './entries.js';
import type { EventText } from './event-text.js';
import { LongArtifacts } from './long-artifacts.js';
import { TaskSize } from './task-size.js';

/** The task as readers may see it. */
export interface CurrentTask {
  readonly seq: number;
  readonly head: TaskHead;
  /** Its `history` has the newest messages. The `earlier` ones before them are only in the store. */
  readonly text: TaskText;
  readonly earlier: number;
  /** The number and the UTF-8 size of all messages in the history. */
  readonly messages: number;
  readonly historyBytes: number;
}

const MIN_SNAPSHOT_TAIL = 256;

export class TaskView {
  #draft: TaskDraft | undefined;
  #head: TaskHead | undefined;
  #current: CurrentTask | undefined;
  #snapshotSeq = 0;
  /** Messages of a claimed task that the draft does not have. Folding never reads them, so a claim does not load them. */
  readonly #earlier: number = 0;
  readonly #earlierBytes: number = 0;
  // The history only grows, so its serialized text is kept and extended.
  #historyText = '';
  #historyLength = 0;
  #historyBytes = 0;
  /** The messages after the first `#saved`, which the last snapshot has. */
  #unsaved = '';
  #saved = 0;
  /** One text per artifact. Artifacts keep their place. */
  readonly #artifacts: string[] = [];
  #touched = new Set<string>();
  #lastTouched: string | undefined;
  /** The places of artifacts that differ from the last snapshot. */
  readonly #unsavedArtifacts = new Set<number>();
  readonly #long = new LongArtifacts();
  readonly #eventText: EventText;

  constructor(stored: StoredTask | undefined, eventText: EventText) {
    this.#eventText = eventText;
    if (stored === undefined) return;
    const { seq, text, messages, historyBytes } = stored.snapshot;
    this.#draft = fromTaskText({ ...text, history: '' });
    this.#head = stored.head;
    this.#snapshotSeq = seq;
    this.#earlier = messages;
    this.#earlierBytes = historyBytes;
    this.#saved = messages;
    this.#historyBytes = historyBytes;
    this.#artifacts = text.artifacts === '' ? [] : text.artifacts.split('\n');
    for (const entry of stored.tail) {
      const event = toEvent(entry);
      if (event !== undefined) this.fold(event);
    }
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

  size(id: string, contextId: string): TaskSize {
    if (this.#draft === undefined) return new TaskSize(id, contextId);
    return TaskSize.of(this.#draft, contextId, { messages: this.#earlier, bytes: this.#earlierBytes });
  }

  /** The draft is ahead of the committed state until `confirm`. */
  fold(event: TaskEvent): void {
    if (event.kind === 'artifact') {
      this.#touch(event.update.artifact.artifactId);
      this.#long.follow(event.update);
    }
    this.#draft = fold(this.#draft, event);
  }

  /** Nearly all events of a stream are for one artifact. */
  #touch(artifactId: string): void {
    if (artifactId === this.#lastTouched) return;
    this.#lastTouched = artifactId;
    this.#touched.add(artifactId);
  }

  confirm(seq: number, head: TaskHead | undefined, snapshot: SnapshotWrite | undefined): void {
    if (head) this.#head = head;
    if (snapshot === undefined) return;
    this.#snapshotSeq = seq;
    this.#saved = snapshot.messages;
    this.#unsaved = '';
    this.#unsavedArtifacts.clear();
  }

  /** Snapshots at doubling distances keep the total work linear in the length of the log (D9). */
  hasOutgrownSnapshot(seq: number): boolean {
    return seq - this.#snapshotSeq >= Math.max(MIN_SNAPSHOT_TAIL, this.#snapshotSeq);
  }

  /** What the last snapshot lacks, as of the last folded entry. */
  snapshot(): SnapshotWrite {
    const draft = this.#serialize();
    const artifacts: ArtifactText[] = [];
    for (const n of this.#unsavedArtifacts) artifacts.push({ n, json: this.#artifacts[n] ?? '' });
    if (artifacts.length > 1) artifacts.sort((a, b) => a.n - b.n);
    return {
      head: this.#eventText.ofHead(draft),
      history: this.#unsaved,
      messagesBefore: this.#saved,
      messages: this.#earlier + this.#historyLength,
      historyBytes: this.#historyBytes,
      artifacts,
    };
  }

  /** The task as of entry `seq`, which must be the last folded one; undefined while it is not committed. */
  at(seq: number): CurrentTask | undefined {
    if (this.#head === undefined) return undefined;
    if (this.#current?.seq !== seq || this.#current.head !== this.#head) this.#current = this.#toCurrent(seq, this.#head);
    return this.#current;
  }

  /** The same without artifacts, which a list would serialize again for each page while they grow. */
  withoutArtifactsAt(seq: number): CurrentTask | undefined {
    return this.#head && this.#toTask(seq, this.#head, '');
  }

  #toCurrent(seq: number, head: TaskHead): CurrentTask {
    this.#serialize();
    let artifacts = '';
    for (const json of this.#artifacts) artifacts = addLine(artifacts, json);
    return this.#toTask(seq, head, artifacts);
  }

  #toTask(seq: number, head: TaskHead, artifacts: string): CurrentTask {
    const draft = this.#serializeNewMessages();
    return {
      seq,
      head,
      text: { head: this.#eventText.ofHead(draft), history: this.#historyText, artifacts },
      earlier: this.#earlier,
      messages: this.#earlier + this.#historyLength,
      historyBytes: this.#historyBytes,
    };
  }

  #serializeNewMessages(): TaskDraft {
    const draft = this.#draft;
    if (draft === undefined) throw new A2AError('INTERNAL_ERROR', 'the task does not exist yet');
    if (this.#historyLength < draft.history.length) this.#serializeHistory(draft);
    return draft;
  }

  #serialize(): TaskDraft {
    const draft = this.#serializeNewMessages();
    if (this.#touched.size > 0) this.#serializeTouched(draft);
    for (let n = this.#artifacts.length; n < draft.artifacts.length; n += 1) this.#serializeArtifact(draft, n);
    return draft;
  }

  #serializeHistory({ history }: TaskDraft): void {
    let added = '';
    for (const message of this.#historyLength === 0 ? history : history.slice(this.#historyLength)) {
      const json = this.#eventText.ofMessage(message);
      this.#historyBytes += utf8Length(json);
      added = addLine(added, json);
    }
    this.#historyLength = history.length;
    this.#historyText = joinLines(this.#historyText, added);
    this.#unsaved = joinLines(this.#unsaved, added);
  }

  #serializeTouched(draft: TaskDraft): void {
    for (const id of this.#touched) {
      const n = artifactIndex(draft.artifacts, id);
      if (n >= 0 && n < this.#artifacts.length) this.#serializeArtifact(draft, n);
    }
    this.#touched.clear();
    this.#lastTouched = undefined;
  }

  #serializeArtifact({ artifacts }: TaskDraft, n: number): void {
    const artifact = artifacts[n];
    if (artifact !== undefined) this.#artifacts[n] = this.#long.serialize(artifact) ?? JSON.stringify(artifact);
    this.#unsavedArtifacts.add(n);
  }
}
