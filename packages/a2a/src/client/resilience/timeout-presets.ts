/**
 * Timeout presets, in seconds. "–" means no limit.
 *
 * |                       | connect | pool | write | first byte | idle | total | activation |
 * |-----------------------|---------|------|-------|------------|------|-------|------------|
 * | default, unary        | 10      | 10   | 30    | 60         | 60   | 300   |            |
 * | default, streams      | 10      | 10   | 30    | 45         | 90   | –     |            |
 * | timeouts.layered()    | 5       | 10   | 5     | 60         | 60   | 90    |            |
 * | timeouts.streaming()  | 10      |      |       | 45         | 90   | 120   | 60         |
 * | timeouts.rpc()        | 10      |      |       | 30         | 30   | 30    |            |
 *
 * An empty cell keeps the default. A total never applies to streams: they live as long as their task. A blocking send receives nothing
 * until the agent is done. For agents that work for minutes, use a longer first byte timeout, or `run`, which streams or polls.
 */
import { A2AError } from '../../protocol/errors.js';
import { isStreaming } from '../../protocol/methods.js';
import type { Timeouts } from '../transports/exchange.js';
import type { ActivationOptions } from './activation-policy.js';

const UNARY = { connectMs: 10_000, poolMs: 10_000, writeMs: 30_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 300_000 } as const;
const STREAM = { ...UNARY, firstByteMs: 45_000, idleMs: 90_000, totalMs: null } as const;
const NONE = { connectMs: null, poolMs: null, writeMs: null, firstByteMs: null, idleMs: null, totalMs: null } as const;

/** Timeouts, together with the wait for an agent that may be asleep. */
export interface TimeoutPolicy extends Timeouts {
  readonly activationMs?: number;
}

/** Named timeout presets. Pass one to `createClient({ timeouts })` or to a call. */
export const timeouts = {
  /** Short for connecting, long for the agent's model. */
  layered: (): TimeoutPolicy => ({
    connectMs: 5_000,
    poolMs: 10_000,
    writeMs: 5_000,
    firstByteMs: 60_000,
    idleMs: 60_000,
    totalMs: 90_000,
  }),
  /**
   * For streams that send something at least every 90 seconds, from agents that may be asleep: `activation:
   * activationOf(timeouts.streaming())`.
   */
  streaming: (): TimeoutPolicy => ({
    connectMs: 10_000,
    firstByteMs: 45_000,
    idleMs: 90_000,
    totalMs: 120_000,
    activationMs: 60_000,
  }),
  /** For calls that respond quickly or not at all. */
  rpc: (): TimeoutPolicy => ({ connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 30_000 }),
} as const;

/** Returns the `activation` option of a preset, or false if it has none. */
export function activationOf({ activationMs }: TimeoutPolicy): ActivationOptions | false {
  return activationMs === undefined ? false : { maxColdStartMs: activationMs };
}

/** Merges the timeouts of a call: its own, then those of the client, then the defaults. null instead of a set means no limits. */
export function resolveTimeouts(method: string, ...sets: readonly (Timeouts | null | undefined)[]): Timeouts {
  if (sets.every((given) => given === undefined)) return isStreaming(method) ? STREAM : UNARY;
  const set: Record<string, number | null> = isStreaming(method) ? { ...STREAM } : { ...UNARY };
  for (const given of sets.toReversed()) {
    if (given === null) Object.assign(set, NONE);
    else Object.assign(set, checked(given ?? {}));
  }
  return isStreaming(method) ? { ...set, totalMs: null } : set;
}

function checked(given: Timeouts): Timeouts {
  const members = Object.entries(given).filter(([name, value]) => Object.hasOwn(NONE, name) && value !== undefined);
  for (const [name, value] of members) {
    if (value !== null && !(typeof value === 'number' && value > 0)) {
      throw new A2AError('INVALID_PARAMS', `timeouts.${name} must be a number above 0, or null for no limit, got ${value}`);
    }
  }
  return Object.fromEntries(members);
}
