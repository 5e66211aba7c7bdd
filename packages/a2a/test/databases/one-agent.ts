/** An agent that does not know its store and its bus: both are passed in. */
import { setTimeout as oven } from 'node:timers/promises';
import { type Agent, type AgentOptions, createAgent } from '../../src/server/index.js';

export const STEPS = ['mixed', 'poured', 'baked', 'cooled'];

/** Bakes the cake in the message. For "bake" it asks which cake, and for "for ever" it never ends. */
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
