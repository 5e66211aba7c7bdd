import { describe, expect, test } from 'vitest';
import { listen } from '../src/adapters/node.js';
import { A2AError } from '../src/index.js';
import { type AgentExecutor, createAgent, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { endpointsOf, fetchAt, taskOf, userMessage } from './endpoints.js';
import { hearUnhandled } from './faults.js';
import { callerOf, say } from './harness.js';
import { quiet, refusal, untilIdle } from './looking.js';

const MiB = 1024 * 1024;
const NAME = { name: 'Elephant' };

/** Returns its input in chunks that fit into events. */
async function* echo({ text }: RequestContext): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += MiB) yield text.slice(at, at + MiB);
}

/** Publishes a raw Task with an artifact of as many characters as the text of the message says. */
const rawTask: AgentExecutor = {
  async execute({ text, taskId, contextId }, events) {
    const artifacts = [{ artifactId: 'a', parts: [{ text: 'x'.repeat(Number(text)) }] }];
    await events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, artifacts });
    await events.complete('done');
  },
};

describe('D21: a message larger than the event limit', () => {
  test.each([3.2, 3.9])('D21: %f MiB are accepted, and the agent echoes them', async (size) => {
    const text = 'x'.repeat(size * MiB);
    const agent = createAgent({ ...NAME, execute: echo });
    const task = await callerOf(agent).task(text);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.history?.[0]?.parts[0]?.text === text).toBe(true);
    expect(task.artifacts?.[0]?.parts.map((part) => part.text).join('') === text).toBe(true);
    await untilIdle(agent);
  });

  test('D21: it is accepted in a stream, and as the answer to a question', async () => {
    const text = 'x'.repeat(3.2 * MiB);
    const asks = async (context: RequestContext) => String((await context.requireInput('Well?')).length);
    const caller = callerOf(createAgent({ ...NAME, execute: asks }));
    const reader = await caller.stream(text);
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'INPUT_REQUIRED']);
    const id = reader.seen[0]?.task?.id ?? '';
    const answered = await caller.task(say(text, { taskId: id }));
    expect(answered).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: String(text.length) }] }] });
  });

  test('D21: it gets a response over HTTP, and so does every later request', async () => {
    using unhandled = hearUnhandled();
    const server = await listen(createAgent({ ...NAME, execute: async ({ text }) => text.slice(0, 5) }), { port: 0 });
    for (const door of endpointsOf(fetchAt(server.url))) {
      for (const text of ['hello', 'large'.padEnd(3.9 * MiB, 'x'), 'hello']) {
        const task = taskOf(await door.call('SendMessage', userMessage(text)));
        expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: text.slice(0, 5) }] }] });
      }
    }
    await server.close({ drainMs: 0 });
    expect(unhandled.heard).toEqual([]);
  });

  test('D21: a first Task that is too large fails only its own call', async () => {
    using unhandled = hearUnhandled();
    const errors: A2AError[] = [];
    const agent = createAgent({ ...NAME, executor: rawTask, onError: (error) => errors.push(error) });
    const caller = callerOf(agent);
    const [large, small] = await Promise.all([refusal(caller.task('4000000')), caller.task('10')]);
    expect(large).toMatchObject({ reason: 'CONTENT_TOO_LARGE', message: 'the answer of the agent is too large' });
    expect(small.status.state).toBe('TASK_STATE_COMPLETED');
    expect(errors, 'the developer gets the size').toMatchObject([
      { cause: { message: expect.stringContaining('exceeds the limit of 3145728') } },
    ]);
    await untilIdle(agent);
    expect((await caller.task('10')).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await caller.list()).totalSize).toBe(2);
    await quiet();
    expect(unhandled.heard).toEqual([]);
  });
});

describe('D18, D21: the end of a task is never too large to be written', () => {
  const LONG = 'slow '.repeat(5_000);
  const ends: [string, (events: TaskEvents) => Promise<void>, string][] = [
    ['throws an A2AError that is too long', () => Promise.reject(new A2AError('RATE_LIMITED', LONG)), 'RATE_LIMITED'],
    ['fails with a text that is too long', (events) => events.fail(LONG), 'CONTENT_TOO_LARGE'],
    ['fails with an A2AError that is too long', (events) => events.fail(new A2AError('RATE_LIMITED', LONG)), 'CONTENT_TOO_LARGE'],
    ['completes with a text that is too long', (events) => events.complete(LONG), 'CONTENT_TOO_LARGE'],
  ];
  test.each(ends)('D18, D21: an agent that %s ends FAILED, with the reason', async (_name, end, reason) => {
    const agent = createAgent({
      ...NAME,
      maxEventBytes: 2_000,
      executor: {
        async execute(_context, events) {
          await events.working();
          await end(events);
        },
      },
    });
    const { status } = await callerOf(agent).task('go');
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(Object.values(status.message?.metadata ?? {})).toMatchObject([{ reason }]);
    expect(status.message?.parts[0]?.text?.length).toBeLessThanOrEqual(10_000);
    await untilIdle(agent);
  });
});
