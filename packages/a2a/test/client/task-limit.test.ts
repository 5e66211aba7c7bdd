/** The size limit of a followed task. */
import { describe, expect, test } from 'vitest';
import { createConversation } from '../../src/client/conversation/create-conversation.js';
import { createClient } from '../../src/client/index.js';
import { createRun, createWatch } from '../../src/client/run/create-run.js';
import type { StreamResponse } from '../../src/protocol/types.js';
import { chunk, says, scriptedPeer, status, TASK, task } from './scripted-peer.js';
import { BINDINGS, serve } from './served-agent.js';

const TOO_LARGE = {
  name: 'A2ATransportError',
  kind: 'serialization',
  retryable: false,
  message: expect.stringContaining('The task is larger than 4000 bytes, the limit of this client: set maxTaskBytes to follow larger tasks'),
};
const LIMIT = { settings: { maxTaskBytes: 4_000 } };
const BEGIN = task('TASK_STATE_WORKING');
const DONE = status('TASK_STATE_COMPLETED');
const many = (event: StreamResponse): StreamResponse[] => Array.from({ length: 50 }, () => event);

describe('F73: a run ends with an error that names the limit and the option when its task grows too large', () => {
  test.each<[string, StreamResponse]>([
    ['by appended text', chunk('x'.repeat(100))],
    ['by appended parts', chunk('x', { parts: [{ data: { list: [1, 2, 3] } }] })],
    ['by statuses with messages', status('TASK_STATE_WORKING', 'x'.repeat(100))],
  ])('%s', async (_, event) => {
    const peer = scriptedPeer([{ events: [BEGIN, chunk('x', { append: false }), ...many(event), DONE] }], LIMIT);
    const updates: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { kind } of createRun(peer, 'Hi')) updates.push(kind);
    };
    await expect(read()).rejects.toMatchObject(TOO_LARGE);
    expect(updates.length).toBeGreaterThan(10);
    expect(peer.methods).toEqual(['SendStreamingMessage']);
    expect(peer.openStreams).toBe(0);
  });

  test('by messages outside of the task', async () => {
    const events = Array.from({ length: 50 }, (_, index) => ({
      message: says('x'.repeat(100), { messageId: `m-${index}`, taskId: TASK }),
    }));
    await expect(createRun(scriptedPeer([{ events: [BEGIN, ...events] }], LIMIT), 'Hi').result).rejects.toMatchObject(TOO_LARGE);
  });

  test('in a snapshot that is watched', async () => {
    const large = task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x'.repeat(5_000) }] }] });
    await expect(createWatch(scriptedPeer([{ events: [large] }], LIMIT), TASK).result).rejects.toMatchObject(TOO_LARGE);
  });

  for (const binding of BINDINGS) {
    test(`from a served agent over ${binding}, also in a conversation`, async () => {
      const { options } = serve(
        {
          async *execute() {
            for (let index = 0; index < 50; index += 1) yield 'x'.repeat(100);
          },
        },
        { binding },
      );
      const client = createClient('http://test', { ...options, maxTaskBytes: 4_000 });
      await expect(client.run('hi').result).rejects.toMatchObject(TOO_LARGE);
      const conversation = createConversation(client);
      await conversation.send('hi').catch(() => {});
      const status = { type: 'incomplete', reason: 'error', error: TOO_LARGE };
      expect(conversation.state.messages.at(-1)).toMatchObject({ status });
      await conversation.close();
    });
  }
});

test('F73: content that replaces other content does not count twice', async () => {
  const replaced = chunk('x'.repeat(1_500), { append: false });
  const whole = task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'answer', parts: [{ text: 'x'.repeat(2_000) }] }] });
  const peer = scriptedPeer([{ events: [BEGIN, ...many(replaced), ...many(whole), DONE] }], LIMIT);
  expect((await createRun(peer, 'Hi').result).text).toHaveLength(2_000);
});
