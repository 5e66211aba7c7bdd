// Questions of agents of the plain dialect, whose messages have no ids: which one is new, and which one was shown before.
import { createClient } from '@parley/a2a/client';
import { describe, expect, test } from 'vitest';
import { sse } from './scripted-fetch.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON of the wire
type Json = any;

const says = (role: string, text: string): Json => ({ role, parts: [{ type: 'text', text }] });
const asks = (text: string, more: Json = {}): Json => ({
  id: 't',
  contextId: 'c',
  status: { state: 'input-required', message: says('agent', text) },
  ...more,
});
const working: Json = { id: 't', contextId: 'c', status: { state: 'working' } };
const done: Json = { id: 't', contextId: 'c', status: { state: 'completed' }, artifacts: [{ parts: [{ type: 'text', text: 'Booked' }] }] };

/** The results of each method in order; the last one is repeated. `fails`: the number of the send whose response is lost. */
function peerOf(script: { sends: Json[]; reads?: Json[]; fails?: number }) {
  const asked: string[] = [];
  const questions: string[] = [];
  const sends = [...script.sends];
  const reads = [...(script.reads ?? [])];
  const next = (list: Json[]): Json => (list.length > 1 ? list.shift() : list[0]);
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { id, method, params } = JSON.parse(String(init?.body));
    asked.push(method);
    if (asked.length === script.fails) return new Response('busy', { status: 503 });
    const result = method === 'tasks/get' ? next(reads) : next(sends);
    if (result === undefined) return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method} ${params.id}` } });
    if (method !== 'message/stream') return Response.json({ jsonrpc: '2.0', id, result });
    const { artifacts = [], ...task } = result;
    const pieces = artifacts.map((artifact: Json) => ({ taskId: 't', contextId: 'c', artifact }));
    const last = { taskId: 't', contextId: 'c', status: task.status, final: true };
    return sse(...[{ ...task, status: { state: 'working' } }, ...pieces, last].map((event) => ({ jsonrpc: '2.0', id, result: event })));
  };
  const client = (options = {}) =>
    createClient(
      { endpoint: 'http://plain.test/', dialect: 'plain' },
      { fetch, retry: { initialDelayMs: 1 }, pollingIntervalMs: 1, reconnect: { maxRetries: 2, initialDelayMs: 1 }, ...options },
    );
  const onInputRequired = (prompt: string): string => {
    questions.push(prompt);
    if (questions.length > 4) throw new Error('asked too often');
    return `reply ${questions.length}`;
  };
  return { asked, questions, client, onInputRequired };
}

describe('C14: a question that an agent of the plain dialect asks', () => {
  test.each([false, true])('C14: again after a reply is a new question (assumeStreaming: %s)', async (assumeStreaming) => {
    const { client, questions, onInputRequired } = peerOf({
      sends: [asks('Which city?'), asks('Which city?'), asks('Which city?'), done],
      reads: [asks('Which city?')],
    });
    const reply = await client({ assumeStreaming }).run('book', { onInputRequired, signal: AbortSignal.timeout(5_000) }).result;
    expect(questions).toEqual(['Which city?', 'Which city?', 'Which city?']);
    expect(reply.text).toBe('Booked');
  });

  test('C14: again after it has worked on the reply is a new question', async () => {
    const { client, questions, onInputRequired } = peerOf({
      sends: [asks('Which city?'), working, done],
      reads: [asks('Which city?')],
    });
    await client().run('book', { onInputRequired, signal: AbortSignal.timeout(5_000) }).result;
    expect(questions).toEqual(['Which city?', 'Which city?']);
  });

  test('C14: still stands in the response to its own reply is not asked again: the next read decides', async () => {
    const { client, questions, onInputRequired } = peerOf({
      sends: [asks('Which city?'), asks('Which city?')],
      reads: [working, working, done],
    });
    const reply = await client().run('book', { onInputRequired, signal: AbortSignal.timeout(5_000) }).result;
    expect([questions, reply.text]).toEqual([['Which city?'], 'Booked']);
  });

  test('C14: and that a repeated reply or many reads show is asked once', async () => {
    const { client, asked, questions, onInputRequired } = peerOf({
      sends: [asks('Which city?'), working],
      reads: [asks('When?'), done],
      fails: 2,
    });
    await client().run('book', { onInputRequired, signal: AbortSignal.timeout(5_000) }).result;
    expect(questions).toEqual(['Which city?', 'When?']);
    expect(asked.slice(0, 3), 'the reply was repeated').toEqual(['message/send', 'message/send', 'message/send']);
    const { client: other } = peerOf({ sends: [asks('Which city?')], reads: [asks('Which city?')] });
    const reader = other();
    const sent = await reader.sendMessage({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'book' }] } });
    const ids = [sent.task, await reader.getTask({ id: 't' }), await reader.getTask({ id: 't' })].map(
      (task) => task?.status.message?.messageId,
    );
    expect(new Set(ids).size).toBe(1);
  });

  test('C14: again is recognized in the history, also by a client that did not see the first one', async () => {
    const first = [says('user', 'book'), says('agent', 'Which city?')];
    const second = [...first, says('user', 'Lisbon'), says('agent', 'Which city?')];
    const { client } = peerOf({
      sends: [],
      reads: [
        asks('Which city?', { history: first }),
        asks('Which city?', { history: first.slice(0, 1) }),
        asks('Which city?', { history: second }),
      ],
    });
    const reader = client();
    const read = async () => {
      const { status, history = [] } = await reader.getTask({ id: 't' });
      return { current: status.message?.messageId, past: history.map(({ messageId }) => messageId) };
    };
    const [one, two, three] = [await read(), await read(), await read()];
    expect(one.current).toBe(one.past[1]);
    expect(two.current, 'the same question, not yet in the history').toBe(one.current);
    expect(three.past[1]).toBe(one.current);
    expect(three.current).toBe(three.past[3]);
    expect(new Set(three.past).size, 'four messages').toBe(4);
  });
});
