/**
 * A node with one task. `node child.mjs MODE URL SCHEMA`; prints the id of the task when it works, and then a line for each further step.
 * `leave` has no task, and ends without closing its agent.
 */
import { writeSync } from 'node:fs';
import { postgres } from '../../src/postgres.js';
import { createAgent } from '../../src/server/index.js';
import type { Heartbeat } from '../../src/stores/store.js';
import { callerOf } from '../harness.js';
import { LEASE_MS, STALL_MS } from './heartbeat-times.js';

const [, , mode = '', url = '', schema = ''] = process.argv;
const print = (text: string): number => writeSync(1, `${text}\n`);
const block = (ms?: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const { startHeartbeat, ...store } = postgres(url, { schema });
let heartbeat: Heartbeat | undefined;
const agent = createAgent({
  name: 'Node',
  store: {
    ...store,
    startHeartbeat(options) {
      heartbeat = startHeartbeat?.(options);
      if (heartbeat === undefined) throw new Error('the store has no heartbeat');
      return heartbeat;
    },
  },
  recovery: 'fail',
  leaseMs: LEASE_MS,
  ...(mode === 'hang' && { stallMs: STALL_MS }),
  executor: {
    async execute({ signal, taskId }, events) {
      await events.working();
      await events.flush();
      print(taskId);
      await firstRenewal();
      if (mode === 'hang') print('hangs');
      if (mode === 'hang') block();
      if (mode === 'block') block(2 * LEASE_MS);
      if (mode === 'kill' || mode === 'close') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await events.complete().then(() => print('done'), print);
    },
  },
});

async function firstRenewal(): Promise<void> {
  while ((heartbeat?.agoMs ?? LEASE_MS) >= LEASE_MS) await new Promise((resolve) => setTimeout(resolve, 10));
}

if (mode !== 'leave') await callerOf(agent).task('go', { returnImmediately: true });
await firstRenewal();
if (mode === 'close') {
  await agent.close({ drainMs: 0 });
  print('closed');
}
