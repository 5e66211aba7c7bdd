/**
 * What must compile for the developer of an agent, and what must not. The compiler checks it; a body is also called where that is cheap.
 */
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Part } from '../src/protocol/types.js';
import { type AgentOptions, createAgent, type Execute, type TaskEvents } from '../src/server/index.js';
import { callerOf } from './harness.js';

const accepts = (_: Execute): void => {};

describe('F11: forms of execute', () => {
  test('F11: generators, async iterables and streams are valid forms, also behind a promise', () => {
    const stream = new ReadableStream<string>();
    const textStream = stream as AsyncIterable<string> & ReadableStream<string>; // the type of `streamText().textStream`
    accepts(() => textStream);
    accepts(async () => textStream);
    accepts(() => stream);
    accepts(() => new ReadableStream<Part>());
    accepts(async function* () {
      yield 'text';
      yield { data: 1 };
      return 'end';
    });
    accepts((): AsyncIterable<string> => textStream);
    accepts(async () => 'text');
    accepts(() => undefined);
    // @ts-expect-error A stream of bytes must be decoded first.
    accepts(() => new ReadableStream<Uint8Array>());
    // @ts-expect-error A number is not a valid chunk.
    accepts(async function* () {
      yield 1;
    });
    // @ts-expect-error A number is not a valid answer.
    accepts(() => 1);
  });
});

describe('F12: options of createAgent', () => {
  test('F12: at least one of execute and executor is required, both are allowed', () => {
    const execute: Execute = () => 'x';
    const executor = { execute: async (_: unknown, events: TaskEvents) => events.complete() };
    const options = (_: AgentOptions): void => {};
    options({ name: 'a', execute });
    options({ name: 'a', executor });
    options({ name: 'a', execute, executor });
    // @ts-expect-error Neither execute nor executor is given.
    expect(() => createAgent({ name: 'a' })).toThrow('execute');
    // @ts-expect-error The name is missing.
    options({ execute });
    // @ts-expect-error This option does not exist.
    options({ name: 'a', execute, storee: undefined });
    // @ts-expect-error A path is not a store.
    options({ name: 'a', execute, store: 'agent.db' });
  });
});

describe('F15: data', () => {
  interface Offer {
    readonly price: number;
    readonly city?: string;
  }

  test('F15: `data()` and `parts[].data` have one type and accept an interface without a cast', async () => {
    expectTypeOf<Parameters<TaskEvents['data']>[0]>().toEqualTypeOf<Part['data']>();
    const offer: Offer = { price: 3 };
    const agent = createAgent({
      name: 'Offers',
      execute: async ({ parts }, events) => {
        await events.data(offer, { id: 'offer' });
        await events.data(parts[0]?.data, { id: 'echo' });
        return [{ data: offer }, { data: parts[0]?.data ?? null }];
      },
    });
    const { artifacts } = await callerOf(agent).task({ messageId: 'm', role: 'ROLE_USER', parts: [{ data: { n: [1] } }] });
    expect(artifacts?.flatMap(({ parts }) => parts.map(({ data }) => data))).toEqual([offer, { n: [1] }, offer, { n: [1] }]);
  });
});
