// The agent that each platform serves with a fetch handler: it streams fifty chunks.
import { fetchHandler } from '@parley/a2a/fetch';
import { createAgent } from '@parley/a2a/server';

export function createHandle() {
  const agent = createAgent({
    name: 'Counter',
    auth: 'none',
    async execute(_context, events) {
      for (let n = 1; n <= 50; n++) {
        await events.appendText('count', `${n} `);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
  });
  return fetchHandler(agent);
}
