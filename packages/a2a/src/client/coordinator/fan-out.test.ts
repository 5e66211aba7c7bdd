import { describe, expect, test } from 'vitest';
import { kinds, settle, team, unavailable } from '../../../test/client/scripted-team.js';
import { A2AError } from '../../protocol/errors.js';
import type { Input } from '../run/run-options.js';
import { waitForFirst, waitForQuorum } from './join.js';

describe('several agents', () => {
  test('B17: all agents are called concurrently, and the outcomes keep the order of the targets', async () => {
    const { a, b, c, coordinator } = team();
    const result = coordinator.fanOut(['c', 'a', 'b'], 'hi');
    await settle();
    expect([a, b, c].map(({ asked }) => asked.length)).toEqual([1, 1, 1]);
    b.answer('3');
    a.fail(unavailable());
    c.answer('1');
    const { outcomes, done, failed, skipped } = await result;
    expect(kinds(await result)).toEqual(['c done', 'a failed', 'b done']);
    expect(done.map(({ reply }) => reply.text)).toEqual(['1', '3']);
    expect([outcomes.length, done.length, failed.length, skipped.length]).toEqual([3, 2, 1, 0]);
  });

  test('B17: one reply of three is enough by default', async () => {
    const { a, b, c, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b', 'c'], 'hi');
    await settle();
    a.fail(unavailable());
    b.fail(unavailable());
    c.answer('here');
    expect(kinds(await result)).toEqual(['a failed', 'b failed', 'c done']);
  });

  test('B17: no reply of three is an error with the counts and the errors as its cause', async () => {
    const { a, b, c, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b', 'c'], 'hi').catch((error) => error);
    await settle();
    const errors = [unavailable(), new A2AError('INVALID_PARAMS', 'what?'), unavailable()] as const;
    for (const [index, client] of [a, b, c].entries()) client.fail(errors[index] ?? unavailable());
    const error = await result;
    expect(error).toMatchObject({
      name: 'A2AError',
      reason: 'AGENT_UNAVAILABLE',
      message: '0 of 3 agents replied, 1 needed: 3 failed, 0 skipped',
      retryable: true,
      metadata: { agents: '3', done: '0', failed: '3', skipped: '0', needed: '1' },
    });
    expect(error.cause).toBeInstanceOf(AggregateError);
    expect(error.cause.errors).toEqual(errors);
  });

  test('B17: minResults sets how many must reply; fewer replies are an error', async () => {
    const { a, b, c, coordinator } = team();
    const ask = async (): Promise<unknown> => {
      const result = coordinator.fanOut(['a', 'b', 'c'], 'hi', { minResults: 2 }).catch(({ message }) => message);
      await settle();
      a.answer('here');
      b.fail(new A2AError('INVALID_PARAMS', 'what?'));
      return result;
    };
    const enough = ask();
    await settle();
    c.answer('here too');
    expect(await enough).toMatchObject({ done: [{ agent: 'a' }, { agent: 'c' }] });
    const few = ask();
    await settle();
    c.fail(new A2AError('INVALID_PARAMS', 'what?'));
    expect(await few).toBe('1 of 3 agents replied, 2 needed: 2 failed, 0 skipped');
  });

  test('B17: an agent with an open circuit is skipped, the others are called', async () => {
    const { a, b, coordinator } = team({ breaker: { failures: 1 } });
    const failing = coordinator.delegate('a', 'hi');
    await settle();
    a.fail(unavailable());
    await failing;
    const result = coordinator.fanOut(['a', 'b'], 'hi');
    await settle();
    b.answer('here');
    expect(kinds(await result)).toEqual(['a skipped circuit-open', 'b done']);
    expect(a.asked).toHaveLength(1);
  });

  test('B17: one timer for all: late agents fail and are canceled, and the result contains the other replies', async () => {
    const { a, b, c, clock, coordinator } = team();
    const result = coordinator.fanOut(['a', 'b', 'c'], 'hi', { timeoutMs: 1_000 });
    await settle();
    b.answer('in time');
    await clock.tick(1_000);
    expect(kinds(await result)).toEqual(['a failed', 'b done', 'c failed']);
    expect([a.events, b.events, c.events]).toEqual([['cancel', 'detach'], [], ['cancel', 'detach']]);
    expect(clock.pending).toBe(0);
  });

  test('B17: a caller that aborts by its signal detaches from all agents and cancels none', async () => {
    const { a, b, coordinator, clock } = team();
    const { run } = b;
    Object.assign(b, { run: (message: Input) => run(message) }); // ignores the abort: still running when the other has stopped
    const control = new AbortController();
    const result = coordinator.fanOut(['a', 'b'], 'hi', { signal: control.signal, join: waitForFirst(), timeoutMs: 1_000 });
    await settle();
    control.abort();
    await expect(result).rejects.toMatchObject({ reason: 'ABORTED' });
    await settle();
    expect([a.events, b.events]).toEqual([[], ['detach']]);
    expect(clock.pending).toBe(0);
  });

  test('B17: an unknown target, an empty list or an impossible number is refused before any agent is called', async () => {
    const { a, b, coordinator } = team();
    await expect(coordinator.fanOut(['a', 'x' as 'b'], 'hi')).rejects.toThrow('unknown agent x; the agents are a, b, c');
    await expect(coordinator.fanOut([], 'hi')).rejects.toThrow('fanOut needs at least one target');
    await expect(coordinator.fanOut(['a', 'b'], 'hi', { minResults: 3 })).rejects.toThrow(
      'minResults must be a whole number from 0 to 2, got 3',
    );
    await expect(coordinator.fanOut(['a', 'b'], 'hi', { join: waitForQuorum(3) })).rejects.toThrow(
      'a quorum of 3 cannot be reached with 2 targets',
    );
    expect(() => waitForQuorum(0)).toThrow('waitForQuorum needs a whole number of at least 1, got 0');
    expect([a.asked, b.asked]).toEqual([[], []]);
  });

  test('B25: one message for all, or one for each', async () => {
    const { a, b, coordinator } = team();
    const same = coordinator.fanOut(['a', 'b'], [{ text: 'to both' }], { minResults: 2 });
    await settle();
    for (const client of [a, b]) client.answer('yes');
    await same;
    const each = coordinator.fanOut(
      [
        { agent: 'b', message: 'to b' },
        { agent: 'a', message: 'to a' },
        { agent: 'b', message: 'to b again' },
      ],
      { minResults: 3 },
    );
    await settle();
    for (const client of [a, b]) client.answer('yes');
    expect(kinds(await each)).toEqual(['b done', 'a done', 'b done']);
    expect(a.asked.map(({ message }) => message)).toEqual([[{ text: 'to both' }], 'to a']);
    expect(b.asked.map(({ message }) => message)).toEqual([[{ text: 'to both' }], 'to b', 'to b again']);
  });

  test('B25: lists of unequal length and unknown names do not compile', () => {
    const { coordinator } = team();
    const never = (): void => {
      // @ts-expect-error: a list of messages is one message of parts, not one for each agent
      void coordinator.fanOut(['a', 'b'], ['to a']);
      // @ts-expect-error: a target without its message
      void coordinator.fanOut([{ agent: 'a' }]);
      // @ts-expect-error: an unknown name
      void coordinator.delegate('x', 'hi');
    };
    expect(never).toBeTypeOf('function');
  });
});
