/** Where every change of a conversation passes: it is applied, told, shown and kept. */
import type { Clock } from '../../protocol/clock.js';
import { toIsoTime } from '../../protocol/iso-time.js';
import type { ConversationEvent } from './conversation.js';
import type { Transcript } from './transcript.js';

/** `Omit` would forget which members belong to which kind. */
type WithoutTime<E> = E extends unknown ? Omit<E, 'at'> : never;

/** An event that has not happened yet. */
export type Step = WithoutTime<ConversationEvent>;

export interface RecorderParts {
  readonly clock: Clock;
  readonly transcript: Transcript;
  /** After it was applied. */
  onEvent(event: ConversationEvent): void;
  /** `soon`: nothing but chunks came in. */
  onChange(when: 'soon' | 'now'): void;
}

export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** What belongs together is told together. */
  record(...steps: readonly Step[]): void {
    if (steps.length === 0) return;
    const at = toIsoTime(this.#parts.clock.now());
    for (const step of steps) this.#take({ ...step, at });
    this.#parts.onChange(steps.every(isChunk) ? 'soon' : 'now');
  }

  /** An event that another tab has recorded. */
  follow(event: ConversationEvent): void {
    this.#take(event);
    this.#parts.onChange(isChunk(event) ? 'soon' : 'now');
  }

  #take(event: ConversationEvent): void {
    this.#parts.transcript.apply(event);
    this.#parts.onEvent(event);
  }
}

/** What may come a thousand times in a second. */
function isChunk(step: Step): boolean {
  return step.kind === 'update' && step.update.kind !== 'task';
}
