import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/index.js';
import { createAgent, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { hearUnhandled } from './faults.js';
import { callerOf, say } from './harness.js';
import { follow, until } from './looking.js';

describe('D20, D22: closing while tasks of one context wait for each other', () => {
  const closes: [string, (context: RequestContext) => Promise<void>][] = [
    ['obeys the signal', ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))],
    ['ignores the signal', () => new Promise(() => {})],
  ];
  test.each(closes)('D20, D22: ends in time and starts no waiting task if the running one %s', async (_name, run) => {
    const clock = manualClock();
    const started: string[] = [];
    const agent = createAgent({
      name: 'Queue',
      clock,
      serialize: 'context',
      executor: {
        async execute(context, events) {
          started.push(context.text);
          await events.working();
          await run(context);
        },
      },
    });
    const caller = callerOf(agent);
    const send = (text: string) => caller.task(say(text, { contextId: 'k' })).catch((error: A2AError) => error.reason);
    const sent = ['one', 'two', 'three'].map((text) => follow(send(text)));
    await until(() => started.length === 1);
    await clock.tick();
    const closed = follow(agent.close({ drainMs: 50 }));
    await clock.tick(49);
    expect(closed.isSettled).toBe(false);
    await clock.tick(1);
    expect(closed.isSettled).toBe(true);
    expect(started).toEqual(['one']);
    const [first, ...queued] = await Promise.all(sent.map(({ outcome }) => outcome));
    expect(first, 'blocking sends return the current task').toMatchObject({ history: [{ parts: [{ text: 'one' }] }] });
    expect(queued).toEqual(['AGENT_UNAVAILABLE', 'AGENT_UNAVAILABLE']);
    expect(agent.tasks.running).toEqual([]);
    await clock.tick(10_000);
    expect(clock.pending).toBe(0);
  });
});

test('D20: closing ends although the agent cannot make the message of the failed task', async () => {
  using unhandled = hearUnhandled();
  const clock = manualClock();
  let hasIds = true;
  const messageId = (): string => {
    if (!hasIds) throw new Error('no ids left');
    return crypto.randomUUID();
  };
  const execute = async (_context: RequestContext, events: TaskEvents): Promise<void> => {
    await events.working();
    await new Promise(() => {}); // ignores the signal
  };
  const agent = createAgent({ name: 'Idless', clock, ids: { messageId }, executor: { execute } });
  await callerOf(agent).task('go', { returnImmediately: true });
  hasIds = false;
  const closed = follow(agent.close({ drainMs: 100 }));
  await clock.tick(100);
  await until(() => closed.isSettled);
  expect(unhandled.heard).toEqual([]);
});
