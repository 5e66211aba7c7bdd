/**
 * An agent that asks for a payment, until it is killed. `node child.mjs PRICE PLACE [SCHEMA]`, where the place of the tasks is a SQLite file
 * or a `postgresql://` URL with a schema; prints the address that it listens on.
 */
import { writeSync } from 'node:fs';
import { listen } from '../src/node.js';
import { postgres } from '../src/postgres.js';
import { createAgent } from '../src/server/index.js';
import { sqlite } from '../src/stores/sqlite/index.js';

const [, , price = '', place = '', schema] = process.argv;

const agent = createAgent({
  name: 'Cashier',
  store: place.startsWith('postgresql://') ? postgres(place, { schema }) : sqlite(place),
  // On PostgreSQL, the next process gets the task when the lease of the killed one has expired.
  leaseMs: 1_000,
  rereadMs: 500,
  executor: {
    async execute(context, events) {
      const answer = await context.requireInput(`Pay ${price} EUR?`);
      await events.complete(`${price} EUR: ${answer}`);
    },
  },
});
const { url } = await listen(agent, { port: 0 });
writeSync(1, `${url}\n`);
