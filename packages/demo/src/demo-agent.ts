import type { Clock } from '@parley/a2a';
import { type Agent, type AgentOptions, createAgent } from '@parley/a2a/server';
import { ABILITIES, chooseAbility, FALLBACK } from './abilities.js';
import { toSkill } from './ability.js';

// Enough to look back on, and a bound for demos that run for months.
const KEEP_MS = 30 * 24 * 3_600_000;

export interface DemoAgentOptions {
  /** Where its tasks live. Default: in memory. */
  readonly store?: AgentOptions['store'];
  /** Who hears that a task moved. Default: the bus that comes with the store. */
  readonly bus?: AgentOptions['bus'];
  /** Default: the real one. */
  readonly clock?: Clock;
  /** When a run that has said nothing gets its Task. Default: as `createAgent` has it. */
  readonly taskAfterMs?: AgentOptions['taskAfterMs'];
  /** Told of crashes, with their cause. */
  readonly onError?: AgentOptions['onError'];
}

/** The agent behind `npm start`: no model, no network, and one of everything that A2A can do. */
export function createDemoAgent({ store, bus, clock, taskAfterMs, onError }: DemoAgentOptions = {}): Agent {
  return createAgent({
    name: 'Parley demo',
    description: 'Shows what A2A agents can do. Write "help" to see how to ask for each of it; any other text is repeated to you.',
    version: '0.1.0',
    skills: [...ABILITIES, FALLBACK].map(toSkill),
    defaultOutputModes: ['text/plain'],
    store,
    bus,
    // Nothing that it does has consequences: what was cut off is simply done again.
    recovery: 'restart',
    deleteFinalAfterMs: KEEP_MS,
    // Everybody who reaches it may try it.
    auth: 'none',
    executor: {
      execute: (context, events) => chooseAbility(context.text).run(context, events),
      cancel: (_context, events) => events.canceled('Stopped, as you wished.'),
    },
    clock,
    taskAfterMs,
    onError,
  });
}
