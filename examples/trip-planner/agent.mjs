// Asks for a city, streams a plan for the weekend, and stops when it is canceled.
import { setTimeout as think } from 'node:timers/promises';
import { listen } from '@parley/a2a/node';
import { createAgent } from '@parley/a2a/server';

const IDEAS = {
  Friday: 'arrive late, eat early, sleep with the window open',
  Saturday: 'climb the highest hill and go down the other side',
  Sunday: 'have breakfast twice, and miss the first train home',
};

const agent = createAgent({
  name: 'Trip planner',
  description: 'Plans a weekend in the city of your choice.',
  skills: [{ id: 'weekend', name: 'Plan a weekend', description: 'Asks for a city, then writes a plan.', tags: ['travel'] }],
  executor: {
    async execute(context, events) {
      await events.working('Looking at the map');
      const city = await context.requireInput('Which city would you like to see?');

      for (const [day, idea] of Object.entries(IDEAS)) {
        await think(400, undefined, { signal: context.signal }); // replace with your model, search or database
        await events.appendText('plan', `${day} in ${city}: ${idea}.\n`);
      }
      await events.complete(`Enjoy ${city}!`);
    },

    async cancel(_context, events) {
      await events.canceled('Home is nice, too.');
    },
  },
  onError: (error, where) => console.error(error.reason, where, error.cause), // a crash is reported only here
});

await listen(agent, { port: 4000 });
