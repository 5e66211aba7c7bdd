// Asks for a name, then greets the user word by word. It allows pages of any origin, because it has no secrets.
import { setTimeout as think } from 'node:timers/promises';
import { listen } from '@parley/a2a/node';
import { createAgent } from '@parley/a2a/server';

const agent = createAgent({
  name: 'Greeter',
  description: 'Asks for your name and greets you.',
  async execute(context, events) {
    const name = await context.requireInput('What is your name?');
    for (const word of `Good to see you, ${name}, and welcome.`.split(/(?<= )/)) {
      await think(30, undefined, { signal: context.signal }); // replace with your model
      await events.appendText('greeting', word);
    }
    await events.complete();
  },
  onError: (error, where) => console.error(error.reason, where, error.cause),
});

await listen(agent, { port: 4000, cors: { origins: '*' } });
