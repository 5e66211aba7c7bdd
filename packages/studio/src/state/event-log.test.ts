import { expect, test } from 'vitest';
import { describeEvent } from '../log/describe-event.js';
import type { ConversationEvent } from '../ui/types.js';
import { createEventLog } from './event-log.js';

const at = '2026-01-02T03:04:05.678Z';

function scripted() {
  const frames: (() => void)[] = [];
  let tell: (event: ConversationEvent) => void = () => undefined;
  let isOpen = true;
  const conversation = {
    onEvent(listener: typeof tell) {
      tell = listener;
      return () => {
        isOpen = false;
      };
    },
  };
  const log = createEventLog(conversation, (run) => frames.push(run));
  return { log, frames, tell: (event: ConversationEvent) => tell(event), isOpen: () => isOpen };
}

const state = (name: string, seq: number): ConversationEvent => ({
  at,
  kind: 'update',
  messageId: 'm',
  update: { kind: 'state', seq, status: { state: `TASK_STATE_${name}` as never, timestamp: at } },
});
const chunk = (seq: number): ConversationEvent => ({
  at,
  kind: 'update',
  messageId: 'm',
  update: { kind: 'artifact', seq, chunk: { artifactId: 'a', parts: [{ text: 'x' }] }, append: true, last: false },
});

test('listeners are called once for all events of a frame', () => {
  const { log, frames, tell } = scripted();
  let told = 0;
  log.subscribe(() => told++);
  for (let seq = 1; seq <= 100; seq++) tell(chunk(seq));
  expect(frames).toHaveLength(1);
  frames[0]?.();
  expect(told).toBe(1);
  expect(log.view.rows).toHaveLength(100);
});

test('of a hundred thousand events, all are counted and only the last ones are kept', () => {
  const { log, frames, tell } = scripted();
  for (let seq = 1; seq <= 100_000; seq++) tell(chunk(seq));
  frames[0]?.();
  expect(log.view.count).toBe(100_000);
  expect(log.view.rows).toHaveLength(2_000);
  expect(log.view.rows.at(-1)?.number).toBe(100_000);
});

test('the states of a task are kept across any number of chunks, and the next task starts a new list', () => {
  const { log, frames, tell } = scripted();
  tell(state('WORKING', 1));
  for (let seq = 2; seq <= 10_000; seq++) tell(chunk(seq));
  tell(state('WORKING', 10_001));
  tell(state('COMPLETED', 10_002));
  frames[0]?.();
  expect(log.view.steps.map(({ state: name }) => name)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  tell({
    at,
    kind: 'update',
    messageId: 'm',
    update: { kind: 'task', seq: 2, task: { id: 't2', status: { state: 'TASK_STATE_SUBMITTED' } } as never },
  });
  frames[1]?.();
  expect(log.view.steps.map(({ state: name }) => name)).toEqual(['TASK_STATE_SUBMITTED']);
});

test('a closed log ignores further events', () => {
  const { log, isOpen } = scripted();
  log.close();
  expect(isOpen()).toBe(false);
});

test('every event is described in one line', () => {
  expect(describeEvent(state('COMPLETED', 7))).toMatchObject({ seq: 7, kind: 'state', about: 'COMPLETED' });
  const reconnecting: ConversationEvent = {
    at,
    kind: 'connection',
    connection: { state: 'reconnecting', attempt: 2, delayMs: 400, cause: 'cut\n\u202Eoff' },
  };
  expect(describeEvent(reconnecting)).toMatchObject({ seq: undefined, about: 'attempt 2 in 400 ms: cut ⟨U+202E⟩off', isAlarm: true });
});
