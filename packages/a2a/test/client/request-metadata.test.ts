/** Metadata of the request and metadata of the message have separate options in every method that sends a message. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import { createClient } from '../../src/client/create-client.js';
import type { JsonObject, SendMessageRequest } from '../../src/protocol/types.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { answerOf, type Meeting, meet } from './conversation-walk.js';
import { walk } from './run-walk.js';
import { chunk, says, status, task } from './scripted-peer.js';
import { BINDINGS, serve } from './served-agent.js';

const OPTIONS = { metadata: { of: 'request' }, messageMetadata: { of: 'message' } };
const DONE = { events: [task('TASK_STATE_WORKING'), chunk('x', { append: false }), status('TASK_STATE_COMPLETED')] };

for (const prefer of BINDINGS) {
  test(`F33: send and run set the metadata of the request and of the message (${prefer})`, async () => {
    const seen: unknown[] = [];
    const { options } = serve({
      execute: (context) => {
        seen.push([context.metadata, context.message?.metadata]);
        return 'ok';
      },
    });
    const client = createClient('http://test', { ...options, prefer });
    await client.send('a', OPTIONS);
    await client.run('b', OPTIONS).result;
    await client.run('c', { ...OPTIONS, mode: 'poll' }).result;
    await client.send({ parts: [{ text: 'd' }], metadata: { own: 1 } }, { metadata: { of: 'request' } });
    await client.send('e');
    expect(seen).toEqual([...Array(3).fill([{ of: 'request' }, { of: 'message' }]), [{ of: 'request' }, { own: 1 }], [{}, undefined]]);
    await client.close();
  });
}

test('F33: metadata that is not a JSON object is refused before a request is sent', async () => {
  const { options, requests: asked } = serve();
  const client = createClient('http://test', options);
  const bad = { metadata: ['no'] as unknown as JsonObject };
  await expect(client.send('a', bad)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  await expect(client.run('a', bad).result).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  expect(asked.filter(({ operation }) => operation !== 'GetAgentCard')).toEqual([]);
});

test('F33: a run sends the request metadata with each of its messages, and the message metadata only with the first', async () => {
  const asks = status('TASK_STATE_INPUT_REQUIRED', says('Which city?'));
  const steps = [{ events: [task('TASK_STATE_WORKING'), asks] }, { events: [status('TASK_STATE_COMPLETED')] }];
  const { peer } = await walk(steps, { ...OPTIONS, onInputRequired: () => 'Lisbon' });
  const sent = peer.calls.map(({ params }: { params: SendMessageRequest }) => [params.metadata, params.message.metadata]);
  expect(sent).toEqual([
    [{ of: 'request' }, { of: 'message' }],
    [{ of: 'request' }, undefined],
  ]);
});

const requests = ({ fetch }: Meeting): unknown[] =>
  fetch.requests
    .filter(({ operation }) => operation === 'SendStreamingMessage')
    .map(({ params }) => {
      const { metadata, message } = params as unknown as SendMessageRequest; // the test knows the shape of its requests
      return [metadata, message.metadata];
    });

test('F33: a conversation sends both, and sends them again with reload(), also from another page', async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const run = { metadata: { app: 'shop', of: 'all' } };
  const open = () => meet({ SendStreamingMessage: DONE }, { clock, conversation: { id: 'thread', storage, tabs: false, run } });
  const first = open();
  await first.finish(first.conversation.send('Hi', OPTIONS));
  await first.finish(first.conversation.reload(answerOf(first.conversation).id));
  await clock.tick(1_000);
  first.conversation.close();
  const second = open();
  await second.finish(second.conversation.load());
  await second.finish(second.conversation.reload(answerOf(second.conversation).id));
  await second.finish(second.conversation.send('Again'));
  const both = [{ app: 'shop', of: 'request' }, { of: 'message' }];
  expect([...requests(first), ...requests(second)]).toEqual([both, both, both, [{ app: 'shop', of: 'all' }, undefined]]);
});
