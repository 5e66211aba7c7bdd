import type { Clock } from '@parley/a2a';
import { type Agent, type AgentOptions, createAgent } from '@parley/a2a/server';
import { ABILITIES, chooseAbility, FALLBACK } from './abilities.js';
import { toSkill } from './ability.js';

// Long enough to look back, and a limit for demos that run for months.
const KEEP_MS = 30 * 24 * 3_600_000;

// For files from Studio: a photo of a phone fits.
const MAX_BODY_BYTES = 12 * 1024 * 1024;

export interface DemoAgentOptions {
  /** The task store. Default: in memory. */
  readonly store?: AgentOptions['store'];
  /** The bus that notifies other nodes. Default: the bus of the store. */
  readonly bus?: AgentOptions['bus'];
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** When a run without output gets its Task. Default: that of `createAgent`. */
  readonly taskAfterMs?: AgentOptions['taskAfterMs'];
  /** What the demo serves to callers of A2A 0.3. Default: that of `createAgent`. */
  readonly compat?: AgentOptions['compat'];
  /** Called with crashes and their cause. */
  readonly onError?: AgentOptions['onError'];
}

/** Creates the agent behind `npm start`. It shows every feature of A2A, without a model and without network access. */
export function createDemoAgent({ store, bus, clock, taskAfterMs, compat, onError }: DemoAgentOptions = {}): Agent {
  return createAgent({
    name: 'Parley demo',
    description: 'Shows what an A2A agent can do. Send "help" for a list; any other text is sent back to you.',
    version: '0.1.0',
    skills: [...ABILITIES, FALLBACK].map(toSkill),
    defaultOutputModes: ['text/plain'],
    store,
    bus,
    // Its tasks have no side effects, so an interrupted task can simply run again.
    recovery: 'restart',
    deleteFinalAfterMs: KEEP_MS,
    maxBodyBytes: MAX_BODY_BYTES,
    // Every caller that reaches the demo may use it.
    auth: 'none',
    executor: {
      execute: (context, events) => chooseAbility(context.text).run(context, events),
      cancel: (_context, events) => events.canceled('Stopped at your request.'),
    },
    clock,
    taskAfterMs,
    compat,
    onError,
  });
}
