/** D14: replies without a question, and more replies than questions. */
import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/index.js';
import { createAgent, memoryStore } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, storyOf, untilIdle } from './looking.js';

const PARK: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') };
const ASK = { do: 'requireInput', prompt: 'which?' } as const satisfies ScriptStep;

function agentThat(steps: readonly ScriptStep[], turns: readonly (readonly ScriptStep[])[] = []) {
  const store = memoryStore();
  const executor = scriptedExecutor(steps, { turns });
  const agent = createAgent({ name: 'Asker', store, executor });
  const caller = callerOf(agent);
  const answer = (id: string, text: string) =>
    follow(
      caller.task(say(text, { taskId: id })).then(
        ({ status }) => status.state,
        (error: A2AError) => error.reason,
      ),
    );
  return { agent, answer, caller, executor, store };
}

describe('D14: a reply without a question', () => {
  const rows: [string, readonly ScriptStep[], { answers: string[]; runs: string[]; said: string; row: string }][] = [
    [
      'answers a later question of the turn that accepts earlier messages',
      [{ ...ASK, early: true }, { do: 'complete' }],
      { answers: ['early'], runs: ['go'], said: 'TASK_STATE_COMPLETED', row: 'taken' },
    ],
    [
      'starts the next turn if the turn asks no question',
      [PARK],
      { answers: [], runs: ['go', 'early'], said: 'TASK_STATE_COMPLETED', row: 'taken' },
    ],
    [
      'is refused with an error to its sender when the task ends',
      [{ do: 'complete' }],
      { answers: [], runs: ['go'], said: 'UNSUPPORTED_OPERATION', row: 'refused' },
    ],
  ];
  test.each(rows)('D14: waits while the task works, and %s', async (_name, steps, wanted) => {
    const { agent, answer, caller, executor, store } = agentThat(
      [{ do: 'working' }, { do: 'gate', name: 'on' }, ...steps],
      [[{ do: 'complete' }]],
    );
    const { id } = await caller.task('go', { returnImmediately: true });
    const early = answer(id, 'early');
    await quiet();
    expect(early.isSettled).toBe(false);
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['pending']);
    expect((await caller.get(id)).status.state, 'the waiting reply does not change the task').toBe('TASK_STATE_WORKING');
    executor.open('on');
    expect(await early.outcome).toBe(wanted.said);
    await untilIdle(agent);
    expect(executor.answers).toEqual(wanted.answers);
    expect(executor.runs.map(({ text }) => text)).toEqual(wanted.runs);
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual([wanted.row]);
  });
});

describe('D14: two replies at the same time', () => {
  const MOMENTS = Array.from({ length: 40 }, (_, moment) => moment);
  const rows: [string, readonly ScriptStep[], (first: string, second: string) => object][] = [
    [
      'the other is refused when the task ends',
      [ASK, { do: 'complete' }],
      (first) => ({ answers: [first], runs: ['go'], states: ['taken', 'refused'], replies: 1 }),
    ],
    [
      'the other answers the next question if that accepts earlier messages',
      [ASK, { ...ASK, early: true }, { do: 'complete' }],
      (first, second) => ({ answers: [first, second], runs: ['go'], states: ['taken', 'taken'], replies: 2 }),
    ],
    [
      'the other starts the next turn',
      [ASK, PARK],
      (first, second) => ({ answers: [first], runs: ['go', second], states: ['taken', 'taken'], replies: 1 }),
    ],
  ];
  test.each(rows)('D14: exactly one reply is taken, at any distance in time; %s', async (_name, steps, wanted) => {
    for (const moment of MOMENTS) {
      const { agent, answer, caller, executor, store } = agentThat(steps, [[{ do: 'complete' }]]);
      const { id } = await caller.task('go');
      const sends = [answer(id, 'one')];
      for (let n = 0; n < moment; n += 1) await Promise.resolve();
      sends.push(answer(id, 'two'));
      const outcomes = await Promise.all(sends.map(({ outcome }) => outcome));
      await untilIdle(agent);
      const inbox = await inboxOf(store, refOf(id));
      const [first, second] = inbox.length < 2 ? ['one', 'two'] : inbox.map(({ json }) => JSON.parse(json).message.parts[0].text);
      // A reply that arrives after the task has ended is refused before it is stored: the inbox has no row for it.
      const expected = wanted(first, second) as { answers: string[]; runs: string[]; states: string[]; replies: number };
      expect(executor.answers, `${moment} microtasks apart`).toEqual(expected.answers);
      expect(executor.runs.map(({ text }) => text)).toEqual(expected.runs);
      expect(inbox.map(({ state }) => state)).toEqual(expected.states.slice(0, inbox.length));
      expect((await storyOf(store, refOf(id))).filter((line) => line === 'input:reply')).toHaveLength(expected.replies);
      const refused = expected.states.filter((state) => state === 'refused').length;
      expect(outcomes.filter((outcome) => outcome === 'UNSUPPORTED_OPERATION')).toHaveLength(refused);
    }
  });
});
