/** Runs with a whole client: how its reconnects and the retries of its calls add up. */
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import type { ClientOptions } from '../../src/client/options.js';
import { isA2AError } from '../../src/protocol/errors.js';
import { type FaultPeerOptions, faultFetch, type ManualClock, manualClock } from '../../src/testing/index.js';
import { chunk, status, task, theTask } from './scripted-peer.js';

const BEGIN = task('TASK_STATE_WORKING');

async function untilSettled<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  for (let ticks = 0; ticks < 2_000 && !isOver; ticks += 1) await clock.tick(100);
  return promise;
}

type Refusal = 'drop' | number;

/** The stream breaks, and from then on the agent is unreachable or answers by script. */
async function loseTheAgent(options: ClientOptions = {}, script: FaultPeerOptions['script'] = {}) {
  const clock = manualClock();
  const fetch = faultFetch({
    clock,
    script: {
      SendStreamingMessage: { events: [BEGIN], finish: 'drop' },
      SubscribeToTask: 'drop',
      GetTask: 'drop',
      SendMessage: { value: { task: theTask('TASK_STATE_WORKING') } },
      ...script,
    },
  });
  const client = createClient('http://test', { fetch, clock, random: () => 0.5, ...options });
  const waits: number[] = [];
  const follow = async (): Promise<void> => {
    for await (const update of client.run('x')) if (update.kind === 'reconnect') waits.push(update.delayMs);
  };
  const error: unknown = await untilSettled(
    clock,
    follow().catch((thrown: unknown) => thrown),
  );
  const count = (operation: string): number => fetch.requests.filter((request) => request.operation === operation).length;
  return {
    attempts: isA2AError(error) && 'attempts' in error ? error.attempts : error,
    subscribes: count('SubscribeToTask'),
    waits,
    looks: count('GetTask'),
  };
}

test('F39: an unreachable agent gets as many subscribes as the error states, each after the same delay', async () => {
  expect(await loseTheAgent()).toEqual({ attempts: 3, subscribes: 3, waits: [500, 500, 500], looks: 1 + 3 });
  expect(await loseTheAgent({ reconnect: { maxRetries: 5 } })).toMatchObject({ attempts: 5, subscribes: 5, waits: Array(5).fill(500) });
  expect(await loseTheAgent({ reconnect: { maxRetries: 0 } })).toMatchObject({ attempts: 0, subscribes: 0, waits: [] });
});

test.each<Refusal>(['drop', 503, 500, 429])(
  'F39: an agent that refuses its streams with %s gets as many subscribes as the error states',
  async (refusal) => {
    const working = { value: theTask('TASK_STATE_WORKING') };
    expect(await loseTheAgent({}, { SubscribeToTask: refusal, GetTask: working })).toEqual({
      attempts: 3,
      subscribes: 3,
      waits: [500, 500, 500],
      looks: 1,
    });
  },
);

test('F39: an agent that refuses all streams and answers only every second GetTask restores the attempts once, not forever', async () => {
  const working = { value: theTask('TASK_STATE_WORKING') };
  const GetTask = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 503 : working));
  expect(await loseTheAgent({}, { SubscribeToTask: 503, GetTask })).toMatchObject({ attempts: 3, subscribes: 3 + 1 + 3, looks: 2 + 2 });
});

test('C19: neither retry nor activation repeats an attempt of a run, with or without a circuit breaker', async () => {
  const once = { attempts: 3, subscribes: 3 };
  expect(await loseTheAgent({ breaker: false })).toMatchObject({ ...once, looks: 1 + 3 });
  expect(await loseTheAgent({ retry: false })).toMatchObject({ ...once, looks: 1 });
  expect(await loseTheAgent({ retry: false, activation: { maxRetries: 5 } })).toMatchObject(once);
  expect(await loseTheAgent({ reconnect: { maxRetries: 1 }, retry: { maxRetries: 5 } })).toMatchObject({ attempts: 1, subscribes: 1 });
});

test('C19: with polling, a poll has its retries, and each attempt after that is one request', async () => {
  expect(await loseTheAgent({ mode: 'poll' })).toMatchObject({ attempts: 3, subscribes: 0, looks: 1 + 3 + 3 });
});

test('D34: a run survives an agent that is unreachable for five seconds, with any jitter', async () => {
  for (const random of [0, 0.5, 0.999]) {
    const clock = manualClock();
    const peer = faultFetch({
      clock,
      script: {
        SendStreamingMessage: { events: [BEGIN], finish: 'drop' },
        SubscribeToTask: { events: [BEGIN, chunk('back', { append: false }), status('TASK_STATE_COMPLETED')] },
        GetTask: { value: theTask('TASK_STATE_WORKING') },
      },
    });
    const backAt = clock.now() + 5_000;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const isAway = peer.requests.some(({ operation }) => operation === 'SendStreamingMessage') && clock.now() < backAt;
      if (isAway)
        throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
      return peer(input, init);
    };
    const client = createClient('http://test', { fetch, clock, random: () => random });
    expect(await untilSettled(clock, client.run('x').result)).toMatchObject({ text: 'back' });
  }
});
