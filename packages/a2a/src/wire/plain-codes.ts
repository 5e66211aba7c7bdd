/** The error codes of the plain dialect, which is older than A2A 0.3: A2A uses the same numbers for other errors. */
import type { ErrorReason } from '../protocol/errors.js';

const CODES = {
  AUTH_REQUIRED: -32001,
  TASK_NOT_FOUND: -32002,
  INSUFFICIENT_SCOPE: -32003,
  RATE_LIMITED: -32004,
  AGENT_UNAVAILABLE: -32005,
  TASK_TIMEOUT: -32006,
  CONTENT_TOO_LARGE: -32007,
  SKILL_NOT_FOUND: -32008,
} as const satisfies Partial<Record<ErrorReason, number>>;

const REASONS: ReadonlyMap<number, ErrorReason> = new Map(
  // `Object.entries` widens the keys; they are the table's own.
  (Object.entries(CODES) as [keyof typeof CODES, number][]).map(([reason, code]) => [code, reason]),
);

/** The meaning of a code in the dialect; undefined if the dialect does not define it. */
export function reasonInDialect(code: number): ErrorReason | undefined {
  return REASONS.get(code);
}

/** The code of a reason in the dialect; undefined if the dialect has none for it. */
export function codeInDialect(reason: ErrorReason): number | undefined {
  return Object.hasOwn(CODES, reason) ? CODES[reason as keyof typeof CODES] : undefined; // checked: a key of the table
}
