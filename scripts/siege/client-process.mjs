// A client that meets a hostile card: `node client-process.mjs URL`. Sends whether it accepted the card, and the longest stall of its loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@parley/a2a/client';

const [url = ''] = process.argv.slice(2);
process.once('disconnect', () => process.exit()); // the parent process ended

const client = createClient(url);
await pause(200); // the start of this process is not measured
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
await pause(20);
const isAccepted = await client.card().then(
  () => true,
  () => false,
);
// Selects an interface of the card. Its server does not answer calls.
if (isAccepted) await client.send('hello', { signal: AbortSignal.timeout(1_000) }).catch(() => {});
await pause(20);
process.send?.({ stallMs: delay.max / 1e6, isAccepted }, () => process.exit());
