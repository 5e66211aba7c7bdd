import { createClient } from '@parley/a2a/client';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch } from '@parley/a2a/testing';
import { expect, test } from 'vitest';
import { readTaskLog } from './read-task-log.js';

test('a page that missed events reads them from the agent, up to the last seq that it knows', async () => {
  const agent = createAgent({
    name: 'Counter',
    async execute(_context, events) {
      for (const word of ['one ', 'two ', 'three']) await events.appendText('count', word);
      await events.complete();
    },
  });
  const client = createClient('http://test', { fetch: createTestFetch(agent) });
  const reply = await client.run('go').result;
  if (reply.kind !== 'task') throw new Error('no task');
  const seen = [];
  for await (const event of readTaskLog(client, { taskId: reply.taskId, messageId: 'm', lastSeq: 6 })) seen.push(event);
  const updates = seen.flatMap((event) => (event.kind === 'update' ? event.update : []));
  expect(updates.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['artifact', 'state']));
  expect(updates.filter(({ kind }) => kind === 'artifact')).toHaveLength(3);
  expect(updates.at(-1)?.seq).toBe(6);
});
