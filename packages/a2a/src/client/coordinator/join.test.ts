import { describe, expect, test } from 'vitest';
import { kinds, settle, team, unavailable } from '../../../test/client/scripted-team.js';
import { A2AError } from '../../protocol/errors.js';
import type { Run } from '../client.js';
import type { Input, RunOptions } from '../run/run-options.js';
import { waitForAll, waitForFirst, waitForQuorum } from './join.js';

describe('not waiting for all agents', () => {
  test('B17: waitForFirst() takes the first reply and cancels the others concurrently', async () => {
    const { a, b, c, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b', 'c'], 'hi', { join: waitForFirst() });
    await settle();
    a.fail(unavailable());
    await settle();
    expect([b.events, c.events], 'a failure is not a reply').toEqual([[], []]);
    c.answer('mine');
    expect(kinds(await result)).toEqual(['a failed', 'b skipped not-needed', 'c done']);
    expect([a.events, b.events, c.events]).toEqual([[], ['cancel', 'detach'], []]);
    expect(coordinator.health().b.consecutiveFailures, 'a late reply is not a failure').toBe(0);
  });

  test('B17: waitForQuorum(2) waits for two', async () => {
    const { a, b, c, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b', 'c'], 'hi', { join: waitForQuorum(2) });
    await settle();
    b.answer('1');
    await settle();
    expect([a.events, c.events]).toEqual([[], []]);
    a.answer('2');
    expect(kinds(await result)).toEqual(['a done', 'b done', 'c skipped not-needed']);
    expect(c.events).toEqual(['cancel', 'detach']);
  });

  test('B17: a quorum that can no longer be reached ends the wait and cancels the remaining agents', async () => {
    const { a, b, c, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b', 'c'], 'hi', { join: waitForQuorum(2) }).catch(({ message }) => message);
    await settle();
    a.fail(unavailable());
    b.fail(unavailable());
    expect(await result).toBe('0 of 3 agents replied, 2 needed: 2 failed, 1 skipped');
    expect(c.events).toEqual(['cancel', 'detach']);
  });

  test('B17: with minResults below the quorum, fewer replies are a smaller result, not an error', async () => {
    const { a, b, c, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b', 'c'], 'hi', { join: waitForQuorum(2), minResults: 1 });
    await settle();
    a.fail(unavailable());
    b.fail(unavailable());
    await settle();
    c.answer('all there is');
    expect(kinds(await result)).toEqual(['a failed', 'b failed', 'c done']);
  });

  test('B17: cancelLosers: false lets the other tasks continue and detaches from them', async () => {
    const { a, b, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b'], 'hi', { join: waitForFirst(), cancelLosers: false });
    await settle();
    a.answer('mine');
    await result;
    expect(b.events).toEqual(['detach']);
  });

  test('B17: waitForAll() waits for the last agent, even if the result is decided', async () => {
    const { a, b, coordinator } = team();
    let isOver = false;
    const result = coordinator.fanOut(['a', 'b'], 'hi', { join: waitForAll() }).finally(() => {
      isOver = true;
    });
    await settle();
    a.answer('1');
    await settle();
    expect(isOver).toBe(false);
    b.answer('2');
    expect((await result).done).toHaveLength(2);
  });

  test('B17: an agent that never reports a task is abandoned after ten seconds: close() does not wait forever', async () => {
    const { a, b, clock, coordinator } = team();
    const run = b.run.bind(b);
    const silent = (message: Input, options?: RunOptions): Run => ({
      ...run(message, options),
      cancel: (how) => new Promise((resolve) => how?.signal?.addEventListener('abort', () => resolve(undefined), { once: true })),
    });
    Object.assign(b, { run: silent });
    const result = coordinator.fanOut(['a', 'b'], 'hi', { join: waitForFirst() });
    await settle();
    a.answer('mine');
    await result;
    const closed = coordinator.close();
    await clock.tick(9_999);
    expect(b.events).toEqual([]);
    await clock.tick(1);
    await closed;
    expect([b.events, clock.pending]).toEqual([['detach'], 0]);
  });

  test('B17: late results are ignored, and failed cancel requests only reach onError', async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', hear);
    try {
      const told: string[] = [];
      const { a, b, c, coordinator } = team({ onError: ({ message }) => told.push(message) });
      const run = c.run.bind(c);
      const brokenCancel = (message: Input, options?: RunOptions): Run => ({
        ...run(message, options),
        cancel: () => Promise.reject(new A2AError('TASK_NOT_CANCELABLE', 'too late')),
      });
      Object.assign(c, { run: brokenCancel });
      const result = coordinator.fanOut(['a', 'b', 'c'], 'hi', { join: waitForFirst() });
      await settle();
      a.answer('mine');
      await result;
      b.fail(unavailable());
      c.fail(unavailable());
      await coordinator.close();
      await new Promise((resolve) => setImmediate(resolve));
      expect([unhandled, told]).toEqual([[], ['too late']]);
    } finally {
      process.off('unhandledRejection', hear);
    }
  });
});
