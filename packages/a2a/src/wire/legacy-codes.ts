/** Error codes of peers that were written before A2A 1.0 gave the same codes other meanings. */
import type { ErrorReason } from '../protocol/errors.js';

/** The sets of error codes from before A2A 1.0 that a client can read. */
export type LegacyCodes = 'stacka2a';

const CODES: Readonly<Record<LegacyCodes, ReadonlyMap<number, ErrorReason>>> = {
  stacka2a: new Map<number, ErrorReason>([
    [-32001, 'AUTH_REQUIRED'],
    [-32002, 'TASK_NOT_FOUND'],
    [-32003, 'INSUFFICIENT_SCOPE'],
    [-32004, 'RATE_LIMITED'],
    [-32005, 'AGENT_UNAVAILABLE'],
    [-32006, 'TASK_TIMEOUT'],
    [-32007, 'CONTENT_TOO_LARGE'],
    [-32008, 'SKILL_NOT_FOUND'],
  ]),
};

/** The meaning of a code in an older numbering; undefined if that numbering does not define it. */
export function reasonOfLegacyCode(code: number, codes: LegacyCodes): ErrorReason | undefined {
  return CODES[codes].get(code);
}
