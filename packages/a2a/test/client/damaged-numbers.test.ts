import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import type { StreamResponse } from '../../src/protocol/types.js';
import { faultFetch, type ScriptedEvent } from '../../src/testing/index.js';

const IDS = { taskId: 't', contextId: 'c' };
const TASK = { seq: 2, response: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } } as const;
const DONE = { seq: 5, response: { statusUpdate: { ...IDS, status: { state: 'TASK_STATE_COMPLETED' } } } } as const;

const chunk = (text: string, append: boolean): StreamResponse => ({
  artifactUpdate: { ...IDS, append, artifact: { artifactId: 'a', parts: [{ text }] } },
});
const CHUNKS = [
  { seq: 3, response: chunk('one ', false) },
  { seq: 4, response: chunk('two', true) },
] as const;

/** The second chunk as it is left when something on the way has hit the line of its number. */
const damaged = (line: string): string => `data: ${JSON.stringify(CHUNKS[1].response)}\n${line}\n\n`;

async function run(events: readonly ScriptedEvent[], log = true) {
  const script = { SendStreamingMessage: { events }, SubscribeToTask: { events: [CHUNKS[1], DONE] } };
  const card = { supportedInterfaces: [{ url: 'http://test', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }] };
  const fetch = faultFetch({ script, log, card });
  const client = createClient('http://test', { fetch, reconnect: { baseMs: 0 } });
  const { text } = await client.run('go').result;
  const resumed = fetch.requests.flatMap(({ headers }) => headers['last-event-id'] ?? []);
  return { text, resumed };
}

test.each([
  ['is no number any more', 'id: 4\u0001garbage'],
  ['is empty', 'id:'],
  ['is gone', 'i\u0001garbage'],
])('D34: an event whose number %s is not told: it comes again with the number that it has', async (_how, line) => {
  expect(await run([TASK, CHUNKS[0], damaged(line), 'data: garbage\n\n'])).toEqual({ text: 'one two', resumed: ['3'] });
});

test('D5: a peer that promises numbers and sends none is read all the same', async () => {
  const events = [TASK.response, CHUNKS[0].response, CHUNKS[1].response, DONE.response];
  expect(await run(events)).toEqual({ text: 'one two', resumed: [] });
});

test('D5: the ids of peers without the log extension may be anything', async () => {
  const events = [`id: x\ndata: ${JSON.stringify(TASK.response)}\n\n`, CHUNKS[0].response, damaged('id: y'), DONE.response];
  expect(await run(events, false)).toEqual({ text: 'one two', resumed: [] });
});
