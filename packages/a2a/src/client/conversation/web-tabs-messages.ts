/** What tabs say to each other over their channel. Anybody on the page's origin can speak there: whatever does not look like this is passed over. */
import { ERRORS } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import type { JsonValue } from '../../protocol/types.js';
import type { PlainError } from './conversation.js';

export type TabAnswer = { readonly value: JsonValue } | { readonly error: PlainError };

export type TabMessage =
  /** I lead from now on. */
  | { readonly kind: 'lead' }
  /** Whoever leads: tell me everything. */
  | { readonly kind: 'hello'; readonly nonce: string }
  /** With the events up to `n`, and what the last commands came to. */
  | {
      readonly kind: 'snapshot';
      readonly nonce: string;
      readonly n: number;
      readonly snapshot: JsonValue;
      readonly answers: readonly (readonly [id: string, answer: TabAnswer])[];
    }
  /** The snapshot can not be sent. */
  | { readonly kind: 'unable'; readonly nonce: string; readonly error: PlainError }
  | { readonly kind: 'event'; readonly n: number; readonly event: JsonValue }
  /** The event can not be sent. */
  | { readonly kind: 'lost'; readonly n: number }
  | { readonly kind: 'ask'; readonly id: string; readonly command: JsonValue }
  /** The leader has it, and answers when it is done. */
  | { readonly kind: 'heard'; readonly id: string }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: TabAnswer };

/** With the seat that sent it. */
export type SentMessage = TabMessage & { readonly from: string };

/** undefined: not ours. Of the JSON inside only its reader knows what it must be. */
export function readTabMessage(data: unknown): SentMessage | undefined {
  if (!isObject(data) || typeof data.from !== 'string' || typeof data.kind !== 'string') return undefined;
  if (!Object.hasOwn(CHECKS, data.kind) || !CHECKS[data.kind as TabMessage['kind']](data)) return undefined; // a kind that has a check
  return data as SentMessage; // its check says so
}

type Check = (data: Readonly<Record<string, unknown>>) => boolean;

const CHECKS: Readonly<Record<TabMessage['kind'], Check>> = {
  lead: () => true,
  hello: ({ nonce }) => typeof nonce === 'string',
  snapshot: ({ nonce, n, snapshot, answers }) =>
    typeof nonce === 'string' && isCount(n) && snapshot !== undefined && Array.isArray(answers) && answers.every(isNamedAnswer),
  unable: ({ nonce, error }) => typeof nonce === 'string' && isPlainError(error),
  event: ({ n, event }) => isCount(n) && event !== undefined,
  lost: ({ n }) => isCount(n),
  ask: ({ id, command }) => typeof id === 'string' && command !== undefined,
  heard: ({ id }) => typeof id === 'string',
  answer: ({ id, answer }) => typeof id === 'string' && isAnswer(answer),
};

function isCount(n: unknown): boolean {
  return Number.isSafeInteger(n) && Number(n) >= 0;
}

function isNamedAnswer(named: unknown): boolean {
  return Array.isArray(named) && named.length === 2 && typeof named[0] === 'string' && isAnswer(named[1]);
}

function isAnswer(answer: unknown): boolean {
  if (!isObject(answer)) return false;
  return answer.error === undefined ? answer.value !== undefined : isPlainError(answer.error);
}

function isPlainError(error: unknown): boolean {
  return isObject(error) && typeof error.message === 'string' && typeof error.reason === 'string' && Object.hasOwn(ERRORS, error.reason);
}
