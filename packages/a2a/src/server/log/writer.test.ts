import { expect, test } from 'vitest';
import { callerOf, say } from '../../../test/harness.js';
import { refusal, until, untilIdle } from '../../../test/looking.js';
import { createAgent, memoryStore, type RequestContext, type TaskEvents } from '../index.js';

const LARGE = 'x'.repeat(50_000);

test('a claimed task counts with its history, although the claim does not read the messages', async () => {
  const execute = async (context: RequestContext, events: TaskEvents) => {
    if (context.text === 'rest') return events.status('TASK_STATE_INPUT_REQUIRED');
    await context.requireInput('Which?');
  };
  const agent = createAgent({ name: 'Waiting', executor: { execute }, maxWaitingRunBytesPerCaller: 40_000 });
  const ann = callerOf(agent, { id: 'ann' });
  const large = await ann.task(say([{ text: 'rest' }, { data: LARGE }]));
  await untilIdle(agent);
  await ann.task(say('ask', { taskId: large.id }));
  expect(agent.tasks.running).toHaveLength(1);
  const small = await ann.task('ask');
  await until(() => agent.tasks.running.length < 2);
  expect(agent.tasks.running, 'the large task is parked').toMatchObject([{ taskId: small.id }]);
  await agent.close({ drainMs: 0 });
});

test('a caller whose share of the store is full when its task is created gets 429 with the time to retry', async () => {
  const execute = (_: RequestContext, events: TaskEvents) => events.status('TASK_STATE_INPUT_REQUIRED');
  const store = memoryStore({ maxBytesPerOwner: 10_000 });
  const agent = createAgent({ name: 'Small', executor: { execute }, store, onError: () => {} });
  const ann = callerOf(agent, { id: 'ann' });
  const first = ann.task(LARGE);
  const second = refusal(ann.task(LARGE)); // there is room when its run begins, and none when its task is written
  expect((await first).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(await second).toMatchObject({ reason: 'RATE_LIMITED', httpStatus: 429, retryAfterMs: 1_000 });
  await agent.close({ drainMs: 0 });
});
