import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import type { Call, Interceptor } from '../src/server/index.js';
import { createAgent } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { refusal } from './looking.js';

const NAME = { name: 'Onion' };

describe('interceptors wrap every operation', () => {
  const named =
    (order: string[], name: string): Interceptor =>
    (next) =>
    async (call) => {
      order.push(`${name} in`);
      const reply = await next(call).finally(() => order.push(`${name} out`));
      return reply;
    };

  test('the first interceptor is the outermost, for the call and for the reply, also if the operation is refused', async () => {
    const order: string[] = [];
    const agent = createAgent({ ...NAME, interceptors: ['a', 'b', 'c'].map((name) => named(order, name)), execute: () => 'x' });
    const caller = callerOf(agent);
    await caller.task('go');
    const around = ['a in', 'b in', 'c in', 'c out', 'b out', 'a out'];
    expect(order.splice(0)).toEqual(around);
    await refusal(caller.get('unknown'));
    expect(order.splice(0)).toEqual(around);
    const reader = await caller.stream('go');
    expect(order.splice(0)).toEqual(around);
    await reader.all();
  });

  test('an interceptor is created once and called for each call, with the original call', async () => {
    const calls: Call[] = [];
    let made = 0;
    const watch: Interceptor = (next) => {
      made += 1;
      return (call) => {
        calls.push(call);
        return next(call);
      };
    };
    const caller = callerOf(createAgent({ ...NAME, interceptors: [watch], execute: () => 'x' }), { id: 'ann' });
    const { id } = await caller.task('go');
    await caller.value('GetTask', { id }, { requestId: 'mine' });
    expect(made).toBe(1);
    expect(calls.map(({ method, caller: who, requestId }) => [method, who.id, requestId])).toEqual([
      ['SendMessage', 'ann', 'r-1'],
      ['GetTask', 'ann', 'mine'],
    ]);
  });

  test('an interceptor may change the caller and the params of a call', async () => {
    const become: Interceptor = (next) => (call) => next({ ...call, caller: { id: 'service', scopes: ['all'] } });
    const shorten: Interceptor = (next) => (call) =>
      next(call.method === 'GetTask' ? ({ ...call, params: { ...call.params, historyLength: 0 } } as Call) : call);
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const agent = createAgent({ ...NAME, interceptors: [become, shorten], executor });
    const { id } = await callerOf(agent, { id: 'ann' }).task('go');
    expect(executor.runs[0]?.caller).toEqual({ id: 'service', scopes: ['all'] });
    expect(await callerOf(agent, { id: 'bob' }).get(id), 'bob is the service as well').not.toHaveProperty('history');
  });

  test('an interceptor may change the reply, of values and of streams', async () => {
    const loud: Interceptor = (next) => async (call) => {
      const reply = await next(call);
      if (reply.kind === 'value') return { ...reply, json: reply.json.replaceAll('hello', 'HELLO') };
      return {
        ...reply,
        open: (sink) =>
          reply.open({
            send: (frames) =>
              sink.send(frames.map(({ json, seq }) => ({ json: json.replaceAll('hello', 'HELLO'), ...(seq !== undefined && { seq }) }))),
            end: (why) => sink.end(why),
          }),
      };
    };
    const caller = callerOf(createAgent({ ...NAME, interceptors: [loud], execute: ({ text }) => text }));
    expect((await caller.task('hello')).artifacts?.[0]?.parts).toEqual([{ text: 'HELLO' }]);
    const reader = await caller.stream('hello');
    await reader.all();
    expect(reader.text).toBe('HELLO');
  });

  test('an interceptor may reply itself: the interceptors and the operation after it are not called', async () => {
    const order: string[] = [];
    const answer: Interceptor = () => async () => ({
      kind: 'value',
      extensions: [],
      json: '{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"closed today"}]}}',
    });
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, interceptors: [named(order, 'a'), answer, named(order, 'c')], executor }));
    expect((await caller.send('go')).message?.parts).toEqual([{ text: 'closed today' }]);
    expect(order).toEqual(['a in', 'a out']);
    expect(executor.runs).toEqual([]);
  });

  test('an interceptor may refuse a call, and the caller gets exactly that error', async () => {
    const error = new A2AError('INSUFFICIENT_SCOPE', 'you may not', { metadata: { scope: 'write' } });
    const refuse: Interceptor = (next) => (call) => (call.method === 'SendMessage' ? Promise.reject(error) : next(call));
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const errors: unknown[] = [];
    const caller = callerOf(createAgent({ ...NAME, interceptors: [refuse], executor, onError: (reported) => errors.push(reported) }));
    expect(await refusal(caller.send('go'))).toBe(error);
    expect(executor.runs).toEqual([]);
    expect(errors).toEqual([]);
    expect((await caller.list()).totalSize).toBe(0);
  });

  test('an interceptor that throws gives an internal error without its message, which is reported with its cause', async () => {
    const cause = new Error('password is hunter2');
    const broken: Interceptor = () => () => {
      throw cause;
    };
    const errors: A2AError[] = [];
    const caller = callerOf(createAgent({ ...NAME, interceptors: [broken], execute: () => 'x', onError: (error) => errors.push(error) }));
    const error = await refusal(caller.handle('SendMessage', { message: say('go') }));
    expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', message: 'Internal error' });
    expect(errors).toEqual([error]);
    expect(errors[0]?.cause).toBe(cause);
  });
});
