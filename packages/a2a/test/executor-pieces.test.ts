/** Answers in chunks from sources other than generators: streams of models, iterators of libraries. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/protocol/errors.js';
import type { Part } from '../src/protocol/types.js';
import { createAgent, type Execute, memoryStore } from '../src/server/index.js';
import { callerOf, gate } from './harness.js';
import { until } from './looking.js';

const NAME = { name: 'Streamer' };

/** A stream of these chunks that records how it was read and canceled. */
function source(pieces: readonly unknown[], end: 'close' | 'hang' | Error = 'close') {
  const seen = { pulled: 0, canceled: undefined as unknown };
  const stream = new ReadableStream<string | Part>(
    {
      pull(controller) {
        const piece = pieces[seen.pulled];
        seen.pulled += 1;
        if (seen.pulled <= pieces.length) controller.enqueue(piece as string);
        else if (end === 'close') controller.close();
        else if (end !== 'hang') controller.error(end);
        return seen.pulled > pieces.length && end === 'hang' ? new Promise(() => {}) : undefined;
      },
      cancel(reason) {
        seen.canceled = reason ?? 'no reason';
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

/** A source that is not a stream, with or without `return`. */
function iterable(pieces: readonly string[], more: Partial<AsyncIterator<string>> = {}): AsyncIterable<string> {
  const values = pieces.values();
  return { [Symbol.asyncIterator]: () => ({ next: async () => values.next(), ...more }) };
}

const answerOf = async (execute: Execute): Promise<readonly Part[] | undefined> => {
  const { status, artifacts } = await callerOf(createAgent({ ...NAME, execute })).task('go');
  expect(status.state).toBe('TASK_STATE_COMPLETED');
  return artifacts?.find(({ artifactId }) => artifactId === 'answer')?.parts;
};

describe('F11: return values of execute', () => {
  const forms: [string, () => ReturnType<Execute>][] = [
    ['a ReadableStream', () => source(['one ', 'two']).stream],
    ['a promise of a ReadableStream', async () => source(['one ', 'two']).stream],
    ['an async iterable', () => iterable(['one ', 'two'])],
    ['a promise of an async iterable', async () => iterable(['one ', 'two'])],
    [
      'a stream that is also an async iterable, as models return',
      () => Object.assign(source(['one ', 'two']).stream, iterable(['never read'])),
    ],
    ['a stream that is not iterable', () => withoutIterator(source(['one ', 'two']).stream)],
  ];
  test.each(forms)('F11: %s streams into the artifact `answer`', async (_, make) => {
    const reader = await callerOf(createAgent({ ...NAME, execute: make })).stream('go');
    const updates = (await reader.all()).flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    expect(updates.map(({ artifact, append = false }) => [artifact.artifactId, artifact.parts, append])).toEqual([
      ['answer', [{ text: 'one ' }], false],
      ['answer', [{ text: 'two' }], true],
    ]);
    expect(await answerOf(make)).toEqual([{ text: 'one two' }]);
  });

  test('F11: parts and texts may be mixed, and an empty stream completes the task', async () => {
    expect(await answerOf(() => source(['one', { data: { n: 1 } }, 'two']).stream)).toEqual([
      { text: 'one' },
      { data: { n: 1 } },
      { text: 'two' },
    ]);
    expect(await answerOf(() => source([]).stream)).toBeUndefined();
  });

  test('F11: an iterator without `return` is read to its end, and is abandoned when the task fails', async () => {
    expect(await answerOf(() => iterable(['a', 'b']))).toEqual([{ text: 'ab' }]);
    const { status } = await callerOf(createAgent({ ...NAME, execute: () => iterable(['a', 1 as never, 'b']) })).task('go');
    expect(status.state).toBe('TASK_STATE_FAILED');
  });
});

function withoutIterator<T>(stream: ReadableStream<T>): ReadableStream<T> {
  return Object.assign(stream, { [Symbol.asyncIterator]: undefined });
}

/** The final state of the task, the part of the answer that it has, and the errors reported to the developer. */
async function failureOf(execute: Execute) {
  const reported: A2AError[] = [];
  const agent = createAgent({ ...NAME, onError: (error) => reported.push(error), execute });
  const { status, artifacts } = await callerOf(agent).task('go');
  return { state: status.state, parts: artifacts?.[0]?.parts, reported };
}

describe('F11: errors of the source', () => {
  test('F11: a stream that breaks in the middle fails the task, and the earlier chunks are kept', async () => {
    const crash = new Error('the model is away');
    const { stream, seen } = source(['half'], crash);
    const { state, parts, reported } = await failureOf(() => stream);
    expect([state, parts]).toEqual(['TASK_STATE_FAILED', [{ text: 'half' }]]);
    expect(reported.map(({ cause }) => cause)).toEqual([crash]);
    expect(seen.canceled).toBeUndefined();
  });

  test('F11: `return` is not called on an iterator that throws', async () => {
    let returned = 0;
    const crash = new Error('no more');
    const broken = iterable([], {
      next: async () => Promise.reject(crash),
      return: async () => ({ done: true, value: ++returned }),
    });
    const { reported } = await failureOf(async (_, events) => {
      await events.working();
      return broken;
    });
    expect(reported.map(({ cause }) => cause)).toEqual([crash]);
    expect(returned).toBe(0);
  });

  test('F11: a locked stream is refused with an error that says so', async () => {
    const { stream } = source(['x']);
    stream.getReader();
    const { state, reported } = await failureOf(async (_, events) => {
      await events.working();
      return stream;
    });
    expect(state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(reported.map(({ message, cause }) => [message, String(cause)]))).toContain('locked to another reader');
  });

  test('F11: bytes are refused with an error that explains how to decode them, and the stream is canceled', async () => {
    const { stream, seen } = source([new TextEncoder().encode('bytes'), 'never read']);
    const { state, reported } = await failureOf(async (_, events) => {
      await events.working();
      return stream;
    });
    expect(state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(reported.map(({ message, cause }) => [message, String(cause)]))).toContain('TextDecoderStream');
    expect(seen).toMatchObject({ pulled: 1, canceled: expect.anything() });
  });
});

describe('F11: a cancel reaches the source', () => {
  async function cancelWhile(execute: Execute) {
    const caller = callerOf(createAgent({ ...NAME, execute }));
    const reader = await caller.stream('go');
    await reader.until(3);
    const { status } = await caller.cancel(reader.seen[0]?.task?.id ?? '');
    await reader.all();
    return status.state;
  }

  test('F11: a pending read of a stream is ended by canceling the stream', async () => {
    const { stream, seen } = source(['one'], 'hang');
    expect(await cancelWhile(() => stream)).toBe('TASK_STATE_CANCELED');
    expect(seen.canceled).toBeDefined();
  });

  test('F11: a stream that is returned after the cancel is canceled and not read', async () => {
    const { stream, seen } = source(['one'], 'hang');
    const caller = callerOf(
      createAgent({
        ...NAME,
        async execute({ signal }, events) {
          await events.working();
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          return stream;
        },
      }),
    );
    const reader = await caller.stream('go');
    await reader.until(2);
    expect((await caller.cancel(reader.seen[0]?.task?.id ?? '')).status.state).toBe('TASK_STATE_CANCELED');
    await until(() => seen.canceled !== undefined);
    expect(seen.canceled).toMatchObject({ message: 'the task was canceled' });
    expect(seen.pulled).toBe(0);
  });

  test('F11: `return` is called once on a waiting iterator', async () => {
    const over = gate();
    let returned = 0;
    let turn = 0;
    const waiting: AsyncIterable<string> = iterable([], {
      async next() {
        turn += 1;
        if (turn === 1) return { done: false, value: 'one' };
        await over.passed;
        return { done: true, value: undefined };
      },
      async return() {
        returned += 1;
        over.open();
        return { done: true, value: undefined };
      },
    });
    expect(await cancelWhile(() => waiting)).toBe('TASK_STATE_CANCELED');
    expect(returned).toBe(1);
  });

  test('F11: a stream whose own cleanup fails is canceled as well', async () => {
    const stream = new ReadableStream<string>({
      start: (controller) => controller.enqueue('one'),
      cancel: () => Promise.reject(new Error('cannot clean up')),
    });
    expect(await cancelWhile(() => stream)).toBe('TASK_STATE_CANCELED');
  });
});

test('F11: a slow store applies back-pressure to the stream', async () => {
  const store = memoryStore();
  const commits = gate();
  let committed = 0;
  const slow: typeof store = {
    ...store,
    commit: async (writes) => {
      committed += 1;
      if (committed > 1) await commits.passed;
      return store.commit(writes);
    },
  };
  const { stream, seen } = source(Array.from({ length: 500 }, (_, n) => `${n} `));
  const agent = createAgent({ ...NAME, store: slow, maxPendingEvents: 4, execute: () => stream });
  const sent = callerOf(agent).task('go');
  await until(() => committed > 1);
  for (let n = 0; n < 50; n += 1) await nextTurn();
  expect(seen.pulled).toBeLessThan(20);
  commits.open();
  const { artifacts } = await sent;
  expect(artifacts?.[0]?.parts).toEqual([{ text: Array.from({ length: 500 }, (_, n) => `${n} `).join('') }]);
});
