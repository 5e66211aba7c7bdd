/** Over sockets: an agent that is silent for seconds, and what its callers get meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connect } from '../src/client/index.js';
import { listen } from '../src/node.js';
import { createAgent } from '../src/server/index.js';

/** Much less than the duration of the run. On an idle machine the time is little more than the 100 ms of `taskAfterMs`. */
const BUSY_MS = 1_500;

async function slowAgent(prefer: 'jsonrpc' | 'rest') {
  const agent = createAgent({
    name: 'Slow',
    execute: async ({ text }) => {
      await sleep(Number(text));
      return 'done';
    },
  });
  const listening = await listen(agent, { port: 0, anonymousList: 'all' });
  const client = await connect(listening.url, { prefer });
  return { client, [Symbol.asyncDispose]: () => listening.close({ drainMs: 0 }) };
}

test.concurrent.each(['jsonrpc', 'rest'] as const)(
  'F2: over %s an agent that is silent for seconds has a task and a stream at once, and can be canceled',
  async (prefer) => {
    await using slow = await slowAgent(prefer);
    const { client } = slow;
    const startedAt = performance.now();
    const reply = await client.send('4000', { returnImmediately: true });
    const taskId = reply.kind === 'task' ? reply.taskId : undefined;
    expect(performance.now() - startedAt).toBeLessThan(BUSY_MS);
    expect(taskId).toEqual(expect.any(String));
    const listed: string[] = [];
    for await (const { id } of client.tasks()) listed.push(id);
    expect(listed).toEqual([taskId]);

    // The function returns at the end of the grace period; the task is still canceled.
    const run = client.run('4000');
    const runAt = performance.now();
    const result = run.result.catch((thrown: unknown) => thrown);
    while (run.taskId === undefined) await sleep(5);
    expect(performance.now() - runAt, 'the first event of the stream').toBeLessThan(BUSY_MS);
    await sleep(Math.max(0, 1_000 - (performance.now() - runAt)));
    const canceledAt = performance.now();
    const task = await run.cancel();
    expect(performance.now() - canceledAt).toBeLessThan(3_000 + BUSY_MS);
    expect(task?.status.state).toBe('TASK_STATE_CANCELED');
    expect(await result).toMatchObject({ name: 'A2ATaskCanceledError' });
  },
  15_000,
);
