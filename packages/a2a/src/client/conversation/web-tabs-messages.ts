/** The messages between tabs. Any script on the page's origin can post to the channel, so every other message is ignored. */
import { ERRORS } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import type { JsonValue } from '../../protocol/types.js';
import type { PlainError } from './conversation.js';

export type TabAnswer = { readonly value: JsonValue } | { readonly error: PlainError };

export type TabMessage =
  /** The sender is now the leader. */
  | { readonly kind: 'lead' }
  /** Requests a snapshot from the leader. */
  | { readonly kind: 'hello'; readonly nonce: string }
  /** The state with all events up to `n`, and the answers to recent commands. */
  | {
      readonly kind: 'snapshot';
      readonly nonce: string;
      readonly n: number;
      readonly snapshot: JsonValue;
      readonly answers: readonly (readonly [id: string, answer: TabAnswer])[];
    }
  /** The snapshot cannot be sent. */
  | { readonly kind: 'unable'; readonly nonce: string; readonly error: PlainError }
  | { readonly kind: 'event'; readonly n: number; readonly event: JsonValue }
  /** The event cannot be sent. */
  | { readonly kind: 'lost'; readonly n: number }
  | { readonly kind: 'ask'; readonly id: string; readonly command: JsonValue }
  /** The leader acknowledges the command and will answer it when it is done. */
  | { readonly kind: 'heard'; readonly id: string }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: TabAnswer };

/** `from` is the id of the sender. */
export type SentMessage = TabMessage & { readonly from: string };

/** undefined: not a message of this library. The JSON inside is checked by its own reader. */
export function readTabMessage(data: unknown): SentMessage | undefined {
  if (!isObject(data) || typeof data.from !== 'string' || typeof data.kind !== 'string') return undefined;
  if (!Object.hasOwn(CHECKS, data.kind) || !CHECKS[data.kind as TabMessage['kind']](data)) return undefined; // a kind that has a check
  return data as SentMessage; // checked above
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
