// An agent made by a function, so that each test can create one and change its options.
import { createAgent } from '@parley/a2a/server';

/** @param {Partial<import('@parley/a2a/server').AgentOptions>} [options] */
export function createGreeter(options) {
  return createAgent({
    name: 'Greeter',
    executor: {
      async execute(context, events) {
        await events.working('Thinking of a greeting');
        const name = await context.requireInput('What is your name?');
        for (const word of ['Hello, ', name, '!']) await events.appendText('greeting', word);
        await events.complete();
      },
    },
    ...options,
  });
}
