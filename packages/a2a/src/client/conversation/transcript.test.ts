import { describe, expect, test } from 'vitest';
import type { Part } from '../../protocol/types.js';
import type { PlainUpdate } from './conversation.js';
import type { AgentMessage, UserMessage } from './message.js';
import { toState } from './state.js';
import { RUNNING } from './status.js';
import { Transcript } from './transcript.js';

const AT = '2026-01-01T00:00:00.000Z';
const place = (id: string, parentId: string | null) => ({ id, parentId, siblings: [], createdAt: AT, parts: [], text: '' });
const user: UserMessage = {
  ...place('u', null),
  role: 'ROLE_USER',
  delivery: 'sent',
  message: { messageId: 'u', role: 'ROLE_USER', parts: [] },
};
const answer: AgentMessage = {
  ...place('a', 'u'),
  role: 'ROLE_AGENT',
  status: RUNNING,
  task: undefined,
  seq: undefined,
  said: [],
  artifacts: [],
};
const SURROUNDINGS = { id: 't', isLoading: false, card: undefined, isLeader: true };

function talking(): { transcript: Transcript; tell: (update: PlainUpdate) => void } {
  const transcript = new Transcript(undefined);
  transcript.apply({ kind: 'put', message: user, show: true, at: AT });
  transcript.apply({ kind: 'put', message: answer, show: true, at: AT });
  const tell = (update: PlainUpdate): void => transcript.apply({ kind: 'update', messageId: 'a', update, at: AT });
  tell({ kind: 'task', task: { id: 'task', status: { state: 'TASK_STATE_WORKING' } } });
  return { transcript, tell };
}

/** A part that counts the reads of its text. */
function counted(text: string, count: () => void): Part {
  return {
    get text() {
      count();
      return text;
    },
  };
}

const CHUNKS = 100_000;
const FRAME = 1_000;

describe('long answers', { timeout: 60_000 }, () => {
  test('100,000 chunks of an artifact are read a few times each, however often the state is built', () => {
    const { transcript, tell } = talking();
    let visits = 0;
    let state = toState(transcript, SURROUNDINGS, undefined);
    for (let at = 0; at < CHUNKS; at += 1) {
      const chunk = { artifactId: 'x', parts: [counted('word ', () => (visits += 1))] };
      tell({ kind: 'artifact', chunk, append: at > 0, last: false });
      if (at % FRAME === 0) state = toState(transcript, SURROUNDINGS, state);
    }
    state = toState(transcript, SURROUNDINGS, state);
    expect(state.messages[1]?.parts).toHaveLength(1);
    expect(state.messages[1]?.parts[0]?.text).toHaveLength(5 * CHUNKS);
    expect(visits).toBeLessThanOrEqual(10 * CHUNKS);
    expect(state.artifacts[0]?.parts).toHaveLength(1);
    expect(state.artifacts[0]?.parts[0]?.text).toHaveLength(5 * CHUNKS);
  });

  test('100,000 status messages are read a few times each', () => {
    const { transcript, tell } = talking();
    let visits = 0;
    let state = toState(transcript, SURROUNDINGS, undefined);
    for (let at = 0; at < CHUNKS; at += 1) {
      const message = { messageId: `s${at}`, role: 'ROLE_AGENT' as const, parts: [counted('word ', () => (visits += 1))] };
      tell({ kind: 'state', status: { state: 'TASK_STATE_WORKING', message } });
      if (at % FRAME === 0) state = toState(transcript, SURROUNDINGS, state);
    }
    state = toState(transcript, SURROUNDINGS, state);
    expect(state.messages[1]?.parts[0]?.text).toHaveLength(5 * CHUNKS);
    expect(visits).toBeLessThanOrEqual(8 * CHUNKS);
  });
});

describe('values that did not change keep their identity', () => {
  test('U40: messages, parts, artifacts and lists keep their identity', () => {
    const { transcript, tell } = talking();
    tell({ kind: 'artifact', chunk: { artifactId: 'x', parts: [{ text: 'One' }] }, append: false, last: true });
    tell({ kind: 'artifact', chunk: { artifactId: 'y', parts: [{ text: 'Two' }] }, append: false, last: false });
    const before = toState(transcript, SURROUNDINGS, undefined);
    const { messages, artifacts, task } = before;
    const idle = toState(transcript, SURROUNDINGS, before);
    expect([idle.messages === messages, idle.artifacts === artifacts, idle.task === task]).toEqual([true, true, true]);
    tell({ kind: 'state', status: { state: 'TASK_STATE_WORKING' } });
    const working = toState(transcript, SURROUNDINGS, idle);
    expect([working.messages === messages, working.messages[0] === messages[0], working.artifacts === artifacts]).toEqual([
      false,
      true,
      true,
    ]);
    expect(working.messages[1]?.parts).toBe(messages[1]?.parts);
    tell({ kind: 'artifact', chunk: { artifactId: 'y', parts: [{ text: '!' }] }, append: true, last: true });
    const grown = toState(transcript, SURROUNDINGS, working);
    expect([grown.artifacts === artifacts, grown.artifacts[0] === artifacts[0], grown.artifacts[1] === artifacts[1]]).toEqual([
      false,
      true,
      false,
    ]);
    expect(artifacts[1]?.parts).toEqual([{ text: 'Two' }]);
    expect(task?.artifacts?.[1]?.parts).toEqual([{ text: 'Two' }]);
  });

  test('events for unknown messages change nothing', () => {
    const { transcript } = talking();
    const before = transcript.messages;
    transcript.apply({ kind: 'update', messageId: 'missing', update: { kind: 'state', status: { state: 'TASK_STATE_WORKING' } }, at: AT });
    transcript.apply({ kind: 'status', messageId: 'u', status: RUNNING, at: AT });
    transcript.apply({ kind: 'delivery', messageId: 'a', delivery: 'failed', at: AT });
    transcript.apply({ kind: 'head', headId: 'missing', at: AT });
    expect(transcript.messages).toBe(before);
  });
});
