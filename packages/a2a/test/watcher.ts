/** A stream without a transport. Its reader can stall, disconnect and be inspected afterwards. */
import type { Frame, ReadEnd, Reading, Sink } from '../src/server/advanced.js';

/** A stream from the view of its reader. Frames that the store did not have when they were sent are kept in `early`. */
export class Watcher {
  /** The node that serves it. */
  readonly node: { readonly name: string; readonly isDead: boolean };
  readonly kind: 'send' | 'subscribe';
  /** The Last-Event-ID of a resumed stream; undefined if the stream starts with the Task. */
  readonly after: number | undefined;
  readonly frames: Frame[] = [];
  readonly early: Frame[] = [];
  end: ReadEnd | undefined;
  left = false;
  reading: Reading | undefined;
  #stalled = false;

  constructor(node: Watcher['node'], kind: Watcher['kind'], after?: number) {
    this.node = node;
    this.kind = kind;
    this.after = after;
  }

  open(open: (sink: Sink) => Reading, has: (frame: Frame) => boolean): this {
    this.reading = open({
      send: (frames) => {
        this.frames.push(...frames);
        this.early.push(...frames.filter((frame) => !has(frame)));
        return !this.#stalled;
      },
      end: (why) => {
        this.end = why;
      },
    });
    return this;
  }

  get isOpen(): boolean {
    return this.end === undefined && !this.left && !this.node.isDead;
  }

  leave(): void {
    this.left = true;
    this.reading?.close();
  }

  stall(): void {
    this.#stalled = true;
  }

  resume(): void {
    this.#stalled = false;
    this.reading?.resume();
  }
}

/** The task id of the frames; undefined if there are none. */
export function taskOf([frame]: readonly Frame[]): string | undefined {
  if (frame === undefined) return undefined;
  const { task, statusUpdate, artifactUpdate } = JSON.parse(frame.json);
  return task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId;
}
