// Asks which cake to bake, then reports each step. It rejects pizza.
import { setTimeout as oven } from 'node:timers/promises';
import { listen } from '@parley/a2a/node';
import { createAgent } from '@parley/a2a/server';

const STEPS = ['mixed', 'poured into its tin', 'in the oven', 'golden', 'cooling at the window', 'ready'];

const agent = createAgent({
  name: 'Baker',
  executor: {
    async execute(context, events) {
      if (/pizza/i.test(context.text)) return events.reject('This is a bakery.');
      const cake = await context.requireInput('Which cake would you like?');
      for (const step of STEPS) {
        await oven(100, undefined, { signal: context.signal });
        await events.appendText('report', `The ${cake} is ${step}.\n`);
      }
      await events.complete();
    },
  },
  onError: (error, where) => console.error(error.reason, where, error.cause),
});

await listen(agent, { port: 4000 });
