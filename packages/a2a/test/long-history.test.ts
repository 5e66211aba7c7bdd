import { expect, test } from 'vitest';
import { type AgentExecutor, createAgent, memoryStore } from '../src/server/index.js';
import { altered } from './faults.js';
import { callerOf, say } from './harness.js';

const TURNS = 5;
const TEXT = 'x'.repeat(700_000);

test('F72: a node that continues a task with a long history reads it in slices, and the executor gets all of it', async () => {
  const store = memoryStore();
  let texts: readonly (string | undefined)[] = [];
  const executor: AgentExecutor = {
    execute: async ({ currentTask }, events) => {
      texts = (currentTask?.history ?? []).map(({ parts }) => parts[0]?.text?.slice(0, 8));
      await events.status('TASK_STATE_INPUT_REQUIRED');
    },
  };
  const first = callerOf(createAgent({ name: 'Long', store, executor }));
  const { id: taskId } = await first.task(say(`turn 0: ${TEXT}`));
  for (let n = 1; n < TURNS; n += 1) await first.task(say(`turn ${n}: ${TEXT}`, { taskId }));

  const ranges: [number, number][] = [];
  const counted = altered(
    ({ messages }) => ({
      messages: (ref, from, to) => {
        ranges.push([from, to]);
        return messages(ref, from, to);
      },
    }),
    store,
  );
  const next = callerOf(createAgent({ name: 'Long', store: counted, executor }));
  await next.task(say('the last turn', { taskId }), { historyLength: 0 });
  expect(texts).toEqual([...Array.from({ length: TURNS }, (_, n) => `turn ${n}: `), 'the last']);
  expect(ranges.length, 'each read has about one megabyte').toBeGreaterThanOrEqual(TURNS - 1);
  expect(ranges.map(([from]) => from).slice(1), 'each read continues where the last one ended').toEqual(
    ranges.map(([, to]) => to).slice(0, -1),
  );

  ranges.length = 0;
  await next.task(say('one more', { taskId }), { historyLength: 0 });
  expect(
    ranges.filter(([from]) => from < TURNS),
    'what the node has read is not read again',
  ).toEqual([]);
});
