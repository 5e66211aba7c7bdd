// The agent that is served on every platform with a fetch handler: a stream of fifty chunks, and a question.
import { fetchHandler } from '@parley/a2a/fetch';
import { createAgent } from '@parley/a2a/server';

const agent = createAgent({
  name: 'Counter',
  auth: 'none',
  async execute(context, events) {
    if (context.text === 'ask') {
      const name = await context.requireInput('Who are you?');
      return `Hello ${name}`;
    }
    for (let n = 1; n <= 50; n++) {
      await events.appendText('count', `${n} `);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return undefined;
  },
});

export const handle = fetchHandler(agent);
