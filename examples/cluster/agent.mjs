// One node of many: every machine runs this file unchanged, and all of them share one database.
import { setTimeout as think } from 'node:timers/promises';
import { closeOnSignals, listen } from '@parley/a2a/node';
import { postgres } from '@parley/a2a/postgres';
import { createAgent } from '@parley/a2a/server';

const { DATABASE_URL = 'postgresql://localhost/parley', HOST = '127.0.0.1', PORT = '4000' } = process.env;
const { PUBLIC_URL, LEASE_MS = '15000', LAME_DUCK_MS = '0', DRAIN_MS = '20000' } = process.env;

const agent = createAgent({
  name: 'Counter',
  description: 'Counts to twenty, and reports which process does it.',
  store: postgres(DATABASE_URL, { patienceMs: Number(LEASE_MS) / 2 }),
  leaseMs: Number(LEASE_MS), // how long other nodes wait after this process stops responding
  recovery: 'restart', // counting again has no side effects
  auth: 'none',
  executor: {
    async execute(context, events) {
      console.log(`  Process ${process.pid} counts, attempt ${context.attempt}.`);
      await events.working(`By process ${process.pid}`);
      for (let number = 1; number <= 20; number++) {
        await think(250, undefined, { signal: context.signal }); // replace with your model, search or database
        await events.appendText('count', `${number} `);
      }
      await events.complete();
    },
  },
  onError: (error, where) => console.error(error.reason, where, error.cause),
});

const listening = await listen(agent, { host: HOST, port: Number(PORT), publicUrl: PUBLIC_URL });
closeOnSignals(listening, { drainMs: Number(DRAIN_MS), lameDuckMs: Number(LAME_DUCK_MS) });
