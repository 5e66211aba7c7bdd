/** The Task of a run that publishes nothing for a while, in every store: all nodes see it, and it survives its node. */
import { afterEach, describe, expect, inject, test } from 'vitest';
import { postgres } from '../../src/postgres.js';
import { type AgentExecutor, createAgent, type TaskStore } from '../../src/server/index.js';
import { sqlite } from '../../src/stores/sqlite/index.js';
import { pause } from '../../src/testing/pause.js';
import { callerOf, say } from '../harness.js';
import { refOf, storyOf, until } from '../looking.js';
import { cluster } from '../nodes.js';
import { tempFiles } from '../temp-folder.js';
import { newSchema } from './provided.js';

const newFile = tempFiles();
const LEASE_MS = 1_500;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Row {
  readonly name: string;
  /** Each call of the result opens the same tasks. */
  open(): () => TaskStore;
}

const ROWS: readonly Row[] = [
  {
    name: 'SQLite',
    open() {
      const file = newFile();
      return () => sqlite(file);
    },
  },
  {
    name: 'PostgreSQL',
    open() {
      const schema = newSchema();
      return () => postgres(inject('postgresUrl'), { schema });
    },
  },
];

const silent: AgentExecutor = { execute: ({ clock, signal }) => pause(clock, 60_000, signal) };

describe.each(ROWS)('D43: $name', ({ open }) => {
  test('D43: a run without events is listed, merged and canceled', async () => {
    const store = open()();
    const executor: AgentExecutor = {
      async execute(context, events) {
        const { text, taskId, contextId, clock, signal } = context;
        await pause(clock, text === 'wait' ? 60_000 : 400, signal);
        await events.publish({
          id: taskId,
          contextId,
          status: { state: 'TASK_STATE_COMPLETED' },
          artifacts: [{ artifactId: 'x', parts: [{ text: 'all' }] }],
          metadata: { colour: 'blue' },
          history: [
            { messageId: 'u-0', role: 'ROLE_USER', parts: [{ text: 'long ago' }] },
            { messageId: 'a-0', role: 'ROLE_AGENT', parts: [{ text: 'indeed' }] },
          ],
        });
      },
    };
    const agent = createAgent({ name: 'Slow', store, executor });
    closing.push(() => agent.close({ drainMs: 0 }));
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    expect((await caller.list()).tasks.map((task) => [task.id, task.status.state])).toEqual([[id, 'TASK_STATE_SUBMITTED']]);
    const reader = await caller.subscribe(id);
    await reader.all();
    const task = await caller.get(id);
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      metadata: { colour: 'blue' },
      artifacts: [{ artifactId: 'x' }],
    });
    expect(task.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'long ago', 'indeed']);

    const waiting = await caller.task('wait', { returnImmediately: true });
    expect((await caller.cancel(waiting.id)).status.state).toBe('TASK_STATE_CANCELED');
    expect(await storyOf(store, refOf(waiting.id))).toEqual(['input:turn', 'task:SUBMITTED', 'status:CANCELED']);
  });

  test('D43: when the process dies with a provisional Task, the next one restarts the turn, and its Message is the answer', async () => {
    const next = open();
    const truth = next();
    closing.push(() => truth.close());
    const { start } = cluster(truth);
    const options = { recovery: 'restart', leaseMs: LEASE_MS } as const;
    const first = start({ ...options, executor: silent });
    const key = { idempotencyKey: 'order-1' };
    const message = say('go');
    const { task } = await first.caller.send(message, { returnImmediately: true }, key);
    const id = task?.id ?? '';
    first.cutOff();
    const attempts: number[] = [];
    const second = start({
      ...options,
      executor: {
        async execute({ attempt }, events) {
          attempts.push(attempt);
          await events.reply('on the second try');
        },
      },
    });
    closing.push(() => second.agent.close({ drainMs: 0 }));
    await until(() => attempts.length > 0);
    await until(() => second.agent.tasks.running.length === 0);
    expect(attempts).toEqual([2]);
    const { task: again } = await second.caller.send(message, { returnImmediately: true }, key);
    expect(again).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'on the second try' }] } } });
    expect(await storyOf(truth, refOf(id))).toEqual(['input:turn', 'task:SUBMITTED', 'note:attempt', 'status:COMPLETED']);
  });
});
