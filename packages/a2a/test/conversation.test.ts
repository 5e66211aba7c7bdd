import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/protocol/errors.js';
import type { Message, Part } from '../src/protocol/types.js';
import { type Agent, createAgent, type EarlierMessage, memoryStore, type TaskStore } from '../src/server/index.js';
import { sqlite } from '../src/stores/sqlite/index.js';
import { checkBothSides, rememberer, talk } from './conversation-checks.js';
import { callerOf, say } from './harness.js';
import { quiet } from './looking.js';
import { tempFiles } from './temp-folder.js';

const newFile = tempFiles();
const textsOf = (messages: readonly EarlierMessage[] | undefined) => messages?.map(({ parts }) => parts.map(({ text }) => text).join());
const KiB = 1024;

/** Resolves when the runtime has created the Task of a silent run. */
async function untilCreated(agent: Agent, id: string): Promise<void> {
  while (!(await callerOf(agent).list()).tasks.some((task) => task.id === id)) await quiet();
}

describe('F4, D47: both sides of a conversation', () => {
  test('F4: conversation() includes the answers of the agent, per task (memory)', () => checkBothSides(memoryStore()));
  test('F4: conversation() includes the answers of the agent, per task (SQLite)', () => checkBothSides(sqlite(newFile())));

  test('D47: the limit counts the messages of both sides and keeps the newest', async () => {
    for (const [limit, expected] of [
      [1, ['echo two']],
      [2, ['two', 'echo two']],
      [3, ['echo one', 'two', 'echo two']],
      [4, ['one', 'echo one', 'two', 'echo two']],
      [0, []],
    ] as const) {
      const { agent, heard } = rememberer(memoryStore(), { limit });
      for (const text of ['one', 'two', 'three']) await talk(agent)(text);
      expect(textsOf(heard.get('three')), `limit ${limit}`).toEqual(expected);
    }
  });

  test('D47: without a limit it returns a hundred messages, from more tasks than one read returns', async () => {
    const { agent, heard } = rememberer(memoryStore());
    for (let n = 0; n < 60; n += 1) await talk(agent)(`${n}`);
    await talk(agent)('end');
    expect(textsOf(heard.get('end'))).toEqual(Array.from({ length: 50 }, (_, n) => [`${n + 10}`, `echo ${n + 10}`]).flat());
  });

  test('D47: maxBytes omits the oldest messages, also when the newest alone is too large', async () => {
    const sizes = async (maxBytes: number) => {
      const { agent, heard } = rememberer(memoryStore(), { maxBytes });
      for (const text of ['a'.repeat(1_000), 'é'.repeat(1_000), 'c']) await talk(agent)(text);
      const messages = heard.get('c') ?? [];
      expect(messages.reduce((sum, message) => sum + new TextEncoder().encode(JSON.stringify(message)).length, 0)).toBeLessThanOrEqual(
        maxBytes,
      );
      return messages.length;
    };
    expect(await sizes(100_000)).toBe(4);
    expect(await sizes(5_000)).toBe(2);
    expect(await sizes(2_500)).toBe(1);
    expect(await sizes(2_000)).toBe(0);
  });

  test('D47: the default is 1 MiB', async () => {
    const { agent, heard } = rememberer(memoryStore());
    for (const letter of ['a', 'b', 'c']) await talk(agent)(letter.repeat(400 * KiB));
    await talk(agent)('end');
    expect(heard.get('end')?.map(({ parts }) => parts[0]?.text?.slice(-1))).toEqual(['c', 'c']);
  });

  test('D47: raw content above 64 KiB is replaced by its name, type and size, on both sides', async () => {
    const bytes = new Uint8Array(64 * KiB + 1);
    const heard: (readonly EarlierMessage[])[] = [];
    const agent = createAgent({
      name: 'Filer',
      execute: async (context, events) => {
        heard.push(await context.conversation());
        await events.file({ filename: 'large.bin', mediaType: 'application/x-thing', bytes });
        await events.file({ filename: 'small.bin', bytes: bytes.subarray(1) });
      },
    });
    const raw = Buffer.from(bytes).toString('base64');
    const sent: Part[] = [
      { raw, metadata: { kept: true } },
      { raw: raw.slice(0, 8), filename: 'tiny' },
    ];
    await talk(agent)(sent);
    await talk(agent)('next');
    expect(heard[1]?.map(({ parts }) => parts)).toEqual([
      [{ data: { size: 64 * KiB + 1 }, mediaType: 'application/json', metadata: { kept: true } }, sent[1]],
      [
        { data: { filename: 'large.bin', mediaType: 'application/x-thing', size: 64 * KiB + 1 }, mediaType: 'application/json' },
        { raw: Buffer.from(bytes.subarray(1)).toString('base64'), filename: 'small.bin' },
      ],
    ]);
  });

  test('D47: in a later turn, artifacts of the task itself are in currentTask and not in the conversation', async () => {
    const { agent, heard } = rememberer(memoryStore());
    const tell = talk(agent);
    await tell('one');
    const { id } = await tell('ask');
    await tell('this', { taskId: id });
    expect(textsOf(heard.get('this'))).toEqual(['one', 'echo one', 'ask', 'which one?']);
  });

  test('D47: messages of a raw Task without a task id belong to that Task', async () => {
    const heard: (readonly EarlierMessage[])[] = [];
    const agent = createAgent({
      name: 'Importer',
      executor: {
        async execute(context, events) {
          heard.push(await context.conversation());
          const history = [say('imported'), ...(context.message ? [context.message] : [])];
          await events.publish({ id: context.taskId, contextId: context.contextId, status: { state: 'TASK_STATE_COMPLETED' }, history });
        },
      },
    });
    const { id } = await talk(agent)('first');
    await talk(agent)('second');
    expect(heard[1]?.map(({ taskId, parts }) => [taskId, parts[0]?.text])).toEqual([
      [id, 'imported'],
      [id, 'first'],
    ]);
  });

  test.each([0, Number.POSITIVE_INFINITY])(
    'D47: messages of a raw Task get its ids, also without a message of the caller (taskAfterMs %d)',
    async (taskAfterMs) => {
      const heard: (readonly EarlierMessage[])[] = [];
      const agent: Agent = createAgent({
        name: 'Importer',
        taskAfterMs,
        executor: {
          async execute(context, events) {
            heard.push(await context.conversation());
            if (taskAfterMs === 0) await untilCreated(agent, context.taskId);
            const said = (text: string): Message => ({ messageId: `${context.taskId} ${text}`, role: 'ROLE_AGENT', parts: [{ text }] });
            const history = [{ ...say('imported'), taskId: 'of another system' }, said('old answer')];
            const status = { state: 'TASK_STATE_COMPLETED', message: said('answer') } as const;
            await events.publish({ id: context.taskId, contextId: context.contextId, status, history });
          },
        },
      });
      const ids = [(await talk(agent)('first')).id, (await talk(agent)('second')).id];
      await talk(agent)('third');
      for (const id of ids) {
        const texts = heard[2]?.filter(({ taskId }) => taskId === id).flatMap(({ parts }) => parts[0]?.text ?? []);
        expect(new Set(texts)).toEqual(new Set(['imported', 'old answer', id === ids[0] ? 'first' : 'second', 'answer']));
      }
      expect(heard[2]).toHaveLength(8);
      const { contextId, history, status } = await callerOf(agent).get(ids[0] ?? '');
      for (const message of [...(history ?? []), status.message]) expect(message).toMatchObject({ taskId: ids[0], contextId });
    },
  );

  test('D47: the message of a call that failed before the first event is not included, because the client sends it again', async () => {
    const heard: (readonly EarlierMessage[])[] = [];
    const agent: Agent = createAgent({
      name: 'Limited',
      taskAfterMs: 0,
      async execute(context) {
        heard.push(await context.conversation());
        if (context.text === 'fails' && heard.length === 2) {
          await untilCreated(agent, context.taskId);
          throw new A2AError('RATE_LIMITED', 'come back later');
        }
        return `echo ${context.text}`;
      },
    });
    const states = [];
    for (const text of ['one', 'fails', 'fails', 'end']) states.push((await talk(agent)(text)).status.state);
    expect(states[1]).toBe('TASK_STATE_FAILED');
    expect(textsOf(heard[2])).toEqual(['one', 'echo one']);
    expect(textsOf(heard[3])).toEqual(['one', 'echo one', 'fails', 'echo fails']);
  });

  test.each([{ limit: -1 }, { limit: 1.5 }, { limit: Number.NaN }, { maxBytes: 0 }, { maxBytes: Number.NaN }])(
    'D47: %j is refused',
    async (query) => {
      let thrown: unknown;
      const agent = createAgent({
        name: 'Asker',
        execute: async (context) => {
          thrown = await context.conversation(query).catch((error: unknown) => error);
        },
      });
      await callerOf(agent).task('go');
      expect(thrown).toMatchObject({ message: expect.stringMatching(/^conversation: (limit|maxBytes) must be /) });
    },
  );

  test('D47: the messages of the caller are still returned if their task is deleted between two reads of the store', async () => {
    const store = memoryStore();
    const forgetful: TaskStore = { ...store, load: async () => undefined };
    const { agent, heard } = rememberer(forgetful);
    for (const text of ['one', 'two']) await talk(agent)(text);
    expect(textsOf(heard.get('two'))).toEqual(['one']);
  });
});

describe('F13: a streamed answer', () => {
  test('F13: an answer of 2,000 chunks is one part in GetTask and 2,000 events on the wire', async () => {
    for (const store of [memoryStore(), sqlite(newFile())]) {
      const agent = createAgent({
        name: 'Writer',
        store,
        async *execute() {
          for (let n = 0; n < 2_000; n += 1) yield `${n} `;
        },
      });
      const caller = callerOf(agent);
      const reader = await caller.stream('go');
      const seen = await reader.all();
      expect(seen.filter(({ artifactUpdate }) => artifactUpdate?.artifact.parts.length === 1)).toHaveLength(2_000);
      const text = Array.from({ length: 2_000 }, (_, n) => `${n} `).join('');
      const { artifacts } = await caller.get(seen[0]?.task?.id ?? '');
      expect(artifacts).toEqual([{ artifactId: 'answer', parts: [{ text }] }]);
      await agent.close();
    }
  });

  test('F13: a task that was stored with separate chunks continues, and appended text joins the last chunk', async () => {
    const store = memoryStore();
    const apart = [{ artifactId: 'a', parts: [{ text: 'old ' }, { text: 'pieces ' }] }];
    const ref = { agent: '', tenant: '', owner: '', id: 't' };
    const status = { state: 'TASK_STATE_INPUT_REQUIRED' as const };
    const message = say('go', { taskId: 't', contextId: 'c' });
    const snapshot = {
      head: JSON.stringify({ id: 't', contextId: 'c', status }),
      history: JSON.stringify(message),
      messagesBefore: 0,
      messages: 1,
      historyBytes: JSON.stringify(message).length,
      artifacts: apart.map((artifact, n) => ({ n, json: JSON.stringify(artifact) })),
    };
    const json = JSON.stringify({ task: { id: 't', contextId: 'c', status, artifacts: apart, history: [message] } });
    await store.commit([
      {
        ref,
        epoch: 1,
        firstSeq: 1,
        entries: [{ seq: 1, kind: 'task', at: 1, generation: 1, json }],
        create: { node: 'gone' },
        head: { contextId: 'c', state: status.state, statusAt: 1, statusSeq: 1 },
        snapshot,
        release: true,
      },
    ]);
    const agent = createAgent({
      name: 'Appender',
      store,
      executor: {
        async execute({ taskId, contextId }, events) {
          for (const text of ['and ', 'new ']) {
            await events.publish({ taskId, contextId, artifact: { artifactId: 'a', parts: [{ text }] }, append: true });
          }
          await events.complete();
        },
      },
    });
    const { artifacts } = await callerOf(agent).task(say('on', { taskId: 't', contextId: 'c' }));
    expect(artifacts).toEqual([{ artifactId: 'a', parts: [{ text: 'old ' }, { text: 'pieces and new ' }] }]);
  });
});
