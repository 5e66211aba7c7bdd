/** An agent that answers without a pause, and a check of the stream of a reply to its question. */
import { expect } from 'vitest';
import type { AgentExecutor, TaskStore } from '../src/server/index.js';
import { type callerOf, type Seen, say } from './harness.js';
import { logOf, refOf } from './looking.js';

export const fastExecutor: AgentExecutor = {
  async execute(context, events) {
    const answer = await context.requireInput('which?');
    await events.working('at it');
    await events.appendText('a', 'one ');
    await events.appendText('a', 'two ');
    await events.complete(answer);
  },
};

/** Each event in short form: `task:WORKING`, `artifact:one `, `status:COMPLETED`. */
export const outlineOf = (events: readonly Seen[]): readonly string[] =>
  events.map(({ task, statusUpdate, artifactUpdate }) => {
    if (task) return `task:${task.status.state.replace('TASK_STATE_', '')}`;
    if (statusUpdate) return `status:${statusUpdate.status.state.replace('TASK_STATE_', '')}`;
    return `artifact:${artifactUpdate?.artifact.parts[0]?.text}`;
  });

type Caller = ReturnType<typeof callerOf>;

/** Asks through one caller, replies through a stream of the other, and compares that stream with the log. */
export async function checkAnswerStream(store: TaskStore, asks: Caller, answers: Caller): Promise<void> {
  const { id } = await asks.task('go');
  const events = await (await answers.stream(say('this', { taskId: id }))).all();
  expect(outlineOf(events)).toEqual(['task:WORKING', 'status:WORKING', 'artifact:one ', 'artifact:two ', 'status:COMPLETED']);
  const [first, ...rest] = events;
  expect(first?.task?.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'which?', 'this']);
  expect(first?.task?.artifacts).toBeUndefined();
  const log = await logOf(store, refOf(id));
  expect(rest.map(({ seq, ...event }) => [seq, event])).toEqual(
    log.filter(({ seq }) => seq > (first?.seq ?? 0)).map(({ seq, json }) => [seq, JSON.parse(json)]),
  );
}
