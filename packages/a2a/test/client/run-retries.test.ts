/** Runs over a whole client: what its reconnects and the retries of its calls are together. */
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import type { ClientOptions } from '../../src/client/options.js';
import { isA2AError } from '../../src/protocol/errors.js';
import { faultFetch, type HandClock, handClock } from '../../src/testing/index.js';
import { chunk, status, task, theTask } from './scripted-peer.js';

const BEGIN = task('TASK_STATE_WORKING');

async function untilSettled<T>(clock: HandClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  for (let ticks = 0; ticks < 2_000 && !isOver; ticks += 1) await clock.tick(100);
  return promise;
}

/** The stream breaks, and from then on nobody is there. */
async function loseTheAgent(options: ClientOptions = {}) {
  const clock = handClock();
  const fetch = faultFetch({
    clock,
    script: {
      SendStreamingMessage: { events: [BEGIN], finish: 'drop' },
      SubscribeToTask: 'drop',
      GetTask: 'drop',
      SendMessage: { value: { task: theTask('TASK_STATE_WORKING') } },
    },
  });
  const client = createClient('http://test', { fetch, clock, random: () => 0.5, ...options });
  const error: unknown = await untilSettled(
    clock,
    client.run('x').result.catch((thrown: unknown) => thrown),
  );
  const count = (operation: string): number => fetch.requests.filter((request) => request.operation === operation).length;
  return {
    attempts: isA2AError(error) && 'attempts' in error ? error.attempts : error,
    subscribes: count('SubscribeToTask'),
    looks: count('GetTask'),
  };
}

test('C19: the attempts of a run and the retries of their calls add up and do not multiply', async () => {
  expect(await loseTheAgent()).toEqual({ attempts: 3, subscribes: 3 + 3, looks: 1 + 3 });
  expect(await loseTheAgent({ breaker: false })).toEqual({ attempts: 3, subscribes: 3 + 3, looks: 1 + 3 });
  expect(await loseTheAgent({ retry: false })).toEqual({ attempts: 3, subscribes: 3, looks: 1 });
  expect(await loseTheAgent({ reconnect: { max: 1 }, retry: { maxRetries: 5 } })).toMatchObject({ subscribes: 1 + 5 });
});

test('C19: the same where waiting for sleepers is switched on', async () => {
  const activation = { maxRetries: 5 };
  expect(await loseTheAgent({ retry: false, activation })).toMatchObject({ subscribes: 3 + 5 });
});

test('C19: the same where a task is polled', async () => {
  expect(await loseTheAgent({ mode: 'poll' })).toEqual({ attempts: 3, subscribes: 0, looks: 1 + 3 + 3 });
});

test('C19: progress gives back the retries, as it does the attempts', async () => {
  const clock = handClock();
  const again = (text: string) => ({
    events: [task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'answer', parts: [{ text }] }] })],
    finish: 'drop' as const,
  });
  const fetch = faultFetch({
    clock,
    script: {
      SendStreamingMessage: { events: [BEGIN, chunk('a', { append: false })], finish: 'drop' },
      SubscribeToTask: [
        'drop',
        'drop',
        'drop',
        again('ab'),
        'drop',
        'drop',
        'drop',
        again('abc'),
        { events: [BEGIN, status('TASK_STATE_COMPLETED')] },
      ],
    },
  });
  const client = createClient('http://test', { fetch, clock, reconnect: { max: 1 } });
  expect(await untilSettled(clock, client.run('x').result)).toMatchObject({ text: 'abc' });
});

test('D34: an agent that is away for five seconds is waited for, whatever chance makes of the delays', async () => {
  for (const random of [0, 0.5, 0.999]) {
    const clock = handClock();
    const peer = faultFetch({
      clock,
      script: {
        SendStreamingMessage: { events: [BEGIN], finish: 'drop' },
        SubscribeToTask: { events: [BEGIN, chunk('back', { append: false }), status('TASK_STATE_COMPLETED')] },
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
