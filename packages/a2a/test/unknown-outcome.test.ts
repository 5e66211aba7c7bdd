import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/index.js';
import { type AgentExecutor, createAgent, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { type CommitFault, type FaultPlan, failingStore, scriptedExecutor } from '../src/testing/index.js';
import { ignoringHeartbeats } from './faults.js';
import { callerOf, gate, Reader, say } from './harness.js';
import { inboxOf, logOf, quiet, refOf, refusal, storyOf, until, untilIdle } from './looking.js';

const NAME = { name: 'Doubter' };

/** Three commits of one task: its creation, a chunk, its end. */
const threeCommits: AgentExecutor = {
  async execute(_context, events) {
    await events.working();
    await events.flush();
    await events.appendText('a', 'x');
    await events.flush();
    await events.complete();
  },
};

/** The same three commits, with a gate after the first. */
const gated = (start: { readonly passed: Promise<void> }): AgentExecutor => ({
  async execute(_context, events) {
    await events.working();
    await events.flush();
    await start.passed;
    await events.appendText('a', 'x');
    await events.flush();
    await events.complete();
  },
});

const STORY = ['input:turn', 'task:SUBMITTED', 'status:WORKING', 'artifact', 'status:COMPLETED'];

function failingAt(plan: FaultPlan, executor = threeCommits) {
  const store = failingStore(memoryStore(), plan);
  const errors: A2AError[] = [];
  const agent = createAgent({ ...NAME, store, executor, onError: (error) => errors.push(error) });
  return { agent, caller: callerOf(agent), errors, store };
}

/** Fails the commit that contains this text. */
const where = (fault: CommitFault, has: string): FaultPlan => {
  let done = false;
  return (_, writes) => {
    if (done || !writes.some(({ entries }) => entries.some(({ json }) => json.includes(has)))) return undefined;
    done = true;
    return fault;
  };
};

describe('D12: a commit whose outcome is unknown', () => {
  test.each([
    ['of the creation', '"task"'],
    ['of a chunk', '"artifactUpdate"'],
    ['of the end', 'TASK_STATE_COMPLETED'],
  ] as const)('D12: if the response of the commit %s is lost, a read finds the commit, and the run continues', async (_name, has) => {
    const { agent, caller, errors, store } = failingAt(where('after', has));
    const reader = await caller.stream('go');
    await reader.all();
    const id = reader.seen[0]?.task?.id ?? '';
    expect(await storyOf(store, refOf(id))).toEqual(STORY);
    expect(
      reader.seen.map(({ seq }) => seq),
      'each event once, in order',
    ).toEqual([2, 3, 4, 5]);
    expect(errors).toEqual([]);
    await untilIdle(agent);
  });

  test('D12: a blocking send completes if the response of a commit is lost', async () => {
    for (const has of ['"task"', '"artifactUpdate"', 'TASK_STATE_COMPLETED']) {
      const { caller } = failingAt(where('after', has));
      expect(await caller.task('go')).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'x' }] }] });
    }
  });

  test('D12: a creation that did not happen is a retryable error of the call, and nothing is stored', async () => {
    for (const method of ['send', 'stream'] as const) {
      const { agent, caller, errors, store } = failingAt({ 1: 'before' });
      expect(await refusal(caller[method]('go'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 });
      await untilIdle(agent);
      expect((await caller.list()).totalSize).toBe(0);
      expect(store.commits, 'the commit is not retried').toBe(1);
      expect(errors).toMatchObject([{ reason: 'AGENT_UNAVAILABLE', cause: { message: 'Commit 1 failed by plan (before)' } }]);
    }
  });

  test.each([
    ['a chunk', '"artifactUpdate"', STORY.slice(0, 3)],
    ['the end', 'TASK_STATE_COMPLETED', STORY.slice(0, 4)],
  ] as const)(
    'D12: %s that was not committed stops the run, every reader gets a retryable error, and nothing more is written',
    async (_name, has, story) => {
      const start = gate();
      const { agent, caller, store } = failingAt(where('before', has), gated(start));
      const reader = await caller.stream('go');
      await reader.until(2);
      const second = await caller.subscribe(reader.seen[0]?.task?.id ?? '', '0');
      await second.until(2);
      start.open();
      for (const each of [reader, second]) {
        expect(await each.ended).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE', retryable: true } });
      }
      await untilIdle(agent);
      const id = reader.seen[0]?.task?.id ?? '';
      expect(await storyOf(store, refOf(id))).toEqual(story);
      expect(
        reader.seen.every(({ seq = 0 }) => seq <= story.length),
        'no reader saw an event that is not stored',
      ).toBe(true);
    },
  );

  test('D12: if the store fails before the stream is read, the Task comes first, so that its reader can resume', async () => {
    const { agent, caller } = failingAt(where('before', '"artifactUpdate"'));
    const reader = await caller.stream('go');
    expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE' } });
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING']);
    await untilIdle(agent);
  });

  test('D12: a stream that is opened after the store failed gets the error as well', async () => {
    const start = gate();
    const { agent, caller } = failingAt(where('before', '"artifactUpdate"'), gated(start));
    const reply = await caller.handle('SendStreamingMessage', { message: say('go') });
    start.open();
    await quiet();
    expect(agent.tasks.running).toEqual([]);
    if (reply.kind !== 'stream') throw new Error('no stream');
    const reader = new Reader(reply);
    expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE' } });
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING']);
  });

  test('D12: a slow reader gets all stored events before the error', async () => {
    const start = gate();
    const { agent, caller } = failingAt(where('before', 'TASK_STATE_COMPLETED'), {
      async execute(_context, events) {
        await events.working();
        await events.flush();
        await start.passed;
        for (const text of ['x', 'y']) {
          await events.appendText('a', text);
          await events.flush();
        }
        await events.complete();
      },
    });
    const reader = await caller.stream('go');
    await reader.until(2);
    reader.hungry = false;
    start.open();
    await untilIdle(agent);
    await quiet();
    expect(reader.text).toBe('x');
    reader.hungry = true;
    reader.resume();
    expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE' } });
    expect(reader.text).toBe('xy');
  });

  test('D12: an entry of another node with our seq is not taken for ours', async () => {
    const inner = ignoringHeartbeats();
    const store: TaskStore = {
      ...inner,
      async commit(writes) {
        const [write] = writes;
        if (!write?.entries.some(({ kind }) => kind === 'artifact')) return inner.commit(writes);
        const { ref, firstSeq, entries } = write;
        const claimed = await inner.claim(ref, 'another-node');
        if (typeof claimed !== 'object') throw new Error(`not claimed: ${claimed}`);
        const theirs = entries.map((entry) => ({ ...entry, json: entry.json.replace('"x"', '"theirs"') }));
        await inner.commit([{ ref, firstSeq, epoch: claimed.epoch, entries: theirs }]);
        throw new Error('connection reset');
      },
    };
    const start = gate();
    const agent = createAgent({ ...NAME, store, executor: gated(start) });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    await reader.until(2);
    start.open();
    expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE' } });
    await untilIdle(agent);
    const id = reader.seen[0]?.task?.id ?? '';
    expect(reader.text, 'no reader got our entry').toBe('');
    expect((await caller.get(id)).artifacts?.[0]?.parts, 'no entry of ours followed').toEqual([{ text: 'theirs' }]);
    expect(await storyOf(inner, refOf(id))).toEqual(STORY.slice(0, 4));
  });

  test('D12: a blocking send gets the same error', async () => {
    for (const has of ['"artifactUpdate"', 'TASK_STATE_COMPLETED']) {
      const { agent, caller } = failingAt(where('before', has));
      expect(await refusal(caller.send('go'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
      await untilIdle(agent);
    }
  });

  test('D12: after a partial commit, the committed task continues and the other one stops, each by the state of the store', async () => {
    const start = gate();
    const both: AgentExecutor = {
      async execute({ text }, events) {
        await events.working();
        await events.flush();
        await start.passed;
        await events.appendText('a', text);
        await events.complete();
      },
    };
    let cut = false;
    const store = failingStore(memoryStore(), (_, writes) => {
      if (cut || writes.length < 2 || !writes.every(({ entries }) => entries.some(({ kind }) => kind === 'artifact'))) return undefined;
      cut = true;
      return 'middle';
    });
    const agent = createAgent({ ...NAME, store, executor: both });
    const caller = callerOf(agent);
    const readers = await Promise.all([caller.stream('one'), caller.stream('two')]);
    await Promise.all(readers.map((reader) => reader.until(2)));
    start.open();
    const ends = await Promise.all(readers.map((reader) => reader.ended));
    expect(cut, 'both tasks were in one commit').toBe(true);
    expect(ends.map(({ kind }) => kind).sort()).toEqual(['done', 'error']);
    await untilIdle(agent);
    for (const [index, reader] of readers.entries()) {
      const stored = (await logOf(store, refOf(reader.seen[0]?.task?.id ?? '')))
        .filter(({ kind }) => kind !== 'input')
        .map(({ seq }) => seq);
      expect(reader.seen.map(({ seq }) => seq)).toEqual(stored);
      expect(reader.seen.at(-1)?.statusUpdate?.status.state === 'TASK_STATE_COMPLETED').toBe(ends[index]?.kind === 'done');
    }
  });

  test('D12: if the read of the outcome fails as well, the run stops and writes nothing', async () => {
    const inner = memoryStore();
    let away = false;
    const store: TaskStore = {
      ...inner,
      async commit(writes) {
        if (writes.some(({ entries }) => entries.some(({ kind }) => kind === 'artifact'))) {
          away = true;
          await inner.commit(writes);
        }
        if (away) throw new Error('connection reset');
        return inner.commit(writes);
      },
      async entryAt(ref, seq) {
        if (away) throw new Error('connection reset');
        return inner.entryAt(ref, seq);
      },
    };
    const start = gate();
    const agent = createAgent({ ...NAME, store, executor: gated(start) });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    await reader.until(2);
    start.open();
    expect(await reader.ended).toMatchObject({
      kind: 'error',
      error: { reason: 'AGENT_UNAVAILABLE', message: 'the task cannot be written at the moment; retry later' },
    });
    await untilIdle(agent);
    const id = reader.seen[0]?.task?.id ?? '';
    expect(await storyOf(inner, refOf(id)), 'the chunk was committed without a response, and nothing followed it').toEqual(
      STORY.slice(0, 4),
    );
    away = false;
    const back = await caller.subscribe(id, String(reader.seen.at(-1)?.seq));
    await back.until(1);
    expect(back.text, 'a reader that resumes gets it').toBe('x');
    back.close();
  });

  test.each(['before', 'after', 'middle'] as const)(
    'D12: a message that is being taken when the commit fails (%s) runs once or is still pending, and is never lost',
    async (fault) => {
      const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }], {
        turns: [[{ do: 'complete' }]],
      });
      const { agent, caller, store } = failingAt(where(fault, '"on"'), executor);
      const { id } = await caller.task('go');
      await untilIdle(agent);
      const sent = caller.send(say('on', { taskId: id }));
      if (fault === 'before') {
        expect(await refusal(sent)).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
        expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['pending']);
        expect(executor.runs).toHaveLength(1);
        await untilIdle(agent);
        await caller.send(say('again', { taskId: id })).catch(() => {});
      } else {
        expect((await sent).task?.status.state).toBe('TASK_STATE_COMPLETED');
      }
      await untilIdle(agent);
      expect(executor.runs.map(({ text }) => text)).toEqual(['go', 'on']);
      expect((await inboxOf(store, refOf(id))).every(({ state }) => state !== 'pending')).toBe(true);
    },
  );

  test('D12: a store that stays unavailable does not get a retry per waiting message', async () => {
    let away = false;
    const store = failingStore(memoryStore(), () => (away ? 'before' : undefined));
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'gate', name: 'more' },
      { do: 'working' },
      { do: 'flush' },
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, store, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    for (const text of ['one', 'two', 'three']) await caller.task(say(text, { taskId: id }), { returnImmediately: true });
    await quiet();
    const before = store.commits;
    away = true;
    executor.open('more');
    await quiet();
    await until(() => agent.tasks.running.length === 0);
    expect(store.commits - before).toBeLessThan(10);
  });

  test('D12: a node whose task was taken over is refused by its epoch: its run stops, and its readers follow the new owner', async () => {
    const store = ignoringHeartbeats();
    const bus = memoryBus();
    const old = scriptedExecutor([
      { do: 'append', artifactId: 'a', text: 'old ' },
      { do: 'flush' },
      { do: 'gate', name: 'wake' },
      { do: 'append', artifactId: 'a', text: 'too late' },
      { do: 'complete' },
    ]);
    const sleeper = createAgent({ ...NAME, store, bus, node: 'sleeper', executor: old });
    const { id } = await callerOf(sleeper).task('go', { returnImmediately: true });
    const reader = await callerOf(sleeper).subscribe(id, '0');
    await reader.until(2);
    const taker = createAgent({
      ...NAME,
      store,
      bus,
      node: 'taker',
      recovery: 'restart',
      executor: scriptedExecutor([
        { do: 'append', artifactId: 'b', text: 'new' },
        { do: 'gate', name: 'end' },
      ]),
    });
    const taken = callerOf(taker).task(say('take over', { taskId: id }), { returnImmediately: true });
    await taken;
    await quiet();
    old.open('wake');
    await untilIdle(sleeper);
    await quiet();
    expect(reader.text).toBe('old new');
    expect(old.runs[0]?.signal.aborted).toBe(true);
    expect((await logOf(store, refOf(id))).some(({ json }) => json.includes('too late'))).toBe(false);
    const seen = reader.seen.map(({ seq = 0 }) => seq);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(taker.tasks.running).toHaveLength(1);
    reader.close();
  });
});
