/** All changes of a conversation pass through the recorder: it applies them, reports them, and triggers publishing and saving. */
import type { Clock } from '../../protocol/clock.js';
import { toIsoTime } from '../../protocol/iso-time.js';
import type { ConversationEvent } from './conversation.js';
import type { Transcript } from './transcript.js';

/** Distributes over the union: plain `Omit` would merge the fields of all kinds. */
type WithoutTime<E> = E extends unknown ? Omit<E, 'at'> : never;

/** An event before it gets its time. */
export type Step = WithoutTime<ConversationEvent>;

export interface RecorderParts {
  readonly clock: Clock;
  readonly transcript: Transcript;
  /** Called after the event was applied. */
  onEvent(event: ConversationEvent): void;
  /** `soon`: the change consists of chunks only. */
  onChange(when: 'soon' | 'now'): void;
}

export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Records the steps as one change: they share a time and cause one `onChange`. */
  record(...steps: readonly Step[]): void {
    if (steps.length === 0) return;
    const at = toIsoTime(this.#parts.clock.now());
    for (const step of steps) this.#take({ ...step, at });
    this.#parts.onChange(steps.every(isChunk) ? 'soon' : 'now');
  }

  /** Applies an event that another tab has recorded. */
  follow(event: ConversationEvent): void {
    this.#take(event);
    this.#parts.onChange(isChunk(event) ? 'soon' : 'now');
  }

  #take(event: ConversationEvent): void {
    this.#parts.transcript.apply(event);
    this.#parts.onEvent(event);
  }
}

/** Whether steps of this kind may arrive a thousand times per second. */
function isChunk(step: Step): boolean {
  return step.kind === 'update' && step.update.kind !== 'task';
}
