/** An agent that knows nothing of where its tasks live and who hears of them: both are given to it. */
import { setTimeout as oven } from 'node:timers/promises';
import { type Agent, type AgentOptions, createAgent } from '../../src/server/index.js';

export const STEPS = ['mixed', 'poured', 'baked', 'cooled'];

/** Bakes the cake that it is told; asks which when it is told to bake, and bakes for ever when told that. */
export function createBaker({ store, bus }: Pick<AgentOptions, 'store' | 'bus'>): Agent {
  return createAgent({
    name: 'Baker',
    store,
    bus,
    executor: {
      async execute(context, events) {
        if (context.text === 'for ever') {
          await events.working();
          await oven(3_600_000, undefined, { signal: context.signal });
        }
        const cake = context.text === 'bake' ? await context.requireInput('Which cake?') : context.text;
        for (const step of STEPS) {
          await oven(5);
          await events.appendText('report', `The ${cake} is ${step}. `);
        }
        await events.complete('Enjoy it!');
      },
      cancel: (_context, events) => events.canceled('The oven is off.'),
    },
  });
}
