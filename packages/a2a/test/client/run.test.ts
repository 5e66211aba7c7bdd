/** A run over a peer that behaves: what is told, and what comes of it. */
import { expect, test } from 'vitest';
import { createRun } from '../../src/client/run/create-run.js';
import { chunk, collect, scriptedPeer, status, task } from './scripted-peer.js';

test('a stream to the end', async () => {
  const peer = scriptedPeer([
    {
      events: [
        task('TASK_STATE_SUBMITTED'),
        status('TASK_STATE_WORKING'),
        chunk('Hello ', { append: false }),
        chunk('world'),
        status('TASK_STATE_COMPLETED'),
      ],
    },
  ]);
  const run = createRun(peer, 'Hi');
  const updates = await collect(run);
  expect(updates.map(({ kind }) => kind)).toEqual(['task', 'state', 'state', 'artifact', 'text', 'artifact', 'text', 'state']);
  const reply = await run.result;
  expect(reply.text).toBe('Hello world');
  expect(peer.openStreams).toBe(0);
});

test('D34: a drop', async () => {
  const peer = scriptedPeer([
    { events: [task('TASK_STATE_SUBMITTED'), chunk('a', { append: false })], end: 'drop' },
    {
      events: [
        task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'answer', parts: [{ text: 'a' }, { text: 'b' }] }] }),
        chunk('c'),
        status('TASK_STATE_COMPLETED'),
      ],
    },
  ]);
  const run = createRun(peer, 'Hi');
  const told = collect(run);
  await peer.clock.tick(500);
  const updates = await told;
  expect(updates.flatMap((update) => (update.kind === 'text' ? [update.delta] : []))).toEqual(['a', 'b', 'c']);
  expect((await run.result).text).toBe('abc');
});
