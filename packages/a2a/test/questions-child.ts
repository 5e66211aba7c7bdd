/**
 * An agent on a SQLite file that asks for a payment, until it is killed. `node child.mjs FILE PRICE`; prints the address that it listens
 * on.
 */
import { writeSync } from 'node:fs';
import { listen } from '../src/node.js';
import { createAgent } from '../src/server/index.js';
import { sqlite } from '../src/stores/sqlite/index.js';

const [, , file = '', price = ''] = process.argv;

const agent = createAgent({
  name: 'Cashier',
  store: sqlite(file),
  executor: {
    async execute(context, events) {
      const answer = await context.requireInput(`Pay ${price} EUR?`);
      await events.complete(`${price} EUR: ${answer}`);
    },
  },
});
const { url } = await listen(agent, { port: 0 });
writeSync(1, `${url}\n`);
