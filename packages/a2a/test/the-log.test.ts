import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { logOf, refOf, storyOf, untilIdle } from './looking.js';

const NAME = { name: 'Scribe' };

describe('D1: the entries of the log', () => {
  test('D1: a new task starts with the input of its turn and the Task that contains the message', async () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const agent = createAgent({ ...NAME, clock, store, executor: scriptedExecutor([{ do: 'complete', text: 'done' }]) });
    const message = say('hello', { metadata: { mood: 'good' } });
    const { id, contextId } = await callerOf(agent).task(message);
    const [input, task, status, ...more] = await logOf(store, refOf(id));
    expect(more).toEqual([]);
    expect([input, task, status].map((entry) => [entry?.seq, entry?.kind, entry?.at])).toEqual([
      [1, 'input', clock.now()],
      [2, 'task', clock.now()],
      [3, 'status', clock.now()],
    ]);
    expect(JSON.parse(input?.json ?? '').input).toMatchObject({ as: 'turn', request: { message } });
    const taken = { ...message, taskId: id, contextId };
    expect(JSON.parse(task?.json ?? '').task).toMatchObject({ id, status: { state: 'TASK_STATE_SUBMITTED' }, history: [taken] });
  });

  test('D1: streams carry the exact text of the log, and inputs and notes are never sent', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor([
      { do: 'append', artifactId: 'a', text: 'one' },
      { do: 'requireInput', prompt: 'more?' },
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, store, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const frames: { seq?: number; json: string }[] = [];
    const reply = await caller.handle('SubscribeToTask', { id }, { lastEventId: '0' });
    if (reply.kind !== 'stream') throw new Error('no stream');
    const ended = new Promise((resolve) => {
      reply.open({ send: (batch) => frames.push(...batch) > 0, end: resolve });
    });
    await caller.task(say('yes', { taskId: id }));
    await ended;
    const sent = (await logOf(store, refOf(id))).filter(({ kind }) => kind !== 'input' && kind !== 'note');
    expect(frames.map(({ seq, json }) => ({ seq, json }))).toEqual(sent.map(({ seq, json }) => ({ seq, json })));
    const seqs = frames.map(({ seq }) => seq);
    expect(seqs, 'ids increase, with gaps for the note of the question and the input of the answer').toEqual([2, 3, 5, 7, 8]);
  });

  test('D1: an input says whether it starts a turn or answers a question', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor(
      [
        { do: 'requireInput', prompt: 'which?' },
        { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') },
      ],
      {
        turns: [[{ do: 'complete' }]],
      },
    );
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const { id } = await caller.task('go');
    await caller.task(say('this one', { taskId: id }));
    await caller.task(say('and now', { taskId: id }));
    expect(await storyOf(store, refOf(id))).toEqual([
      'input:turn',
      'task:SUBMITTED',
      'note:asked',
      'status:INPUT_REQUIRED',
      'input:reply',
      'status:WORKING',
      'status:INPUT_REQUIRED',
      'note:turn-ended',
      'input:turn',
      'status:WORKING',
      'status:COMPLETED',
    ]);
  });

  test.each([
    ['an interrupted state', 'TASK_STATE_INPUT_REQUIRED', 1],
    ['an active state that is kept', 'TASK_STATE_WORKING', 1],
    ['a final state', 'TASK_STATE_COMPLETED', 0],
  ] as const)('D1: when execute returns in %s, turn-ended is written unless the task is final', async (_name, state, notes) => {
    const store = memoryStore();
    const agent = createAgent({ ...NAME, store, onIncomplete: 'keep', executor: { execute: (_context, events) => events.status(state) } });
    const { id } = await callerOf(agent).task('go');
    await untilIdle(agent);
    expect((await storyOf(store, refOf(id))).filter((line) => line === 'note:turn-ended')).toHaveLength(notes);
  });

  test('D1: seqs have no gaps in the store, for every kind of entry and any length of the log', async () => {
    const store = memoryStore();
    const going = gate();
    const agent = createAgent({
      ...NAME,
      store,
      async execute(context, events) {
        for (let chunk = 0; chunk < 1_000; chunk += 1) await events.appendText('a', `${chunk} `);
        await context.requireInput('more?');
        await going.passed;
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const answered = caller.task(say('yes', { taskId: id }));
    going.open();
    await answered;
    const seqs = (await logOf(store, refOf(id))).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(seqs.length).toBeGreaterThan(1_000);
  });
});
